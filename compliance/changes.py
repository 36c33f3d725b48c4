"""Which rows changed in this transaction: `record` binds them to its event.

Saved and deleted rows are noted by signals, those of `update`, `bulk_create` and `bulk_update` by
`CurrentQuerySet`. The notes are kept among the transaction's `on_commit` functions, so that Django
drops them with a savepoint that is rolled back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.models.signals import post_delete, post_save

from compliance.catalog import bound_fields, bound_models, find_binding

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from django.db.backends.base.base import BaseDatabaseWrapper


Row = TypeVar("Row", bound=models.Model, covariant=True)


class Change:
    """A row that was added, changed or deleted; `values` are those of a row just added."""

    def __init__(
        self,
        model: type[models.Model],
        key: Any,
        values: Mapping[str, Any] | None = None,
        using: str = DEFAULT_DB_ALIAS,
    ) -> None:
        self.model = model
        self.key = key
        self.values = values
        self.using = using
        self.is_bound = False

    def __call__(self) -> None:
        """Wait for the connection's next event, if this was committed without one."""
        if not self.is_bound:
            self.values = None
            _outside.setdefault(connections[self.using], []).append(self)


def _mark() -> None:
    """Separate the changes that an event has bound from later ones."""


_outside: WeakKeyDictionary[BaseDatabaseWrapper, list[Change]] = WeakKeyDictionary()
"""Committed changes without an event, as libraries make them; the connection's next event binds
them."""


def note(changes: Iterable[Change]) -> None:
    """Keep changes for the next event."""
    for change in changes:
        transaction.on_commit(change, using=change.using)  # at once, outside any transaction


def seal(rows: Iterable[models.Model]) -> None:
    """Let the next event bind rows of a sealed table, because they are final now."""
    note(Change(type(row), row.pk) for row in rows)


def _is_followed(model: type[models.Model]) -> bool:
    binding = find_binding(model)
    return binding is not None and not binding.is_sealed


def unbound_changes(using: str) -> list[Change]:
    """Return the changes that no event has bound yet, oldest first."""
    connection = connections[using]
    found = []
    for _, function, *_ in reversed(connection.run_on_commit):
        if function is _mark:
            break
        if isinstance(function, Change):
            found.append(function)
    return [*_outside.get(connection, ()), *reversed(found)]


def mark_bound(changes: Iterable[Change], using: str) -> None:
    """Note that an event has bound these changes, which are all of them."""
    for change in changes:
        change.is_bound = True
    _outside.pop(connections[using], None)
    transaction.on_commit(_mark, using=using)


class CurrentQuerySet(models.QuerySet[Row]):
    """Notes the rows that bulk statements change."""

    def update(self, **values: Any) -> int:
        """Update rows and note which ones."""
        if not _changes_state(self.model, values):
            return super().update(**values)
        returning = _Returning(self.model)
        with connections[self.db].execute_wrapper(returning):
            count = super().update(**values)
        note(Change(self.model, key, using=self.db) for key in returning.keys)
        return count

    update.alters_data = True  # type: ignore[attr-defined]  # templates must not call it

    def bulk_create(self, objs: Iterable[Row], *args: Any, **options: Any) -> list[Row]:
        """Add rows and note them."""
        made = super().bulk_create(objs, *args, **options)
        if _is_followed(self.model):
            if options.get("ignore_conflicts") or options.get("update_conflicts"):
                message = f"{self.model._meta.label}: which rows were added is not known this way."
                raise TypeError(message)
            note(Change(self.model, row.pk, _values_of(row), self.db) for row in made)
        return made


class CurrentManager(models.Manager[Row]):
    """The manager of current rows outside any access scope."""

    _queryset_class: ClassVar[type[models.QuerySet[Any]]] = CurrentQuerySet


class _Returning:
    """Makes an UPDATE return the keys of the rows that it changed."""

    def __init__(self, model: type[models.Model]) -> None:
        self.model = model
        self.keys: list[Any] = []

    def __call__(
        self,
        execute: Callable[..., Any],
        sql: str,
        params: Any,
        many: bool,  # noqa: FBT001 - as Django calls it
        context: Mapping[str, Any],
    ) -> Any:
        """Execute the statement and fetch the keys."""
        key = context["connection"].ops.quote_name(self.model._meta.pk.column)
        result = execute(f"{sql} RETURNING {key}", params, many, context)
        self.keys += [row[0] for row in context["cursor"].fetchall()]
        return result


def follow_changes() -> None:
    """Note every saved or deleted row of a bound table."""
    for model in filter(_is_followed, bound_models()):
        post_save.connect(_note_saved, sender=model)
        post_delete.connect(_note_deleted, sender=model)


def _note_saved(
    sender: type[models.Model],
    instance: models.Model,
    created: bool,  # noqa: FBT001 - as Django calls it
    using: str,
    update_fields: Collection[str] | None = None,
    **_: Any,
) -> None:
    if update_fields is None or _changes_state(
        sender, {name: getattr(instance, name) for name in update_fields}
    ):
        values = _values_of(instance) if created else None
        note([Change(sender, instance.pk, values, using)])


def _note_deleted(sender: type[models.Model], instance: models.Model, using: str, **_: Any) -> None:
    note([Change(sender, instance.pk, using=using)])


def _changes_state(model: type[models.Model], values: Mapping[str, Any]) -> bool:
    """Return whether a change of these fields can change the digests of rows."""
    binding = find_binding(model)
    if binding is None or binding.is_sealed:
        return False
    left_out = set(binding.left_out)
    under_way = binding.under_way
    if under_way and values.get("state", "") in {"", *under_way.states}:
        left_out |= under_way.fields
    return not left_out >= values.keys()


def _values_of(row: models.Model) -> dict[str, Any] | None:
    """Return a new row's values; None if the database computed some of them."""
    values = {field.attname: getattr(row, field.attname) for field in bound_fields(type(row))}
    if any(hasattr(value, "resolve_expression") for value in values.values()):
        return None
    return values
