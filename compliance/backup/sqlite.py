"""The database as a file: copied while others write, put back in one step."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import connection

from compliance.backup.manifest import Part
from compliance.backup.tables import passing_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.archive.folder import FolderArchive

NAME = "database.sqlite3"
NEWEST = "SELECT size, note FROM compliance_checkpoint ORDER BY number DESC LIMIT 1"


def dump(files: FolderArchive, aside: Path) -> tuple[list[Part], tuple[int, str]]:
    """Copy the database as it is at one moment; its part, and the size and head of its log.

    One step takes all pages: a reader stops no writer (WAL), and nothing is begun again because
    somebody wrote meanwhile. What a backup leaves out is overwritten in the copy.
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


def load(parts: tuple[Part, ...], files: FolderArchive) -> None:
    """Put the copy where the database belongs, whole or not at all."""
    (part,) = parts
    place = Path(connection.settings_dict["NAME"])
    made = place.with_name(f"{place.name}.restored")
    with files.fetch(part.sha256) as copy:
        shutil.copyfile(copy, made)
    with made.open("rb") as content:
        os.fsync(content.fileno())
    connection.close()
    for left in _beside(place):
        left.unlink(missing_ok=True)
    made.replace(place)


def _beside(place: Path) -> Iterator[Path]:
    """What SQLite keeps beside a database: it would be taken for the other file's."""
    for ending in ("-wal", "-shm", "-journal"):
        yield place.with_name(place.name + ending)
