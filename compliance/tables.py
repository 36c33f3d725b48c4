"""Whether the database has the tables of this version of the program."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

MIGRATE = (
    "The database has not the tables of this version. Run `.venv/bin/python manage.py migrate`, "
    "then the same command again; `make audit` sets up an empty one from the beginning."
)


def migrations_wait() -> bool:
    """Whether a migration waits in a database that can be asked."""
    try:
        executor = MigrationExecutor(connection)
        return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return False
