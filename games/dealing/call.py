"""A round before its cards: when, who is in, what they stake, whether it will count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

Line = dict[str, Any]
"""A round as it is written: one object of the log."""


class In(NamedTuple):
    """A seat that is dealt in."""

    seat: int
    player: str
    stakes: tuple[int, ...]


@dataclass(slots=True)
class Call:
    """What is settled before the deal."""

    at: int
    """Seconds since 1970-01-01 UTC."""
    seats: list[In]
    void: str | None = None
    banker: int = -1
    """The banker's place among the seats; -1, the house banks."""
    bank: int = 0
    house_wager: int = 0
