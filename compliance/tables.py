"""Whether the database has the tables of this version of the program."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

MIGRATE = (
    "The tables in the database are of another version. Run `.venv/bin/python manage.py migrate`, "
    "then the same command again."
)


def migrations_wait() -> bool:
    """Return whether a migration is pending, if the database responds."""
    try:
        executor = MigrationExecutor(connection)
        return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return False
