"""The digests of changed rows that an event keeps, and how rows differ from their last digest.

`Event.states` holds them by table and key, with a salt. The event's content has their digest, so
that nothing in the log reveals the state of a row to a party that may read the event.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from compliance.catalog import bound_fields, bound_models, find_binding
from compliance.events.canonical import NotCanonicalError, digest, new_salt
from compliance.events.digests import plain
from compliance.events.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.db.models import Model

    from compliance.changes import Change


CHUNK = 500
GONE = ""
"""Instead of the digest of a row that was deleted."""

Digests = dict[str, dict[str, str]]
"""Digests of rows, by table and key."""


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

    NULL columns are left out, so that a nullable column can be added later.
    """
    binding = find_binding(model)
    assert binding is not None  # noqa: S101 - only bound rows have digests
    left_out: frozenset[str] = frozenset()
    if binding.under_way and values["state"] in binding.under_way.states:
        left_out = binding.under_way.fields
    state: dict[str, Any] = {}
    personal: dict[str, Any] = {}
    for field in bound_fields(model):
        value = plain(values[field.attname])
        if value is not None and field.name not in left_out:
            (personal if field.name in binding.personal else state)[field.attname] = value
    return digest(state), digest(personal) if binding.personal else ""


@dataclass(frozen=True)
class Difference:
    """A row that is not what the last event about it says."""

    what: str
    table: str
    row: str
    event: int | None


def find_differences() -> Iterator[Difference]:
    """Compare every row of every bound table with its last digest."""
    last, personal = _last_digests()
    for model in bound_models():
        table = model._meta.label_lower
        known, known_personal = last.pop(table, {}), personal.get(table, {})
        for row in model._base_manager.order_by("pk").iterator(CHUNK):
            key = str(row.pk)
            digests = _readable_digests(model, row)
            recorded, event = known.pop(key, (GONE, None))
            if event is None:
                yield Difference("no event recorded this row", table, key, None)
            elif recorded == GONE:
                yield Difference("was deleted, and is there again", table, key, event)
            elif digests is None or digests[0] != recorded:
                yield Difference("is not what its last event recorded", table, key, event)
            elif digests[1] != known_personal.get(key, digests[1]):
                what = "what it says about people is not what its last event recorded"
                yield Difference(what, table, key, event)
        for key, (recorded, event) in known.items():
            if recorded != GONE:
                yield Difference("was deleted without an event", table, key, event)


def _readable_digests(model: type[Model], row: Model) -> tuple[str, str] | None:
    try:
        return digests_of(model, values_of(row))
    except (NotCanonicalError, TypeError):
        return None


def _last_digests() -> tuple[dict[str, dict[str, tuple[str, int]]], Digests]:
    """Return each row's last digest with its event, and the last ones of personal fields."""
    last: dict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
    personal: Digests = defaultdict(dict)
    events = Event.objects.filter(~Q(states=None)).order_by("pk")
    kept = events.values_list("pk", "states", "personal__data")
    for event, states, private in kept.iterator(CHUNK):
        for table, rows in states["rows"].items():
            last[table].update((row, (recorded, event)) for row, recorded in rows.items())
        for table, rows in (private or {}).get("states", {}).items():
            personal[table].update(rows)
    return last, personal
