"""Which tables a backup includes, and whether a database is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from compliance.access.models import Party, Person
from compliance.events.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterable


MIGRATIONS = "django_migrations"
"""Written by `migrate` itself, which creates the tables."""


def own_tables() -> frozenset[str]:
    """Return the tables of this system; other systems' tables are not backed up."""
    models = apps.get_models(include_auto_created=True)
    return frozenset(
        {model._meta.db_table for model in models if model._meta.managed}
        | {MIGRATIONS, str(settings.CACHES["default"]["LOCATION"])}
    )


def passing_tables() -> list[str]:
    """Return the tables that a backup leaves out: sessions and failed sign-ins."""
    passing = ("sessions.Session", "usersessions.UserSession", "compliance.SignInLimit")
    return [
        *(apps.get_model(each)._meta.db_table for each in passing),
        str(settings.CACHES["default"]["LOCATION"]),
    ]


def migrations_applied() -> dict[str, list[str]]:
    """Return the migrations applied to this system's tables."""
    applied = MigrationRecorder(connection).applied_migrations()
    ours = migrations_known().keys()
    return _by_app(each for each in applied if each[0] in ours)


def migrations_known() -> dict[str, list[str]]:
    """Return the migrations in this version of the program."""
    return _by_app(MigrationLoader(None).disk_migrations)


def holds_anything() -> bool:
    """Return whether the database is in use: it contains a person, a party or an event."""
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
