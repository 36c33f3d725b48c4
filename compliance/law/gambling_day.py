"""The gambling day: from cut-off to cut-off, without gap or overlap. Pure.

A day begins when the local clock shows the cut-off of the controls in effect at that instant. If
controls change so that neither the old nor the new cut-off is reached, the day begins with the
change: the new cut-off lengthens or shortens one day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from zoneinfo import ZoneInfo


DAY = timedelta(days=1)


@dataclass(frozen=True)
class CutOff:
    """A cut-off and the instant from which it applies."""

    since: datetime
    at: time


def day_start(day: date, cut_offs: Sequence[CutOff], zone: ZoneInfo) -> datetime:
    """Return the instant when a gambling day begins; `cut_offs` is in chronological order.

    The first cut-off also applies before its date: days are counted before controls begin.
    """
    reached = []
    for number, cut_off in enumerate(cut_offs):
        instant = datetime.combine(day, cut_off.at, zone).astimezone(UTC)
        since = cut_off.since if number else datetime.min.replace(tzinfo=UTC)
        until = cut_offs[number + 1].since if number + 1 < len(cut_offs) else None
        if since <= instant and (until is None or instant < until):
            reached.append(instant)
    if reached:
        return min(reached)
    # Neither is reached: the old one would come after the change, the new one came before it.
    return next(
        change.since.astimezone(UTC)
        for change in cut_offs[1:]
        if datetime.combine(day, change.at, zone) < change.since
        and datetime.combine(day + DAY, time(0), zone) > change.since
    )


def gambling_day(at: datetime, cut_offs: Sequence[CutOff], zone: ZoneInfo) -> date:
    """Return the gambling day of an instant."""
    day = at.astimezone(zone).date()
    while at < day_start(day, cut_offs, zone):
        day -= DAY
    while at >= day_start(day + DAY, cut_offs, zone):
        day += DAY
    return day
