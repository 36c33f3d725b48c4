"""PostgreSQL backups: one file per table, all from one snapshot.

COPY in a single-snapshot transaction needs only the driver, and writes files that any version of
PostgreSQL reads; `pg_dump` would have to be installed, in a version as new as the server's.
Migrations create the tables and their triggers.
"""

from __future__ import annotations

from contextlib import contextmanager
from secrets import token_hex
from typing import TYPE_CHECKING

from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from compliance import history as guards
from compliance.backup.manifest import BackupError, Part
from compliance.backup.tables import MIGRATIONS, own_tables, passing_tables
from compliance.jobs.failures import summarize_error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from compliance.files.archive import FolderArchive


PIECE = 1 << 20
COLUMNS = """
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position)
FROM information_schema.columns
WHERE table_schema = current_schema() AND is_generated = 'NEVER' AND table_name = ANY(%s)
GROUP BY table_name ORDER BY 1
"""
NUMBERED = """
SELECT table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name)
FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ANY(%s)
AND pg_get_serial_sequence(quote_ident(table_name), column_name) IS NOT NULL
"""
NEWEST = "SELECT size, note FROM compliance_checkpoint ORDER BY number DESC LIMIT 1"


def dump(files: FolderArchive, aside: Path) -> tuple[list[Part], tuple[int, str]]:
    """Copy every table in one snapshot; return the parts, and the size and head of the log."""
    parts = []
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(NEWEST)
        head = cursor.fetchone() or (0, "")
        cursor.execute(COLUMNS, [sorted(own_tables() - {*passing_tables(), MIGRATIONS})])
        for table, columns in cursor.fetchall():
            place = aside / table
            with place.open("wb") as rows, cursor.copy(_copy(table, columns, "TO STDOUT")) as copy:
                for piece in copy:
                    rows.write(piece)
            with place.open("rb") as rows:
                stored = files.store(rows)
            place.unlink()
            parts.append(Part(table, stored.digest, stored.size, tuple(columns)))
    return parts, head


@contextmanager
def loaded(parts: tuple[Part, ...], files: FolderArchive, *, in_use: bool) -> Iterator[None]:
    """Create and fill the tables, in one transaction that ends with the block.

    A check rolls the transaction back, so it exercises everything that a restore needs. If the
    database is in use, it loads into a temporary schema.

    Raises:
        BackupError: the database rejected the backup and is unchanged.
    """
    if others := sorted({part.name for part in parts} - own_tables()):
        message = (
            f"The backup contains tables that are not this system's ({', '.join(others)}). Make a "
            "new backup with this version: it leaves them out."
        )
        raise BackupError(message)
    try:
        with transaction.atomic(durable=True):
            if in_use:
                _enter_own_schema()
            _load(parts, files)
            yield
    except DatabaseError as refused:
        message = (
            f"PostgreSQL rejected the backup: {summarize_error(refused)}. Nothing was changed. "
            "Remove what is in the way, or set DATABASE_URL to a new, empty database."
        )
        raise BackupError(message) from refused


def _enter_own_schema() -> None:
    name = f"restore_check_{token_hex(8)}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {name}")
        cursor.execute(f"SET LOCAL search_path TO {name}")


def _load(parts: tuple[Part, ...], files: FolderArchive) -> None:
    """Create and fill the tables; all references between them are valid at the end."""
    call_command("migrate", verbosity=0, interactive=False)
    history = {model._meta.db_table for model in guards.history_models()}
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        # Rows that migrations insert are in the backup too; they insert none into history tables.
        for part in parts:
            if part.name not in history:
                cursor.execute(f'DELETE FROM "{part.name}"')  # noqa: S608 - a table of ours
        for part in parts:
            sql = _copy(part.name, part.columns, "FROM STDIN")
            with (
                files.fetch(part.sha256) as place,
                place.open("rb") as rows,
                cursor.copy(sql) as copy,
            ):
                while piece := rows.read(PIECE):
                    copy.write(piece)
        cursor.execute(NUMBERED, [[part.name for part in parts]])
        for table, column, sequence in cursor.fetchall():
            cursor.execute(
                f'SELECT setval(%s, coalesce(max("{column}"), 1), max("{column}") IS NOT NULL) '  # noqa: S608
                f'FROM "{table}"',
                [sequence],
            )
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def _copy(table: str, columns: tuple[str, ...] | list[str], way: str) -> str:
    names = ", ".join(f'"{each}"' for each in columns)
    return f'COPY "{table}" ({names}) {way}'
