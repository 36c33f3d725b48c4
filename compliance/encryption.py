"""Secrets that the system must read again, encrypted at rest.

Each use has its own keys in the configuration, newest first: a process that does not handle second
factors cannot decrypt them, and each use's keys can be rotated independently.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

if TYPE_CHECKING:
    from compliance.secret import Secret


SECOND_FACTOR = "second factor"
WEBHOOK = "webhook"
_VARIABLES = {SECOND_FACTOR: "SECOND_FACTOR_KEYS", WEBHOOK: "WEBHOOK_KEYS"}


def sealed(secret: str, use: str) -> str:
    """Encrypt a secret with the newest key of one use; other uses cannot decrypt it."""
    return MultiFernet(_ciphers(use)).encrypt(secret.encode()).decode()


def opened(kept: str, use: str) -> str:
    """Decrypt a secret that was encrypted for this use with any of its keys."""
    return MultiFernet(_ciphers(use)).decrypt(kept.encode()).decode()


def sealed_again(kept: str, use: str) -> str:
    """Return the secret encrypted with the newest key; unchanged if it already is."""
    newest, *_ = ciphers = _ciphers(use)
    try:
        newest.decrypt(kept.encode())
    except InvalidToken:
        return MultiFernet(ciphers).rotate(kept.encode()).decode()
    return kept


def _ciphers(use: str) -> list[Fernet]:
    return [_cipher(key, use) for key in getattr(settings, _VARIABLES[use])]


def _cipher(key: Secret, use: str) -> Fernet:
    digest = hashlib.sha256(use.encode() + key.reveal().encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
