"""Gather a segment's statistics from its columns: whole columns at a time, never line by line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from audits.intake.segments.segment_file import read_header, read_segment
from audits.watch.statistics import (
    ALL,
    DEALER,
    HOUSE,
    PLAYER,
    PLAYERS,
    SHOE,
    TABLE,
    Cards,
    Measure,
    Statistics,
    Subject,
    Wager,
)
from games.log.form import read_line
from games.log.gather import Gatherer
from games.log.round import Round
from games.rule_set import rule_set
from games.screens.words import Words
from games.statistics.cards import Again, Dealt, Draw, Shoe
from games.statistics.chances import LEVELS, WAGERS
from games.statistics.results import AMOUNT, PLAIN, RAISED, Seats, Weighted, weights_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.intake.segments.segment_file import SegmentGroup
    from games.log.columns import Columns, Level

    Numbers = NDArray[np.int64]

CARDS: Final = 52
SEAT_CARDS: Final = {"pyramid-poker": 3, "pick-2-poker": 5, "chinese-poker": 13}
"""Cards of a seat, where the rules deal so many to every seat, whatever it decides.

In the other games a player who folds or surrenders gets fewer, so that the number depends on the
cards and has no exact distribution.
"""
HOUSE_CARDS: Final = {"pyramid-poker": 3, "pick-2-poker": 5, "casino-version": 9}
SCOPES: Final = ((TABLE, "table", (ALL, PLAYERS, HOUSE)), (DEALER, "dealer_id", (PLAYERS, HOUSE)))
"""Scope, the column that names it, and the roles whose cards are watched."""


def gather_statistics(path: Path) -> Statistics:
    """Return the statistics of a segment's file. Void rounds are left out.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    gathering = _Gathering(read_header(path).place.game)
    for group in read_segment(path):
        for columns in _columns_of(group):
            gathering.add(columns)
    return gathering.finish()


def _columns_of(group: SegmentGroup) -> Iterator[Columns]:
    """Yield the regular rounds, and the others whose cards are all there."""
    if len(group.columns):
        yield group.columns
    others = Gatherer(group.columns.game)
    fits = [others.add(read) for _, line in group.odd if isinstance(read := read_line(line), Round)]
    if any(fits):
        yield others.columns()


@dataclass(slots=True)
class _Wagers:
    """A wager of all seats of some rounds, in the order of the log."""

    name: str
    player: Numbers
    """Numbers of players by name, -1 if there is none."""
    at: Numbers
    decks: Numbers
    amount: Numbers
    outcome: Numbers


@dataclass(slots=True)
class _Table:
    """Columns of some rounds as arrays: the cards of seats and dealers, and who they are."""

    columns: Columns
    decks: Numbers
    of_round: Numbers = field(init=False)
    """The row of each seat's round."""

    def __post_init__(self) -> None:
        seats = np.diff(self.columns.first_seat)
        self.of_round = np.repeat(np.arange(len(self.columns)), seats)


def _cards(level: Level, name: str, count: int) -> NDArray[np.uint8]:
    return np.stack([level.cards[f"{name}_{place}"] for place in range(1, count + 1)], axis=1)


class _Gathering:
    """The statistics of one segment, in progress."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._rules = rule_set(game).decks
        self._found = Statistics()
        self._players = Words()
        self._wagers: list[_Wagers] = []

    def add(self, columns: Columns) -> None:
        """Add rounds, none of which is void."""
        logged = columns.rounds.numbers["decks"]
        table = _Table(columns, np.where(logged > 0, logged, self._rules.number))
        self._found.rounds += len(columns)
        players = self._players.codes(columns.seats.texts["player"])
        hands: list[tuple[str, NDArray[np.uint8], Numbers]] = []
        if count := SEAT_CARDS.get(self._game):
            seats = _cards(columns.seats, "card", count)
            hands.append((PLAYERS, seats, table.of_round))
            self._count_players(table, players, seats)
        if count := HOUSE_CARDS.get(self._game):
            house = _cards(columns.rounds, "house", count)
            hands.append((HOUSE, house, np.arange(len(columns))))
        self._count_scopes(table, hands)
        if self._game in SEAT_CARDS:
            self._count_again(table, hands)
        self._note_wagers(table, players)

    def finish(self) -> Statistics:
        """Return the statistics, with the results of players, who need the order of the night."""
        names = self._players.words()
        for wager in WAGERS.get(self._game, ()):
            noted = [each for each in self._wagers if each.name == wager]
            if noted:
                columns = (
                    np.concatenate([getattr(each, name) for each in noted])
                    for name in ("player", "at", "decks", "amount", "outcome")
                )
                self._weigh(_Wagers(wager, *columns), names)
        return self._found

    def _shoe(self, decks: int, drawn: int) -> Shoe:
        return Shoe(decks, decks * CARDS + self._rules.jokers, drawn)

    def _count_players(self, table: _Table, players: Numbers, cards: NDArray[np.uint8]) -> None:
        """Count the cards of each player, over all seats that the player has in a round."""
        of_player = players >= 0
        keys = table.of_round * (players.max(initial=0) + 1) + players
        pairs, seats = np.unique(keys[of_player], return_counts=True)
        rounds, who = np.divmod(pairs, players.max(initial=0) + 1)
        subjects = [Subject(PLAYER, name) for name in self._players.words()]
        self._count(
            [Cards(each, PLAYERS) for each in subjects],
            (players[of_player], cards[of_player]),
            (who, table.decks[rounds], seats * cards.shape[1]),
        )

    def _count_scopes(
        self, table: _Table, hands: list[tuple[str, NDArray[np.uint8], Numbers]]
    ) -> None:
        rows = np.arange(len(table.columns))
        for subjects, codes, roles in _subjects(table.columns):
            for role in roles:
                chosen = [each for each in hands if role in (ALL, each[0])]
                if not chosen or (role == ALL and len(hands) == 1):
                    continue
                drawn = np.zeros(len(rows), np.int64)
                keys = [Cards(each, role) for each in subjects]
                for _, cards, of_round in chosen:
                    drawn += np.bincount(of_round, minlength=len(rows)) * cards.shape[1]
                for _, cards, of_round in chosen:
                    self._count(keys, (codes[of_round], cards), None)
                self._count(keys, None, (codes, table.decks, drawn))

    def _count(
        self,
        keys: list[Cards],
        seen: tuple[Numbers, NDArray[np.uint8]] | None,
        drawn: tuple[Numbers, Numbers, Numbers] | None,
    ) -> None:
        """Add cards by the number of their key, and rounds by key, decks and cards drawn."""
        if seen is not None:
            codes, cards = seen
            natural = (cards < CARDS) & (codes[:, None] >= 0)
            places = (codes[:, None] * CARDS + cards)[natural]
            counts = np.bincount(places, minlength=len(keys) * CARDS).reshape(-1, CARDS)
            for key, row in zip(keys, counts, strict=True):
                if row.any():
                    self._found.cards[key].add(Dealt(row))
        if drawn is not None:
            for (code, decks, number), rounds in _tally(*drawn):
                shoe = self._shoe(decks, number)
                if code >= 0 and number:
                    self._found.cards[keys[code]].shoes[shoe] += rounds

    def _count_again(
        self, table: _Table, hands: list[tuple[str, NDArray[np.uint8], Numbers]]
    ) -> None:
        """Count the cards of each round that the previous round of its table and deck had too."""
        shown = np.zeros((len(table.columns), CARDS), np.int64)
        for _, cards, of_round in hands:
            natural = cards < CARDS
            rows = np.broadcast_to(of_round[:, None], cards.shape)
            np.add.at(shown, (rows[natural], cards[natural]), 1)
        names, codes = _shoes(table.columns)
        order = np.argsort(codes, kind="stable")
        before, after = order[:-1], order[1:]
        same = (codes[before] == codes[after]) & (table.decks[before] == table.decks[after])
        before, after = before[same], after[same]
        kinds = shown[before] > 0
        seen = (shown[after] * kinds).sum(axis=1)
        of_kind = kinds.sum(axis=1) * table.decks[after]
        drawn = shown[after].sum(axis=1)
        for code in np.unique(codes[after]).tolist():
            rows = codes[after] == code
            found = self._found.again[Subject(SHOE, names[code])]
            draws = Counter(
                {
                    Draw(decks * CARDS + self._rules.jokers, kind, number): rounds
                    for (decks, kind, number), rounds in _tally(
                        table.decks[after][rows], of_kind[rows], drawn[rows]
                    )
                }
            )
            found.add(Again(int(seen[rows].sum()), draws))

    def _note_wagers(self, table: _Table, players: Numbers) -> None:
        """Note every wager whose chances are known, and count it by table and dealer."""
        banker = table.columns.rounds.numbers.get("banker")
        by_house = np.ones(len(table.columns), np.bool_) if banker is None else banker == 0
        numbers = table.columns.seats.numbers
        rounds = table.of_round
        for wager in WAGERS.get(self._game, ()):
            amount, result = numbers[f"wager_{wager}"], numbers[f"result_{wager}"]
            outcome = np.sign(result) if wager == "main" else (result > 0).astype(np.int64)
            placed = amount > 0
            if wager == "main":
                placed &= by_house[rounds]
            if not placed.any():
                continue
            at = table.columns.rounds.numbers["at"][rounds[placed]]
            noted = _Wagers(
                wager, players[placed], at, table.decks[rounds[placed]],
                amount[placed], outcome[placed],
            )  # fmt: skip
            self._wagers.append(noted)
            self._count_results(table, wager, rounds[placed], noted.outcome)

    def _count_results(self, table: _Table, wager: str, rounds: Numbers, outcome: Numbers) -> None:
        size = len(table.columns)
        by = [np.bincount(rounds[outcome == each], minlength=size) for each in (-1, 0, 1)]
        some = np.flatnonzero(sum(by))
        for subjects, codes, _ in _subjects(table.columns):
            columns = (codes[some], table.decks[some], *(each[some] for each in by))
            for (code, decks, lost, pushed, won), often in _tally(*columns):
                if code >= 0:
                    key = Wager(subjects[code], wager, decks)
                    self._found.results[key].rounds[Seats(lost, pushed, won)] += often

    def _weigh(self, wagers: _Wagers, names: list[str]) -> None:
        """Count each player's wagers by weight, one seat for each round."""
        chosen = np.flatnonzero(wagers.player >= 0)
        order = chosen[np.lexsort((chosen, wagers.at[chosen], wagers.player[chosen]))]
        player, at = wagers.player[order], wagers.at[order]
        first = np.ones(len(order), np.bool_)
        first[1:] = (player[1:] != player[:-1]) | (at[1:] != at[:-1])
        order = order[first]
        ends = np.flatnonzero(np.diff(wagers.player[order])) + 1
        for rows in np.split(order, ends):
            if len(rows):
                self._weigh_player(wagers, rows, Subject(PLAYER, names[wagers.player[rows[0]]]))

    def _weigh_player(self, wagers: _Wagers, rows: Numbers, player: Subject) -> None:
        outcomes = wagers.outcome[rows].tolist()
        by_amount, by_raise = weights_of(wagers.amount[rows].tolist())
        plain = [LEVELS] * len(rows)
        for statistic, weights in ((PLAIN, plain), (AMOUNT, by_amount), (RAISED, by_raise)):
            counted = Counter(zip(wagers.decks[rows].tolist(), weights, outcomes, strict=True))
            for (decks, weight, outcome), often in counted.items():
                key = Measure(Wager(player, wagers.name, decks), statistic)
                self._found.players[key].wagers[Weighted(weight, outcome)] += often


def _subjects(columns: Columns) -> Iterator[tuple[list[Subject], Numbers, tuple[str, ...]]]:
    """Yield the subjects of each scope that the log names, each round's number, and the roles."""
    for scope, column, roles in SCOPES:
        if column in columns.rounds.texts:
            words = Words()
            codes = words.codes(columns.rounds.texts[column])
            yield [Subject(scope, name) for name in words.words()], codes, roles


def _shoes(columns: Columns) -> tuple[list[str], Numbers]:
    """Return the names of tables and decks, and each round's number among them."""
    tables, decks = Words(), Words()
    table = tables.codes(columns.rounds.texts["table"])
    deck = decks.codes(columns.rounds.texts["deck"])
    pairs, codes = np.unique(np.stack([table, deck]), axis=1, return_inverse=True)
    names = [
        tables.word(one) if other < 0 else f"{tables.word(one)}, {decks.word(other)}"
        for one, other in pairs.T.tolist()
    ]
    return names, codes.reshape(-1)


def _tally(*columns: Any) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each different row of some columns, and how often it occurs."""
    rows, often = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    for row, count in zip(rows.tolist(), often.tolist(), strict=True):
        yield tuple(row), count
