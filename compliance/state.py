"""What a row says, as a digest: what an event keeps of the state before and after."""

from __future__ import annotations

from datetime import date, datetime, time
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from compliance import guards
from compliance.models.event import timestamp
from compliance.proof.canonical import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import Model

    from compliance.models.kinds import History, Kind


def state_digest(row: Kind) -> str:
    """Tell the digest of a row as it stands in the database, with the rows that are part of it."""
    stored = as_stored(row)
    return digest_of(stored, parts_of([stored]).get(stored.pk, {}))


def as_stored(row: Kind) -> Kind:
    """Read a row again: only what the database holds counts, whoever may see it."""
    return type(row)._base_manager.get(pk=row.pk)


def personal_state(row: Kind) -> dict[str, Any]:
    """Tell what a row just read says about people, which its digest leaves out."""
    fields = [field for field in row._meta.concrete_fields if field.name in row.personal_fields]
    return {field.attname: plain(getattr(row, field.attname)) for field in fields}


def digest_of(row: Kind, parts: Mapping[str, list[str]]) -> str:
    """Tell the digest of a row just read, given the digests of its parts by table.

    What is NULL is left out, so a column that is added to history later, and may be NULL, changes
    no digest of a row that was there before.
    """
    values = {
        field.attname: plain(getattr(row, field.attname))
        for field in row._meta.concrete_fields
        if field.name not in row.personal_fields
    }
    state = {name: value for name, value in values.items() if value is not None}
    return digest({"row": state, "parts": {name: sorted(each) for name, each in parts.items()}})


def parts_of(rows: Iterable[Kind]) -> dict[Any, dict[str, list[str]]]:
    """Find the digests of what is part of these rows, by row and table: one query a table."""
    listed = list(rows)
    found: dict[Any, dict[str, list[str]]] = {}
    if not listed:
        return found
    for model in part_models(type(listed[0])):
        owner = model.part_of
        children = list(model._base_manager.filter(**{f"{owner}__in": listed}))
        below = parts_of(children)
        for child in children:
            tables = found.setdefault(getattr(child, f"{owner}_id"), {})
            tables.setdefault(model._meta.label_lower, []).append(
                digest_of(child, below.get(child.pk, {}))
            )
    return found


@cache
def part_models(owner: type[Model]) -> tuple[type[History], ...]:
    """List the models whose rows are part of rows of `owner`."""
    return tuple(
        model
        for model in guards.history_models()
        if model.part_of and model._meta.get_field(model.part_of).related_model is owner
    )


def plain(value: Any) -> Any:
    """Turn a column's value into what canonical JSON can hold, in one way for both databases."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return timestamp(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if value is None or isinstance(value, bool | int | str | dict | list):
        return value
    if isinstance(value, UUID):
        return str(value)
    message = f"{type(value).__name__} has no place in a digest; keep whole numbers or text."
    raise TypeError(message)
