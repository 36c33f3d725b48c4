"""What only definitions of the family `baccarat` have: drawing rules, tests, running wagers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.definition.model import FamilyPart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.definition.model import Cites, Definition

Totals = tuple[int, ...]


@dataclass(frozen=True)
class Drawing:
    """When each hand takes a third card."""

    natural: Totals
    """Totals of two cards that end the round."""
    player: Totals
    """Totals on which the player hand draws."""
    banker_alone: Totals
    """Totals on which the banker hand draws if the player hand stood."""
    banker: Mapping[int, Totals]
    """By total: the values of the player hand's third card on which the banker hand draws."""
    cites: Cites


@dataclass(frozen=True)
class CardFacts:
    """What both hands must be: all of these, where one says something."""

    winner: Cites
    """`player`, `banker` or `tie`; none, any of them."""
    player_total: Totals
    banker_total: Totals
    player_cards: Totals
    banker_cards: Totals
    margin: Totals
    """By how much the totals differ."""
    player_pair: bool | None
    """Whether the first two cards have one rank."""
    banker_pair: bool | None
    player_suited_pair: bool | None
    """Whether they also have one suit."""
    banker_suited_pair: bool | None


@dataclass(frozen=True)
class Run:
    """A wager that runs over several rounds, and wins if its choice wins each of them."""

    rounds: int
    choices: Mapping[str, str]
    """By choice: the test that passes in a round that it wins."""
    skips: Cites
    """Tests that pass in a round that doesn't count; the wager runs on."""
    cites: Cites


@dataclass(frozen=True)
class Baccarat(FamilyPart):
    """How hands are drawn, what may be asked about them, and which wagers run on."""

    drawing: Drawing
    tests: Mapping[str, tuple[CardFacts, ...]]
    """By test: it passes if any of these is so."""
    runs: Mapping[str, Run]
    """By wager."""


def baccarat_of(definition: Definition) -> Baccarat:
    """Return what a definition has as one of this family."""
    assert isinstance(definition.own, Baccarat)  # noqa: S101  built for this family
    return definition.own
