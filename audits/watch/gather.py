"""Gather a segment's statistics from its columns: whole columns at a time, never line by line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from audits.intake.days.hands import (
    CARDS,
    FEWEST_AND_MOST,
    HOUSE_CARDS,
    Hand,
    cards_in,
    count_shown,
    hands_of,
    rounds_of_seats,
)
from audits.intake.days.shoes import ShoeGathering
from audits.intake.segments.segment_file import read_header, read_segment
from audits.watch.dealt import DealtHands, HandGathering, HandNames
from audits.watch.filed import FiledGathering
from audits.watch.raises import RaiseGathering
from audits.watch.records import RecordGathering
from audits.watch.statistics import (
    ALL,
    DEALER,
    HOUSE,
    PLAYER,
    PLAYERS,
    SHIFT,
    SHOE,
    TABLE,
    Cards,
    Statistics,
    Subject,
    name_seat,
)
from audits.watch.voided import VoidedGathering
from audits.watch.wagers import Names, Placed, WagerGathering, count_rounds, tally
from games.log.form import read_written
from games.log.gather import Gatherer
from games.log.round import FiledRound, Round
from games.log.scan import NO_CARD
from games.log.schema import form_of
from games.rule_set import SLUGS, rule_set
from games.screens.words import Words
from games.statistics.cards import Again, Dealt, Draw, Shoe
from games.statistics.chances import WAGERS
from games.statistics.decisions import Decision, rank_dealers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from audits.intake.segments.segment_file import SegmentGroup
    from audits.watch.filed import FiledGame
    from games.log.columns import Columns

    Numbers = NDArray[np.int64]

DECIDED_ON: Final = frozenset({"pick-2-poker", "casino-version"})
"""Games in which a player folds against the dealer's hidden cards."""
MOST_CARDS: Final = {"pyramid-poker": 3, "pick-2-poker": 5, "casino-version": 9}
"""The most cards of a seat, in games with a dealer."""
SCOPES: Final = (
    (TABLE, "table", (ALL, PLAYERS, HOUSE)),
    (DEALER, "dealer_id", (PLAYERS, HOUSE)),
    (SHIFT, "shift", (PLAYERS, HOUSE)),
)
"""Scope, the column that names it, and the roles whose cards are watched."""


def gather_statistics(path: Path, filed: FiledGame | None = None) -> Statistics:
    """Return the statistics of a segment's file; those of voided rounds are apart from the others.

    A filed game, whose rounds have no columns, is counted where it is given.

    Raises:
        DamagedSegmentError: the file is not as it was written.
    """
    game = read_header(path).place.game
    if game not in SLUGS:
        return _gather_filed(path, filed)
    gathering = _Gathering(game)
    for group in read_segment(path):
        for columns in columns_of(group):
            gathering.add(columns)
        for _, line in group.odd:
            if isinstance(read := read_written(line), Round) and not read.played:
                gathering.add_voided(read)
    return gathering.finish()


def _gather_filed(path: Path, filed: FiledGame | None) -> Statistics:
    found = Statistics()
    if filed is not None:
        gathering = FiledGathering(found, filed)
        for group in read_segment(path):
            for _, line in group.odd:
                if isinstance(read := read_written(line), FiledRound):
                    gathering.add(read)
        gathering.finish()
    return found


def columns_of(group: SegmentGroup) -> Iterator[Columns]:
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
        self._tables, self._players, self._dealers = Words(), Words(), Words()
        self._wagers = WagerGathering()
        self._named_shoes = Words()
        self._voided = VoidedGathering(game)
        self._hands = HandGathering(self._rules.jokers)
        self._shoes = ShoeGathering(game, self._rules.jokers)
        self._raises = RaiseGathering(self._rules.jokers)
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
        places, place_names = self._seats_of(table)
        seats, house = hands_of(columns, table.of_round)
        hands = [(role, each) for role, each in ((PLAYERS, seats), (HOUSE, house)) if each]
        if seats is not None:
            named = [Subject(PLAYER, name) for name in self._players.words()]
            of = [(players, named), (places, place_names)]
            for codes, subjects in of:
                self._count_own(table, codes, subjects, seats.cards)
            if self._game in HOUSE_CARDS:
                self._raises.add(columns, table.decks, seats, house, of)
        if self._game in FEWEST_AND_MOST:
            named = [Subject(PLAYER, name) for name in self._players.words()]
            self._count_varied(table, [(players, named), (places, place_names)])
        self._count_scopes(table, hands)
        if seats is not None:
            self._note_hands(table, seats, house, players)
            shown, dealt = count_shown(len(columns), [each for _, each in hands])
            self._count_again(table, shown)
            self._shoes.add(columns, table.decks, shown, dealt)
        if self._game in HOUSE_CARDS:
            ranks = self._rank_dealers(table)
            self._count_hands(table, ranks)
            if self._game in DECIDED_ON:
                named = [Subject(PLAYER, name) for name in self._players.words()]
                self._count_decisions(table, players, named, ranks)
                self._count_decisions(table, places, place_names, ranks)
        self._note_wagers(table, players)
        self._records.add(columns, table.decks)

    def add_voided(self, voided: Round) -> None:
        """Add a voided round."""
        self._voided.add(self._found, voided)

    def finish(self) -> Statistics:
        """Return the statistics, with the results of players, who need the order of the night."""
        names = Names(self._tables.words(), self._players.words(), self._dealers.words())
        self._wagers.finish(self._found, names)
        self._hands.finish(self._found, HandNames(*names))
        self._voided.finish(self._found)
        for name, through in self._shoes.finish()[0].items():
            self._found.through[Subject(TABLE, name)] = through
        self._raises.finish(self._found)
        self._found.records.update(self._records.finish())
        return self._found

    def _shoe(self, decks: int, drawn: int) -> Shoe:
        return Shoe(decks, decks * CARDS + self._rules.jokers, drawn)

    def _seats_of(self, table: _Table) -> tuple[Numbers, list[Subject]]:
        """Return the number of each seat of each table, and their names."""
        columns = table.columns
        words = Words()
        codes = words.codes(columns.rounds.texts["table"])[table.of_round]
        seat = columns.seats.numbers["seat"]
        pairs, places = np.unique(np.stack([codes, seat]), axis=1, return_inverse=True)
        return places.reshape(-1), [name_seat(words.word(one), no) for one, no in pairs.T.tolist()]

    def _count_own(
        self, table: _Table, codes: Numbers, of: list[Subject], cards: NDArray[np.uint8]
    ) -> None:
        """Count the cards of each player or seat, over all seats that a player has in a round."""
        named = codes >= 0
        most = codes.max(initial=0) + 1
        pairs, seats = np.unique((table.of_round * most + codes)[named], return_counts=True)
        rounds, who = np.divmod(pairs, most)
        self._count(
            [Cards(each, PLAYERS) for each in of],
            (codes[named], cards[named]),
            (who, table.decks[rounds], seats * cards.shape[1]),
        )

    def _count_varied(self, table: _Table, of: list[tuple[Numbers, list[Subject]]]) -> None:
        """Count the cards of players who are dealt fewer if they give up."""
        fewest, most = FEWEST_AND_MOST[self._game]
        cards = cards_in(table.columns.seats, "card", most)
        by_seat = [
            (codes[table.of_round], subjects) for subjects, codes, _ in _subjects(table.columns)
        ]
        for codes, subjects in (*by_seat, *of):
            named = codes >= 0
            keys = [Cards(each, PLAYERS) for each in subjects]
            self._count(keys, (codes[named], cards[named]), None)
            size = codes.max(initial=0) + 1
            pairs, seats = np.unique((table.of_round * size + codes)[named], return_counts=True)
            rounds, who = np.divmod(pairs, size)
            for (code, decks, number), often in tally(who, table.decks[rounds], seats):
                shoe = self._shoe(decks, fewest * number)
                bounded = shoe._replace(most=min(most * number, shoe.size))
                self._found.cards[keys[code]].shoes[bounded] += often

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
            for (code, decks, number), rounds in tally(*drawn):
                shoe = self._shoe(decks, number)
                if code >= 0 and number:
                    self._found.cards[keys[code]].shoes[shoe] += rounds

    def _note_hands(self, table: _Table, seats: Hand, house: Hand | None, players: Numbers) -> None:
        """Note every hand, the dealer's where it has as many cards."""
        columns = table.columns
        tables = self._tables.codes(columns.rounds.texts["table"])
        shoes = self._named_shoes.codes(columns.rounds.text("shoe"))
        own = (seats.cards, seats.of_round, columns.seats.numbers["seat"], players)
        parts = [own]
        if house is not None and house.cards.shape[1] == seats.cards.shape[1]:
            nobody = np.full(len(columns), -1)
            parts.append((house.cards, house.of_round, nobody, nobody))
        lines = np.asarray(columns.lines, np.int64)
        for cards, rows, seat, player in parts:
            self._hands.add(
                DealtHands(
                    line=lines[rows], seat=seat, cards=cards, table=tables[rows], player=player,
                    dealer=table.dealers[rows], shoe=shoes[rows], decks=table.decks[rows],
                )
            )  # fmt: skip

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
                    for (decks, kind, number), rounds in tally(
                        table.decks[after][rows], of_kind[rows], drawn[rows]
                    )
                }
            )
            found.add(Again(int(seen[rows].sum()), draws))

    def _rank_dealers(self, table: _Table) -> Numbers:
        """Rank each round's hidden hand of the dealer; -1 if its cards can't be as logged."""
        seats = cards_in(table.columns.seats, "card", MOST_CARDS[self._game])
        house = cards_in(table.columns.rounds, "house", HOUSE_CARDS[self._game])
        left = np.full((len(table.columns), CARDS + 1), table.decks[:, None])
        left[:, CARDS] = self._rules.jokers
        dealt = seats != NO_CARD
        places = np.minimum(seats, CARDS)
        rows = np.broadcast_to(table.of_round[:, None], seats.shape)
        np.subtract.at(left, (rows[dealt], places[dealt]), 1)
        seed = [len(table.columns), *table.columns.lines[:1].tolist()]
        return rank_dealers(house, left, np.random.default_rng(seed))

    def _count_hands(self, table: _Table, ranks: Numbers) -> None:
        """Count the dealer's hands of tables and dealers by their rank."""
        for subjects, codes, _ in _subjects(table.columns):
            for (code, rank), often in tally(codes, ranks):
                if code >= 0 and rank >= 0 and subjects[code].scope != SHIFT:
                    self._found.hands[subjects[code]].rounds[rank] += often

    def _count_decisions(
        self, table: _Table, codes: Numbers, of: list[Subject], ranks: Numbers
    ) -> None:
        """Count where players folded or stayed, one seat for each round."""
        first = _first_seats(table.of_round, codes)
        fold = _fold_of(self._game)
        sign = np.where(table.columns.seats.numbers["play"][first] == fold, 1, -1)
        for (who, side, rank), often in tally(codes[first], sign, ranks[table.of_round[first]]):
            if rank >= 0:
                self._found.decisions[of[who]].made[Decision(side, rank)] += often

    def _note_wagers(self, table: _Table, players: Numbers) -> None:
        """Note every wager whose chances are known, and count it by table, dealer and shift."""
        columns = table.columns
        banker = columns.rounds.numbers.get("banker")
        by_house = np.ones(len(columns), np.bool_) if banker is None else banker == 0
        numbers, size = columns.seats.numbers, len(columns)
        tables = self._tables.codes(columns.rounds.texts["table"])
        for wager in WAGERS.get(self._game, ()):
            amount, result = numbers[f"wager_{wager}"], numbers[f"result_{wager}"]
            outcome = np.sign(result) if wager == "main" else (result > 0).astype(np.int64)
            placed = amount > 0
            if wager == "main":
                placed &= by_house[table.of_round]
            rounds, outcome = table.of_round[placed], outcome[placed]
            self._wagers.add(wager, Placed(
                tables[rounds], numbers["seat"][placed], players[placed], table.dealers[rounds],
                columns.rounds.numbers["at"][rounds], table.decks[rounds], amount[placed], outcome,
            ))  # fmt: skip
            seats = np.stack(
                [np.bincount(rounds[outcome == each], minlength=size) for each in (-1, 0, 1)],
                axis=1,
            )
            scopes = [(subjects, codes) for subjects, codes, _ in _subjects(columns)]
            count_rounds(self._found, wager, table.decks, seats, scopes)


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
