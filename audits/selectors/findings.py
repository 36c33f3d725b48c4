"""All findings that stand, one by one, from the files: what the database shows is only the first.

A day's findings are those of its current replay, and what the day itself lacks (`night.*`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from audits.instants import instant
from audits.marks import Key
from audits.models import Finding, GamblingDay, PatternNight, ReplaySegment
from audits.selectors.share_files import findings_of
from compliance.clock import told
from compliance.selectors.in_force import zone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from django.db.models import QuerySet

    from compliance.models import Party

TOLD = ("code", "seat", "wager", "logged", "expected", "delta", "cites")
FIELDS = (
    *("operator", "day", "game", "table", "round", "at"),
    *TOLD,
    *("pattern", "replay"),
)


def days_judged(
    *, operator: Party | None = None, day: date | None = None
) -> QuerySet[GamblingDay, GamblingDay]:
    """Gambling days, by day and operator, of one or all of either."""
    found = GamblingDay.objects.select_related("party", "current").order_by("day", "party__code")
    if operator is not None:
        found = found.filter(party=operator)
    if day is not None:
        found = found.filter(day=day)
    return found


def findings(*, operator: Party | None = None, day: date | None = None) -> Iterator[dict[str, Any]]:
    """Every finding that stands: by day and operator, in the order of the files."""
    for each in days_judged(operator=operator, day=day).iterator(chunk_size=100):
        yield from _of_rounds(each)
        yield from _of_the_day(each)


def shares_of(day: GamblingDay) -> QuerySet[ReplaySegment, ReplaySegment]:
    """The shares in which a day's current findings lie, in order."""
    return (
        ReplaySegment.objects.filter(replay=day.current_id, segment__day=day.day)
        .select_related("segment__party", "replay")
        .order_by("position")
    )


def _of_rounds(day: GamblingDay) -> Iterator[dict[str, Any]]:
    if day.current is None:
        return
    patterns = _patterns(day)
    common = {"operator": day.party.code, "day": str(day.day), "replay": str(day.current.uuid)}
    for share in shares_of(day):
        with findings_of(share) as lines:
            for line in lines:
                finding = orjson.loads(line)
                finding |= common
                finding["at"] = told(instant(finding["at"]), zone())
                finding["pattern"] = patterns.get(Key.of(finding))
                yield {name: finding[name] for name in FIELDS}


def _patterns(day: GamblingDay) -> dict[Key, str]:
    nights = PatternNight.objects.filter(
        pattern__party=day.party, day=day.day, replay__isnull=False
    ).select_related("pattern")
    return {
        Key(each.game, each.table, each.code, each.wager, each.line): str(each.uuid)
        for each in (night.pattern for night in nights)
    }


def _of_the_day(day: GamblingDay) -> Iterator[dict[str, Any]]:
    lacking = (
        Finding.objects.filter(pattern__party=day.party, day=day.day, replay__isnull=True)
        .exclude(standing=Finding.Standing.GONE)
        .select_related("pattern")
        .order_by("pk")
    )
    for finding in lacking:
        pattern = finding.pattern
        yield {
            "operator": day.party.code,
            "day": str(day.day),
            "game": pattern.game or None,
            "table": pattern.table or None,
            "round": None,
            "at": told(finding.at, zone()) if finding.at else None,
            "code": pattern.code,
            "seat": None,
            "wager": None,
            "logged": finding.logged,
            "expected": finding.expected,
            "delta": finding.delta,
            "cites": finding.cites,
            "pattern": str(pattern.uuid),
            "replay": None,
        }
