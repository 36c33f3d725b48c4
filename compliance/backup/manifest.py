"""The manifest of a backup: written last, read first; includes the public keys."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from django.conf import settings

from compliance.event_log.proof import NoLogKeyError, NotASigningKeyError, sign_note
from compliance.event_log.tree import signing_keys, trusted_keys
from compliance.event_log.verifier import BrokenError, read_note
from compliance.events.canonical import NotCanonicalError, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


FORMAT = 1
MANIFEST = "manifest.json"
UNFINISHED = "unfinished"
SEALED = ("digest", "signature")
"""Entries of the manifest that are not of what it says."""
TITLE = "backup of card-game-compliance"

LEFT_OUT = (
    "private keys (SIGNING_KEY, REPORT_KEY), SECRET_KEY, SECOND_FACTOR_KEYS, WEBHOOK_KEYS and "
    "BACKUP_KEY: keep them elsewhere",
    "the configuration: addresses, passwords of the mail server, the store and the database",
    "sessions: everybody signs in again",
    "the counts of sign-in attempts",
    "messages to workers, and half-done work, which is begun again",
    "reports put into REPORTS_URL: they are in the archive",
)


class BackupError(Exception):
    """A backup or restore failed; the message says why, and what to do."""


@dataclass(frozen=True)
class Part:
    """A file in the backup: its content, and its place under `files/`."""

    name: str
    sha256: str
    size: int
    columns: tuple[str, ...] = ()
    """For a table, in the order used in the file."""


@dataclass(frozen=True)
class Manifest:
    """The content of a backup, and what is missing from it."""

    made: str
    software: dict[str, str]
    vendor: str
    migrations: dict[str, list[str]]
    log_size: int
    checkpoint: str
    public_keys: dict[str, list[str]]
    database: tuple[Part, ...]
    files: Part
    """The list of the archive's files: a digest and a size in bytes on each line."""
    files_count: int
    files_size: int
    missing: tuple[str, ...] = ()
    """Files that the database names but the archive could not provide, one sentence each."""
    left_out: tuple[str, ...] = LEFT_OUT
    encrypted_with: str = ""
    """The id of the key that encrypts the files; empty if they are not encrypted."""
    format: int = field(default=FORMAT)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in one step; it includes its own digest, signed with the log's key.

    A key that cannot sign today must not prevent a backup: it is then made without a signature.
    """
    says: dict[str, Any] = json.loads(json.dumps(asdict(manifest)))
    sealed = {**says, "digest": digest(says)}
    with suppress(NoLogKeyError, NotASigningKeyError):
        sealed["signature"] = sign_note(_signed_text(sealed["digest"]), signing_keys())
    made = folder / f"{MANIFEST}.new"
    with made.open("w") as text:
        json.dump(sealed, text, indent=1)
        text.flush()
        os.fsync(text.fileno())
    made.replace(folder / MANIFEST)


def digest_of_manifest(folder: Path) -> str:
    """Return the SHA-256 of a backup's manifest, as the event of the backup keeps it."""
    return hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()


def _signed_text(manifest: str) -> str:
    return f"{settings.LOG_ORIGIN}\n{TITLE}\n{manifest}\n"


def require_signature(folder: Path, *, or_none: bool = False) -> None:
    """Reject a backup whose manifest the log's key did not sign.

    With `or_none`, one that has no signature at all is accepted; a wrong signature never is.

    Raises:
        BackupError: it has no signature, or one of another key or of another manifest.
    """
    says = json.loads((folder / MANIFEST).read_bytes())
    if "signature" not in says:
        if or_none:
            return
        message = (
            f"The backup in {folder} is not signed, so anyone could have made it. If it is from "
            "before backups were signed and you know where it was kept, add --unsigned."
        )
        raise BackupError(message)
    try:
        text, signers = read_note(str(says["signature"]), trusted_keys())
    except BrokenError:
        text, signers = "", []
    if not signers or text != _signed_text(says["digest"]):
        message = (
            f"The backup in {folder} is not as the key of this event log signed it. Do not restore "
            "it: restore another one, and find out who changed this one."
        )
        raise BackupError(message)


def read_manifest(folder: Path) -> Manifest:
    """Read a backup's manifest; reject a folder without a complete, undamaged backup."""
    place = folder / MANIFEST
    try:
        says = json.loads(place.read_bytes())
    except FileNotFoundError:
        if (folder / UNFINISHED).exists():
            message = f"{folder} is a backup that was never finished: it cannot be restored."
            raise BackupError(message) from None
        message = f"{folder} is not a backup: it has no {MANIFEST}."
        raise BackupError(message) from None
    except OSError as error:
        message = f"{place} cannot be read: {error.strerror}."
        raise BackupError(message) from None
    except ValueError:
        raise _damaged(place) from None
    try:
        if (
            digest({name: value for name, value in says.items() if name not in SEALED})
            != says["digest"]
        ):
            raise _damaged(place)
    except (KeyError, AttributeError, NotCanonicalError):
        raise _damaged(place) from None
    if says["format"] != FORMAT:
        message = f"{place} is of format {says['format']}; this version reads format {FORMAT}."
        raise BackupError(message)
    says = {name: value for name, value in says.items() if name not in SEALED}
    says["database"] = tuple(_part(each) for each in says["database"])
    says["files"] = _part(says["files"])
    return Manifest(**{**says, **{name: tuple(says[name]) for name in ("missing", "left_out")}})


def _part(says: dict[str, Any]) -> Part:
    return Part(**{**says, "columns": tuple(says["columns"])})


def _damaged(place: Path) -> BackupError:
    return BackupError(f"{place} is damaged. Restore another backup.")


_registered: dict[str, Callable[[], list[str]]] = {
    "event log": lambda: [str(key) for key in trusted_keys()],
}


def register(whose: str, public: Callable[[], list[str]]) -> None:
    """Include public keys of an app in backups; the app does this in its `hooks`."""
    _registered[whose] = public


def public_keys() -> tuple[dict[str, list[str]], list[str]]:
    """List each app's public keys by purpose, and a sentence for each app that fails.

    A key that cannot be read today must not prevent a backup.
    """
    kept, missing = {}, []
    for whose, public in _registered.items():
        try:
            kept[whose] = public()
        except BackupError as unreadable:
            missing.append(f"public keys of {whose}: {unreadable}")
    return kept, missing
