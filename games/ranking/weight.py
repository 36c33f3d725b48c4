"""Cards in order of weight: those that occur more often first, then higher ranks (X-I2).

A weight is `times << 4 | rank + 1`: how often the rank occurs in the hand, and the rank as it
stands in a strength. The sorting networks are written out because they are what is compiled.
"""

from typing import Final

from games.cards import rank as rank_of
from games.kernel import kernel

RANK_MASK: Final = 15
TIMES_SHIFT: Final = 4
SUIT_MASK: Final = 3


@kernel
def times_of(weight: int) -> int:
    """How often a weight's rank occurs in its hand."""
    return weight >> TIMES_SHIFT


@kernel
def sorted_three(x: int, y: int, z: int) -> tuple[int, int, int]:
    """Three numbers, highest first."""
    x, y = max(x, y), min(x, y)
    y, z = max(y, z), min(y, z)
    x, y = max(x, y), min(x, y)
    return x, y, z


@kernel
def sorted_five(v: int, w: int, x: int, y: int, z: int) -> tuple[int, int, int, int, int]:
    """Five numbers, highest first."""
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
    """Weights of three cards, heaviest first."""
    p, q, r = rank_of(a), rank_of(b), rank_of(c)
    pq, pr, qr = int(p == q), int(p == r), int(q == r)
    x = ((1 + pq + pr) << TIMES_SHIFT) | (p + 1)
    y = ((1 + pq + qr) << TIMES_SHIFT) | (q + 1)
    z = ((1 + pr + qr) << TIMES_SHIFT) | (r + 1)
    return sorted_three(x, y, z)


@kernel
def five_weights(a: int, b: int, c: int, d: int, e: int) -> tuple[int, int, int, int, int]:
    """Weights of five cards, heaviest first."""
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
