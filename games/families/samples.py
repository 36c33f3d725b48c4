"""Rounds dealt at random by a definition, settled and explained: what its author sees at once."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

from games.families.examples import LINE, explained_steps
from games.families.family import family_of
from games.families.filed import FiledGame
from games.log.form import LineObject
from games.setup import Setup
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition

SEATS: Final = 2
"""Envy bonuses and games between players need more than one."""
TABLE: Final = "sample"


@dataclass(frozen=True, slots=True)
class SampleRound:
    """A round in the log's own shape, and how each wager comes to its result."""

    line: dict[str, Any]
    steps: tuple[str, ...]


def can_deal(definition: Definition) -> bool:
    """Return whether rounds of a definition can be dealt at random."""
    return not definition.named and family_of(definition).deal_round is not None


def sample_rounds(definition: Definition, seed: str, count: int) -> Iterator[SampleRound]:
    """Yield rounds that are dealt and settled by a definition; the seed decides the cards."""
    game = FiledGame(definition)
    setup = game.under(Setup())
    chance = Random(f"{definition.digest} {seed}")  # noqa: S311 - cards to look at
    seats = range(1, 1 + SEATS)
    for number in range(count):
        dealt = game.deal(setup, seats, TABLE, chance)
        line = {**LINE, "round": f"sample-{number + 1}", "game": definition.slug, **dealt}
        played = game.read(LineObject(line, "", 1))
        verdict = game.settle(played, setup, NOTHING)
        yield SampleRound(dealt, tuple(explained_steps(played, setup, verdict)))
