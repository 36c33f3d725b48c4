"""Restore: look at everything first, then the archive's files, then the database in one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection, transaction

from compliance.actor import SYSTEM
from compliance.archive import DamagedError, MissingError, current_archive
from compliance.archive.content import checked
from compliance.backup import postgresql, sqlite
from compliance.backup.manifest import BackupError, files_of, read_manifest
from compliance.backup.tables import holds_anything, migrations_known
from compliance.backup.taking import ANY_AGE
from compliance.event_types.log import RESTORED
from compliance.log_keys import trusted_keys
from compliance.proof.verifier import BrokenError, read_checkpoint
from compliance.services.record import record
from compliance.verification import verify_archive, verify_log

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from compliance.backup.manifest import Manifest
    from compliance.proof.verifier import Answer


@dataclass(frozen=True)
class Restored:
    """What came back, and what the checks after it say."""

    manifest: Manifest
    log: Answer
    archive: Answer

    @property
    def ok(self) -> bool:
        """Whether all is as it was signed."""
        return not (self.log.problems or self.archive.problems)


def check_backup(folder: Path) -> tuple[Manifest, list[str]]:
    """Read every byte of a backup again; the archive's digests that it brings.

    Raises:
        BackupError: it is no backup, unfinished or damaged; every damaged file is named.
    """
    manifest = read_manifest(folder)
    files = files_of(folder)
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
        lines = files.place(manifest.files.sha256).read_text().splitlines()
        digests = [checked(line.split()[0]) for line in lines]
    for digest in digests:
        look(digest, f"file {digest}")
    if broken:
        message = "The backup is damaged:\n  " + "\n  ".join(broken)
        raise BackupError(message)
    return manifest, digests


def restore(folder: Path, held: Mapping[str, str]) -> Restored:
    """Put a backup into an installation that holds nothing, and check it against what is held.

    The database comes last and in one step: a restore that ends on the way is begun again with the
    same command. `held` are signed checkpoints kept elsewhere, by where they were kept.

    Raises:
        BackupError: the backup cannot be restored, or not here. The database is as it was.
    """
    manifest, digests = check_backup(folder)
    _refuse_unfit(manifest, folder)
    archive = current_archive()
    there = set(archive.untouched(seconds=ANY_AGE))
    if others := there.difference(digests):
        message = (
            f"The archive {archive} holds {len(others)} files that are not of this backup. Restore "
            "into an empty one: let ARCHIVE_URL name it."
        )
        raise BackupError(message)
    files = files_of(folder)
    for digest in digests:
        if digest not in there:
            with files.place(digest).open("rb") as content:
                archive.store(content)
    load = sqlite.load if connection.vendor == "sqlite" else postgresql.load
    load(manifest.database, files)
    restored = Restored(manifest, verify_log(held), verify_archive())
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
    if holds_anything():
        message = (
            "This installation is in use: its database holds people, parties or events. A backup "
            "is restored into an empty one; let DATABASE_URL and ARCHIVE_URL name that."
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
