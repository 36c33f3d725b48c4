"""Finds values of a kind that this system never writes.

A column of SQLite takes anything: text where bytes belong, an instant that is none. Who reads such
a row fails, so it is named before anything is read. PostgreSQL refuses to keep such a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, models

from compliance import guards
from compliance.models.event import Waiting

if TYPE_CHECKING:
    from collections.abc import Iterator

# Parts of a second are left out: SQLite's own functions would round them.
INSTANT = (
    "typeof({0}) = 'text' AND ltrim(substr({0}, 20), '.+:0123456789') = '' "
    "AND strftime('%Y-%m-%d %H:%M:%S', substr({0}, 1, 19), '+0 days') = substr({0}, 1, 19)"
)
READABLE: tuple[tuple[type[models.Field[Any, Any]], str], ...] = (
    (models.BinaryField, "typeof({0}) = 'blob'"),
    (models.DateTimeField, INSTANT),
    (models.DateField, "typeof({0}) = 'text' AND date({0}, '+0 days') = {0}"),
    (
        models.UUIDField,
        "typeof({0}) = 'text' AND length({0}) = 32 AND {0} NOT GLOB '*[^0-9a-f]*'",
    ),
    (models.IntegerField, "typeof({0}) = 'integer'"),
    (models.BooleanField, "typeof({0}) = 'integer'"),
)


def unreadable_rows() -> Iterator[tuple[str, str]]:
    """Name each row of history that cannot be read, with the column it is about."""
    if connection.vendor != "sqlite":
        return
    kept: list[type[models.Model]] = [*guards.history_models(), Waiting]
    for model in kept:
        for field in model._meta.concrete_fields:
            if readable := _readable(field):
                for key in _without(model, field, readable):
                    yield f"{model._meta.verbose_name} {key}", str(field.column)


def _readable(field: models.Field[Any, Any]) -> str:
    held = field.target_field if isinstance(field, models.ForeignKey) else field
    return next((says for kind, says in READABLE if isinstance(held, kind)), "")


def _without(
    model: type[models.Model], field: models.Field[Any, Any], readable: str
) -> list[object]:
    name = connection.ops.quote_name
    column = name(str(field.column))
    key = name(str(model._meta.pk.column))
    empty = f"{column} IS NOT NULL AND " if field.null else ""
    # Names are the models' own: nothing here is anybody's to choose.
    asked = (
        f"SELECT {key} FROM {name(model._meta.db_table)} "  # noqa: S608
        f"WHERE {empty}NOT coalesce({readable.format(column)}, FALSE)"
    )
    with connection.cursor() as cursor:
        cursor.execute(asked.replace("%", "%%"), [])
        return [row[0] for row in cursor.fetchall()]
