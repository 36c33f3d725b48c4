"""Sums of cents as they are kept: to the cent up to a bound that no night of play comes near.

A hostile log may name amounts whose sum no database's integer holds; it must not stop a night.
What goes beyond the bound is kept as the bound, and is said to be "or more". Sums of amounts of one
sign come to the same in whatever order and portions they are added.
"""

from __future__ import annotations

from typing import Final

LARGEST_SUM: Final = 10**18
"""Ten quadrillion dollars. Two of them added are still a 64-bit integer."""


def held(cents: int) -> int:
    """An amount as it is kept."""
    return max(-LARGEST_SUM, min(cents, LARGEST_SUM))


def in_dollars(cents: int) -> str:
    """An amount as people read it."""
    whole, part = divmod(abs(cents), 100)
    more = " or more" if abs(cents) >= LARGEST_SUM else ""
    return f"{'−' if cents < 0 else ''}${whole:,}.{part:02}{more}"
