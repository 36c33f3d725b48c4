"""Sums of cents, clamped to a bound that no night of play comes near.

A hostile log may contain amounts whose sum doesn't fit any database integer; it must not stop a
night. Anything beyond the bound is stored as the bound and shown as "or more". Amounts of one sign
add up to the same sum in any order and in any portions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

LARGEST_SUM: Final = 10**18
"""Ten quadrillion dollars. The sum of two still fits a 64-bit integer."""


def clamp_cents(cents: int) -> int:
    """Return an amount clamped to the bound, as stored."""
    return max(-LARGEST_SUM, min(cents, LARGEST_SUM))


def in_dollars(cents: int) -> str:
    """Return an amount in dollars for people to read."""
    whole, part = divmod(abs(cents), 100)
    more = " or more" if abs(cents) >= LARGEST_SUM else ""
    return f"{'−' if cents < 0 else ''}${whole:,}.{part:02}{more}"


def in_decimals(value: Fraction | float) -> str:
    """Write a number with eight digits after the point."""
    scaled = round(Fraction(value) * 10**8)
    whole, rest = divmod(abs(scaled), 10**8)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:08}"
