"""Which tables a backup holds, and whether a database holds anything yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from compliance.models import Event, Party, Person

if TYPE_CHECKING:
    from collections.abc import Iterable


def passing_tables() -> list[str]:
    """The tables that a backup leaves out: who is signed in now, and what was tried at the door."""
    sessions = (apps.get_model("sessions.Session"), apps.get_model("usersessions.UserSession"))
    return [
        *(each._meta.db_table for each in sessions),
        str(settings.CACHES["default"]["LOCATION"]),
    ]


def migrations_applied() -> dict[str, list[str]]:
    """The migrations that made the tables as they are."""
    return _by_app(MigrationRecorder(connection).applied_migrations())


def migrations_known() -> dict[str, list[str]]:
    """The migrations of this version of the program."""
    return _by_app(MigrationLoader(None).disk_migrations)


def holds_anything() -> bool:
    """Whether somebody works with this database already: a person, a party or an event is in it."""
    tables = set(connection.introspection.table_names())
    return any(
        model._base_manager.exists()
        for model in (Event, Party, Person)
        if model._meta.db_table in tables
    )


def _by_app(migrations: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for app, name in sorted(migrations):
        found.setdefault(app, []).append(name)
    return found
