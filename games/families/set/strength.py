"""How parts and whole hands compare where a joker may be among the cards: higher is stronger.

A strength is built as in the family `stud`: the place of the hand's name above its ranks. A joker
is an ace, or completes a straight, a flush or a straight flush (`limited`), or is any card
(`wild`). A straight from the ace up that ranks second has the ranks of a king-high straight and 15.
"""

from __future__ import annotations

from typing import Any, Final

from games.cards import JOKER
from games.families.stud.strength import (
    ALL_RANKS,
    ALL_STRAIGHT_FLUSH,
    ALL_STRAIGHT_FLUSH_WITH_JOKER,
    FIVE_OF_A_KIND,
    FLUSH,
    NO_CARD,
    NO_HAND,
    PLACE_SHIFT,
    ROYAL_MATCH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    counts_of_ranks,
    highest_with,
    ranks_of_name,
    size_of,
    top_cards,
)
from games.kernel import kernel

ROYAL: Final = 0x1F00
ROYAL_CARDS: Final = 5
KING_QUEEN: Final = 0x0C00
ACE_COUNT: Final = 1 << 48
KING_HIGH: Final = 12
SECOND: Final = KING_HIGH << 24 | 15 << 20
"""The ranks of the straight from the ace up where only the highest straight is above it."""


@kernel
def best_run(ranks: int, size: int, jokers: int, low_second: int) -> int:
    """Return the ranks of the best straight among a set of ranks and jokers, or -1."""
    if size_of(ranks) + jokers < size:
        return -1
    run = (1 << size) - 1
    from_ace = 1 << 12 | run >> 1
    for top in range(12, size - 2, -1):
        if top == KING_HIGH - 1 and low_second and size_of(from_ace & ~ranks) <= jokers:
            return SECOND
        if size_of(run << (top - size + 1) & ~ranks) <= jokers:
            return (top + 1) << 24
    if size_of(from_ace & ~ranks) <= jokers:
        return (size - 1) << 24
    return -1


@kernel
def cards_of_suit(suits: int, suit: int) -> int:
    """Return how many cards of a suit there are; eight bits per suit."""
    return suits >> 8 * suit & 255


@kernel
def ranks_of_suit(suited: int, suit: int) -> int:
    """Return the ranks of a suit as a set; sixteen bits per suit."""
    return suited >> 16 * suit & ALL_RANKS


@kernel
def best_suited_run(suited: int, suits: int, size: int, jokers: int, low_second: int) -> int:
    """Return the ranks of the best straight flush, or -1."""
    best = -1
    for suit in range(4):
        if cards_of_suit(suits, suit) + jokers >= size:
            best = max(best, best_run(ranks_of_suit(suited, suit), size, jokers, low_second))
    return best


@kernel
def best_flush(suited: int, suits: int, size: int, jokers: int) -> int:
    """Return the ranks of the best flush, or -1; a joker is the highest card that is missing."""
    best = -1
    for suit in range(4):
        if cards_of_suit(suits, suit) + jokers >= size:
            ranks = ranks_of_suit(suited, suit)
            added = 0
            for each in range(12, -1, -1):
                if added < jokers and ranks >> each & 1 == 0:
                    ranks |= 1 << each
                    added += 1
            best = max(best, top_cards(counts_of_ranks(ranks), size))
    return best


@kernel
def whole_run(suited: int, suits: int, number: int, size: int, jokers: int, low: int) -> int:
    """Return the ranks of the best straight flush if all cards together are one, or -1."""
    if best_suited_run(suited, suits, number, jokers, low) < 0:
        return -1
    return best_suited_run(suited, suits, size, jokers, low)


@kernel
def royal_match(suited: int, suits: int, jokers: int) -> int:
    """Return the ranks of a royal flush beside a king and queen of another suit, or -1."""
    has_royal = False
    has_match = False
    for suit in range(4):
        ranks = ranks_of_suit(suited, suit)
        is_royal = ranks & ~ROYAL == 0 and cards_of_suit(suits, suit) + jokers == ROYAL_CARDS
        has_royal = has_royal or is_royal
        has_match = has_match or (ranks == KING_QUEEN and cards_of_suit(suits, suit) == 2)
    return 13 << 24 if has_royal and has_match else -1


@kernel
def group_ranks(name: int, size: int, counts: int) -> int:
    """Return the ranks of the best hand of a name that only ranks make, or -1."""
    if name == FIVE_OF_A_KIND:
        five = highest_with(counts, 5, -1)
        return (five + 1) << 24 if five >= 0 else -1
    return ranks_of_name(name, size, counts, 0)


@kernel
def group_with_joker(name: int, size: int, counts: int, jokers: int, wild: int) -> int:
    """Return the same with a joker, which is an ace or, if it is wild, the best card."""
    if jokers == 0:
        return group_ranks(name, size, counts)
    if wild == 0:
        return group_ranks(name, size, counts + ACE_COUNT)
    best = -1
    for each in range(13):
        best = max(best, group_ranks(name, size, counts + (1 << 4 * each)))
    return best


@kernel
def set_strength(  # noqa: C901 - a list of names
    cards: Any, first: int, end: int, size: int, names: Any, low_second: int, wild: int
) -> int:
    """Return the strength of the cards from `first` to `end` by names, best first."""
    counts = 0
    suited = 0
    suits = 0
    jokers = 0
    for place in range(first, end):
        card = int(cards[place])
        if card == NO_CARD:
            return NO_HAND
        if card == JOKER:
            jokers += 1
            continue
        counts += 1 << 4 * (card >> 2)
        suited |= 1 << (16 * (card & 3) + (card >> 2))
        suits += 1 << 8 * (card & 3)
    number = end - first
    low = low_second
    for place in range(len(names)):
        name = names[place]
        if name == STRAIGHT_FLUSH:
            ranks = best_suited_run(suited, suits, size, jokers, low)
        elif name == FLUSH:
            ranks = best_flush(suited, suits, size, jokers)
        elif name == STRAIGHT:
            every = (suited | suited >> 16 | suited >> 32 | suited >> 48) & ALL_RANKS
            ranks = best_run(every, size, jokers, low)
        elif name == ALL_STRAIGHT_FLUSH:
            ranks = -1 if jokers else whole_run(suited, suits, number, size, 0, low)
        elif name == ALL_STRAIGHT_FLUSH_WITH_JOKER:
            ranks = whole_run(suited, suits, number, size, jokers, low) if jokers else -1
        elif name == ROYAL_MATCH:
            ranks = royal_match(suited, suits, jokers) if number == 7 else -1
        else:
            ranks = group_with_joker(name, size, counts, jokers, wild)
        if ranks >= 0:
            return (len(names) - place) << PLACE_SHIFT | ranks
    return NO_HAND
