"""What a backup holds: written last, read first."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from compliance.archive.folder import FolderArchive
from compliance.proof.canonical import NotCanonicalError, digest

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1
MANIFEST = "manifest.json"
UNFINISHED = "unfinished"

LEFT_OUT = (
    "private keys (SIGNING_KEY, REPORT_KEY) and SECRET_KEY: keep them elsewhere",
    "the configuration: addresses, passwords of the mail server, the store and the database",
    "sessions: everybody signs in again",
    "the memory of what was tried at the sign-in",
    "messages to workers, and half-done work, which is begun again",
    "reports put into REPORTS_URL: they are in the archive",
)


class BackupError(Exception):
    """Why nothing was backed up or restored, and what to do."""


@dataclass(frozen=True)
class Part:
    """A file of the backup: what it is, and where it lies under `files/`."""

    name: str
    sha256: str
    size: int
    columns: tuple[str, ...] = ()
    """Of a table, in the order of the file."""


@dataclass(frozen=True)
class Manifest:
    """What is in a backup, and what is not."""

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
    """What the database names and the archive could not give, each in a sentence."""
    left_out: tuple[str, ...] = LEFT_OUT
    format: int = field(default=FORMAT)


def files_of(folder: Path) -> FolderArchive:
    """Where the content of a backup lies."""
    return FolderArchive(folder / "files")


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put it in the place of the former one, in one step; it carries its own digest."""
    says: dict[str, Any] = json.loads(json.dumps(asdict(manifest)))
    made = folder / f"{MANIFEST}.new"
    with made.open("w") as text:
        json.dump({**says, "digest": digest(says)}, text, indent=1)
        text.flush()
        os.fsync(text.fileno())
    made.replace(folder / MANIFEST)


def read_manifest(folder: Path) -> Manifest:
    """Read what a backup says of itself; refuse what is no backup, unfinished or damaged."""
    place = folder / MANIFEST
    try:
        says = json.loads(place.read_bytes())
    except FileNotFoundError:
        if (folder / UNFINISHED).exists():
            message = f"{folder} is a backup that was never finished: it cannot be restored."
            raise BackupError(message) from None
        message = f"{folder} is no backup: it has no {MANIFEST}."
        raise BackupError(message) from None
    except OSError as error:
        message = f"{place} cannot be read: {error.strerror}."
        raise BackupError(message) from None
    except ValueError:
        raise _damaged(place) from None
    try:
        if (
            digest({name: said for name, said in says.items() if name != "digest"})
            != says["digest"]
        ):
            raise _damaged(place)
    except (KeyError, AttributeError, NotCanonicalError):
        raise _damaged(place) from None
    if says["format"] != FORMAT:
        message = f"{place} is of format {says['format']}; this version reads format {FORMAT}."
        raise BackupError(message)
    del says["digest"]
    says["database"] = tuple(_part(each) for each in says["database"])
    says["files"] = _part(says["files"])
    return Manifest(**{**says, **{name: tuple(says[name]) for name in ("missing", "left_out")}})


def _part(says: dict[str, Any]) -> Part:
    return Part(**{**says, "columns": tuple(says["columns"])})


def _damaged(place: Path) -> BackupError:
    return BackupError(f"{place} is damaged: it is not what was written. Restore another backup.")
