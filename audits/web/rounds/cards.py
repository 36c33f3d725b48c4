"""Cards as a page draws them: each a picture that a screen reader names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.story.card_words import card_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

JOKER = "Jo"
RED = frozenset("dh")


@dataclass(frozen=True)
class DrawnCard:
    """One card; of a joker that nobody has named neither rank nor suit."""

    name: str
    """As it is read out: queen of spades."""
    rank: str
    suit: str
    joker: bool

    @property
    def red(self) -> bool:
        """Whether its suit is printed red."""
        return self.suit in RED


def drawn(cards: Iterable[str]) -> list[DrawnCard]:
    """Cards in the spelling of logs, as they are drawn."""
    return [_drawn(each) for each in cards]


def _drawn(card: str) -> DrawnCard:
    joker = card.startswith(JOKER)
    stands_for = card.partition("=")[2] if joker else card
    rank, suit = (stands_for[0], stands_for[1]) if stands_for else ("", "")
    return DrawnCard(card_in_words(card), "10" if rank == "T" else rank, suit, joker)
