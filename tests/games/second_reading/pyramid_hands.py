"""Hands of Lee and Yee's two games, of one card or more, jokers named (SD-8, SD-9, SD-I2 ff.)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cards import SUITS, Card
from .ranking import PYRAMID_FIVE, PYRAMID_THREE, in_order_of_weight, name_of, names_of, weight

if TYPE_CHECKING:
    from collections.abc import Sequence

FULL_HOUSE_OR_MORE = PYRAMID_FIVE[: PYRAMID_FIVE.index("full_house") + 1]

# SD-17, hand 6: x of a kind, and an x-card straight flush.
KIND_VALUE = {4: 4, 5: 6, 6: 10, 7: 14, 8: 18, 9: 22, 10: 26}
RUN_VALUE = {5: 5, 6: 8, 7: 11, 8: 14, 9: 17, 10: 20}


@dataclass(frozen=True)
class Hand:
    """A hand with its name; `kind`, `run`: how many cards of a kind, or of one straight flush."""

    name: str
    weight: tuple[int, ...]
    suits: tuple[int, ...]
    length: int
    kind: int = 0
    run: int = 0

    def __lt__(self, other: Hand) -> bool:
        return self.key(other, with_suits=True) < other.key(self, with_suits=True)

    def is_weaker_by_rank_than(self, other: Hand) -> bool:
        return self.key(other, with_suits=False) < other.key(self, with_suits=False)

    def key(self, other: Hand, with_suits: bool) -> tuple[object, ...]:
        """Return what decides against `other`, in this order."""
        if self.length <= 3 and other.length <= 3:
            standing = (0, 0, -PYRAMID_THREE.index(self.name))  # SD-9
        else:
            # SD-I3: by hand-6 value, kind over run; below four of a kind by name (SD-I2).
            value = KIND_VALUE.get(self.kind, 0) or RUN_VALUE.get(self.run, 0)
            standing = (value, self.kind > 0, -PYRAMID_FIVE.index(self.name))
        return *standing, self.weight, self.length, self.suits if with_suits else ()


def suits_of(cards: Sequence[Card], name: str) -> tuple[int, ...]:
    """Return the suits in order of importance, higher suits greater (SD-I9)."""
    return tuple(-SUITS.index(card.suit) for card in in_order_of_weight(cards, name))


def small_hand(cards: Sequence[Card]) -> Hand:
    """Return a hand of one or three cards (SD-9)."""
    name = "high_card" if len(cards) == 1 else name_of(cards, PYRAMID_THREE)
    return Hand(name, weight(cards, name), suits_of(cards, name), len(cards))


def five_cards(cards: Sequence[Card]) -> Hand:
    """SD-8."""
    name = name_of(cards, PYRAMID_FIVE)
    kind = {"five_of_a_kind": 5, "four_of_a_kind": 4}.get(name, 0)
    run = 5 if name == "straight_flush" else 0
    return Hand(name, weight(cards, name), suits_of(cards, name), 5, kind, run)


def power_hand(cards: Sequence[Card]) -> Hand | None:
    """Return a hand of six or more cards, all of one kind or one straight flush; else None.

    (SD-10, SD-11.)
    """
    if len({card.rank for card in cards}) == 1:
        name = "five_of_a_kind"
        return Hand(name, weight(cards, name), suits_of(cards, name), len(cards), kind=len(cards))
    if "straight_flush" in names_of(cards):
        name = "straight_flush"
        return Hand(name, weight(cards, name), suits_of(cards, name), len(cards), run=len(cards))
    return None


def six_with_a_kicker(cards: Sequence[Card]) -> Hand:
    """Return six cards: the best five name the hand, the sixth is the last kicker (SD-I11)."""
    best: Hand | None = None
    for place, sixth in enumerate(cards):
        five = five_cards([card for other, card in enumerate(cards) if other != place])
        hand = Hand(
            five.name,
            (*five.weight, sixth.rank),
            (*five.suits, -SUITS.index(sixth.suit)),
            6,
            five.kind,
            five.run,
        )
        if best is None or best < hand:
            best = hand
    assert best is not None
    return best
