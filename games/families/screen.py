"""Rounds of a filed game over columns: which of them are certainly as logged.

A family's compiled kernels settle whole columns by the values of a definition, compare what was
logged, and say which rounds have no findings. They never say what is wrong: a round that isn't
certain, for whatever reason, is settled again by the family's own audit. What a round depends on
beside itself (whether its ID is a repeat, and what was dealt before) isn't looked at here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

import numpy as np

from games.cards import JOKER, RANKS
from games.kernel import jit
from games.log.round import Round
from games.maximums import form_of_maximum

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from games.cards import Cards
    from games.definition.model import Definition
    from games.families.audit import AnyProgram
    from games.setup import Setup

    Numbers = NDArray[np.int64]

NO_CARD: Final = 255
NO_WAGER: Final = -1
NO_MOST: Final = 2**62

CardRows = Any
"""An array of cards, one row for each hand, filled with `NO_CARD`."""


@dataclass(frozen=True)
class Columns:
    """Rounds of one game as arrays; seats are numbered through."""

    plain: NDArray[np.uint8]
    """By round: whether it was played as its kernels know it."""
    first_seat: Numbers
    """By round, and after the last round the end."""
    tables: tuple[str, ...]
    table: Numbers
    """By round."""
    decks: Numbers
    house: CardRows
    """By round: the cards that all its hands share."""
    cards: CardRows
    """By seat."""
    wagers: Numbers
    """By seat and wager, in the definition's order."""
    results: Numbers
    numbers: Numbers
    """By seat: what else the family's kernels need."""


RoundType = TypeVar("RoundType", bound=Round)
RoundType_contra = TypeVar("RoundType_contra", bound=Round, contravariant=True)


class Layout(Protocol[RoundType_contra]):
    """How a family's rounds are laid out in columns."""

    @property
    def width(self) -> int:
        """Return how many places of a row are cards as dealt; others repeat them."""

    def is_plain(self, played: RoundType_contra, /) -> bool:
        """Return whether the kernels know the form of a round."""

    def house(self, played: RoundType_contra, /) -> Cards:
        """Return the cards that all hands of a round share, in fixed places."""

    def cards(self, seat: Any, /) -> Cards:
        """Return the cards of a seat, in fixed places."""

    def numbers(self, seat: Any, /) -> Sequence[int]:
        """Return what else is needed of a seat."""


class WagerRules:
    """What a definition demands of wagers beside choices, as arrays by wager."""

    def __init__(self, definition: Definition, placed: Iterable[str] = ()) -> None:
        keys = list(definition.wagers)
        free = [None if key in set(placed) else wager for key, wager in definition.wagers.items()]
        self.mandatory = np.array([wager.mandatory for wager in definition.wagers.values()])
        self.equals = _array(
            NO_WAGER if each is None or each.equals is None else keys.index(each.equals)
            for each in free
        )
        most = [None if each is None else each.at_most for each in free]
        self.most_of = _array(NO_WAGER if each is None else keys.index(each.of) for each in most)
        self.most_times = _array(0 if each is None else each.times for each in most)


def _array(values: Iterable[int]) -> Numbers:
    return np.array(list(values), np.int64)


_kernel = partial(jit, allocates=False)


@_kernel
def keep_wagers(columns_wagers, first_seat, tables, least, most, rules, certain):  # type: ignore[no-untyped-def]
    """Keep certain only rounds whose wagers keep limits and what the definition demands."""
    mandatory, equals, most_of, most_times = rules
    for row in range(certain.size):
        table, right = tables[row], True
        for seat in range(first_seat[row], first_seat[row + 1]):
            for key in range(len(mandatory)):
                amount = columns_wagers[seat, key]
                if amount == 0:
                    right &= not mandatory[key]
                    continue
                right &= least[table, key] <= amount <= most[table, key]
                if equals[key] >= 0:
                    right &= amount == columns_wagers[seat, equals[key]]
                elif most_of[key] >= 0:
                    right &= amount <= most_times[key] * columns_wagers[seat, most_of[key]]
        if not right:
            certain[row] = 0


@partial(jit, allocates=False, inline=True)
def count_cards(cards, row, width, decks, copies, counts):  # type: ignore[no-untyped-def]
    """Count a row of cards; return whether there are no more of any than the decks have."""
    right = True
    for place in range(min(width, cards.shape[1])):
        card = cards[row, place]
        if card < len(copies):
            counts[card] += 1
            right &= counts[card] <= copies[card] * (1 if card == JOKER else decks)
        else:
            right &= card == NO_CARD
    return right


@partial(jit, allocates=False, inline=True)
def forget_cards(cards, row, width, counts):  # type: ignore[no-untyped-def]
    """Forget the counts of a row of cards."""
    for place in range(min(width, cards.shape[1])):
        counts[cards[row, place]] = 0


@_kernel
def keep_decks(house, cards, first_seat, width, decks, copies, counts, certain):  # type: ignore[no-untyped-def]
    """Keep certain only rounds with no more copies of a card than their decks have."""
    for row in range(certain.size):
        if certain[row] == 0:
            continue
        right = count_cards(house, row, width, decks[row], copies, counts)
        for seat in range(first_seat[row], first_seat[row + 1]):
            right &= count_cards(cards, seat, width, decks[row], copies, counts)
        forget_cards(house, row, width, counts)
        for seat in range(first_seat[row], first_seat[row + 1]):
            forget_cards(cards, seat, width, counts)
        if not right:
            certain[row] = 0


class FamilyScreen(Generic[RoundType]):
    """Which rounds of a definition are certainly as logged under a set-up."""

    def __init__(
        self,
        program: AnyProgram,
        setup: Setup,
        layout: Layout[RoundType],
        placed: Iterable[str] = (),
        *,
        is_house_banked: bool = True,
    ) -> None:
        definition = program.definition
        self.definition: Final = definition
        self._setup = setup
        self._layout = layout
        self._cap = setup.cap if is_house_banked and setup.cap is not None else NO_MOST
        rules = WagerRules(definition, placed)
        self._rules = rules.mandatory, rules.equals, rules.most_of, rules.most_times
        self._copies = np.array(
            [int(RANKS[card >> 2] not in definition.decks.without) for card in range(52)]
            + [definition.decks.jokers],
            np.int64,
        )
        self.is_usable: Final = form_of_maximum(definition.slug, setup) is None

    def columns(self, rounds: Sequence[RoundType]) -> Columns:
        """Return rounds as columns."""
        seats = [seat for played in rounds for seat in played.seats]
        tables = {played.table: None for played in rounds}
        places = {table: place for place, table in enumerate(tables)}
        definition, layout = self.definition, self._layout
        return Columns(
            plain=np.array([self._is_plain(played) for played in rounds], np.uint8),
            first_seat=np.cumsum([0, *(len(played.seats) for played in rounds)]),
            tables=tuple(tables),
            table=_array(places[played.table] for played in rounds),
            decks=_array(played.decks or definition.decks.number for played in rounds),
            house=_rows([layout.house(played) for played in rounds]),
            cards=_rows([layout.cards(seat) for seat in seats]),
            wagers=_table(seats, "wagers", tuple(definition.wagers)),
            results=_table(seats, "result", tuple(definition.results)),
            numbers=np.array([layout.numbers(seat) for seat in seats], np.int64),
        )

    def _is_plain(self, played: RoundType) -> bool:
        definition, setup = self.definition, self._setup
        decks, seats = definition.decks, played.seats
        return (
            played.played
            and not played.irregularities
            and played.banker is None
            and (played.decks is None or played.decks in (decks.number, *decks.others))
            and len(seats) <= min(definition.players or NO_MOST, setup.players or NO_MOST)
            and self._layout.is_plain(played)
        )

    def sift(self, columns: Columns) -> NDArray[np.uint8]:
        """Return 1 for each round that certainly has no findings of its own."""
        certain = columns.plain.copy()
        if not self.is_usable:
            certain[:] = 0
            return certain
        least, most = self._limits(columns.tables)
        keep_wagers(
            columns.wagers, columns.first_seat, columns.table, least, most, self._rules, certain
        )
        keep_decks(
            columns.house, columns.cards, columns.first_seat, self._layout.width, columns.decks,
            self._copies, np.zeros(NO_CARD + 1, np.int64), certain,
        )  # fmt: skip
        self.settle(columns, certain)
        return certain

    def settle(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain only rounds whose cards, choices and results are as the rules say."""
        raise NotImplementedError

    def _limits(self, tables: Sequence[str]) -> tuple[Numbers, Numbers]:
        """Return the minimum and the maximum by table and wager."""
        limits = self._setup.limits
        low = [[_limit(limits.get(table, {}), key, 0, 0) for key in self.definition.wagers]
               for table in tables]  # fmt: skip
        high = [[_limit(limits.get(table, {}), key, 1, NO_MOST) for key in self.definition.wagers]
                for table in tables]  # fmt: skip
        return np.array(low, np.int64), np.minimum(np.array(high, np.int64), self._cap)


def _limit(limits: Any, key: str, place: int, without: int) -> int:
    return int(limits[key][place]) if key in limits else without


def _table(seats: Sequence[Any], field: str, keys: tuple[str, ...]) -> Numbers:
    rows = [[getattr(seat, field)[key] for key in keys] for seat in seats]
    return np.array(rows, np.int64).reshape(len(seats), len(keys))


def _rows(hands: Sequence[Cards]) -> CardRows:
    width = max(map(len, hands), default=0)
    joined = b"".join(hand.ljust(width, bytes([NO_CARD])) for hand in hands)
    return np.frombuffer(joined, np.uint8).reshape(len(hands), width)
