"""Compare every current row with the digest in the last event about it.

One pass over the events and one over the rows, in one snapshot. Some libraries commit a change
before its event, so each difference is looked at again a moment later before it is reported.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection

from compliance.access.scope import without_access_scope
from compliance.catalog import SEALED, bound_fields, bound_models
from compliance.event_log.verification import unreadable_rows
from compliance.events.canonical import NotCanonicalError
from compliance.events.states import digests_of, mark_of, state_of
from compliance.verification.snapshot import one_snapshot
from compliance.verification.spill import CHUNK, last_digests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model

    from compliance.event_log.verifier import Answer
    from compliance.verification.spill import LastDigests, Recorded


MOST_NAMED = 1000
"""Rows named for each table; the number of others is said."""
PAUSE = 3.0
"""Seconds after which a difference is looked at again."""
LATE = 10_000
"""Events whose transactions may have committed after later ones."""
PERSONAL = "what it says about people is not what its last event recorded"
UNRECORDED = "no event recorded this row"
CHANGED = "is not what its last event recorded"


@dataclass(frozen=True)
class Difference:
    """A row that is not what the last event about it says."""

    what: str
    table: str
    row: str
    event: int | None
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        what = f"{self.what} (event {self.event:,})" if self.event else self.what
        return f"{what}; different: {', '.join(self.fields)}" if self.fields else what


def check_states(answer: Answer) -> None:
    """Report each row of a bound table that differs from its last event."""
    named: Counter[str] = Counter()
    for each in find_differences(answer):
        named[each.table] += 1
        if named[each.table] <= MOST_NAMED:
            answer.broken(str(each), f"{each.table} {each.row}".strip())
    for table, count in named.items():
        if count > MOST_NAMED:
            answer.broken(f"{count - MOST_NAMED:,} more rows differ from their events", table)


def find_differences(answer: Answer | None = None) -> Iterator[Difference]:
    """Compare every row of every bound table with its last digest; `answer` counts them."""
    tables = {model._meta.label_lower: model for model in bound_models()}
    with without_access_scope(), last_digests(tables) as last:
        suspects: list[Difference] = []
        unreadable: list[Difference] = []
        with one_snapshot():
            last.read()
            for table, model in tables.items():
                try:
                    suspects += _differences(model, last.of_table(table), answer)
                except (ValueError, TypeError):  # a value that its column's type cannot represent
                    unreadable += _unreadable(model)
        if suspects and not connection.in_atomic_block:
            suspects = _again(suspects, tables, last)
        yield from unreadable
        yield from suspects


def _unreadable(model: type[Model]) -> Iterator[Difference]:
    """Name the rows that cannot be read; the others of their table are not compared."""
    table = model._meta.label_lower
    for key, column in unreadable_rows([model]):
        yield Difference(f"holds in {column} what this system never writes", table, key, None)
    yield Difference("cannot be read, so its rows were not compared", table, "", None)


def _again(
    suspects: list[Difference], tables: dict[str, type[Model]], last: LastDigests
) -> list[Difference]:
    """Look at differences again, with the events since."""
    time.sleep(PAUSE)
    found: list[Difference] = []
    with one_snapshot():
        last.read(after=max(last.newest - LATE, 0))
        for each in suspects:
            recorded = last.of_row(each.table, int(each.row))
            rows = _rows(tables[each.table], pk=each.row)
            found += _compare(tables[each.table], next(rows, None), recorded)
    return found


def _differences(
    model: type[Model], recorded: Iterator[Recorded], answer: Answer | None
) -> Iterator[Difference]:
    """Walk a table and what is recorded of it, both by key."""
    known = next(recorded, None)
    unknown: list[int] = []
    for row in _rows(model):
        key = row["pk"]
        if answer is not None:
            answer.checked += 1
        while known is not None and known.key < key:
            yield from _compare(model, None, known)
            known = next(recorded, None)
        if known is not None and known.key == key:
            yield from _compare(model, row, known)
            known = next(recorded, None)
        else:
            unknown.append(key)
    yield from _unrecorded(model, unknown)
    while known is not None:
        yield from _compare(model, None, known)
        known = next(recorded, None)


def _unrecorded(model: type[Model], keys: list[int]) -> Iterator[Difference]:
    """Report rows without an event, of a sealed table only those that are final."""
    final = SEALED.get(model._meta.label)
    for start in range(0, len(keys), CHUNK):
        some = keys[start : start + CHUNK]
        if final is not None:
            rows = model._base_manager.filter(pk__in=some, **final)
            some = sorted(rows.values_list("pk", flat=True))
        for key in some:
            yield Difference(UNRECORDED, model._meta.label_lower, str(key), None)


def _rows(model: type[Model], **chosen: Any) -> Iterator[dict[str, Any]]:
    names = [field.attname for field in bound_fields(model)]
    rows = model._base_manager.filter(**chosen).order_by("pk")
    return rows.values("pk", *names).iterator(CHUNK)


def _compare(
    model: type[Model], row: dict[str, Any] | None, known: Recorded | None
) -> Iterator[Difference]:
    """Compare a row with what is recorded of it; either may be missing."""
    table = model._meta.label_lower
    if row is None:
        if known is not None and not known.is_gone:
            yield Difference("was deleted without an event", table, str(known.key), known.event)
        return
    key = str(row["pk"])
    if known is None:
        yield from _unrecorded(model, [int(key)])
        return
    if known.is_gone:
        yield Difference("was deleted, and is there again", table, key, known.event)
        return
    try:
        state, personal = digests_of(model, row)
    except (NotCanonicalError, TypeError):
        yield Difference("holds what this system never writes", table, key, known.event)
        return
    if _digest(state) != _digest(known.state):
        fields = _different(known.state, state_of(model, row)[0], model)
        yield Difference(CHANGED, table, key, known.event, fields)
    elif known.personal is not None and _digest(personal) != _digest(known.personal):
        fields = _different(known.personal, state_of(model, row)[1], model)
        yield Difference(PERSONAL, table, key, known.event, fields)


def _digest(recorded: str) -> str:
    return recorded.partition(" ")[0]


def _different(recorded: str, state: dict[str, Any], model: type[Model]) -> tuple[str, ...]:
    """Return the fields that differ, by their marks; one that was emptied left a mark over."""
    marks = recorded.partition(" ")[2]
    if not marks:
        return ()  # older events have no marks
    known = Counter(marks[place : place + 4] for place in range(0, len(marks), 4))
    different = []
    for name, value in state.items():
        mark = mark_of(name, value)
        if known[mark]:
            known[mark] -= 1
        else:
            different.append(name)
    if known.total() > len(different):
        empty = {field.attname for field in bound_fields(model) if field.null} - state.keys()
        different.append(f"{' or '.join(sorted(empty))} (now empty)")
    return tuple(different)
