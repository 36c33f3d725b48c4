"""The course of play at each table over columns: order in time, turns of the bank and of the decks.

What came before is carried from block to block in arrays by table code. A round that follows a line
outside the columns (odd or rejected) is *disturbed*: the judge is asked, who knows it all. A void
round between two others disturbs nothing but the order in time, where no decks take turns: the bank
goes by the last round that was played (PP-I16).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.columns.words import Words, same_bytes
from games.kernel import jit
from games.round_log.columns_parse import ABSENT
from games.round_log.columns_texts import Texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOBODY = -1

# What is carried for a table: a row each.
AT, DISTURBED, BANKED, DECK, FIRST_DECK, SECOND_DECK = 0, 1, 2, 3, 4, 5
CARRIED = 6

HELD = 100_000
"""So many tables are carried; beyond, all are forgotten, and the judge is asked of each anew."""
UNKNOWN = 2**40
"""A deck that no code is: which decks a forgotten table used, the judge alone knows."""


@jit
def check_order(table, at, voided, disturbed, carried, previous, certain):  # type: ignore[no-untyped-def]
    """Leaves certain the rounds not earlier than the one before; `previous` gets its row, or -1.

    `voided` is the time of a void round that stands between; ABSENT where none does.
    """
    last_row = np.full(carried.shape[1], NOBODY, np.int64)
    for row in range(certain.size):
        code = table[row]
        before = carried[AT, code] if voided[row] == ABSENT else voided[row]
        certain[row] = 1
        if disturbed[row] or carried[DISTURBED, code] or (before != ABSENT and at[row] < before):
            certain[row] = 0
        carried[AT, code] = at[row]
        carried[DISTURBED, code] = 0
        previous[row] = last_row[code]
        last_row[code] = row


@jit
def check_decks(table, deck, shuffler, carried, certain):  # type: ignore[no-untyped-def]
    """Leaves certain the rounds whose deck is surely the other one of two (P2-1, P2-I8).

    The rounds that bring a deck for the first time are the judge's, who keeps the decks' names.
    """
    for row in range(certain.size):
        code = table[row]
        if shuffler[row] and deck[row] >= 0:
            if carried[DECK, code] == deck[row]:
                certain[row] = 0
            for place in (FIRST_DECK, SECOND_DECK):
                if carried[place, code] == deck[row]:
                    break
                if carried[place, code] < 0:
                    carried[place, code] = deck[row]
                    certain[row] = 0
                    break
            else:
                certain[row] = 0
        carried[DECK, code] = deck[row]


@jit
def wagered(row, banker, first_seat, main, names, name_start, name_stop):  # type: ignore[no-untyped-def]
    """What the player of a seat's row wagered on main in another round, all hands together."""
    total = 0
    length = name_stop[banker] - name_start[banker]
    for seat in range(first_seat[row], first_seat[row + 1]):
        if name_stop[seat] - name_start[seat] == length and same_bytes(
            names, name_start[seat], names, name_start[banker], length
        ):
            total += main[seat]
    return total


@jit
def check_banks(  # type: ignore[no-untyped-def]
    table, banker, house_wager, previous, first_seat, seat, main,
    names, name_start, name_stop, carried, certain,
):  # fmt: skip
    """Leaves certain the player-banked rounds whose turn it is, with a house wager in bounds.

    (PP-22, PP-25, PP-I12, PP-I16.)
    """
    for row in range(certain.size):
        code = table[row]
        banked = banker[row] > 0
        if banked and carried[BANKED, code] == 1:
            certain[row] = 0
        elif banked and carried[BANKED, code] == 0 and house_wager[row] > 0:
            holder = first_seat[row]
            while seat[holder] != banker[row]:
                holder += 1
            if previous[row] < 0 or (
                name_start[holder] >= 0
                and house_wager[row]
                > wagered(previous[row], holder, first_seat, main, names, name_start, name_stop)
            ):
                certain[row] = 0
        carried[BANKED, code] = 1 if banked else 0


class Tables:
    """What is carried from block to block of one game, by table."""

    def __init__(self) -> None:
        self._first = np.array([ABSENT, 0, NOBODY, NOBODY, NOBODY, NOBODY])
        self._forget()

    def _forget(self) -> None:
        self._words = Words()
        self._decks = Words()
        self.names: list[str] = []
        self.code: dict[str, int] = {}
        self.carried = np.empty((CARRIED, 0), np.int64)

    def bound(self) -> None:
        """Keep memory bounded, however many tables a log names."""
        if len(self.names) > HELD or self._decks.count > HELD:
            self._forget()
            self._first[[DISTURBED, FIRST_DECK, SECOND_DECK]] = 1, UNKNOWN, UNKNOWN

    def codes(self, tables: Texts) -> NDArray[np.int64]:
        """The tables of rounds by their codes."""
        codes = self._words.codes(tables)
        self._grow()
        return codes

    def decks(self, decks: Texts) -> NDArray[np.int64]:
        """The decks of rounds by their codes, -1 where none is named."""
        return self._decks.codes(decks)

    def disturb(self, table: str) -> None:
        """Something that is in no column came last at a table: its next round is the judge's."""
        code = self._code(table)
        self.carried[DISTURBED, code] = 1

    def void(self, table: str, at: int) -> None:
        """A void round came last at a table."""
        code = self._code(table)
        self.carried[AT, code] = at

    def _code(self, table: str) -> int:
        """The table's code; `carried` grows where it is new."""
        if table not in self.code:
            self.codes(Texts.of([table]))
        return self.code[table]

    def new_log(self) -> None:
        """Another log begins: which decks are in use is a matter of each log (P2-I8)."""
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
