"""The digest of a row: what an event keeps of the state before and after."""

from __future__ import annotations

from datetime import date, datetime, time
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from compliance import history as guards
from compliance.events.canonical import LARGEST_WHOLE, digest
from compliance.events.models import timestamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import Model

    from compliance.history import History, Kind


def state_digest(row: Kind) -> str:
    """Return the digest of a row as stored, including the rows that are part of it."""
    stored = as_stored(row)
    return digest_of(stored, parts_of([stored]).get(stored.pk, {}))


def as_stored(row: Kind) -> Kind:
    """Read a row again, ignoring the access scope: only what the database contains counts."""
    return type(row)._base_manager.get(pk=row.pk)


def personal_state(row: Kind) -> dict[str, Any]:
    """Return the personal data of a row just read, which its digest leaves out."""
    fields = [field for field in row._meta.concrete_fields if field.name in row.personal_fields]
    return {field.attname: plain(getattr(row, field.attname)) for field in fields}


def digest_of(row: Kind, parts: Mapping[str, list[str]]) -> str:
    """Return the digest of a row just read, given the digests of its parts by table.

    NULL columns are left out, so a nullable column that is added to history later does not change
    the digests of existing rows.
    """
    values = {
        field.attname: plain(getattr(row, field.attname))
        for field in row._meta.concrete_fields
        if field.name not in row.personal_fields
    }
    state = {name: value for name, value in values.items() if value is not None}
    return digest({"row": state, "parts": {name: sorted(each) for name, each in parts.items()}})


def parts_of(rows: Iterable[Kind]) -> dict[Any, dict[str, list[str]]]:
    """Return the digests of the parts of these rows, by row and table, with one query per table."""
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
    """Convert a column's value for canonical JSON, the same way for both databases."""
    if value is None or type(value) in {str, bool}:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return timestamp(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_WHOLE else str(value)
    if isinstance(value, str | UUID):
        return str(value)
    message = f"{type(value).__name__} has no place in a digest; keep whole numbers or text."
    raise TypeError(message)
