"""SQLite backups: a database file copied while others write, and replaced in one step."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import connection

from compliance.backup.manifest import BackupError, Part
from compliance.backup.tables import own_tables, passing_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.files.archive import FolderArchive


NAME = "database.sqlite3"
NEWEST = "SELECT size, note FROM compliance_checkpoint ORDER BY number DESC LIMIT 1"


def dump(files: FolderArchive, aside: Path) -> tuple[list[Part], tuple[int, str]]:
    """Copy the database in one snapshot; return its part, and the size and head of its log.

    One step copies all pages: readers do not block writers (WAL), and concurrent writes do not
    restart the copy. What a backup leaves out is overwritten in the copy.
    """
    place = aside / NAME
    connection.ensure_connection()
    with closing(sqlite3.connect(place, isolation_level=None)) as copy:
        connection.connection.backup(copy, pages=-1)
        copy.execute("PRAGMA journal_mode=DELETE")
        copy.execute("PRAGMA secure_delete=ON")
        for table in passing_tables():
            copy.execute(f'DELETE FROM "{table}"')  # noqa: S608 - names of ours
        head = copy.execute(NEWEST).fetchone() or (0, "")
    with place.open("rb") as content:
        stored = files.store(content)
    place.unlink()
    return [Part(NAME, stored.digest, stored.size)], head


@contextmanager
def loaded(
    parts: tuple[Part, ...], files: FolderArchive, *, in_use: bool, opened: bool = False
) -> Iterator[None]:
    """Copy the database next to the current one, and replace it if the block ends without error.

    With `opened`, the block sees the copy as its database.

    Raises:
        BackupError: the copy is damaged, or the file contains another system's tables.
    """
    if not in_use and (others := sorted(_tables_there() - own_tables())):
        message = (
            f"The database {connection.settings_dict['NAME']} contains tables that are not "
            f"this system's ({', '.join(others)}), and a restore would replace them. Set "
            "DATABASE_URL to a new file."
        )
        raise BackupError(message)
    (part,) = parts
    place = Path(connection.settings_dict["NAME"])
    made = place.with_name(f"{place.name}.restored")
    try:
        with files.fetch(part.sha256) as copy:
            shutil.copyfile(copy, made)
        _check(made)
        with _database(made if opened else place):
            yield
        with made.open("rb") as content:
            os.fsync(content.fileno())
        connection.close()
        for left in _companion_files(place):
            left.unlink(missing_ok=True)
        made.replace(place)
    finally:
        for left in (made, *_companion_files(made)):
            left.unlink(missing_ok=True)


@contextmanager
def _database(place: Path) -> Iterator[None]:
    """Let Django's connection see another database file, unless it is its own."""
    own = connection.settings_dict["NAME"]
    if str(place) == str(own):
        yield
        return
    connection.close()
    connection.settings_dict["NAME"] = str(place)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own


def _tables_there() -> set[str]:
    return {
        each for each in connection.introspection.table_names() if not each.startswith("sqlite_")
    }


def _check(made: Path) -> None:
    with closing(sqlite3.connect(made)) as copy:
        try:
            (says,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            says = str(error)
    if says != "ok":
        message = f"The database in this backup is damaged: {says}. Restore another backup."
        raise BackupError(message)


def _companion_files(place: Path) -> Iterator[Path]:
    """Yield SQLite's side files of a database; they would be read as the other file's."""
    for ending in ("-wal", "-shm", "-journal"):
        yield place.with_name(place.name + ending)
