"""What is carried from block to block of columns for each table.

What came before is carried from block to block in arrays by table code. A round that follows a line
outside the columns (odd or rejected) is *disturbed*: it is settled one by one, with everything
known. A void round between two others disturbs nothing but the order of times, unless decks take
turns: the bank depends on the last round that was played (PP-I16).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.kernel import jit
from games.log.columns import Texts
from games.log.field_types import ABSENT
from games.screens.words import Words
from games.terms import AT, CARRIED, DISTURBED, FIRST_DECK, HAND_DECK, SECOND_DECK

if TYPE_CHECKING:
    from numpy.typing import NDArray


NOBODY = -1

TABLES_IN_MEMORY = 100_000
"""The number of tables carried; above it all are forgotten, and each is settled one by one again.
"""
UNKNOWN = 2**40
"""A deck that has no code: only scalar settlement knows which decks a forgotten table used."""


@jit
def follow_tables(table, disturbed, carried, previous, certain):  # type: ignore[no-untyped-def]
    """Find the round before each round at its table, -1 if it isn't in these columns.

    Rounds that follow a line outside the columns aren't certain; all others are so far.
    """
    last_row = np.full(carried.shape[1], NOBODY, np.int64)
    for row in range(certain.size):
        code = table[row]
        certain[row] = disturbed[row] == 0 and carried[DISTURBED, code] == 0
        carried[DISTURBED, code] = 0
        previous[row] = last_row[code]
        last_row[code] = row


class Tables:
    """What is carried from block to block of one game, by table."""

    def __init__(self) -> None:
        self._first = np.array([ABSENT, 0, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY])
        self._forget()

    def _forget(self) -> None:
        self._words = Words()
        self._decks = Words()
        self.names: list[str] = []
        self.code: dict[str, int] = {}
        self.carried = np.empty((CARRIED, 0), np.int64)

    def bound(self) -> None:
        """Keep memory bounded, however many tables a log names."""
        if len(self.names) > TABLES_IN_MEMORY or self._decks.count > TABLES_IN_MEMORY:
            self._forget()
            self._first[[DISTURBED, FIRST_DECK, SECOND_DECK, HAND_DECK]] = 1, *3 * [UNKNOWN]

    def codes(self, tables: Texts) -> NDArray[np.int64]:
        """Return the table code of each round."""
        codes = self._words.codes(tables)
        self._grow()
        return codes

    def decks(self, decks: Texts) -> NDArray[np.int64]:
        """Return the deck code of each round, -1 if none is named."""
        return self._decks.codes(decks)

    def disturb(self, table: str) -> None:
        """Record a line outside the columns as a table's last: its next round isn't certain."""
        code = self._code(table)
        self.carried[DISTURBED, code] = 1

    def void(self, table: str, at: int) -> None:
        """Record that a void round came last at a table."""
        code = self._code(table)
        self.carried[AT, code] = at

    def _code(self, table: str) -> int:
        """Return the table's code; `carried` grows if it is new."""
        if table not in self.code:
            self.codes(Texts.of([table]))
        return self.code[table]

    def new_log(self) -> None:
        """Start another log: each log decides for itself which decks are in use (P2-I8)."""
        self._first[[FIRST_DECK, SECOND_DECK]] = NOBODY
        self.carried[FIRST_DECK : SECOND_DECK + 1] = NOBODY

    def _grow(self) -> None:
        more = self._words.count - len(self.names)
        if more:
            fresh = np.repeat(self._first[:, None], more, axis=1)
            self.carried = np.ascontiguousarray(np.concatenate([self.carried, fresh], axis=1))
            for code in range(len(self.names), len(self.names) + more):
                self.names.append(self._words.word(code))
                self.code[self.names[-1]] = code
