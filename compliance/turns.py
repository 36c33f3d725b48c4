"""Turns of whoever may ask only so often: counted in the row of who asks, by one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import F, Value
from django.db.models.functions import Greatest

from compliance import clock

if TYPE_CHECKING:
    from django.db.models import QuerySet


def take_turn(row: QuerySet[Any], *, a_minute: int, at_once: int, **noted: Any) -> float:
    """Count one request of a row: 0 where it may go on, else the seconds to wait.

    One conditional UPDATE, so that processes which count at the same time count right: the row
    says in `due` up to when the allowance is used up, and a request moves that by its share of a
    minute. `noted` is kept of a request that may go on.
    """
    share = 60_000_000 // a_minute
    now = int(clock.now().timestamp() * 1_000_000)
    left = now + (at_once - 1) * share
    if row.filter(due__lte=left).update(due=Greatest(F("due"), Value(now)) + share, **noted):
        return 0.0
    due: int = row.values_list("due", flat=True).get()
    return max((due - left) / 1_000_000, 0.001)
