"""Sums that the database makes of kept cents, held as their parts are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import F, Q, Sum
from django.db.models.functions import Least

from audits.judging.whose_money import SUMS_UP, THE_HOUSES_OWN
from games.cents import LARGEST_SUM

if TYPE_CHECKING:
    from django.db.models.expressions import Combinable

PORTION: Final = 10**9


def of_players(prefix: str = "") -> Q:
    """Patterns whose money is players': see `audits.judging.whose_money`."""
    return ~Q(**{f"{prefix}code": SUMS_UP}) & ~Q(**{f"{prefix}wager": THE_HOUSES_OWN})


def sum_of_cents(name: str, of: Q | None = None) -> Combinable:
    """The sum of a column of amounts that are not negative; 0 of no rows.

    It is made in two portions: SQLite refuses a sum beyond 64 bits, and so a page that shows one.
    """
    portions = Sum(F(name) / PORTION, filter=of, default=0)
    rest = Sum(F(name) % PORTION, filter=of, default=0)
    return Least(Least(portions, LARGEST_SUM // PORTION) * PORTION + rest, LARGEST_SUM)
