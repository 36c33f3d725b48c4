"""Sums that the database makes of kept cents, held as their parts are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import F, Sum
from django.db.models.functions import Least

from games.cents import LARGEST_SUM

if TYPE_CHECKING:
    from django.db.models.expressions import Combinable

PORTION: Final = 10**9


def sum_of_cents(name: str) -> Combinable:
    """The sum of a column of amounts that are not negative; 0 of no rows.

    It is made in two portions: SQLite refuses a sum beyond 64 bits, and so a page that shows one.
    """
    portions = Sum(F(name) / PORTION, default=0)
    rest = Sum(F(name) % PORTION, default=0)
    return Least(Least(portions, LARGEST_SUM // PORTION) * PORTION + rest, LARGEST_SUM)
