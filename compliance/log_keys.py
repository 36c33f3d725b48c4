"""The keys of the event log as configured: those that sign, and all that are trusted."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from compliance.proof.signing import SigningKey
from compliance.proof.verifier import VerifierKey, read_keys

END_OF_KEY = b"-----END PRIVATE KEY-----\n"


class NoLogKeyError(Exception):
    """The log cannot be signed or checked, because its keys cannot be read."""


def signing_keys() -> list[SigningKey]:
    """Read the private keys that sign checkpoints: one, or two while they change."""
    try:
        pem = Path(settings.SIGNING_KEY).read_bytes()
    except OSError as error:
        message = f"SIGNING_KEY names {settings.SIGNING_KEY}: {error.strerror}."
        raise NoLogKeyError(message) from error
    blocks = [block + END_OF_KEY for block in pem.split(END_OF_KEY) if block.strip()]
    return [SigningKey.from_pem(settings.LOG_ORIGIN, block) for block in blocks]


def trusted_keys() -> list[VerifierKey]:
    """List the public keys whose checkpoints are believed: those in use, then retired ones."""
    keys = [key.public for key in signing_keys()]
    if settings.RETIRED_KEYS:
        try:
            keys += read_keys(settings.RETIRED_KEYS)
        except OSError as error:
            message = f"RETIRED_KEYS names {settings.RETIRED_KEYS}: {error.strerror}."
            raise NoLogKeyError(message) from error
    return keys
