"""How hands of a definition compare: strengths as whole numbers, higher is stronger.

A strength is the place of the hand's name in its ranking (the lowest name is 1) above seven ranks
in order of importance, `place << 28 | r1 << 24 | ... | r7`, each rank 1 (deuce) to 13 (ace), or 0
if there is no further card. The best cards count: a ranking of five cards takes the best
five of however many there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.kernel import kernel

if TYPE_CHECKING:
    from games.definition.model import HandSpec, Ranking

NO_CARD: Final = 255
NO_HAND: Final = -1
"""The strength of a hand with a card that wasn't dealt."""

PLACE_SHIFT: Final = 28
RANKS_MASK: Final = (1 << PLACE_SHIFT) - 1
MOST_RANKS: Final = 7
ALL_RANKS: Final = 0x1FFF

HIGH_CARD, PAIR, TWO_PAIRS, THREE_OF_A_KIND, STRAIGHT, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND = range(8)
STRAIGHT_FLUSH: Final = 8
FLUSH_LENGTH: Final = 9
RUN_LENGTH: Final = 10
FIVE_OF_A_KIND, ALL_STRAIGHT_FLUSH, ALL_STRAIGHT_FLUSH_WITH_JOKER, ROYAL_MATCH = range(11, 15)
"""Names that only the family `set` ranks."""
CODES: Final = {
    "high_card": HIGH_CARD,
    "pair": PAIR,
    "two_pairs": TWO_PAIRS,
    "three_of_a_kind": THREE_OF_A_KIND,
    "straight": STRAIGHT,
    "flush": FLUSH,
    "full_house": FULL_HOUSE,
    "four_of_a_kind": FOUR_OF_A_KIND,
    "straight_flush": STRAIGHT_FLUSH,
    "five_of_a_kind": FIVE_OF_A_KIND,
    "all_straight_flush": ALL_STRAIGHT_FLUSH,
    "all_straight_flush_with_joker": ALL_STRAIGHT_FLUSH_WITH_JOKER,
    "royal_match": ROYAL_MATCH,
}
LENGTHS: Final = {"flush_length": FLUSH_LENGTH, "straight_flush_length": RUN_LENGTH}


def codes_of(ranking: Ranking) -> tuple[int, ...]:
    """Return a ranking's names as codes, best first; a ranking by length is one code."""
    if ranking.id in LENGTHS:
        return (LENGTHS[ranking.id],)
    return tuple(CODES[name] for name in ranking.order)


def place_of_name(ranking: Ranking, name: str) -> int:
    """Return the place of a name in its ranking; the lowest is 1."""
    return len(ranking.order) - ranking.order.index(name)


def bounds_of(ranking: Ranking, spec: HandSpec) -> tuple[int, int]:
    """Return the lowest and the highest strength of hands with a name and leading ranks."""
    place = place_of_name(ranking, spec.hand) << PLACE_SHIFT
    low, high = leading_ranks(spec.ranks)
    return place | low, place | high


def leading_ranks(ranks: str) -> tuple[int, int]:
    """Return the lowest and the highest ranks that begin with these."""
    leading = 0
    for each in ranks:
        leading = leading << 4 | ("23456789TJQKA".index(each) + 1)
    rest = 4 * (MOST_RANKS - len(ranks))
    return leading << rest, (leading << rest) | ((1 << rest) - 1)


@kernel
def highest_with(counts: int, times: int, other_than: int) -> int:
    """Return the highest rank that occurs so many times, or -1; four bits of counts per rank."""
    for each in range(12, -1, -1):
        if each != other_than and (counts >> 4 * each) & 15 >= times:
            return each
    return -1


@kernel
def top_cards(counts: int, most: int) -> int:
    """Return the highest cards one by one, at most so many, as ranks of a strength."""
    ranks = 0
    number = 0
    for each in range(12, -1, -1):
        for _ in range((counts >> 4 * each) & 15):
            if number < most:
                ranks |= (each + 1) << (24 - 4 * number)
                number += 1
    return ranks


@kernel
def without(counts: int, rank: int, times: int) -> int:
    """Return the counts with so many cards of a rank removed."""
    return counts - (times << 4 * rank)


@kernel
def grouped(counts: int, size: int, first: int, times: int, second: int, again: int) -> int:
    """Return the ranks of a hand with a group of cards, perhaps a second one, and the rest."""
    counts = without(counts, first, times)
    ranks = (first + 1) << 24
    left = size - times
    number = 1
    if second >= 0:
        counts = without(counts, second, again)
        ranks |= (second + 1) << 20
        left -= again
        number = 2
    return ranks | (top_cards(counts, left) >> 4 * number)


@kernel
def top_of_run(ranks: int, size: int) -> int:
    """Return rank + 1 of the top card of the highest run in a set of ranks, or 0."""
    both_aces = (ranks << 1) | (ranks >> 12)
    runs = both_aces
    for each in range(1, size):
        runs &= both_aces >> each
    if runs == 0:
        return 0
    top = size - 2
    while runs:
        runs >>= 1
        top += 1
    return top


@kernel
def counts_of_ranks(ranks: int) -> int:
    """Return a set of ranks as counts of one each."""
    counts = 0
    for each in range(13):
        counts |= (ranks >> each & 1) << 4 * each
    return counts


@kernel
def size_of(ranks: int) -> int:
    """Return how many ranks a set has."""
    number = 0
    while ranks:
        ranks &= ranks - 1
        number += 1
    return number


@kernel
def longest_suit(suited: int) -> int:
    """Return how many cards the longest suit has; sixteen bits of ranks per suit."""
    longest = 0
    for suit in range(4):
        longest = max(longest, size_of((suited >> 16 * suit) & ALL_RANKS))
    return longest


@kernel
def best_flush(suited: int, size: int) -> int:
    """Return the ranks of the best flush of this size, or -1; sixteen bits of ranks per suit."""
    best = -1
    for suit in range(4):
        ranks = (suited >> 16 * suit) & ALL_RANKS
        if size_of(ranks) >= size:
            best = max(best, top_cards(counts_of_ranks(ranks), size))
    return best


@kernel
def best_straight_flush(suited: int, size: int) -> int:
    """Return the ranks of the best straight flush of this size, or -1."""
    best = 0
    for suit in range(4):
        best = max(best, top_of_run((suited >> 16 * suit) & ALL_RANKS, size))
    return best << 24 if best else -1


@kernel
def best_straight(suited: int, size: int) -> int:
    """Return the ranks of the best straight of this size, or -1."""
    ranks = (suited | suited >> 16 | suited >> 32 | suited >> 48) & ALL_RANKS
    top = top_of_run(ranks, size)
    return top << 24 if top else -1


@kernel
def longest_flush(suited: int) -> int:
    """Return the strength of the longest flush, its ranks from the highest down."""
    best = 0
    for suit in range(4):
        ranks = (suited >> 16 * suit) & ALL_RANKS
        if ranks:
            cards = top_cards(counts_of_ranks(ranks), MOST_RANKS)
            best = max(best, size_of(ranks) << PLACE_SHIFT | cards)
    return best


@kernel
def longest_straight_flush(suited: int) -> int:
    """Return the strength of the longest straight flush, one card included, by its top card."""
    for size in range(9, 0, -1):
        ranks = best_straight_flush(suited, size)
        if ranks >= 0:
            return size << PLACE_SHIFT | ranks
    return 0


@kernel
def ranks_of_name(name: int, size: int, counts: int, suited: int) -> int:  # noqa: C901 - a list
    """Return the ranks of the best hand of this name among the cards, or -1 if there is none."""
    if name == STRAIGHT_FLUSH:
        return best_straight_flush(suited, size)
    if name == FLUSH:
        return best_flush(suited, size)
    if name == STRAIGHT:
        return best_straight(suited, size)
    if name == HIGH_CARD:
        return top_cards(counts, size)
    times = 4
    again = 0
    if name == FULL_HOUSE:
        times, again = 3, 2
    elif name == THREE_OF_A_KIND:
        times = 3
    elif name == TWO_PAIRS:
        times, again = 2, 2
    elif name == PAIR:
        times = 2
    first = highest_with(counts, times, -1)
    if first < 0:
        return -1
    second = -1
    if again:
        second = highest_with(counts, again, first)
        if second < 0:
            return -1
    return grouped(counts, size, first, times, second, again)


@kernel
def hand_strength(cards: Any, places: Any, size: int, names: Any) -> int:
    """Return the strength of the cards at these places by a ranking's names, best first."""
    counts = 0
    suited = 0
    for place in places:
        card = int(cards[place])
        if card == NO_CARD:
            return NO_HAND
        counts += 1 << 4 * (card >> 2)
        suited |= 1 << (16 * (card & 3) + (card >> 2))
    return strength_of(counts, suited, len(places), size, names)


@kernel
def strength_of(counts: int, suited: int, cards: int, size: int, names: Any) -> int:
    """Return the strength of so many cards, counted by rank and laid out by suit."""
    if names[0] == FLUSH_LENGTH:
        return longest_flush(suited)
    if names[0] == RUN_LENGTH:
        return longest_straight_flush(suited)
    ranks = (suited | suited >> 16 | suited >> 32 | suited >> 48) & ALL_RANKS
    has_group = size_of(ranks) < cards
    has_flush = longest_suit(suited) >= size
    for number in range(len(names)):
        name = names[number]
        if name in (FLUSH, STRAIGHT_FLUSH):
            possible = has_flush
        else:
            possible = has_group or name in (STRAIGHT, HIGH_CARD)
        if not possible:
            continue
        ranks = ranks_of_name(name, size, counts, suited)
        if ranks >= 0:
            return (len(names) - number) << PLACE_SHIFT | ranks
    return NO_HAND
