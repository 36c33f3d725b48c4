"""How the dealer sets three cards (PP-14 to PP-18), and a banker whose hand fouled (PP-27)."""

from __future__ import annotations

from games.cards import JACK
from games.kernel import kernel


@kernel
def house_way(a: int, b: int, c: int, *, split_at_four: bool) -> int:
    """Return the one of three ranks that the House Way plays low; the other two are the high hand.

    `split_at_four` is the interpretation of PP-I13 under which a third card exactly four below a
    pair of jacks or better splits it; by the list a to d it stays together.
    """
    if a == b == c:
        return a  # PP-14
    if a != b and b != c and a != c:
        return max(min(a, b), min(max(a, b), c))  # PP-17: the middle one
    pair = a if a in (b, c) else b
    third = a + b + c - 2 * pair
    if pair < JACK:
        return third  # PP-16
    together = third > pair - 4 if split_at_four else third >= pair - 4
    return third if together else pair  # PP-15
