"""Names of hands by the five-card rank (CP-5, P2-11, SD-8), and weights of cards (X-I2).

The higher name outranks the lower. `FIVE_OF_A_KIND` exists only in shoes and with jokers;
`in_one_deck` removes it where a game doesn't have it. From `RUN_6` on they are Showdown's power
hands, in the order of what they are worth as hand 6 (SD-I3, SD-17): a run comes before a kind of
equal worth.

Cards are ordered by weight: those that occur more often first, then higher ranks. A weight is
`times << 4 | rank + 1`: how often the rank occurs in the hand, and the rank in the format of a
strength. The sorting networks are written out because they are what gets compiled.
"""

from typing import Final

from games.cards import rank as rank_of
from games.kernel import kernel

HIGH_CARD: Final = 0
ONE_PAIR: Final = 1
TWO_PAIRS: Final = 2
THREE_OF_A_KIND: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR_OF_A_KIND: Final = 7
STRAIGHT_FLUSH: Final = 8
FIVE_OF_A_KIND: Final = 9
RUN_6: Final = 10
KIND_6: Final = 11
RUN_7: Final = 12
RUN_8: Final = 13
KIND_7: Final = 14
RUN_9: Final = 15
KIND_8: Final = 16
RUN_10: Final = 17
KIND_9: Final = 18
KIND_10: Final = 19

NAMES: Final = 20

NAME_SHIFT: Final = 24
TOP_SHIFT: Final = 20


@kernel
def name_of(strength: int) -> int:
    """Return the name in a strength."""
    return strength >> NAME_SHIFT


@kernel
def top_of(strength: int) -> int:
    """Return the most important rank of a strength, 0 (deuce) to 12 (ace)."""
    return ((strength >> TOP_SHIFT) & 15) - 1


@kernel
def in_one_deck(strength: int) -> int:
    """Return the strength for one deck, where five of a kind is four of a kind with a kicker."""
    if name_of(strength) == FIVE_OF_A_KIND:
        return strength - ((FIVE_OF_A_KIND - FOUR_OF_A_KIND) << NAME_SHIFT)
    return strength


RANK_MASK: Final = 15
TIMES_SHIFT: Final = 4
SUIT_MASK: Final = 3


@kernel
def times_of(weight: int) -> int:
    """Return how often a weight's rank occurs in its hand."""
    return weight >> TIMES_SHIFT


@kernel
def sorted_three(x: int, y: int, z: int) -> tuple[int, int, int]:
    """Return three numbers, highest first."""
    x, y = max(x, y), min(x, y)
    y, z = max(y, z), min(y, z)
    x, y = max(x, y), min(x, y)
    return x, y, z


@kernel
def sorted_five(v: int, w: int, x: int, y: int, z: int) -> tuple[int, int, int, int, int]:
    """Return five numbers, highest first."""
    v, w = max(v, w), min(v, w)
    y, z = max(y, z), min(y, z)
    x, z = max(x, z), min(x, z)
    x, y = max(x, y), min(x, y)
    v, y = max(v, y), min(v, y)
    v, x = max(v, x), min(v, x)
    w, z = max(w, z), min(w, z)
    w, y = max(w, y), min(w, y)
    w, x = max(w, x), min(w, x)
    return v, w, x, y, z


@kernel
def three_weights(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Return the weights of three cards, heaviest first."""
    p, q, r = rank_of(a), rank_of(b), rank_of(c)
    pq, pr, qr = int(p == q), int(p == r), int(q == r)
    x = ((1 + pq + pr) << TIMES_SHIFT) | (p + 1)
    y = ((1 + pq + qr) << TIMES_SHIFT) | (q + 1)
    z = ((1 + pr + qr) << TIMES_SHIFT) | (r + 1)
    return sorted_three(x, y, z)


@kernel
def five_weights(a: int, b: int, c: int, d: int, e: int) -> tuple[int, int, int, int, int]:
    """Return the weights of five cards, heaviest first."""
    p, q, r, s, t = rank_of(a), rank_of(b), rank_of(c), rank_of(d), rank_of(e)
    pq, pr, ps, pt = int(p == q), int(p == r), int(p == s), int(p == t)
    qr, qs, qt = int(q == r), int(q == s), int(q == t)
    rs, rt, st = int(r == s), int(r == t), int(s == t)
    v = ((1 + pq + pr + ps + pt) << TIMES_SHIFT) | (p + 1)
    w = ((1 + pq + qr + qs + qt) << TIMES_SHIFT) | (q + 1)
    x = ((1 + pr + qr + rs + rt) << TIMES_SHIFT) | (r + 1)
    y = ((1 + ps + qs + rs + st) << TIMES_SHIFT) | (s + 1)
    z = ((1 + pt + qt + rt + st) << TIMES_SHIFT) | (t + 1)
    return sorted_five(v, w, x, y, z)
