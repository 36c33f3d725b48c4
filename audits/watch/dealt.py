"""Gather how hands came: whose were strong, which came in an earlier order, and first rounds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from audits.watch.statistics import (
    FIRST,
    HOUSE,
    PAIR,
    PLAYER,
    PLAYERS,
    SEAT,
    TABLE,
    Cards,
    Subject,
    name_seat,
)
from audits.watch.wagers import tally
from games.statistics.cards import CARDS, Again, Dealt, Draw, Shoe
from games.statistics.order import count_alike, find_followers
from games.statistics.ranks import Place, rank_in_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from audits.watch.statistics import Statistics

    Numbers = NDArray[np.int64]


@dataclass(slots=True)
class DealtHands:
    """Hands of as many cards each. Names are numbers, -1 if there is none, or of the dealer."""

    line: Numbers
    """The round's line in the log."""
    seat: Numbers
    cards: NDArray[np.uint8]
    table: Numbers
    player: Numbers
    dealer: Numbers
    shoe: Numbers
    decks: Numbers


SUITS = 4
COLUMNS = tuple(DealtHands.__slots__)


class HandNames(NamedTuple):
    """The names of tables, players and dealers, by number."""

    tables: Sequence[str]
    players: Sequence[str]
    dealers: Sequence[str]


class HandGathering:
    """The hands of one segment, in progress."""

    def __init__(self, jokers: int, without: str = "") -> None:
        self._jokers = jokers
        self._deck = CARDS - SUITS * len(without)
        """Cards of a deck, some of whose ranks may be left out."""
        self._parts: list[DealtHands] = []

    def add(self, hands: DealtHands) -> None:
        """Add hands of whole rounds."""
        if len(hands.line):
            self._parts.append(hands)

    def finish(self, found: Statistics, names: HandNames) -> None:
        """Add the ranks of hands, their order, and the first rounds of shoes."""
        if not self._parts:
            return
        hands = DealtHands(
            *(np.concatenate([getattr(each, name) for each in self._parts]) for name in COLUMNS)
        )
        # in the order of the log: the seats of each round, then the dealer
        order = np.lexsort((np.where(hands.seat < 0, CARDS, hands.seat), hands.line))
        hands = DealtHands(*(getattr(hands, name)[order] for name in COLUMNS))
        self._rank(found, names, hands)
        self._find_order(found, names, hands)
        if self._deck == CARDS:
            self._count_first_rounds(found, names, hands)

    def _rank(self, found: Statistics, names: HandNames, hands: DealtHands) -> None:
        chance = np.random.default_rng([len(hands.line), int(hands.line[0])])
        number, weaker = rank_in_rounds(hands.cards, hands.line, chance)
        rows = np.flatnonzero((number > 1) & (hands.seat >= 0))
        first = rows[_first_of_round(hands.line[rows], hands.player[rows])]
        first = first[hands.player[first] >= 0]
        met = first[hands.dealer[first] >= 0]
        for scope, of, one in (
            (SEAT, rows, hands.table), (PLAYER, first, hands.player), (PAIR, met, hands.dealer)
        ):  # fmt: skip
            other = hands.seat if scope == SEAT else hands.player
            for (a, b, *place), often in tally(one[of], other[of], number[of], weaker[of]):
                found.ranks[_ranked(names, scope, a, b)].rounds[Place(*place)] += often

    def _find_order(self, found: Statistics, names: HandNames, hands: DealtHands) -> None:
        rows, earlier = find_followers(hands.cards, hands.line, hands.table)
        if not len(rows):
            return
        seen, kinds = count_alike(hands.cards, rows, earlier)
        size = hands.cards.shape[1]
        _, first, number = np.unique(hands.line, return_index=True, return_counts=True)
        place = np.arange(len(hands.line)) - np.repeat(first, number)
        left = hands.decks[rows] * self._deck + self._jokers - size * place[rows]
        for table in np.unique(hands.table[rows]).tolist():
            own = hands.table[rows] == table
            draws = Counter(
                {
                    Draw(cards, min(of_kind, cards), size): often
                    for (cards, of_kind), often in tally(
                        left[own], (kinds * hands.decks[rows])[own]
                    )
                }
            )
            found.order[Subject(TABLE, names.tables[table])].add(Again(int(seen[own].sum()), draws))

    def _count_first_rounds(self, found: Statistics, names: HandNames, hands: DealtHands) -> None:
        """Count the cards of the first round of each named shoe."""
        named = hands.shoe >= 0
        keys = (hands.table * (hands.shoe.max(initial=0) + 1) + hands.shoe)[named]
        lines = hands.line[named][np.unique(keys, return_index=True)[1]]
        rows = np.flatnonzero(np.isin(hands.line, lines) & named)
        for subject, role, own in _places(names, hands, rows):
            natural = hands.cards[own]
            counts = np.bincount(natural[natural < CARDS], minlength=CARDS)
            shoes = Counter[Shoe]()
            _, first, often = np.unique(hands.line[own], return_index=True, return_counts=True)
            for (decks, number), rounds in tally(hands.decks[own][first], often):
                drawn = number * hands.cards.shape[1]
                shoes[Shoe(decks, decks * CARDS + self._jokers, drawn)] += rounds
            found.cards[Cards(subject, role)].add(Dealt(counts, shoes))


def _ranked(names: HandNames, scope: str, one: int, other: int) -> Subject:
    """Return whose hand it is: a table's seat, a player, or a dealer's player."""
    if scope == SEAT:
        return name_seat(names.tables[one], other)
    player = names.players[other]
    return Subject(scope, player if scope == PLAYER else f"{names.dealers[one]}, {player}")


def _places(
    names: HandNames, hands: DealtHands, rows: Numbers
) -> Iterator[tuple[Subject, str, Numbers]]:
    """Yield each table's players, its dealer and each seat, with the rows of their hands."""
    for table in np.unique(hands.table[rows]).tolist():
        of_table = rows[hands.table[rows] == table]
        seats = hands.seat[of_table]
        name = names.tables[table]
        for role, chosen in ((PLAYERS, seats >= 0), (HOUSE, seats < 0)):
            if chosen.any():
                yield Subject(FIRST, f"at table {name}"), role, of_table[chosen]
        for seat in np.unique(seats[seats >= 0]).tolist():
            subject = Subject(FIRST, f"at seat {name_seat(name, seat).name}")
            yield subject, PLAYERS, of_table[seats == seat]


def _first_of_round(line: Numbers, of: Numbers) -> Numbers:
    """Return the places of the first hand of each player in each round."""
    return np.unique(line * (of.max(initial=0) + 2) + of + 1, return_index=True)[1]
