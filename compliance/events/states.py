"""The digests of changed rows that an event keeps.

`Event.states` holds them by table and key, with a salt. The event's content has their digest, so
that nothing in the log reveals the state of a row to a party that may read the event.
`compliance.verification` compares the rows with them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from zlib import crc32

from compliance.catalog import OF_LIBRARIES, bound_fields, find_binding
from compliance.events.canonical import canonical, digest, new_salt
from compliance.events.digests import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import Model

    from compliance.catalog import UnderWay
    from compliance.changes import Change


CHUNK = 500
GONE = ""
"""Instead of the digest of a row that was deleted."""

Digests = dict[str, dict[str, str]]
"""Digests of rows with the marks of their fields, by table and key."""


@dataclass(frozen=True)
class States:
    """The states of rows after a change: their digests, and those of their personal fields."""

    digests: Digests
    personal: Digests

    def salted(self) -> dict[str, Any] | None:
        """Return what an event keeps; None if no row changed."""
        return {"salt": new_salt().hex(), "rows": self.digests} if self.digests else None


def states_after(changes: Iterable[Change]) -> States:
    """Return the states of changed rows, with one query for each table and 500 rows."""
    last = {(change.model, change.key): change for change in changes}
    found = States({}, {})
    unread: dict[type[Model], list[Any]] = defaultdict(list)
    for (model, key), change in last.items():
        if change.values is None:
            unread[model].append(key)
        else:
            _add(found, model, key, change.values)
    for model, keys in unread.items():
        for start in range(0, len(keys), CHUNK):
            some = keys[start : start + CHUNK]
            rows = model._base_manager.order_by().in_bulk(some)
            for key in some:
                _add(found, model, key, values_of(rows[key]) if key in rows else None)
    return found


def _add(found: States, model: type[Model], key: Any, values: Mapping[str, Any] | None) -> None:
    table, row = model._meta.label_lower, str(key)
    state, personal = digests_of(model, values) if values is not None else (GONE, GONE)
    found.digests.setdefault(table, {})[row] = state
    if personal:
        found.personal.setdefault(table, {})[row] = personal


def values_of(row: Model) -> dict[str, Any]:
    """Return the values of a row that are part of its state."""
    return {field.attname: getattr(row, field.attname) for field in bound_fields(type(row))}


def digests_of(model: type[Model], values: Mapping[str, Any]) -> tuple[str, str]:
    """Return the digest of a row's state, and that of its personal fields, empty if it has none.

    Each is followed by the marks of its fields. NULL columns are left out, so that a nullable
    column can be added later.
    """
    state, personal = state_of(model, values)
    return _digest(state), _digest(personal) if _columns(model).has_personal else ""


def state_of(
    model: type[Model], values: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values of a row that its digests are of: all others, and the personal ones."""
    columns = _columns(model)
    left_out: frozenset[str] = frozenset()
    if columns.under_way and values["state"] in columns.under_way.states:
        left_out = columns.under_way.fields
    state: dict[str, Any] = {}
    personal: dict[str, Any] = {}
    for name, attname, is_personal in columns.fields:
        value = values[attname]
        value = plain(_fractions_as_text(value) if columns.of_library else value)
        if value is not None and name not in left_out:
            (personal if is_personal else state)[attname] = value
    return state, personal


def _fractions_as_text(value: Any) -> Any:
    """Write the fractions in a library's JSON as text; tables of ours have none.

    django-allauth notes with a fraction of a second when recovery codes were viewed.
    """
    if isinstance(value, dict | list):
        return json.loads(json.dumps(value), parse_float=str)
    return value


@dataclass(frozen=True)
class _Columns:
    """How the state of a table's rows is made up."""

    fields: tuple[tuple[str, str, bool], ...]
    """Name, attribute, and whether it is personal."""
    has_personal: bool
    of_library: bool
    under_way: UnderWay | None


@cache
def _columns(model: type[Model]) -> _Columns:
    binding = find_binding(model)
    assert binding is not None  # noqa: S101 - only bound rows have digests
    fields = tuple(
        (field.name, field.attname, field.name in binding.personal) for field in bound_fields(model)
    )
    of_library = model._meta.label in OF_LIBRARIES
    return _Columns(fields, bool(binding.personal), of_library, binding.under_way)


def _digest(state: Mapping[str, Any]) -> str:
    return f"{digest(state)} {''.join(sorted(mark_of(*each) for each in state.items()))}"


def mark_of(name: str, value: Any) -> str:
    """Return 16 bits of a field's value: they prove nothing, and say which field differs."""
    return f"{crc32(canonical([name, value])) & 0xFFFF:04x}"
