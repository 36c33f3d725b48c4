"""Names of hands and the weight of their cards (X-I1, X-I2), for hands of any size."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .cards import ACE, SUITS, Card

if TYPE_CHECKING:
    from collections.abc import Sequence

# Names from the top.
POKER = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pairs",
    "one_pair",
    "high_card",
)  # CP-5, P2-11
FRONT = ("three_of_a_kind", "one_pair", "high_card")  # CP-5: no straights and flushes in front
PICK_THREE = (
    "royal_flush",
    "straight_flush",
    "three_of_a_kind",
    "straight",
    "flush",
    "one_pair",
    "high_card",
)  # P2-12
PYRAMID_FIVE = ("five_of_a_kind", "straight_flush", *POKER[2:])  # SD-8
PYRAMID_THREE = ("three_of_a_kind", "flush", "straight", "one_pair", "high_card")  # SD-9

Strength = tuple[int, tuple[int, ...]]


def top_of_straight(cards: Sequence[Card]) -> int | None:
    """Return a sequence's top rank; the ace is high, or low under a two, never between (X-I1)."""
    ranks = sorted(card.rank for card in cards)
    if ACE in ranks:
        low = sorted(1 if rank == ACE else rank for rank in ranks)
        if low == list(range(1, len(low) + 1)):
            return low[-1]
    if ranks == list(range(ranks[0], ranks[0] + len(ranks))):
        return ranks[-1]
    return None


def is_suited(cards: Sequence[Card]) -> bool:
    return len({card.suit for card in cards}) == 1


def copies(cards: Sequence[Card]) -> list[int]:
    """Return how often each rank occurs, most often first."""
    return sorted(Counter(card.rank for card in cards).values(), reverse=True)


def names_of(cards: Sequence[Card]) -> set[str]:
    """Return all names that fit these cards; kinds may be larger than the name requires."""
    often = [*copies(cards), 0]
    suited, top = is_suited(cards), top_of_straight(cards)
    holds = {
        "royal_flush": suited and top == ACE,
        "straight_flush": suited and top is not None,
        "five_of_a_kind": often[0] >= 5,
        "four_of_a_kind": often[0] >= 4,
        "full_house": often[0] >= 3 and often[1] >= 2,
        "flush": suited,
        "straight": top is not None,
        "three_of_a_kind": often[0] >= 3,
        "two_pairs": often[0] >= 2 and often[1] >= 2,
        "one_pair": often[0] >= 2,
        "high_card": True,
    }
    return {name for name, it_does in holds.items() if it_does}


def name_of(cards: Sequence[Card], names: Sequence[str]) -> str:
    """Return the highest of the names (given from the top) that fits (X-I2)."""
    fitting = names_of(cards)
    return next(name for name in names if name in fitting)


def in_order_of_weight(cards: Sequence[Card], name: str) -> list[Card]:
    """Order cards that occur more often first, then higher ranks (X-I2).

    Flushes and straights are ordered from the top down. Within a rank higher suits come first
    (SD-I9); a low ace comes last.
    """
    often = Counter(card.rank for card in cards)
    top = top_of_straight(cards)

    def place(card: Card) -> tuple[int, int, int]:
        rank = card.rank
        if name in ("straight", "straight_flush", "royal_flush") and rank == ACE and top != ACE:
            rank = 1
        times = (
            1
            if name in ("flush", "straight", "straight_flush", "royal_flush")
            else often[card.rank]
        )
        return -times, -rank, SUITS.index(card.suit)

    return sorted(cards, key=place)


def weight(cards: Sequence[Card], name: str) -> tuple[int, ...]:
    if name in ("straight", "straight_flush", "royal_flush"):
        top = top_of_straight(cards)
        assert top is not None
        return (top,)
    return tuple(card.rank for card in in_order_of_weight(cards, name))


def strength(
    cards: Sequence[Card], names: Sequence[str], scale: Sequence[str] | None = None
) -> Strength:
    """Return name, then weights; greater is stronger.

    `scale` ranks names where hands of two sizes meet.
    """
    name = name_of(cards, names)
    return -(scale or names).index(name), weight(cards, name)
