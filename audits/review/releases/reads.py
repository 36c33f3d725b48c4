"""Queries for releases: days that wait for one, and codes that need none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.intake import events
from audits.intake.days.models import GamblingDay
from audits.replay.findings.models import Issue
from audits.review.releases.models import StandingRelease
from compliance.event_log.reads import ACTORS, describe_events
from compliance.events.models import ActorKind, Event
from games.checks import CODES
from games.checks.other_codes import SETTLEMENTS

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from compliance.access.models import Party


STANDS_UNLESS_ENDED = "night."
SINGLE_RESULTS = {f"settlement.{key}" for key in SETTLEMENTS}
"""Codes with this prefix are released automatically unless their standing release was ended."""


@dataclass(frozen=True)
class StandingCode:
    """A code whose findings are released to an operator automatically."""

    code: str
    since: datetime | None
    """None if this is the default from the beginning."""
    by: str


@dataclass(frozen=True)
class StandingChange:
    """The start or end of a standing release."""

    at: datetime
    code: str
    by: str
    stands: bool


def days_to_release() -> QuerySet[GamblingDay]:
    """Return closed days whose report is not released to the operator, newest first."""
    waiting = GamblingDay.objects.filter(state=GamblingDay.State.CLOSED, released__isnull=True)
    return waiting.select_related("party", "current").order_by("-day", "party__name")


def is_released_as_it_comes(party: Party, code: str) -> bool:
    """Return whether a code's findings are released to an operator automatically."""
    latest = StandingRelease.objects.filter(party=party, code=code).order_by("id").last()
    return code.startswith(STANDS_UNLESS_ENDED) if latest is None else latest.ended is None


def standing_releases(party: Party) -> list[StandingCode]:
    """Return what is released to an operator automatically, since when, and by whose decision."""
    latest = {
        each.code: each for each in StandingRelease.objects.filter(party=party).order_by("id")
    }
    by = {change.code: change.by for change in reversed(standing_changes(party))}
    unsaid = [c for c in CODES if c.startswith(STANDS_UNLESS_ENDED) and c not in latest]
    given = [each for each in latest.values() if each.ended is None]
    stands = [StandingCode(each.code, each.since, by.get(each.code, "")) for each in given]
    return sorted(
        [*stands, *(StandingCode(c, None, "") for c in unsaid)], key=lambda each: each.code
    )


def codes_known(party: Party) -> list[str]:
    """Return all finding codes, including those of an operator's issues."""
    found = Issue.objects.filter(party=party).order_by().values_list("code", flat=True)
    return sorted({*(CODES - SINGLE_RESULTS), *found.distinct()})


def standing_changes(party: Party) -> list[StandingChange]:
    """Return all changes of an operator's standing releases, newest first."""
    return [
        StandingChange(
            event.at, event.payload["code"], _actor(event), stands=event.payload["stands"] == "yes"
        )
        for event in _events(party, events.STANDING_RELEASE.name)
    ]


def who_released(day: GamblingDay) -> str:
    """Return who released the report of a day; empty if nobody did."""
    event = _events(day.party, events.DAY_RELEASED.name).filter(payload__day=str(day.day)).first()
    return _actor(event) if event else ""


def _events(party: Party, kind: str) -> QuerySet[Event]:
    found = Event.objects.filter(party=party.uuid, type=kind).order_by("-id")
    return found.select_related("personal", "placed")


def _actor(event: Event) -> str:
    named: str = (
        describe_events([event])[0].private.get("actor") or ACTORS[ActorKind(event.actor_kind)]
    )
    return named
