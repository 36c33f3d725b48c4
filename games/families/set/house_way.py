"""The house way: of all sets whose parts are in order, the best under the first rule that fits.

A hand's cards are laid in each way; a way is rated by the strength of each part, and of the best
hand of all cards. Rules are rows of numbers: for each of these the lowest and the highest strength,
then the parts in the order that decides.
"""

from __future__ import annotations

from typing import Any, Final

from games.families.set.strength import set_strength
from games.families.stud.strength import PLACE_SHIFT, RANKS_MASK
from games.kernel import kernel

NO_WAY: Final = -1
FIRST, END, SIZE, LOW_SECOND, NAMES = range(5)
"""The numbers of a part: its cards, how many make its hand, where the straight from the ace up
ranks, and how many names it has."""


@kernel
def rate_part(cards: Any, way: Any, part: Any, names: Any, wild: int, laid: Any) -> int:
    """Return the strength of a part of a hand that is laid in a way."""
    for place in range(part[FIRST], part[END]):
        laid[place] = cards[way[place]]
    return set_strength(
        laid, part[FIRST], part[END], part[SIZE], names[: part[NAMES]], part[LOW_SECOND], wild
    )


@kernel
def in_common(strength: int, places: Any) -> int:
    """Return a part's strength as one of the highest part's ranking."""
    return int(places[strength >> PLACE_SHIFT]) << PLACE_SHIFT | strength & RANKS_MASK


@kernel
def is_in_order(strengths: Any, places: Any) -> bool:
    """Return whether every part is as high as the one before."""
    for part in range(len(places) - 1):
        lower = in_common(strengths[part], places[part])
        if lower > in_common(strengths[part + 1], places[part + 1]):
            return False
    return True


@kernel
def satisfies(strengths: Any, rule: Any, parts: int) -> bool:
    """Return whether every part and the best hand are within a rule's bounds."""
    for part in range(parts + 1):  # noqa: SIM110 - Numba compiles no generator
        if not rule[2 * part] <= strengths[part] <= rule[2 * part + 1]:
            return False
    return True


@kernel
def is_better(mine: Any, other: Any, rule: Any, parts: int) -> bool:
    """Return whether the first part that differs, in the rule's order, is higher."""
    for place in range(parts):
        part = rule[2 * parts + 2 + place]
        if mine[part] != other[part]:
            return bool(mine[part] > other[part])
    return False


@kernel
def choose_way(rated: Any, places: Any, rules: Any) -> int:
    """Return the way in which the house sets a hand, or NO_WAY."""
    parts = len(places)
    for rule in rules:
        best = NO_WAY
        for way in range(len(rated)):
            if not satisfies(rated[way], rule, parts) or not is_in_order(rated[way], places):
                continue
            if best == NO_WAY or is_better(rated[way], rated[best], rule, parts):
                best = way
        if best != NO_WAY:
            return best
    return NO_WAY
