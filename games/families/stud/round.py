"""One round of the family as logged, after the form of its line was checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.log.round import Round, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.cards import Cards


@dataclass(frozen=True, slots=True, kw_only=True)
class StudSeat(Seat):
    """A seat with a hand."""

    choices: Mapping[str, str] = field(default_factory=dict)
    """What the player chose at each decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudRound(Round):
    """One round dealt at one table."""

    seats: tuple[StudSeat, ...]
    community: Cards = b""
