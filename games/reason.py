"""Reasons: what a small integer code that a kernel returns means, and which clauses it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a wager ended as it did, as one would say it at the table."""

    says: str
    cites: tuple[str, ...]


CUT: Final = -1
"""The code, in every game, of an amount that a maximum aggregate payout cut."""

CUT_REASON: Final = Reason("cut by the maximum aggregate payout", ("PP-19", "PP-I8", "PP-I9"))
