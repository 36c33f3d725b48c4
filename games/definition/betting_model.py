"""How players bet against each other for pots: a part of the definition of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.definition.model import FamilyPart

if TYPE_CHECKING:
    from fractions import Fraction

    from games.definition.model import Definition

Cites = tuple[str, ...]

POT: Final = "pot"
"""The key of a seat's only result."""


@dataclass(frozen=True)
class Option:
    """How something is done: always one way, or as the reading of an interpretation says."""

    way: str
    """A way, or an interpretation's id."""
    is_asked: bool


@dataclass(frozen=True)
class Street:
    """A betting round."""

    id: str
    community: int
    """Community cards dealt before it."""


@dataclass(frozen=True)
class Raises:
    """How many raises a street may have, and what a raise is."""

    most: int | None
    opening: Option
    """Whether the big blind counts as the bet that is raised: `blind` or `bet`."""
    short: Option
    """Which all-in wager of less than a full raise counts as a raise."""
    cites: Cites


@dataclass(frozen=True)
class Fee:
    """What the house may take from the pots of a round."""

    portion: Fraction | None
    most: int | None
    """In cents."""
    base: Option
    """The money of which `portion` is a part: `called`, or `all` that was wagered."""
    cites: Cites


@dataclass(frozen=True)
class Betting(FamilyPart):
    """How players bet, and how pots are made and won."""

    streets: tuple[Street, ...]
    structure: Option
    """`spread` (any amount from the smallest bet) or `fixed` (one amount on each street)."""
    single: Option
    """What a limit on a single wager limits: an `increase`, or the `total` on a street."""
    cites: Cites
    has_ante: bool
    blind_cites: Cites
    raises: Raises
    own: int | None
    """How many cards of the player's own a hand must have; None, any number."""
    hand_cites: Cites
    show_cites: Cites
    pot_cites: Cites
    chip: Option
    odd: Option
    """Who gets what can't be divided: the `first` left of the button, `each`, `high_card`."""
    odd_cites: Cites
    rake: Fee | None
    jackpot: Fee | None

    @property
    def results(self) -> tuple[str, ...]:
        """Return the key of the only result."""
        return (POT,)

    @property
    def is_between_players(self) -> bool:
        """Return that players bet against each other."""
        return True


def betting_of(definition: Definition) -> Betting:
    """Return how players of a game bet; its definition is one of this family."""
    if not isinstance(definition.own, Betting):
        message = f"{definition.slug} has no betting"
        raise TypeError(message)
    return definition.own
