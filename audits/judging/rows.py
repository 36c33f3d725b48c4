"""A row group as a run over columns takes it, and what the findings file says of each row."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from audits.segments.segment_file import THIRD_DECK, TWO_DECKS
from games.judge.sequence import Decks
from games.round_log.columns import ABSENT
from games.round_log.columns_pick import Pick, picked
from games.round_log.columns_reader import Block
from games.round_log.digests import digest_of_line, digests_of
from games.round_log.form import Rejection, read_line
from games.round_log.round import Round, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from audits.segments.segment_file import SegmentGroup
    from games.round_log.columns import Columns


class Rows:
    """A round in row n is line 2n of the block; a rejected line that stood before it, 2n - 1."""

    def __init__(self, group: SegmentGroup, logs: Sequence[str]) -> None:
        self._group = group
        self._logs = logs
        self.columns = replace(group.columns, lines=2 * group.columns.lines)
        self.odd = {2 * row: text for row, text in group.odd}
        """The lines of rounds that fit no columns, with their text."""
        self._digested = np.empty(0, np.int64)
        self._digests = np.empty((0, 4), np.uint64)

    def of_rows(self, columns: Columns) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """For each round of the columns whether two decks take turns, and whether it has a third.

        With `of_line` the `Turns` of a run.
        """
        marks = self._group.decks[columns.lines // 2 - self._group.first_row]
        return marks & TWO_DECKS != 0, marks & THIRD_DECK != 0

    def of_line(self, line: int) -> Decks:
        """The same of one line's round."""
        return decks_of(self._group, line // 2)

    def block(self) -> Block:
        """All that a run is to be told of."""
        odd: list[tuple[int, bytes | Rejection]] = list(self.odd.items())
        for place in np.flatnonzero(self._group.disturbed).tolist():
            line = 2 * (self._group.first_row + place)
            odd.append((line - 1, rejected(self._table(line))))
        odd.sort(key=itemgetter(0))
        return Block(0, 0, (self.columns,) if len(self.columns) else (), tuple(odd))

    def fell_back(self, line: int) -> bool:
        """Whether a line's round ended before the one before in its log, of another day."""
        return bool(self._group.fell_back[line // 2 - self._group.first_row])

    def fallen_back(self) -> NDArray[np.bool_]:
        """The same of every row of the columns."""
        fallen: NDArray[np.bool_] = self._group.fell_back[
            self.columns.lines // 2 - self._group.first_row
        ]
        return fallen

    def source(self, line: int) -> tuple[str, int]:
        """The log that a line's round was handed in with, and its line there."""
        place = line // 2 - self._group.first_row
        log = self._logs[int(self._group.source_log[place])]
        return log, int(self._group.source_line[place])

    def digest(self, line: int) -> bytes:
        """The digest of a line's round as logged."""
        if line in self.odd:
            return digest_of_line(self.odd[line])
        place = int(np.searchsorted(self._digested, self._row(line)))
        return bytes(self._digests[place].tobytes())

    def expect(self, rows: NDArray[np.int64]) -> None:
        """Digests will be asked of these rows of the columns, ascending."""
        if len(rows):
            some = picked([Pick(self.columns, rows, np.arange(len(rows)))])
            self._digested, self._digests = rows, digests_of(some)

    def brief(self, row: int, *, seats: bool) -> Round:
        """A round as far as its terms alone are judged: without cards and results.

        What the seats wagered is there only if it is asked for.
        """
        columns = self.columns
        since = int(columns.rounds.numbers["from"][row])
        return Round(
            round=str(columns.rounds.texts["round"][row]),
            game=columns.game,
            table=str(columns.rounds.texts["table"][row]),
            at=int(columns.rounds.numbers["at"][row]),
            since=None if since == ABSENT else since,
            seats=tuple(self._seats(row)) if seats else (),
        )

    def whole(self, line: int) -> Round:
        """A line's round, as logged."""
        if line not in self.odd:
            return self.columns.round(self._row(line))
        read = read_line(self.odd[line])
        if isinstance(read, Rejection):
            raise TypeError(read.reason)
        return read

    def _seats(self, row: int) -> list[Seat]:
        first, end = self.columns.first_seat[row : row + 2].tolist()
        numbers, players = self.columns.seats.numbers, self.columns.seats.texts["player"]
        return [
            Seat(
                seat=int(numbers["seat"][seat]),
                player=players[seat],
                wagers={name: int(column[seat]) for name, column in self._wagers},
                result={},
            )
            for seat in range(first, end)
        ]

    @cached_property
    def _wagers(self) -> list[tuple[str, NDArray[np.int64]]]:
        numbers = self.columns.seats.numbers
        return [
            (name.removeprefix("wager_"), column)
            for name, column in numbers.items()
            if name.startswith("wager_")
        ]

    def _row(self, line: int) -> int:
        return int(np.searchsorted(self.columns.lines, line))

    def _table(self, line: int) -> str:
        if line in self.odd:
            return self.whole(line).table
        return str(self.columns.rounds.texts["table"][self._row(line)])


def decks_of(group: SegmentGroup, number: int) -> Decks:
    """What hand-in noted of the decks of a round, by its row from 1."""
    marks = int(group.decks[number - group.first_row])
    return Decks(two=bool(marks & TWO_DECKS), third=bool(marks & THIRD_DECK))


def rejected(table: str) -> Rejection:
    """A line of a table that hand-in rejected."""
    return Rejection(None, "rejected at hand-in", table=table)
