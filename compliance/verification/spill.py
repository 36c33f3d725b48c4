"""The last digest of each row, collected from all events on disk, so that memory stays bounded."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from compliance.events.models import Event
from compliance.events.states import GONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any


CHUNK = 2000
SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -65536;
CREATE TABLE last (
    number INTEGER, key INTEGER, event INTEGER, state TEXT, personal TEXT,
    PRIMARY KEY (number, key)
) WITHOUT ROWID;
"""


class Recorded(NamedTuple):
    """What the last event about a row says of it; `personal` is None once that was erased."""

    key: int
    event: int
    state: str
    personal: str | None

    @property
    def is_gone(self) -> bool:
        """Return whether the event recorded that the row was deleted."""
        return self.state == GONE


class LastDigests:
    """The last digests of the rows of some tables, by table name and key."""

    def __init__(self, kept: sqlite3.Connection, tables: Iterable[str]) -> None:
        self._kept = kept
        self._numbers = {table: number for number, table in enumerate(tables)}
        self.newest = 0
        """The newest event that was read."""

    def read(self, *, after: int = 0) -> None:
        """Read events in order; of each row, the last one remains."""
        events = Event.objects.filter(pk__gt=after).order_by("pk")
        kept = events.values_list("pk", "states", "personal__data")
        found: list[tuple[int, int, int, str, str | None]] = []
        for event, states, private in kept.iterator(CHUNK):
            self.newest = event
            if states:
                found += self._rows(event, states, (private or {}).get("states", {}))
            if len(found) > CHUNK:
                self._add(found)
        self._add(found)

    def of_table(self, table: str) -> Iterator[Recorded]:
        """Yield what was recorded of a table's rows, by key."""
        rows = self._kept.execute(
            "SELECT key, event, state, personal FROM last WHERE number = ? ORDER BY key",
            (self._numbers[table],),
        )
        return map(Recorded._make, rows)

    def of_row(self, table: str, key: int) -> Recorded | None:
        """Return what was recorded of one row."""
        row = self._kept.execute(
            "SELECT key, event, state, personal FROM last WHERE number = ? AND key = ?",
            (self._numbers[table], key),
        ).fetchone()
        return Recorded(*row) if row else None

    def _rows(
        self, event: int, states: Mapping[str, Any], private: Mapping[str, Any]
    ) -> Iterator[tuple[int, int, int, str, str | None]]:
        for table, rows in states["rows"].items():
            number = self._numbers.get(table)
            if number is None:
                continue  # of a table that was bound in another version
            personal = private.get(table, {})
            for key, state in rows.items():
                yield number, int(key), event, state, personal.get(key)

    def _add(self, found: list[tuple[int, int, int, str, str | None]]) -> None:
        self._kept.executemany("INSERT OR REPLACE INTO last VALUES (?, ?, ?, ?, ?)", found)
        found.clear()


@contextmanager
def last_digests(tables: Iterable[str]) -> Iterator[LastDigests]:
    """Open a temporary file for the last digests of these tables."""
    with closing(sqlite3.connect("", isolation_level=None)) as kept:
        kept.executescript(SCHEMA)
        kept.execute("BEGIN")
        yield LastDigests(kept, tables)
