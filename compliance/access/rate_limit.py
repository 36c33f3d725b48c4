"""Rate limits: a client's network address, and a request allowance counted in a database row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.db.models import F, Value
from django.db.models.functions import Greatest

from compliance import clock

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest


def take_turn(row: QuerySet[Any], *, a_minute: int, at_once: int, **noted: Any) -> float:
    """Count one request against a row: return 0 if it may proceed, else the seconds to wait.

    A single conditional UPDATE keeps the count right across concurrent processes: `due` is the time
    until which the allowance is used up, and each request moves it by its part of a minute. `noted`
    is saved with a request that may proceed.
    """
    interval = 60_000_000 // a_minute
    now = int(clock.now().timestamp() * 1_000_000)
    left = now + (at_once - 1) * interval
    if row.filter(due__lte=left).update(due=Greatest(F("due"), Value(now)) + interval, **noted):
        return 0.0
    due: int = row.values_list("due", flat=True).get()
    return max((due - left) / 1_000_000, 0.001)


def address_of(request: HttpRequest) -> str:
    """Return the visitor's address; empty if unknown."""
    try:
        return str(get_adapter(request).get_client_ip(request))
    except PermissionDenied:
        return ""
