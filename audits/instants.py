"""Instants as segments and findings files hold them: microseconds since 1970-01-01 UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date, time, tzinfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def instant(microseconds: int) -> datetime:
    """The instant that a number of microseconds stands for."""
    return EPOCH + timedelta(microseconds=microseconds)


def microseconds(at: datetime) -> int:
    """The number that stands for an instant."""
    return (at - EPOCH) // timedelta(microseconds=1)


def instants_shown(day: date, clock: time, zone: tzinfo) -> list[datetime]:
    """The instants at which the clock of a zone showed a time of a day, in order.

    Two where the clock was set back over it, none where it was set forward over it.
    """
    wanted = datetime.combine(day, clock)
    either = {wanted.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    shown = (each for each in either if each.astimezone(zone).replace(tzinfo=None) == wanted)
    return sorted(shown)
