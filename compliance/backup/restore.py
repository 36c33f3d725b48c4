"""Restore: check everything first, then copy the archive's files, then the database in one step."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, transaction

from compliance import clock
from compliance.backup import postgresql, sqlite
from compliance.backup.create import ANY_AGE
from compliance.backup.files import files_of
from compliance.backup.manifest import BackupError, read_manifest, require_signature
from compliance.backup.tables import holds_anything, migrations_known
from compliance.event_log.events import RESTORED
from compliance.event_log.tree import trusted_keys
from compliance.event_log.verifier import BrokenError, read_checkpoint
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.files.archive import (
    DamagedError,
    MissingError,
    checked,
    current_archive,
    read_bytes,
)
from compliance.retention.verification import verify_archive
from compliance.verification.run import verify_database

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from compliance.backup.manifest import Manifest
    from compliance.event_log.verifier import Answer


@dataclass(frozen=True)
class Restored:
    """What was restored, and the results of the checks after it."""

    manifest: Manifest
    log: Answer
    archive: Answer

    @property
    def ok(self) -> bool:
        """Return whether everything matches what was signed."""
        return not (self.log.problems or self.archive.problems)


def check_backup(folder: Path) -> tuple[Manifest, list[str]]:
    """Read every byte of a backup; return its manifest and the digests of its archive files.

    Raises:
        BackupError: the backup is missing, unfinished or damaged; every damaged file is named.
    """
    manifest = read_manifest(folder)
    files = files_of(folder, manifest.encrypted_with)
    broken = []

    def look(digest: str, name: str) -> None:
        try:
            with files.fetch(digest):
                pass
        except (MissingError, DamagedError) as wrong:
            broken.append(f"{name}: {wrong}")

    for part in (*manifest.database, manifest.files):
        look(part.sha256, part.name)
    digests: list[str] = []
    if files.has(manifest.files.sha256) and not broken:
        lines = read_bytes(files, manifest.files.sha256).decode().splitlines()
        digests = [checked(line.split()[0]) for line in lines]
    for digest in digests:
        look(digest, f"file {digest}")
    if broken:
        message = "The backup is damaged:\n  " + "\n  ".join(broken)
        raise BackupError(message)
    return manifest, digests


@dataclass(frozen=True)
class Tried:
    """The result of checking a restore, without restoring anything."""

    manifest: Manifest
    files: int
    in_use: bool
    """Whether this installation is in use, so that the backup cannot be restored here."""
    problems: list[dict[str, str]]
    """Where the database in the backup differs from what was signed and recorded."""


def try_restore(folder: Path, *, unsigned: bool = False) -> Tried:
    """Do what `restore` does to the database, roll it back, and check everything else it needs.

    Raises:
        BackupError: the backup cannot be restored, or not here.
    """
    manifest, digests = check_backup(folder)
    _refuse_unfit(manifest, folder)
    require_signature(folder, or_none=unsigned)
    in_use = holds_anything()
    if not in_use:
        _refuse_archive(manifest, _there(digests))
    problems: list[dict[str, str]] = []
    files = files_of(folder, manifest.encrypted_with)
    if connection.vendor == "sqlite":
        loading = sqlite.loaded(manifest.database, files, in_use=in_use, opened=True)
    else:
        loading = postgresql.loaded(manifest.database, files, in_use=in_use)
    with suppress(_RolledBackError), loading:
        problems = verify_database().problems
        raise _RolledBackError
    return Tried(manifest, len(digests), in_use, problems)


class _RolledBackError(Exception):
    """The restore was only a check."""


def restore(folder: Path, checkpoints: Mapping[str, str], *, unsigned: bool = False) -> Restored:
    """Restore a backup into an empty installation, and verify it against kept checkpoints.

    The database comes last and in one step: run an interrupted restore again with the same command.
    `checkpoints` were kept elsewhere, by where. With `unsigned`, a backup without a signature is
    restored, too.

    Raises:
        BackupError: the backup cannot be restored, or not here. The database is unchanged.
    """
    manifest, digests = check_backup(folder)
    _refuse_unfit(manifest, folder)
    require_signature(folder, or_none=unsigned)
    if holds_anything():
        message = (
            "This installation is in use: its database holds people, parties or events. A backup "
            "is restored into an empty one; let DATABASE_URL and ARCHIVE_URL name that."
        )
        raise BackupError(message)
    there = _there(digests)
    _refuse_archive(manifest, there)
    archive = current_archive()
    files = files_of(folder, manifest.encrypted_with)
    for digest in digests:
        if digest not in there:
            with files.fetch(digest) as place, place.open("rb") as content:
                archive.store(content)
    loaded = sqlite.loaded if connection.vendor == "sqlite" else postgresql.loaded
    with loaded(manifest.database, files, in_use=False):
        pass
    restored = Restored(manifest, verify_database(checkpoints), verify_archive())
    with transaction.atomic():
        record(
            RESTORED,
            by=SYSTEM,
            carries={
                "made": manifest.made,
                "size": manifest.log_size,
                "problems": len(restored.log.problems) + len(restored.archive.problems),
            },
        )
    return restored


def lost_since(manifest: Manifest, checkpoints: Mapping[str, str]) -> str:
    """Say how far a backup is behind the newest checkpoint that was seen elsewhere."""
    made = datetime.fromisoformat(manifest.made)
    hours = (clock.now() - made).total_seconds() / 3600
    since = f"The backup was made {hours:,.1f} hours ago"
    sizes = []
    for note in checkpoints.values():
        with suppress(BrokenError):
            sizes.append(read_checkpoint(note, trusted_keys()).size)
    if not sizes:
        return f"{since}, with {manifest.log_size:,} events. No checkpoint says how many it lacks."
    behind = max(sizes) - manifest.log_size
    if behind <= 0:
        return f"{since}. No checkpoint seen elsewhere covers an event that it lacks."
    return (
        f"{since}, and lacks {behind:,} events: the newest checkpoint seen elsewhere covers "
        f"{max(sizes):,}, the backup {manifest.log_size:,}."
    )


def _there(digests: list[str]) -> set[str]:
    """Return the backup's files that the archive has; reject an archive with any other files."""
    archive = current_archive()
    there = set(archive.untouched(seconds=ANY_AGE))
    if others := there.difference(digests):
        message = (
            f"The archive {archive} holds {len(others)} files that are not of this backup. Restore "
            "into an empty one: let ARCHIVE_URL name it."
        )
        raise BackupError(message)
    return there


def _refuse_archive(manifest: Manifest, there: set[str]) -> None:
    """Reject an archive that cannot be written or has no space for the files."""
    archive = current_archive()
    try:
        archive.ready()
        space = archive.space()
    except OSError as error:
        message = f"The archive {archive} cannot be written: {error.strerror or error}."
        raise BackupError(message) from None
    if space is not None and not there and space.free < manifest.files_size:
        message = (
            f"The archive {archive} has room for {space.free:,} bytes, and the files of this "
            f"backup take {manifest.files_size:,}. Let ARCHIVE_URL name a larger disk."
        )
        raise BackupError(message)


def _refuse_unfit(manifest: Manifest, folder: Path) -> None:
    if manifest.vendor != connection.vendor:
        message = (
            f"The backup is of a database on {manifest.vendor}, and DATABASE_URL names one on "
            f"{connection.vendor}. Name an empty database of the same kind."
        )
        raise BackupError(message)
    known = migrations_known()
    apps = known.keys() | manifest.migrations.keys()
    if others := sorted(app for app in apps if known.get(app) != manifest.migrations.get(app)):
        message = (
            f"The backup was made by another version of the program (tables of {', '.join(others)} "
            "differ). Restore it with that version, then update and run `manage.py migrate`."
        )
        raise BackupError(message)
    try:
        if manifest.checkpoint:
            read_checkpoint(manifest.checkpoint, trusted_keys())
    except BrokenError:
        message = (
            f"The log in this backup was signed as {settings.LOG_ORIGIN} with a key that is not "
            "trusted here. Put SIGNING_KEY and LOG_ORIGIN back; if the key is lost, write what "
            f"{folder / 'manifest.json'} lists under `event log` into a file, each with the size "
            f"up to which it is believed (KEY {manifest.log_size}), and let RETIRED_KEYS name it."
        )
        raise BackupError(message) from None
