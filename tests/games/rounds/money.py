"""Amounts that the limits of `setups.py` allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

LEAST, MOST = 500, 20_000


def stake(rng: Random) -> int:
    """Return a mostly round amount, sometimes odd cents, which shares and maximums must divide."""
    return rng.choice((LEAST, MOST, 100 * rng.randint(5, 200), rng.randint(LEAST, MOST)))
