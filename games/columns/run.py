"""A run over logs in blocks of columns: the screen first, the judge for all that it does not pass.

What comes out is what `judge.run.Run` says of every line; only, rounds in which there is nothing
to be found are not told one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from games.columns.course import NOBODY, check_banks, check_decks, check_order
from games.columns.course import Tables as Carried
from games.columns.stakes import Limits
from games.columns.voids import Voids
from games.columns.words import Ids
from games.judge.sequence import ALTERNATING, Before, Played, Tables
from games.judge.verdict import judge
from games.round_log.columns_parse import ABSENT
from games.round_log.columns_texts import Texts
from games.round_log.form import Rejection, read_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from games.judge.sequence import Decks
    from games.judge.verdict import Verdict
    from games.round_log.columns import Columns
    from games.round_log.columns_reader import Block
    from games.round_log.round import Round
    from games.setup import Setup

SCREENS: Final = {
    "pyramid-poker": "pyramid",
    "chinese-poker": "chinese",
    "pick-2-poker": "pick_2",
    "showdown": "showdown",
    "casino-version": "casino",
}


class Screen(Protocol):
    """What may say of rounds that nothing is to be found in them, whatever came before."""

    def sift(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Leave certain (1) only the rounds that are."""


@dataclass(frozen=True, slots=True)
class Told:
    """A line that the screen did not pass; without a verdict it is rejected, or a brief void."""

    line: int
    read: Round | Rejection
    verdict: Verdict | None = None
    two_decks: bool = False
    """Whether the round's table is known, by now, to use two decks in this log (P2-I8)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A block, judged. Rounds that are certain are as logged, and nothing is wrong with them."""

    certain: tuple[NDArray[np.uint8], ...]
    """For each of the block's columns, 1 for a round that is certain."""
    told: Iterator[Told]
    """All other lines, in order; to be gone through before the next block is judged."""


class Choice(Protocol):
    """Which of several set-ups held for a round; what came before it is the same under each."""

    def of_rows(self, columns: Columns) -> NDArray[np.int64]:
        """For each round, the place of its set-up among those of the run."""

    def of_round(self, round_: Round) -> int:
        """The same of one round."""


class Turns(Protocol):
    """What is known of the decks of a block's rounds: their logs were read to the end (P2-I8)."""

    def of_rows(self, columns: Columns) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """For each round whether two decks are in use, and whether its own is a third."""

    def of_line(self, line: int) -> Decks:
        """The same of the round at a line."""


class _First:
    """There is but one set-up."""

    def of_rows(self, columns: Columns) -> NDArray[np.int64]:
        return np.zeros(len(columns), np.int64)

    def of_round(self, _round: Round, /) -> int:
        return 0


_FIRST: Final = _First()


class _Game:
    """What a run keeps of one game."""

    def __init__(self, game: str, setups: Sequence[Setup]) -> None:
        self.carried = Carried()
        module = import_module(f"games.columns.{SCREENS[game]}")
        self.voids = [Voids(game, setup) for setup in setups]
        self._limits = [Limits(game, setup) for setup in setups]
        self._screens: list[Screen] = [module.Screen(setup) for setup in setups]

    def sift(
        self, columns: Columns, codes: NDArray[np.int64], chosen: NDArray[np.int64],
        certain: NDArray[np.uint8],
    ) -> None:  # fmt: skip
        """Leave certain only the rounds in which nothing is to be found under their set-up."""
        used = np.unique(chosen).tolist() if len(self._screens) > 1 else [0]
        begun = certain.copy() if len(used) > 1 else certain
        for place in used:
            passed = begun.copy() if len(used) > 1 else certain
            self._limits[place].check(columns, codes, self.carried.names, passed)
            self._screens[place].sift(columns, passed)
            if len(used) > 1:
                np.copyto(certain, passed, where=chosen == place)


class _Rows:
    """One game's columns of a block, and how far the judge's memory of each table has come."""

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
        """Something stood at a line that is in no column; whether a round of the table follows.

        `voided` is the time of a void round, at a game where it disturbs nothing else.
        """
        rows, place = self._place(table, line)
        if place < len(rows):
            if voided is None:
                self._disturbed[rows[place]] = 1
            else:
                self._voided[rows[place]] = voided
        return place < len(rows)

    def sift(self, chosen: NDArray[np.int64], turns: Turns | None, *, screen: bool) -> None:
        """Find the rounds that are certain under the set-ups chosen."""
        columns, carried = self.columns, self.carried.carried
        numbers = columns.rounds.numbers
        check_order(
            self.codes, numbers["at"], self._voided, self._disturbed, carried, self._previous,
            self.certain,
        )  # fmt: skip
        if columns.game == ALTERNATING:
            decks = self.carried.decks(columns.rounds.texts["deck"])
            shuffled = numbers["shuffler"]
            if turns is not None:
                two, third = turns.of_rows(columns)
                shuffled = np.where(two, shuffled, 0)
                self.certain[third] = 0
            check_decks(self.codes, decks, shuffled, carried, self.certain)
        if columns.game == "pyramid-poker":
            players = columns.seats.texts["player"]
            check_banks(
                self.codes, numbers["banker"], numbers["house_wager"], self._previous,
                columns.first_seat, columns.seats.numbers["seat"],
                columns.seats.numbers["wager_main"], players.data, players.start, players.stop,
                carried, self.certain,
            )  # fmt: skip
        if screen:
            self._game.sift(columns, self.codes, chosen, self.certain)
        else:
            self.certain[:] = 0

    def catch_up(self, tables: Tables, row: int) -> None:
        """Let the judge's memory of a row's table come as far as the line before it."""
        self._note(tables, int(self._previous[row]))
        self._note_void(tables, self.carried.names[int(self.codes[row])])

    def catch_up_to_line(self, tables: Tables, table: str, line: int) -> None:
        """Let the judge's memory of a table come as far as the last round before a line."""
        rows, place = self._place(table, line)
        self._note(tables, int(rows[place - 1]) if place else -1)
        self._note_void(tables, table)

    def finish(self, tables: Tables) -> None:
        """Let the judge's memory of every table come as far as the block."""
        for code in np.flatnonzero(self._counts).tolist():
            self._note(tables, int(self._rows_with(code)[-1]))
        for table in tuple(self._passed_over):
            self._note_void(tables, table)

    def pass_over(self, line: int, void: Round, voids: Voids) -> bool:
        """Pass over a void round in which certainly nothing is to be found; whether that is so."""
        rows, place = self._place(void.table, line)
        before, at = self._odd_before.get(void.table, (0, None))
        if place and int(self.columns.lines[rows[place - 1]]) > before:
            at = int(self.columns.rounds.numbers["at"][rows[place - 1]])
        if at is None or void.at < at or not voids.certain(void):
            return False
        self._passed_over[void.table] = line, void
        self.came(line, void.table, void.at)
        return True

    def came(self, line: int, table: str, at: int | None) -> None:
        """An odd line came at a table; `at` when it ended, None where the judge alone knows."""
        self._odd_before[table] = line, at

    def told(self, row: int) -> None:
        """The judge was told of a row himself."""
        self._noted[int(self.codes[row])] = row

    def _note(self, tables: Tables, row: int) -> None:
        if row < 0:
            return
        code = int(self.codes[row])
        if self._noted.get(code, -1) < row:
            self._noted[code] = row
            table, game = self.carried.names[code], self.columns.game
            tables.put(table, game, _after(self.columns, row, tables.at(table, game).decks))

    def _note_void(self, tables: Tables, table: str) -> None:
        """Let the judge's memory have the void round passed over last, if none came behind it."""
        line, void = self._passed_over.pop(table, (0, None))
        row = self._noted.get(self.carried.code.get(table, NOBODY), NOBODY)
        if void is not None and (row < 0 or int(self.columns.lines[row]) < line):
            tables.note(void)

    def _place(self, table: str, line: int) -> tuple[NDArray[np.int64], int]:
        """The rows of a table, and how many of them stand before a line."""
        code = self.carried.code.get(table, NOBODY)
        rows = self._rows_with(code)
        if line not in self._places:  # asked again when the line is told
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
        """All rows, table by table: one look through them, however many tables there are."""
        return np.argsort(self.codes, kind="stable")

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return np.bincount(self.codes)

    @cached_property
    def _ends_of_tables(self) -> NDArray[np.int64]:
        return np.cumsum(self._counts)


def _after(columns: Columns, row: int, decks: tuple[str, ...]) -> Before:
    """What the round after a certain one finds, which brought no new deck."""
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
        decks=decks,
    )


class ColumnRun:
    """One call over one or more logs; with `screen` off the judge is asked about every round.

    With several set-ups a `choice` says which held for a round. With `ids` off no id is looked for
    twice: whoever took the rounds in did so. Lines that no columns took are read by `read`: more
    cheaply by who knows who wrote them. With `brief_voids` a void round in which nothing is to be
    found is told without a verdict.
    """

    def __init__(
        self,
        *setups: Setup,
        screen: bool = True,
        choice: Choice = _FIRST,
        ids: bool = True,
        read: Callable[[bytes], Round | Rejection] = read_line,
        brief_voids: bool = False,
    ) -> None:
        self._setups = setups
        self._read = read
        self._choice = choice
        self._screen = screen
        self._brief_voids = brief_voids and screen
        self._tables = Tables()
        self._ids = Ids() if ids else None
        self._games: dict[str, _Game] = {}

    def new_log(self) -> None:
        """Another log begins."""
        self._tables.new_log()
        for game in self._games.values():
            game.carried.new_log()

    def close(self) -> None:
        """Let go of what lies on disk."""
        self._tables.close()

    def judge(self, block: Block, turns: Turns | None = None) -> Judged:
        """Judge the next block; `turns` where more is known of its decks than it says."""
        odd = [
            (line, read if isinstance(read, Rejection) else self._read(read))
            for line, read in block.odd
        ]
        for game in self._games.values():
            game.carried.bound()
        rows = [_Rows(columns, self._game(columns.game)) for columns in block.columns]
        last = self._disturb(odd, rows)
        taken = self._take_ids(rows, odd)
        for sifted, again in zip(rows, taken, strict=False):
            sifted.sift(self._choice.of_rows(sifted.columns), turns, screen=self._screen)
            sifted.certain[again != 0] = 0
        for (name, table), voided in last.items():
            if voided is None:
                self._game(name).carried.disturb(table)
            else:
                self._game(name).carried.void(table, voided)
        return Judged(tuple(sifted.certain for sifted in rows), self._told(rows, odd, taken, turns))

    def _disturb(
        self, odd: Sequence[tuple[int, Round | Rejection]], rows: Sequence[_Rows]
    ) -> dict[tuple[str, str], int | None]:
        """Disturb the rounds that follow odd lines; games and tables that none follows yet.

        With these stands when a void round that alone came last there ended. A rejected line
        disturbs every game of its table.
        """
        last: dict[tuple[str, str], int | None] = {}
        met = {game.columns.game: game for game in rows}
        for line, read in odd:
            games = self._games if isinstance(read, Rejection) else {read.game: None}
            voided = _voided(read)
            for name in games if read.table is not None else ():
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
        """Which ids stood on an earlier line: for the rows of each game, then the odd rounds."""
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
        taken = np.empty(len(order), np.uint8)
        taken[order] = self._ids.take(one, two)
        bounds = np.cumsum([len(part) for part in lines])[:-1]
        return np.split(taken, bounds)

    def _told(
        self,
        rows: Sequence[_Rows],
        odd: Sequence[tuple[int, Round | Rejection]],
        taken: Sequence[NDArray[np.uint8]],
        turns: Turns | None,
    ) -> Iterator[Told]:
        """Every line that is not certain, judged with what came before it."""
        again = iter(taken[-1].tolist() if len(taken) > len(rows) else ())
        for line, game, place in _in_order(rows, odd):
            if game is None:
                read = odd[place][1]
                yield self._odd(line, read, rows, again, turns)
            else:
                flags = taken[rows.index(game)]
                game.catch_up(self._tables, place)
                round_ = game.columns.round(place)
                yield self._judge(line, round_, bool(flags[place]), turns)
                game.told(place)
        for game in rows:
            game.finish(self._tables)

    def _odd(
        self, line: int, read: Round | Rejection, rows: Sequence[_Rows], again: Iterator[int],
        turns: Turns | None,
    ) -> Told:  # fmt: skip
        taken = not isinstance(read, Rejection) and bool(next(again))
        if self._brief_voids and not taken and self._pass_over(line, read, rows):
            return Told(line, read)
        for game in rows:
            if read.table is not None:
                game.catch_up_to_line(self._tables, read.table, line)
        if isinstance(read, Rejection):
            self._tables.note_rejection(read.table)
            return Told(line, read)
        return self._judge(line, read, taken, turns)

    def _pass_over(self, line: int, read: Round | Rejection, rows: Sequence[_Rows]) -> bool:
        """Whether an odd line is a void round that needs no judge; what comes behind it learns."""
        for game in rows:
            if isinstance(read, Rejection):
                if read.table is not None:
                    game.came(line, read.table, None)
            elif game.columns.game == read.game:
                voids = self._game(read.game).voids[self._choice.of_round(read)]
                if _voided(read) is not None and game.pass_over(line, read, voids):
                    return True
                game.came(line, read.table, read.at)
        return False

    def _judge(self, line: int, read: Round, taken: bool, turns: Turns | None) -> Told:  # noqa: FBT001
        setup = self._setups[self._choice.of_round(read)]
        decks = None if turns is None else turns.of_line(line)
        verdict = judge(read, setup, self._tables.before(read), taken=taken, decks=decks)
        self._tables.note(read)
        two_decks = read.game == ALTERNATING and len(self._tables.before(read).decks) > 1
        return Told(line, read, verdict, two_decks)

    def _game(self, game: str) -> _Game:
        if game not in self._games:
            self._games[game] = _Game(game, self._setups)
        return self._games[game]


def _voided(read: Round | Rejection) -> int | None:
    """When a void round ended that leaves the course of play as it was; None for other lines.

    Decks take turns in void rounds too (P2-1).
    """
    if isinstance(read, Rejection) or read.played or read.game == ALTERNATING:
        return None
    return read.at


def _in_order(
    rows: Sequence[_Rows], odd: Sequence[tuple[int, Round | Rejection]]
) -> list[tuple[int, _Rows | None, int]]:
    """Line, game and row of all that is to be told, in order; odd lines have no game."""
    doubtful: list[tuple[int, _Rows | None, int]] = [
        (int(game.columns.lines[row]), game, int(row))
        for game in rows
        for row in np.flatnonzero(game.certain == 0)
    ]
    doubtful += [(line, None, place) for place, (line, _) in enumerate(odd)]
    doubtful.sort(key=lambda item: item[0])
    return doubtful
