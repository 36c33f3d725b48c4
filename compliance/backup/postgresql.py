"""The database as one file for each table, all of one moment.

COPY in a transaction that sees one snapshot needs nothing on the machine but the driver, and gives
files that any version of PostgreSQL reads; `pg_dump` would have to be there, and as new as the
server. The tables themselves come from the migrations, their triggers with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.management import call_command
from django.db import connection, transaction

from compliance import guards
from compliance.backup.manifest import Part
from compliance.backup.tables import passing_tables

if TYPE_CHECKING:
    from pathlib import Path

    from compliance.archive.folder import FolderArchive

MIGRATIONS = "django_migrations"
"""Written by `migrate` itself, which makes the tables."""
PIECE = 1 << 20
COLUMNS = """
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position)
FROM information_schema.columns
WHERE table_schema = current_schema() AND is_generated = 'NEVER' GROUP BY table_name ORDER BY 1
"""
NUMBERED = """
SELECT table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name)
FROM information_schema.columns
WHERE table_schema = current_schema()
AND pg_get_serial_sequence(quote_ident(table_name), column_name) IS NOT NULL
"""
NEWEST = "SELECT size, note FROM compliance_checkpoint ORDER BY number DESC LIMIT 1"


def dump(files: FolderArchive, aside: Path) -> tuple[list[Part], tuple[int, str]]:
    """Copy every table as it is at one moment; the parts, and the size and head of the log."""
    parts = []
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(NEWEST)
        head = cursor.fetchone() or (0, "")
        cursor.execute(COLUMNS)
        left_out = {*passing_tables(), MIGRATIONS}
        tables = [(table, columns) for table, columns in cursor.fetchall() if table not in left_out]
        for table, columns in tables:
            place = aside / table
            with place.open("wb") as rows, cursor.copy(_copy(table, columns, "TO STDOUT")) as copy:
                for piece in copy:
                    rows.write(piece)
            with place.open("rb") as rows:
                stored = files.store(rows)
            place.unlink()
            parts.append(Part(table, stored.digest, stored.size, tuple(columns)))
    return parts, head


def load(parts: tuple[Part, ...], files: FolderArchive) -> None:
    """Make the tables, and fill them all in one transaction."""
    call_command("migrate", verbosity=0, interactive=False)
    history = {model._meta.db_table for model in guards.history_models()}
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        # What migrations filled in is in the backup too; history they fill none in.
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
        cursor.execute(NUMBERED)
        for table, column, sequence in cursor.fetchall():
            cursor.execute(
                f'SELECT setval(%s, coalesce(max("{column}"), 1), max("{column}") IS NOT NULL) '  # noqa: S608
                f'FROM "{table}"',
                [sequence],
            )


def _copy(table: str, columns: tuple[str, ...] | list[str], way: str) -> str:
    names = ", ".join(f'"{each}"' for each in columns)
    return f'COPY "{table}" ({names}) {way}'
