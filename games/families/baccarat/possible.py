"""Which rounds can be dealt at all, for tests and lines that never apply."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from games.families.baccarat.program import drawing_numbers
from games.families.baccarat.settle import (
    NO_PAIR,
    PAIR,
    STOOD,
    SUITED_PAIR,
    banker_draws,
    player_draws,
    value_of_rank,
    winner_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.families.baccarat.model import Drawing
    from games.families.baccarat.program import Facts
    from games.families.stud.program import Numbers


def possible_rounds(drawing: Drawing, *, suits: int) -> Iterator[Facts]:
    """Yield the facts of every round that can be dealt; suited pairs need several `suits`."""
    draw = drawing_numbers(drawing)
    pairs = (PAIR, SUITED_PAIR) if suits > 1 else (PAIR,)
    ranks = range(13)
    hands = {
        ((value_of_rank(one) + value_of_rank(other)) % 10, pair)
        for one, other in product(ranks, ranks)
        for pair in (pairs if one == other else (NO_PAIR,))
    }
    found = {
        facts
        for (player, pair), (banker, other) in product(hands, hands)
        for facts in _dealt(draw, player, banker, (pair, other))
    }
    yield from sorted(found)


def _dealt(draw: Numbers, player: int, banker: int, pairs: tuple[int, int]) -> Iterator[Facts]:
    draws = player_draws(draw, player, banker)
    for third in range(10) if draws else (STOOD,):
        mine = (player + third) % 10 if draws else player
        takes = banker_draws(draw, player, banker, third)
        for other in range(10) if takes else (0,):
            theirs = (banker + other) % 10
            yield facts_of(mine, theirs, (2 + draws, 2 + takes), pairs)


def facts_of(player: int, banker: int, cards: tuple[int, int], pairs: tuple[int, int]) -> Facts:
    """Return a round's facts, by the final totals: see `settle.WINNER` and the following."""
    return (winner_of(player, banker), player, banker, *cards, abs(player - banker), *pairs)
