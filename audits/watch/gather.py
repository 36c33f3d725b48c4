"""Gather a segment's statistics from its columns: whole columns at a time, never line by line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from audits.intake.days.hands import (
    CARDS,
    HOUSE_CARDS,
    Hand,
    cards_in,
    count_shown,
    hands_of,
    rounds_of_seats,
)
from audits.intake.days.shoes import ShoeGathering
from audits.intake.segments.segment_file import read_header, read_segment
from audits.watch.filed import count_filed
from audits.watch.records import RecordGathering
from audits.watch.statistics import (
    ALL,
    DEALER,
    HOUSE,
    PAIR,
    PLAYER,
    PLAYERS,
    SHIFT,
    SHOE,
    TABLE,
    Cards,
    Measure,
    Statistics,
    Subject,
    Wager,
)
from games.log.form import read_written
from games.log.gather import Gatherer
from games.log.round import FiledRound, Round
from games.log.scan import NO_CARD
from games.log.schema import form_of
from games.rule_set import SLUGS, rule_set
from games.screens.words import Words
from games.statistics.cards import Again, Dealt, Draw, Shoe
from games.statistics.chances import LEVELS, WAGERS
from games.statistics.decisions import Decision, rank_hands
from games.statistics.results import AMOUNT, PLAIN, RAISED, Seats, Weighted, weights_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.intake.segments.segment_file import SegmentGroup
    from games.log.columns import Columns
    from games.rule_set import Decks

    Numbers = NDArray[np.int64]

DECIDED_ON: Final = {"pick-2-poker": 5, "casino-version": 9}
"""The most cards of a seat, in games where a player folds against a dealer's hidden cards."""
SCOPES: Final = (
    (TABLE, "table", (ALL, PLAYERS, HOUSE)),
    (DEALER, "dealer_id", (PLAYERS, HOUSE)),
    (SHIFT, "shift", (PLAYERS, HOUSE)),
)
"""Scope, the column that names it, and the roles whose cards are watched."""


def gather_statistics(path: Path, filed: Decks | None = None) -> Statistics:
    """Return the statistics of a segment's file. Void rounds are left out.

    Of a filed game, whose rounds have no columns, the cards of seats are counted where its decks
    are given.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    game = read_header(path).place.game
    if game not in SLUGS:
        return _gather_filed(path, filed)
    gathering = _Gathering(game)
    for group in read_segment(path):
        for columns in _columns_of(group):
            gathering.add(columns)
    return gathering.finish()


def _gather_filed(path: Path, decks: Decks | None) -> Statistics:
    found = Statistics()
    if decks is not None:
        for group in read_segment(path):
            lines = (read_written(line) for _, line in group.odd)
            count_filed(found, (each for each in lines if isinstance(each, FiledRound)), decks)
    return found


class Worked(NamedTuple):
    """Who dealt a round, and in which shift; None where the log doesn't say."""

    dealer: str | None
    shift: str | None


def find_worked(path: Path, rounds: set[str]) -> dict[str, Worked]:
    """Return who dealt these rounds of a segment's file, and when, as far as the log says.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    found: dict[str, Worked] = {}
    for group in read_segment(path):
        for columns in _columns_of(group):
            texts = columns.rounds.texts
            if "dealer_id" not in texts and "shift" not in texts:
                continue
            dealers, shifts = columns.rounds.text("dealer_id"), columns.rounds.text("shift")
            for row in range(len(columns)):
                if (id_ := texts["round"][row]) in rounds:
                    found[str(id_)] = Worked(dealers[row], shifts[row])
    return found


def _columns_of(group: SegmentGroup) -> Iterator[Columns]:
    """Yield the regular rounds, and the others whose cards are all there."""
    if len(group.columns):
        yield group.columns
    others = Gatherer(group.columns.game)
    fits = [
        others.add(_plain(read), row)
        for row, line in group.odd
        if isinstance(read := read_written(line), Round)
    ]
    if any(fits):
        yield others.columns()


def _plain(played: Round) -> Round:
    """Return a round without what has no columns, and nothing to do with its cards and results."""
    seats = tuple(replace(seat, tokes=None) for seat in played.seats)
    return replace(played, seats=seats, irregularities=(), meters=None)


@dataclass(slots=True)
class _Wagers:
    """A wager of all seats of some rounds, in the order of the log."""

    name: str
    player: Numbers
    """Numbers of players by name, -1 if there is none; and so of dealers."""
    dealer: Numbers
    at: Numbers
    decks: Numbers
    amount: Numbers
    outcome: Numbers


@dataclass(slots=True)
class _Table:
    """Columns of some rounds as arrays: the cards of seats and dealers, and who they are."""

    columns: Columns
    decks: Numbers
    dealers: Numbers
    """Numbers of dealers by name, -1 if there is none."""
    of_round: Numbers
    """The row of each seat's round."""


class _Gathering:
    """The statistics of one segment, in progress."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._rules = rule_set(game).decks
        self._found = Statistics()
        self._players, self._dealers = Words(), Words()
        self._wagers: list[_Wagers] = []
        self._shoes = ShoeGathering(game, self._rules.jokers)
        self._records = RecordGathering()

    def add(self, columns: Columns) -> None:
        """Add rounds, none of which is void."""
        logged = columns.rounds.numbers["decks"]
        table = _Table(
            columns,
            np.where(logged > 0, logged, self._rules.number),
            self._dealers.codes(columns.rounds.text("dealer_id")),
            rounds_of_seats(columns),
        )
        self._found.rounds += len(columns)
        players = self._players.codes(columns.seats.texts["player"])
        seats, house = hands_of(columns, table.of_round)
        hands = [(role, each) for role, each in ((PLAYERS, seats), (HOUSE, house)) if each]
        if seats is not None:
            self._count_players(table, players, seats.cards)
        self._count_scopes(table, hands)
        if seats is not None:
            shown, dealt = count_shown(len(columns), [each for _, each in hands])
            self._count_again(table, shown)
            self._shoes.add(columns, table.decks, shown, dealt)
        if self._game in DECIDED_ON:
            self._count_decisions(table, players)
        self._note_wagers(table, players)
        self._records.add(columns, table.decks)

    def finish(self) -> Statistics:
        """Return the statistics, with the results of players, who need the order of the night."""
        names = self._players.words()
        for wager in WAGERS.get(self._game, ()):
            noted = [each for each in self._wagers if each.name == wager]
            if noted:
                columns = (
                    np.concatenate([getattr(each, name) for each in noted])
                    for name in ("player", "dealer", "at", "decks", "amount", "outcome")
                )
                self._weigh(_Wagers(wager, *columns), names)
        for name, through in self._shoes.finish()[0].items():
            self._found.through[Subject(TABLE, name)] = through
        self._found.records.update(self._records.finish())
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

    def _count_scopes(self, table: _Table, hands: list[tuple[str, Hand]]) -> None:
        rows = np.arange(len(table.columns))
        for subjects, codes, roles in _subjects(table.columns):
            for role in roles:
                chosen = [each for of, each in hands if role in (ALL, of)]
                if not chosen or (role == ALL and len(hands) == 1):
                    continue
                drawn = np.zeros(len(rows), np.int64)
                keys = [Cards(each, role) for each in subjects]
                for cards, of_round in chosen:
                    drawn += np.bincount(of_round, minlength=len(rows)) * cards.shape[1]
                for cards, of_round in chosen:
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

    def _count_again(self, table: _Table, shown: Numbers) -> None:
        """Count the cards of each round that the previous round of its table and deck had too."""
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

    def _count_decisions(self, table: _Table, players: Numbers) -> None:
        """Rank the dealer's hidden hand where players folded or stayed, one seat for each round."""
        seats = cards_in(table.columns.seats, "card", DECIDED_ON[self._game])
        house = cards_in(table.columns.rounds, "house", HOUSE_CARDS[self._game])
        left = np.full((len(table.columns), CARDS + 1), table.decks[:, None])
        left[:, CARDS] = self._rules.jokers
        dealt = seats != NO_CARD
        places = np.minimum(seats, CARDS)
        rows = np.broadcast_to(table.of_round[:, None], seats.shape)
        np.subtract.at(left, (rows[dealt], places[dealt]), 1)
        own = left.copy()
        rows = np.broadcast_to(np.arange(len(house))[:, None], house.shape)
        np.subtract.at(own, (rows, np.minimum(house, CARDS)), 1)
        first = _first_seats(table.of_round, players)
        rounds, again = np.unique(table.of_round[first], return_inverse=True)
        fits = (own[rounds] >= 0).all(axis=1) & (house[rounds] != NO_CARD).all(axis=1)
        ranks = np.full(len(rounds), -1)
        seed = np.random.default_rng([len(table.columns), *table.columns.lines[:1].tolist()])
        ranks[fits] = rank_hands(house[rounds[fits]], left[rounds[fits]], seed)
        fold = _fold_of(self._game)
        sign = np.where(table.columns.seats.numbers["play"][first] == fold, 1, -1)
        names = self._players.words()
        for (who, side, rank), often in _tally(players[first], sign, ranks[again]):
            if rank >= 0:
                found = self._found.decisions[Subject(PLAYER, names[who])]
                found.made[Decision(side, rank)] += often

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
                wager, players[placed], table.dealers[rounds[placed]], at,
                table.decks[rounds[placed]],
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
        self._count_pairs(wagers, order[wagers.dealer[order] >= 0], names)
        ends = np.flatnonzero(np.diff(wagers.player[order])) + 1
        for rows in np.split(order, ends):
            if len(rows):
                self._weigh_player(wagers, rows, Subject(PLAYER, names[wagers.player[rows[0]]]))

    def _count_pairs(self, wagers: _Wagers, rows: Numbers, names: list[str]) -> None:
        """Count the wagers of each player with each dealer."""
        dealers = self._dealers.words()
        columns = (wagers.dealer[rows], wagers.player[rows], wagers.decks[rows],
                   wagers.outcome[rows])  # fmt: skip
        for (dealer, player, decks, outcome), often in _tally(*columns):
            pair = Subject(PAIR, f"{dealers[dealer]}, {names[player]}")
            key = Measure(Wager(pair, wagers.name, decks), PLAIN)
            self._found.players[key].wagers[Weighted(LEVELS, outcome)] += often

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


@cache
def _fold_of(game: str) -> int:
    """Return the number that stands for a fold in the column of what was played."""
    (play,) = (each for each in form_of(game).seat if each.key == "play")
    return play.type.to_number("fold")


def _first_seats(of_round: Numbers, players: Numbers) -> Numbers:
    """Return the first seat that each player has in each round."""
    named = np.flatnonzero(players >= 0)
    keys = of_round[named] * (players.max(initial=0) + 1) + players[named]
    return named[np.unique(keys, return_index=True)[1]]


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
