"""What hands a ranking has, and which lines of a pay table they fit.

A hand fits the line of its own name and of every name that it contains: a straight flush is also a
straight and a flush, three of a kind is also a pair. The first line that fits is paid, so what a
removed line paid falls to a later line or to none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cards import RANKS
from games.definition.build import LENGTH_NAMES

if TYPE_CHECKING:
    from games.definition.model import PayLine, PayTable, Ranking

CONTAINS: Final = {
    "all_straight_flush": (
        "all_straight_flush_with_joker", "straight_flush", "straight", "flush",
    ),
    "all_straight_flush_with_joker": ("straight_flush", "straight", "flush"),
    "royal_match": ("straight_flush", "straight", "flush"),
    "straight_flush": ("straight", "flush"),
    "five_of_a_kind": ("four_of_a_kind", "three_of_a_kind", "pair"),
    "four_of_a_kind": ("three_of_a_kind", "pair"),
    "full_house": ("three_of_a_kind", "two_pairs", "pair"),
    "three_of_a_kind": ("pair",),
    "two_pairs": ("pair",),
}  # fmt: skip
LEAST_CARDS: Final = {
    "pair": 2, "two_pairs": 4, "three_of_a_kind": 3, "straight": 3, "flush": 2, "full_house": 5,
    "four_of_a_kind": 4, "straight_flush": 2, "five_of_a_kind": 5, "royal_match": 5,
}  # fmt: skip
"""How many cards a hand of a name needs."""

Cell = tuple[str, int]
"""Hands by name and highest rank (0 is the deuce)."""


def fitting_names(ranking: Ranking, line: str) -> tuple[str, ...]:
    """Return the names of the ranking whose hands fit a line of this name."""
    if ranking.id in LENGTH_NAMES:
        place = ranking.order.index(line)
        return ranking.order[: place + 1]  # a longer flush contains a shorter one
    return tuple(name for name in ranking.order if name == line or line in CONTAINS.get(name, ()))


def unreachable_lines(table: PayTable, ranking: Ranking, size: int) -> dict[str, str]:
    """Return each line that can never be paid, with the reason."""
    possible = _possible(ranking, size)
    covered: set[Cell] = set()
    unreachable = {}
    for line in table.lines:
        cells = _cells(line, ranking, possible)
        if not cells:
            unreachable[line.id] = "No hand of this game fits this line. Remove it."
        elif cells <= covered:
            unreachable[line.id] = "Every hand that fits this line fits a line above. Move it up."
        if len(line.lowest) < 2 and len(line.highest) < 2:
            covered |= cells
    return unreachable


def _possible(ranking: Ranking, size: int) -> frozenset[Cell]:
    if ranking.id in LENGTH_NAMES:
        names = [name for name in ranking.order if int(name.rpartition("_")[2]) <= size]
        return frozenset(
            (name, top) for name in names for top in range(int(name.rpartition("_")[2]) - 2, 13)
        )
    lowest = {
        "straight": ranking.cards - 2,  # an ace is also low: the top of A-2-3 is the three
        "straight_flush": ranking.cards - 2,
        "two_pairs": 1,
        "flush": _lowest_top(ranking, "straight_flush"),
        "high_card": _lowest_top(ranking, "straight"),
    }
    return frozenset(
        (name, top) for name in ranking.order for top in range(lowest.get(name, 0), 13)
    )


def _lowest_top(ranking: Ranking, run: str) -> int:
    """Return the lowest highest rank of cards that are no run: 5-3-2, or 3-2 of two cards."""
    return ranking.cards - (run not in ranking.order)


def _cells(line: PayLine, ranking: Ranking, possible: frozenset[Cell]) -> set[Cell]:
    low = RANKS.index(line.lowest[0]) if line.lowest else 0
    high = RANKS.index(line.highest[0]) if line.highest else 12
    names = fitting_names(ranking, line.hand)
    return {(name, top) for name, top in possible if name in names and low <= top <= high}
