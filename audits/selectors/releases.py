"""What operators are shown: days whose report waits for its release, and what needs none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.event_types import days as events
from audits.findings_in_words import OF_NO_ROUND
from audits.models import GamblingDay, Pattern, StandingRelease
from compliance.models import Event
from compliance.models.event import ActorKind
from compliance.selectors.events import SOMEBODY, tell_all
from games.story.findings import WORDS

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from compliance.models import Party

STANDS_UNLESS_ENDED = "night."
"""Codes that begin so are released as they come, unless a standing release of theirs was ended."""


@dataclass(frozen=True)
class Standing:
    """A code whose findings are shown to an operator as they come."""

    code: str
    since: datetime | None
    """None where nobody said so: it stands from the beginning."""
    by: str


@dataclass(frozen=True)
class Said:
    """That a standing release was given, or ended."""

    at: datetime
    code: str
    by: str
    stands: bool


def days_to_release() -> QuerySet[GamblingDay]:
    """Closed days whose report the operator is not shown, the newest first."""
    waiting = GamblingDay.objects.filter(state=GamblingDay.State.CLOSED, released__isnull=True)
    return waiting.select_related("party", "current").order_by("-day", "party__name")


def is_released_as_it_comes(party: Party, code: str) -> bool:
    """Whether findings of a code are shown to an operator without an agent's word."""
    said = StandingRelease.objects.filter(party=party, code=code).order_by("id").last()
    return code.startswith(STANDS_UNLESS_ENDED) if said is None else said.ended is None


def standing_releases(party: Party) -> list[Standing]:
    """What is released to an operator by itself, since when, and by whose word."""
    said = {each.code: each for each in StandingRelease.objects.filter(party=party).order_by("id")}
    by = {told.code: told.by for told in reversed(said_of_standing(party))}
    unsaid = [c for c in OF_NO_ROUND if c.startswith(STANDS_UNLESS_ENDED) and c not in said]
    given = [each for each in said.values() if each.ended is None]
    stands = [Standing(each.code, each.since, by.get(each.code, "")) for each in given]
    return sorted([*stands, *(Standing(c, None, "") for c in unsaid)], key=lambda each: each.code)


def codes_known(party: Party) -> list[str]:
    """Codes that findings can have, and those that an operator's patterns have."""
    found = Pattern.objects.filter(party=party).order_by().values_list("code", flat=True)
    return sorted({*WORDS, *OF_NO_ROUND, *found.distinct()})


def said_of_standing(party: Party) -> list[Said]:
    """What was ever said of standing releases to an operator, the newest first."""
    return [
        Said(
            event.at, event.payload["code"], _actor(event), stands=event.payload["stands"] == "yes"
        )
        for event in _events(party, events.STANDING_RELEASE.name)
    ]


def who_released(day: GamblingDay) -> str:
    """Who released the report of a day; empty where nobody did."""
    event = _events(day.party, events.DAY_RELEASED.name).filter(payload__day=str(day.day)).first()
    return _actor(event) if event else ""


def _events(party: Party, kind: str) -> QuerySet[Event]:
    found = Event.objects.filter(party=party.uuid, type=kind).order_by("-id")
    return found.select_related("personal", "placed")


def _actor(event: Event) -> str:
    named: str = tell_all([event])[0].private.get("actor") or SOMEBODY[ActorKind(event.actor_kind)]
    return named
