"""What is remembered by name, in bounded memory: what was not asked for lately goes to disk."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """A mapping that never shrinks. Values that weigh more than `most` together are not all held.

    An empty SQLite path is a temporary file, gone when it is closed.
    """

    def __init__(
        self,
        most: int,
        weigh: Callable[[Value], int],
        write: Callable[[Value], str],
        read: Callable[[str], Value],
    ) -> None:
        self._most = most
        self._weigh = weigh
        self._write = write
        self._read = read
        self._held: dict[str, Value] = {}
        self._weight = 0
        self._disk: sqlite3.Connection | None = None

    def get(self, name: str) -> Value | None:
        """What was last put under a name, if anything was."""
        found = self._held.get(name)
        if found is not None or self._disk is None:
            return found
        row = self._disk.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return None if row is None else self._read(row[0])

    def put(self, name: str, value: Value) -> None:
        """Remember a value under a name."""
        before = self._held.pop(name, None)  # what is put anew stands last and stays longest
        if before is not None:
            self._weight -= self._weigh(before)
        self._held[name] = value
        self._weight += self._weigh(value)
        while self._weight > self._most and len(self._held) > 1:
            self._set_down(next(iter(self._held)))

    def close(self) -> None:
        """Let the temporary file go."""
        if self._disk is not None:
            self._disk.close()

    def _set_down(self, name: str) -> None:
        value = self._held.pop(name)
        self._weight -= self._weigh(value)
        if self._disk is None:
            self._disk = sqlite3.connect("", isolation_level=None)
            self._disk.execute("PRAGMA journal_mode = OFF")
            self._disk.execute("PRAGMA synchronous = OFF")
            self._disk.execute(
                "CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"
            )
            self._disk.execute("BEGIN")
        self._disk.execute("REPLACE INTO kept VALUES (?, ?)", (name, self._write(value)))
