"""What a definition of the family `blackjack` has beside every family's parts, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.definition.model import FamilyPart

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from games.definition.model import Cites, Condition, Definition

Bounds = tuple[int, ...]
"""A number, or the least and the most."""


@dataclass(frozen=True)
class CardPattern:
    """A question about cards: all of what it names must hold."""

    id: str
    of: str
    number: Bounds
    total: Bounds
    ranks: str
    suits: str
    cards: str
    matches: Mapping[str, int]
    """How many cards of the opening hand have the upcard's rank: `suited` and `unsuited`."""
    cites: Cites


@dataclass(frozen=True)
class Insurance:
    """The wager that the dealer has a blackjack."""

    wager: str
    most: Fraction
    """The part of the opening wager that it may be."""
    cites: Cites


@dataclass(frozen=True)
class BonusStep:
    """A fixed amount for opening wagers from `least` up, in cents."""

    least: int
    pays: int


@dataclass(frozen=True)
class HandBonus:
    """Fixed amounts that a hand wins, and what they pay the other players' hands."""

    id: str
    says: str
    when: Condition
    steps: tuple[BonusStep, ...]
    envy: str | None
    """The key of what other hands win, if they win anything."""
    envy_pays: int
    cites: Cites


@dataclass(frozen=True)
class Blackjack(FamilyPart):
    """How hands are played."""

    patterns: Mapping[str, CardPattern]
    options: Mapping[str, str]
    """By name: a word, or the interpretation whose reading is the word."""
    most_hands: int
    """Hands that splitting may make of one."""
    cites: Mapping[str, Cites]
    """By section: the clauses on the dealer, doubling, splitting and surrender."""
    insurance: Insurance | None
    bonuses: tuple[HandBonus, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """Return the keys of the bonuses, each with what it pays other hands."""
        keys = (key for each in self.bonuses for key in (each.id, each.envy))
        return tuple(key for key in keys if key is not None)


def rules_of(definition: Definition) -> Blackjack:
    """Return how hands are played by a definition of this family."""
    assert isinstance(definition.own, Blackjack)  # noqa: S101  built for this family
    return definition.own
