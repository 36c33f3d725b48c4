"""Back up: the database first, then the files in the archive, then the manifest."""

from __future__ import annotations

import fcntl
import io
import shutil
import sys
import tempfile
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import django
from django.db import connection, transaction

from compliance import clock
from compliance.backup import postgresql, sqlite
from compliance.backup.files import files_of, key_id, plain_folder
from compliance.backup.manifest import (
    MANIFEST,
    UNFINISHED,
    BackupError,
    Manifest,
    Part,
    digest_of_manifest,
    public_keys,
    read_manifest,
    write_manifest,
)
from compliance.backup.tables import migrations_applied
from compliance.event_log.events import BACKED_UP
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError, current_archive
from compliance.jobs.models import BACKUP
from compliance.jobs.schedule import note_done, note_failed
from compliance.retention.reads import why_removed
from compliance.retention.verification import kept_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.files.archive import FolderArchive


ANY_AGE = -86_400.0
"""Seconds; negative, so that even files stored during the listing are included."""


def back_up(folder: Path) -> Manifest:
    """Copy everything into a folder: an empty one, or one with an earlier backup.

    The system keeps running. A file is in the archive before the row that names it, so the files
    listed after the database copy are all it needs; later ones do no harm. Files from an earlier
    backup are not copied again.

    Raises:
        BackupError: the folder contains something else, or another backup is being written to it.
    """
    encrypted_with = key_id()
    plain = plain_folder() if encrypted_with else folder
    with (
        _writing(folder, encrypted_with) as files,
        tempfile.TemporaryDirectory(dir=plain) as aside,
    ):
        made = clock.now()
        dump = sqlite.dump if connection.vendor == "sqlite" else postgresql.dump
        database, (log_size, checkpoint) = dump(files, Path(aside))
        listed, missing = _copy_archive(files)
        keys, unreadable = public_keys()
        missing += unreadable
        lines = "".join(f"{digest} {size}\n" for digest, size in sorted(listed.items())).encode()
        stored = files.store(io.BytesIO(lines))
        manifest = Manifest(
            made=made.isoformat(timespec="seconds"),
            software=_software(),
            vendor=connection.vendor,
            migrations=migrations_applied(),
            log_size=log_size,
            checkpoint=checkpoint,
            public_keys=keys,
            database=tuple(database),
            files=Part("files of the archive", stored.digest, stored.size),
            files_count=len(listed),
            files_size=sum(listed.values()),
            missing=tuple(missing),
            encrypted_with=encrypted_with,
        )
        write_manifest(folder, manifest)
        _forget_former(folder, files, manifest, listed)
    with transaction.atomic():
        record(
            BACKED_UP,
            by=SYSTEM,
            carries={
                "size": log_size,
                "files": len(listed),
                "missing": len(missing),
                "folder": str(folder.resolve()),
                "manifest": digest_of_manifest(folder),
            },
        )
        if missing:
            note_failed(BACKUP, f"It was made, but {len(missing):,} things were missing.")
        else:
            note_done(BACKUP, f"{len(listed):,} files and {log_size:,} events to {folder}.")
    return manifest


@contextmanager
def _writing(folder: Path, encrypted_with: str) -> Iterator[FolderArchive]:
    """Open the folder for one backup at a time; an unfinished one stays marked as unfinished."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {each.name for each in folder.iterdir()}
    except OSError as error:
        message = f"{folder} cannot hold a backup: {error.strerror}."
        raise BackupError(message) from None
    if there and not there & {MANIFEST, UNFINISHED}:
        message = (
            f"{folder} holds something else ({min(there)}, …). Name an empty folder, or one "
            "with an earlier backup."
        )
        raise BackupError(message)
    if MANIFEST in there:
        read_manifest(folder)  # don't overwrite a damaged one: a person should look at it
    mark = folder / UNFINISHED
    with mark.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = f"Another backup is being written to {folder}. Wait for its end."
            raise BackupError(message) from None
        for left in folder.glob("tmp*"):
            shutil.rmtree(left, ignore_errors=True)
        files = files_of(folder, encrypted_with)
        files.clear_aside(older_than_seconds=0)
        yield files
        mark.unlink()


def _copy_archive(files: FolderArchive) -> tuple[dict[str, int], list[str]]:
    """Copy the files that only the archive has; return every file's size, and what is missing."""
    archive = current_archive()
    named = {kept.digest: kept.where for kept in kept_files()}
    listed: dict[str, int] = {}
    missing = []
    for digest in archive.untouched(seconds=ANY_AGE):
        try:
            if not files.has(digest):
                with archive.fetch(digest) as place, place.open("rb") as content:
                    files.store(content)
        except DamagedError as damaged:
            missing.append(f"{named.pop(digest, 'named by nothing')}: {damaged}")
        except MissingError:
            continue  # removed since it was listed; missing only if a row still names it
        else:
            listed[digest] = files.size(digest)
    missing += [
        f"{where}: not in the archive"
        for digest, where in named.items()
        if digest not in listed and not why_removed(digest)
    ]
    return listed, missing


def _forget_former(
    folder: Path, files: FolderArchive, manifest: Manifest, listed: dict[str, int]
) -> None:
    """Remove files that only former manifests name, and all files of another key or of none."""
    for former in folder.glob("files*"):
        if former != files.root:
            shutil.rmtree(former)
    parts = {part.sha256 for part in (*manifest.database, manifest.files)}
    for digest in list(files.untouched(seconds=ANY_AGE)):
        if digest not in parts and digest not in listed:
            files.remove(digest, untouched_seconds=ANY_AGE)


def _software() -> dict[str, str]:
    return {
        "card-game-compliance": metadata.version("card-game-compliance"),
        "python": sys.version.split()[0],
        "django": django.get_version(),
        connection.vendor: ".".join(map(str, connection.get_database_version())),
    }
