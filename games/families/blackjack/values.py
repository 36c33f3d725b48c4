"""What cards are worth, and whether they are what a pattern asks for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from games.cards import RANKS, dealt
from games.definition.blackjack_form import (
    DEALER,
    DEALERS_OPENING,
    MIXED,
    OPENING,
    RUN,
    SAME,
    UPCARD,
    WITH_UPCARD,
)

if TYPE_CHECKING:
    from games.cards import Cards
    from games.definition.blackjack_model import Bounds, CardPattern

ACE: Final = 12
TWENTY_ONE: Final = 21
SOFT: Final = 10
"""What an ace counts more as eleven."""
VALUES: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1)
"""By rank."""
SUITS: Final = "cdhs"


def total_of(cards: Cards) -> tuple[int, bool]:
    """Return the best total of cards, and whether an ace counts eleven in it."""
    hard = sum(VALUES[card >> 2] for card in cards)
    soft = hard + SOFT <= TWENTY_ONE and any(card >> 2 == ACE for card in cards)
    return hard + SOFT * soft, soft


def is_blackjack(cards: Cards) -> bool:
    """Return whether two cards are an ace and a ten or face card."""
    return len(cards) == 2 and total_of(cards)[0] == TWENTY_ONE


def fits(pattern: CardPattern, opening: Cards, hand: Cards, dealers: Cards) -> bool:
    """Return whether the cards that a pattern asks about are what it names."""
    cards = _cards_of(pattern.of, opening, hand, dealers)
    return (
        _within(pattern.number, len(cards))
        and _within(pattern.total, total_of(cards)[0])
        and _has_ranks(pattern.ranks, cards)
        and _has_suits(pattern.suits, cards)
        and (not pattern.cards or sorted(dealt(pattern.cards)) == sorted(cards))
        and _matches(pattern, opening, dealers)
    )


def _cards_of(name: str, opening: Cards, hand: Cards, dealers: Cards) -> Cards:
    return {
        OPENING: opening,
        WITH_UPCARD: opening + dealers[:1],
        UPCARD: dealers[:1],
        DEALERS_OPENING: dealers[:2],
        DEALER: dealers,
    }.get(name, hand)


def _within(bounds: Bounds, number: int) -> bool:
    return not bounds or bounds[0] <= number <= bounds[-1]


def _has_ranks(wanted: str, cards: Cards) -> bool:
    ranks = sorted(card >> 2 for card in cards)
    if wanted == SAME:
        return len(set(ranks)) == 1
    if wanted == RUN:
        low = [-1 if rank == ACE else rank for rank in ranks]
        return any(_is_run(sorted(each)) for each in (ranks, low))
    return not wanted or sorted(RANKS.index(rank) for rank in wanted) == ranks


def _is_run(ranks: list[int]) -> bool:
    return bool(ranks) and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def _has_suits(wanted: str, cards: Cards) -> bool:
    suits = {card & 3 for card in cards}
    if wanted in {SAME, MIXED}:
        return (len(suits) == 1) == (wanted == SAME)
    return not wanted or suits == {SUITS.index(wanted)}


def _matches(pattern: CardPattern, opening: Cards, dealers: Cards) -> bool:
    if not pattern.matches:
        return True
    found: Counter[str] = Counter()
    for card in opening:
        if dealers and card >> 2 == dealers[0] >> 2:
            found["suited" if card == dealers[0] else "unsuited"] += 1
    return all(found[name] == number for name, number in pattern.matches.items())
