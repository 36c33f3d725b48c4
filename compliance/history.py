"""The two kinds of tables, and the triggers that protect history.

Each of our models declares its kind; a test finds one that does not. History is append-only:
database triggers reject UPDATE, DELETE, REPLACE and TRUNCATE from anyone. Current rows contain the
present state: only services write them, each write with its event.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn
from uuid import uuid4

from django.apps import apps
from django.db import models
from django.db.models import Model, UniqueConstraint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.backends.base.base import BaseDatabaseWrapper


class HistoryError(Exception):
    """An attempt to change or remove history."""


class HistoryQuerySet(models.QuerySet[Any]):
    """Rejects in Python, with a better message, what the database rejects anyway."""

    def update(self, **_: Any) -> NoReturn:
        """Raise an error."""
        _refuse(self.model)

    def delete(self) -> NoReturn:
        """Raise an error."""
        _refuse(self.model)

    def bulk_update(self, *_: Any, **__: Any) -> NoReturn:
        """Raise an error."""
        _refuse(self.model)


class Kind(models.Model):
    """The common base of history and current rows: which of their fields are personal data."""

    personal_fields: ClassVar[tuple[str, ...]] = ()
    """Excluded from digests in the log, so that they can be removed one day without breaking it."""

    class Meta:
        abstract = True


class History(Kind):
    """Append-only rows: derive from `Recorded`, or name the parent in `part_of`.

    `part_of` is the name of the foreign key to the row that this one belongs to and is proven with.
    """

    part_of: ClassVar[str] = ""
    erasable_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that may be set to NULL after their retention period; the rest of the row stays."""

    objects = models.Manager.from_queryset(HistoryQuerySet)()

    class Meta:
        abstract = True

    def save(
        self,
        *,
        force_insert: Any = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        """Add the row; raise an error if it was already saved."""
        if not self._state.adding or force_update or update_fields is not None:
            _refuse(type(self))
        super().save(force_insert=force_insert or True, using=using)

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        """Raise an error."""
        _refuse(type(self))


class Recorded(History):
    """Rows of history that are proven one by one.

    The event that recorded a row keeps the digest of the row and its parts; `verify log` compares
    them.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)

    class Meta:
        abstract = True


class Current(Kind):
    """Rows with the present state; written by services, each write with its event.

    The event keeps the digests of the rows that changed with it (`compliance.catalog`).
    """

    is_current: ClassVar[bool] = True

    class Meta:
        abstract = True


def _refuse(model: type[models.Model]) -> NoReturn:
    message = (
        f"{model._meta.verbose_name} is history: it is added to, never changed or removed. "
        "Record what is new as a new row."
    )
    raise HistoryError(message)


FUNCTION = "refuse_change_of_history"
FUNCTION_BODY = """
BEGIN
    RAISE EXCEPTION '% is history: its rows are added, never changed or removed', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
"""


def history_models() -> list[type[History]]:
    """List the models whose rows never change."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if issubclass(model, History) and model._meta.managed
    ]


def install(connection: BaseDatabaseWrapper, models: Iterable[type[History]]) -> None:
    """Create the triggers of these models, replacing any existing ones."""
    statements = [] if connection.vendor == "sqlite" else [_function()]
    for model in models:
        statements += [sql for _, sql in _statements(connection, model)]
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def trigger_names(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    """Return all triggers that belong in the database, each with its table."""
    return [
        (name, model._meta.db_table)
        for model in history_models()
        for name, _ in (_sqlite if connection.vendor == "sqlite" else _postgresql)(model)
    ]


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the history tables whose triggers are missing or different."""
    tables = set(connection.introspection.table_names())
    find = _missing_on_sqlite if connection.vendor == "sqlite" else _missing_on_postgresql
    present = [model for model in history_models() if model._meta.db_table in tables]
    return find(connection, present)


def _missing_on_sqlite(
    connection: BaseDatabaseWrapper, models: Iterable[type[History]]
) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        found = dict(cursor.fetchall())
    return [
        model._meta.db_table
        for model in models
        if any(found.get(name) != sql for name, sql in _sqlite(model) if name)
    ]


def _missing_on_postgresql(
    connection: BaseDatabaseWrapper, models: Iterable[type[History]]
) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, t.tgname, t.tgtype::int, pg_get_triggerdef(t.oid)"
            " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " JOIN pg_proc p ON p.oid = t.tgfoid"
            " WHERE NOT t.tgisinternal AND t.tgenabled = 'A' AND p.proname = %s AND p.prosrc = %s"
            " AND pg_table_is_visible(c.oid)",
            [FUNCTION, FUNCTION_BODY],
        )
        found = {(*named, _condition_in(says)) for *named, says in cursor.fetchall()}
    return [model._meta.db_table for model in models if not found.issuperset(_wanted(model))]


def _condition_in(statement: str) -> str:
    """Return the condition of a trigger, without what PostgreSQL writes in its own way."""
    condition = statement.partition(" EXECUTE FUNCTION ")[0].partition(" WHEN ")[2].lower()
    condition = re.sub(r"::(text|character varying|bpchar)", "", condition)
    for own in ("(", ")", '"', " "):
        condition = condition.replace(own, "")
    return condition


# bits of pg_trigger.tgtype
_ROW, _BEFORE, _DELETE, _UPDATE, _TRUNCATE = 1, 2, 8, 16, 32


def _wanted(model: type[History]) -> set[tuple[Any, ...]]:
    table = model._meta.db_table
    if not model.erasable_fields:
        return {(table, "history", _BEFORE | _DELETE | _UPDATE | _TRUNCATE, "")}
    condition = _condition_in(_unless_erased(model, "IS DISTINCT FROM", "NOT "))
    return {
        (table, "history", _BEFORE | _DELETE | _TRUNCATE, ""),
        (table, "history_but_erasure", _ROW | _BEFORE | _UPDATE, condition),
    }


def _statements(connection: BaseDatabaseWrapper, model: type[History]) -> list[tuple[str, str]]:
    if connection.vendor == "sqlite":
        made = []
        for name, sql in _sqlite(model):
            made += [("", f'DROP TRIGGER IF EXISTS "{name}"'), (name, sql)]
        return made
    return _postgresql(model)


def _sqlite(model: type[History]) -> list[tuple[str, str]]:
    """Return the triggers of a table.

    `INSERT OR REPLACE` fires no DELETE trigger unless the connection turned `recursive_triggers`
    on, so an insert with an existing key is rejected before it can replace anything.
    """
    table = model._meta.db_table
    changed = " OR ".join(
        "(" + " AND ".join(f'"{column}" = NEW."{column}"' for column in columns) + ")"
        for columns in _keys(model)
    )
    there = f' WHEN EXISTS (SELECT 1 FROM "{table}" WHERE {changed})'  # noqa: S608 - names of ours
    return [
        _sqlite_trigger(table, "update", "UPDATE", _unless_erased(model, "IS")),
        _sqlite_trigger(table, "delete", "DELETE", ""),
        _sqlite_trigger(table, "replace", "INSERT", there),
    ]


def _sqlite_trigger(table: str, name: str, event: str, condition: str) -> tuple[str, str]:
    name = f"{table}_history_{name}"
    message = f"{table} is history: its rows are added, never changed or removed"
    return name, (
        f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" FOR EACH ROW{condition}'
        f" BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )


def _postgresql(model: type[History]) -> list[tuple[str, str]]:
    table = f'"{model._meta.db_table}"'
    triggers = [("history", "UPDATE OR DELETE OR TRUNCATE", "STATEMENT")]
    if model.erasable_fields:
        condition = _unless_erased(model, "IS NOT DISTINCT FROM")
        triggers = [
            ("history", "DELETE OR TRUNCATE", "STATEMENT"),
            ("history_but_erasure", "UPDATE", f"ROW{condition}"),
        ]
    made = []
    for name, events, each in triggers:
        made += [
            (name, f"CREATE OR REPLACE TRIGGER {name} BEFORE {events} ON {table}"
                   f" FOR EACH {each} EXECUTE FUNCTION {FUNCTION}()"),
            (name, f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}"),
        ]  # fmt: skip
    return made


def _function() -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql"
        f" AS $body${FUNCTION_BODY}$body$"
    )


def _unless_erased(model: type[History], same: str, before: str = "") -> str:
    """Allow only one update: setting erasable fields to NULL and nothing else.

    `same` compares two values; `before` stands before the comparison.
    """
    if not model.erasable_fields:
        return ""
    conditions = [
        f'NEW."{field.column}" IS NULL'
        if field.name in model.erasable_fields
        else f'{before}NEW."{field.column}" {same} OLD."{field.column}"'
        for field in model._meta.concrete_fields
    ]
    return f" WHEN (NOT ({' AND '.join(conditions)}))"


def _keys(model: type[Model]) -> list[list[str]]:
    """Return the columns of each key under which a row could be replaced."""
    meta = model._meta
    columns = {field.name: field.column or "" for field in meta.concrete_fields}
    keys = [[columns[field.name]] for field in meta.concrete_fields if field.unique]
    groups = [tuple(group) for group in meta.unique_together]
    for constraint in meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            if constraint.condition is not None or constraint.expressions:
                message = (
                    f"{meta.label}: history cannot have a unique constraint with a condition or an "
                    "expression, because SQLite's REPLACE through it could not be refused."
                )
                raise TypeError(message)
            groups.append(tuple(constraint.fields))
    keys += [[columns[name] for name in group] for group in groups]
    return keys
