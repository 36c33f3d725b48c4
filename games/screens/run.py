"""A run over logs in blocks of columns: the screen first, then scalar settlement for the rest.

The output is what `settlement.verdict.Run` returns for every line, except that rounds without any
findings aren't reported one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from games.checks import CHECKS
from games.checks.deal_alternation import ALTERNATING
from games.days import washington_day
from games.log.columns import Texts
from games.log.field_types import ABSENT
from games.log.form import Rejection, read_line
from games.screens.tables import NOBODY, follow_tables
from games.screens.tables import Tables as Carried
from games.screens.words import Ids
from games.settlement.sequence import Tables
from games.settlement.verdict import settle_round
from games.terms import Before, ColumnsBefore, ColumnTerms, Played, Terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from games.days import DayOf
    from games.log.columns import Columns
    from games.log.reader import Block
    from games.log.round import Round
    from games.settlement.verdict import Verdict
    from games.setup import Setup
    from games.terms import Decks


SCREENS: Final = {
    "pyramid-poker": "pyramid",
    "chinese-poker": "chinese",
    "pick-2-poker": "pick_2",
    "showdown": "showdown",
    "casino-version": "casino",
}


class Screen(Protocol):
    """Decides which rounds certainly have no findings, whatever came before them."""

    def sift(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain (1) only the rounds that are."""


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """A line that the screen did not pass; without a verdict it is rejected, or a brief void."""

    line: int
    read: Round | Rejection
    verdict: Verdict | None = None
    two_decks: bool = False
    """Whether the round's table is known, by now, to use two decks in this log (P2-I8)."""


@dataclass(frozen=True, slots=True)
class BlockVerdicts:
    """A block's verdicts. Rounds that are certain are as logged and have no findings."""

    certain: tuple[NDArray[np.uint8], ...]
    """For each of the block's columns, 1 for a round that is certain."""
    line_verdicts: Iterator[LineVerdict]
    """All other lines, in order; iterate over them before settling the next block."""


class Choice(Protocol):
    """Which of several set-ups applied to a round; what came before it is the same under each."""

    def of_rows(self, columns: Columns) -> NDArray[np.int64]:
        """Return, for each round, the place of its set-up among those of the run."""

    def of_round(self, round_: Round) -> int:
        """Return the same for one round."""


class Turns(Protocol):
    """What is known about the decks of rounds whose logs were read to the end (P2-I8)."""

    def of_rows(self, columns: Columns) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return for each round whether two decks are in use, and whether its own is a third."""

    def of_line(self, line: int) -> Decks:
        """Return the same for the round at a line."""


class _First:
    """The choice when there is only one set-up."""

    def of_rows(self, columns: Columns) -> NDArray[np.int64]:
        return np.zeros(len(columns), np.int64)

    def of_round(self, _round: Round, /) -> int:
        return 0


_FIRST: Final = _First()


class _Game:
    """What a run keeps for one game."""

    def __init__(self, game: str, setups: Sequence[Setup]) -> None:
        self.carried = Carried()
        module = import_module(f"games.screens.{SCREENS[game]}")
        self._setups = setups
        self._rules = [setup.rules(game) for setup in setups]
        self._screens: list[Screen] = [module.Screen(setup) for setup in setups]

    def screen(
        self, columns: Columns, codes: NDArray[np.int64], chosen: NDArray[np.int64],
        certain: NDArray[np.uint8],
    ) -> None:  # fmt: skip
        """Keep certain only the rounds that have no findings under their set-up."""
        used = np.unique(chosen).tolist() if len(self._screens) > 1 else [0]
        begun = certain.copy() if len(used) > 1 else certain
        for place in used:
            passed = begun.copy() if len(used) > 1 else certain
            names = self.carried.names
            terms = ColumnTerms(self._setups[place], self._rules[place], codes, names)
            for check in CHECKS:
                if check.screen is not None:
                    check.screen(columns, terms, passed)
            self._screens[place].sift(columns, passed)
            if len(used) > 1:
                np.copyto(certain, passed, where=chosen == place)

    def is_certain(self, void: Round, place: int) -> bool:
        """Return whether a void round has no findings, whatever came before it."""
        terms = Terms(self._setups[place], self._rules[place])
        return not any(True for check in CHECKS for _ in check.find(void, terms))


class _Rows:
    """One game's columns of a block, and how far scalar settlement's memory of each table is."""

    def __init__(self, columns: Columns, game: _Game) -> None:
        self.columns = columns
        self.carried = game.carried
        self.codes = game.carried.codes(columns.rounds.texts["table"])
        self.certain = np.zeros(len(columns), np.uint8)
        self._game = game
        self._previous = np.empty(len(columns), np.int64)
        self._disturbed = np.zeros(len(columns), np.uint8)
        self._voided = np.full(len(columns), ABSENT)
        self._lines_at_table: dict[int, NDArray[np.int64]] = {}
        self._noted: dict[int, int] = {}
        self._places: dict[int, int] = {}
        self._odd_before: dict[str, tuple[int, int | None]] = {}
        self._passed_over: dict[str, tuple[int, Round]] = {}

    def disturb(self, table: str, line: int, voided: int | None) -> bool:
        """Disturb the table's round after a line outside the columns; return whether one follows.

        `voided` is the time of a void round, at a game where it disturbs nothing else.
        """
        rows, place = self._place(table, line)
        if place < len(rows):
            if voided is None:
                self._disturbed[rows[place]] = 1
            else:
                self._voided[rows[place]] = voided
        return place < len(rows)

    def screen(self, chosen: NDArray[np.int64], turns: Turns | None, *, screen: bool) -> None:
        """Find the rounds that are certain under the chosen set-ups."""
        columns, carried = self.columns, self.carried.carried
        follow_tables(self.codes, self._disturbed, carried, self._previous, self.certain)
        before = self._before(turns)
        for check in CHECKS:
            if check.screen_before is not None:
                check.screen_before(columns, before, self.certain)
        if screen:
            self._game.screen(columns, self.codes, chosen, self.certain)
        else:
            self.certain[:] = 0

    def _before(self, turns: Turns | None) -> ColumnsBefore:
        columns = self.columns
        before = ColumnsBefore(self.codes, self._previous, self._voided, self.carried.carried)
        if columns.game != ALTERNATING:
            return before
        deck = self.carried.decks(columns.rounds.texts["deck"])
        alternates = columns.rounds.numbers["shuffler"]
        if turns is None:
            return replace(before, deck=deck, alternates=alternates)
        two, third = turns.of_rows(columns)
        return replace(before, deck=deck, alternates=np.where(two, alternates, 0), third_deck=third)

    def catch_up(self, tables: Tables, row: int) -> None:
        """Bring the memory of a row's table up to the line before it."""
        self._note(tables, int(self._previous[row]))
        self._note_void(tables, self.carried.names[int(self.codes[row])])

    def catch_up_to_line(self, tables: Tables, table: str, line: int) -> None:
        """Bring the memory of a table up to the last round before a line."""
        rows, place = self._place(table, line)
        self._note(tables, int(rows[place - 1]) if place else -1)
        self._note_void(tables, table)

    def finish(self, tables: Tables) -> None:
        """Bring the memory of every table up to the end of the block."""
        for code in np.flatnonzero(self._counts).tolist():
            self._note(tables, int(self._rows_with(code)[-1]))
        for table in tuple(self._passed_over):
            self._note_void(tables, table)

    def pass_over(self, line: int, void: Round, setup: int) -> bool:
        """Skip a void round that certainly has no findings; return whether it does."""
        rows, place = self._place(void.table, line)
        before, at = self._odd_before.get(void.table, (0, None))
        if place and int(self.columns.lines[rows[place - 1]]) > before:
            at = int(self.columns.rounds.numbers["at"][rows[place - 1]])
        if at is None or void.at < at or not self._game.is_certain(void, setup):
            return False
        self._passed_over[void.table] = line, void
        self.came(line, void.table, void.at)
        return True

    def came(self, line: int, table: str, at: int | None) -> None:
        """Record an odd line at a table; `at` is when it ended, None if scalar settlement knows."""
        self._odd_before[table] = line, at

    def note_settled(self, row: int) -> None:
        """Record that scalar settlement got this row."""
        self._noted[int(self.codes[row])] = row

    def _note(self, tables: Tables, row: int) -> None:
        if row < 0:
            return
        code = int(self.codes[row])
        if self._noted.get(code, -1) < row:
            self._noted[code] = row
            table, game = self.carried.names[code], self.columns.game
            now = _after(self.columns, row, tables.at(table, game))
            by_hand = not self.columns.rounds.numbers["shuffler"][row]
            tables.put_after(table, game, now, by_hand=by_hand)

    def _note_void(self, tables: Tables, table: str) -> None:
        """Add the void round skipped last to the memory, if none came after it."""
        line, void = self._passed_over.pop(table, (0, None))
        row = self._noted.get(self.carried.code.get(table, NOBODY), NOBODY)
        if void is not None and (row < 0 or int(self.columns.lines[row]) < line):
            tables.note(void)

    def _place(self, table: str, line: int) -> tuple[NDArray[np.int64], int]:
        """Return the rows of a table, and how many of them come before a line."""
        code = self.carried.code.get(table, NOBODY)
        rows = self._rows_with(code)
        if line not in self._places:  # asked again when the line is settled
            if code not in self._lines_at_table:
                self._lines_at_table[code] = self.columns.lines[rows]
            self._places[line] = int(self._lines_at_table[code].searchsorted(line))
        return rows, self._places[line]

    def _rows_with(self, code: int) -> NDArray[np.int64]:
        if not 0 <= code < len(self._ends_of_tables):
            return self._by_table[:0]
        end = int(self._ends_of_tables[code])
        return self._by_table[end - int(self._counts[code]) : end]

    @cached_property
    def _by_table(self) -> NDArray[np.int64]:
        """Return all rows, table by table: one pass over them, however many tables there are."""
        return np.argsort(self.codes, kind="stable")

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return np.bincount(self.codes)

    @cached_property
    def _ends_of_tables(self) -> NDArray[np.int64]:
        return np.cumsum(self._counts)


def _after(columns: Columns, row: int, before: Before) -> Before:
    """Return what the round after a certain one finds, which brought no deck to take turns."""
    numbers, seats = columns.rounds.numbers, columns.seats
    mains: dict[str, int] = {}
    if "wager_main" in seats.numbers:
        for seat in range(int(columns.first_seat[row]), int(columns.first_seat[row + 1])):
            player = seats.texts["player"][seat]
            if player is not None:
                mains[player] = mains.get(player, 0) + int(seats.numbers["wager_main"][seat])
    banked = "banker" in numbers and bool(numbers["banker"][row])
    return Before(
        at=int(numbers["at"][row]),
        deck=columns.rounds.texts["deck"][row],
        played=Played(banked, mains),
        decks=before.decks,
        hand_decks=before.hand_decks,
    )


class ColumnRun:
    """One call over one or more logs; with `screen` off every round is settled one by one.

    With several set-ups, `choice` decides which one applied to a round. With `ids` off, repeated
    ids aren't looked for, because ingest already did. Lines that fit no columns are parsed by
    `read`, which can be cheaper if their writer is known. With `brief_voids` a void round without
    findings is reported without a verdict. `day_of` says to which day of play an instant belongs.
    """

    def __init__(
        self,
        *setups: Setup,
        screen: bool = True,
        choice: Choice = _FIRST,
        ids: bool = True,
        read: Callable[[bytes], Round | Rejection] = read_line,
        brief_voids: bool = False,
        day_of: DayOf = washington_day,
    ) -> None:
        self._setups = setups
        self._read = read
        self._choice = choice
        self._screen = screen
        self._brief_voids = brief_voids and screen
        self._tables = Tables(day_of=day_of)
        self._ids = Ids() if ids else None
        self._games: dict[str, _Game] = {}

    def new_log(self) -> None:
        """Start another log."""
        self._tables.new_log()
        for game in self._games.values():
            game.carried.new_log()

    def close(self) -> None:
        """Release what is on disk."""
        self._tables.close()

    def settle(self, block: Block, turns: Turns | None = None) -> BlockVerdicts:
        """Settle the next block; pass `turns` if more is known about its decks than it shows."""
        odd = [
            (line, read if isinstance(read, Rejection) else self._read(read))
            for line, read in block.odd
        ]
        for game in self._games.values():
            game.carried.bound()
        rows = [_Rows(columns, self._game(columns.game)) for columns in block.columns]
        last = self._disturb(odd, rows)
        repeated = self._take_ids(rows, odd)
        for sifted, again in zip(rows, repeated, strict=False):
            sifted.screen(self._choice.of_rows(sifted.columns), turns, screen=self._screen)
            sifted.certain[again != 0] = 0
        for (name, table), voided in last.items():
            if voided is None:
                self._game(name).carried.disturb(table)
            else:
                self._game(name).carried.void(table, voided)
        return BlockVerdicts(
            tuple(sifted.certain for sifted in rows),
            self._line_verdicts(rows, odd, repeated, turns),
        )

    def _disturb(
        self, odd: Sequence[tuple[int, Round | Rejection]], rows: Sequence[_Rows]
    ) -> dict[tuple[str, str], int | None]:
        """Disturb the rounds after odd lines; return the games and tables without one.

        Each has the time at which its only line, a void round, ended; None for anything else. A
        rejected line disturbs every game of its table.
        """
        last: dict[tuple[str, str], int | None] = {}
        met = {game.columns.game: game for game in rows}
        for line, read in odd:
            games = self._games if isinstance(read, Rejection) else {read.game: None}
            voided = _voided(read)
            for name in games if read.table is not None else ():
                if name not in SCREENS:
                    continue  # a filed game has no columns to disturb
                table = str(read.table)
                if name in met and met[name].disturb(table, line, voided):
                    last.pop((name, table), None)
                elif not isinstance(read, Rejection) or table in self._game(name).carried.code:
                    disturbed = last.get((name, table), voided) is None
                    last[name, table] = None if disturbed else voided
        return last

    def _take_ids(
        self, rows: Sequence[_Rows], odd: Sequence[tuple[int, Round | Rejection]]
    ) -> list[NDArray[np.uint8]]:
        """Return which ids were on an earlier line: for each game's rows, then the odd rounds."""
        accepted = [(line, read) for line, read in odd if not isinstance(read, Rejection)]
        texts = [game.columns.rounds.texts["round"] for game in rows]
        lines = [game.columns.lines for game in rows]
        if accepted:
            texts.append(Texts.of([read.round for _, read in accepted]))
            lines.append(np.array([line for line, _ in accepted], np.int64))
        if not texts:
            return []
        if self._ids is None:
            return [np.zeros(len(part), np.uint8) for part in lines]
        hashes = [self._ids.hashes(ids) for ids in texts]
        if len(texts) == 1:
            return [self._ids.take(*hashes[0])]
        order = np.argsort(np.concatenate(lines), kind="stable")
        one, two = (np.concatenate(part)[order] for part in zip(*hashes, strict=True))
        repeated = np.empty(len(order), np.uint8)
        repeated[order] = self._ids.take(one, two)
        bounds = np.cumsum([len(part) for part in lines])[:-1]
        return np.split(repeated, bounds)

    def _line_verdicts(
        self,
        rows: Sequence[_Rows],
        odd: Sequence[tuple[int, Round | Rejection]],
        repeated: Sequence[NDArray[np.uint8]],
        turns: Turns | None,
    ) -> Iterator[LineVerdict]:
        """Yield every line that isn't certain, settled with what came before it."""
        again = iter(repeated[-1].tolist() if len(repeated) > len(rows) else ())
        for line, game, place in _in_order(rows, odd):
            if game is None:
                read = odd[place][1]
                yield self._odd(line, read, rows, again, turns)
            else:
                flags = repeated[rows.index(game)]
                game.catch_up(self._tables, place)
                round_ = game.columns.round(place)
                yield self._settle(line, round_, bool(flags[place]), turns)
                game.note_settled(place)
        for game in rows:
            game.finish(self._tables)

    def _odd(
        self, line: int, read: Round | Rejection, rows: Sequence[_Rows], again: Iterator[int],
        turns: Turns | None,
    ) -> LineVerdict:  # fmt: skip
        repeated = not isinstance(read, Rejection) and bool(next(again))
        if self._brief_voids and not repeated and self._pass_over(line, read, rows):
            return LineVerdict(line, read)
        for game in rows:
            if read.table is not None:
                game.catch_up_to_line(self._tables, read.table, line)
        if isinstance(read, Rejection):
            self._tables.note_rejection(read.table)
            return LineVerdict(line, read)
        return self._settle(line, read, repeated, turns)

    def _pass_over(self, line: int, read: Round | Rejection, rows: Sequence[_Rows]) -> bool:
        """Return whether an odd line is a void round to skip, and update what follows it."""
        for game in rows:
            if isinstance(read, Rejection):
                if read.table is not None:
                    game.came(line, read.table, None)
            elif game.columns.game == read.game:
                setup = self._choice.of_round(read)
                if _voided(read) is not None and game.pass_over(line, read, setup):
                    return True
                game.came(line, read.table, read.at)
        return False

    def _settle(self, line: int, read: Round, repeated: bool, turns: Turns | None) -> LineVerdict:  # noqa: FBT001
        setup = self._setups[self._choice.of_round(read)]
        decks = None if turns is None else turns.of_line(line)
        verdict = settle_round(
            read, setup, self._tables.before(read), is_repeat=repeated, decks=decks
        )
        self._tables.note(read)
        two_decks = read.game == ALTERNATING and len(self._tables.before(read).decks) > 1
        return LineVerdict(line, read, verdict, two_decks)

    def _game(self, game: str) -> _Game:
        if game not in self._games:
            self._games[game] = _Game(game, self._setups)
        return self._games[game]


def _voided(read: Round | Rejection) -> int | None:
    """Return when a void round ended that leaves the table undisturbed; None for other lines.

    Decks take turns in void rounds too (P2-1).
    """
    if isinstance(read, Rejection) or read.played or read.game == ALTERNATING:
        return None
    return read.at


def _in_order(
    rows: Sequence[_Rows], odd: Sequence[tuple[int, Round | Rejection]]
) -> list[tuple[int, _Rows | None, int]]:
    """Return line, game and row of all lines to report, in order; odd lines have no game."""
    doubtful: list[tuple[int, _Rows | None, int]] = [
        (int(game.columns.lines[row]), game, int(row))
        for game in rows
        for row in np.flatnonzero(game.certain == 0)
    ]
    doubtful += [(line, None, place) for place, (line, _) in enumerate(odd)]
    doubtful.sort(key=lambda item: item[0])
    return doubtful
