"""Ids of rounds that were seen, in bounded memory: beyond a number they go to disk."""

from __future__ import annotations

import sqlite3
from typing import Final

HELD: Final = 500_000
"""So many ids stay in memory, some 60 MB."""


class TakenIds:
    """A set that only grows; an empty SQLite path is a temporary file, gone when it is closed."""

    def __init__(self, held: int = HELD) -> None:
        self._held: set[str] = set()
        self._most = held
        self._disk: sqlite3.Connection | None = None

    def take(self, id_: str) -> bool:
        """Note an id; False when it was taken before."""
        if id_ in self._held:
            return False
        if self._disk is None:
            self._held.add(id_)
            if len(self._held) > self._most:
                self._spill()
            return True
        return self._disk.execute("INSERT OR IGNORE INTO taken VALUES (?)", (id_,)).rowcount == 1

    def close(self) -> None:
        """Let the temporary file go."""
        if self._disk is not None:
            self._disk.close()

    def _spill(self) -> None:
        disk = sqlite3.connect("", isolation_level=None)
        disk.execute("PRAGMA journal_mode = OFF")
        disk.execute("PRAGMA synchronous = OFF")
        disk.execute("PRAGMA cache_size = -65536")
        disk.execute("CREATE TABLE taken (id TEXT PRIMARY KEY) WITHOUT ROWID")
        disk.execute("BEGIN")
        disk.executemany("INSERT INTO taken VALUES (?)", ((id_,) for id_ in sorted(self._held)))
        self._held.clear()
        self._disk = disk
