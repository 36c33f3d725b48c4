"""Whose desk a pattern is on, and by when it is to be decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F

from audits.event_types import review as events
from audits.models import Cover, Pattern, Work
from audits.selectors.commission import commission_unit
from compliance import clock
from compliance.actor import SYSTEM, Actor
from compliance.business_days import last_day
from compliance.permissions import Action, may
from compliance.selectors.in_force import zone
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import memberships_of, without_walls
from games.judge.finding import Weight

if TYPE_CHECKING:
    from datetime import date

    from compliance.models import Party, Person

DAYS_TO_DECIDE = {Weight.MONEY: 3, Weight.PROCEDURE: 6, Weight.NOTICE: 14}
"""House rule, no law: fewer than seven count as business days."""

STALE = (
    "Somebody changed this pattern while you were looking at it. Nothing of yours was done: look "
    "at what changed, and decide anew."
)

DECIDED = "This pattern was decided: nobody has to take it up."


def due_of(pattern: Pattern) -> date:
    """The last day on which a pattern is decided in time, from the day it was opened."""
    return due_from(pattern.opened.astimezone(zone()).date(), pattern.weight)


def due_from(day: date, weight: str) -> date:
    """The last day on which what came before the agents on a day is decided in time."""
    return last_day(day, DAYS_TO_DECIDE[Weight(weight)])


def work_on(*, pattern: Pattern, unit: Party) -> Work:
    """The one row that says whose desk a pattern is on; made when it is first asked for."""
    with without_walls():
        return Work.objects.get_or_create(
            pattern=pattern, defaults={"unit": unit, "due": due_of(pattern)}
        )[0]


@transaction.atomic
def claim(*, pattern: Pattern, by: Person) -> Work:
    """Take a pattern that is on nobody's desk. Refuses one that somebody has, and names them."""
    require(by, Action.REVIEW_FINDINGS, pattern.party)
    work = work_on(pattern=pattern, unit=unit_of(by))
    with without_walls():
        if not Pattern.objects.filter(pk=pattern.pk, open=True).exists():
            raise RefusedError(DECIDED)
        free = Work.objects.filter(pk=work.pk, assigned_to=None)
        taken = free.update(assigned_to=by, assigned=clock.now(), edition=F("edition") + 1)
        work.refresh_from_db()
        if not taken and work.assigned_to != by:
            msg = f"{work.assigned_to} took this pattern before you."
            raise RefusedError(msg)
        if taken:
            record(events.CLAIMED, by=by, about=pattern, party=pattern.party,
                   carries={"due": work.due.isoformat()})  # fmt: skip
    return work


@transaction.atomic
def assign(*, pattern: Pattern, to: Person | None, by: Person, edition: int | None = None) -> Work:
    """Give a pattern to somebody, or to nobody.

    Whoever has it may hand it over; anybody else's is a supervisor's to give. Refuses somebody who
    may not review, and a page that was overtaken.
    """
    require(by, Action.REVIEW_FINDINGS, pattern.party)
    work = work_on(pattern=pattern, unit=unit_of(by))
    if work.assigned_to == to and edition in (None, work.edition - 1):
        return work  # a double click
    if edition is not None and edition != work.edition:
        raise RefusedError(STALE)
    action = Action.REVIEW_FINDINGS if work.assigned_to == by else Action.ASSIGN_FINDINGS
    require(by, action, pattern.party)
    if to is not None and not may(memberships_of(to), Action.REVIEW_FINDINGS, pattern.party):
        msg = f"{to} does not review findings. Choose an agent or a supervisor."
        raise RefusedError(msg)
    with without_walls():
        held = Work.objects.filter(pk=work.pk, edition=work.edition)
        if not held.update(
            assigned_to=to, assigned=clock.now() if to else None, edition=F("edition") + 1
        ):
            raise RefusedError(STALE)
        work.refresh_from_db()
        record(
            events.ASSIGNED,
            by=by,
            about=pattern,
            party=pattern.party,
            carries={"person": str(to.uuid) if to else "nobody"},
        )
    return work


@transaction.atomic
def escalate(*, pattern: Pattern, reason: str, by: Person) -> Work:
    """Put a pattern before the supervisors, with the reason. Refuses to do it twice."""
    require(by, Action.REVIEW_FINDINGS, pattern.party)
    _put_before_supervisors(pattern, reason, by, unit_of(by))
    return work_on(pattern=pattern, unit=unit_of(by))


def _put_before_supervisors(pattern: Pattern, reason: str, by: Person | Actor, unit: Party) -> None:
    work = work_on(pattern=pattern, unit=unit)
    with without_walls():
        done = Work.objects.filter(pk=work.pk, escalated=None).update(
            escalated=clock.now(), edition=F("edition") + 1
        )
        if not done:
            msg = "This pattern is before the supervisors already."
            raise RefusedError(msg)
        record(events.ESCALATED, by=by, about=pattern, party=pattern.party, reason=reason)


def lay_out() -> int:
    """Give every open pattern its place on the desk, also those of before there were desks."""
    with without_walls():
        bare = list(Pattern.objects.filter(open=True, work=None).order_by("pk")[:500])
        unit = commission_unit() if bare else None
        made = [Work(pattern=each, unit=unit, due=due_of(each)) for each in bare]
        Work.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


def escalate_late() -> int:
    """Put what is open past its due day before the supervisors; how many patterns."""
    with without_walls():
        late = list(
            Work.objects.filter(
                due__lt=clock.today(), escalated=None, pattern__open=True
            ).select_related("pattern__party", "unit")[:200]
        )
        for work in late:
            with transaction.atomic():
                reason = f"It was due on {work.due}."
                _put_before_supervisors(work.pattern, reason, SYSTEM, work.unit)
    return len(late)


@transaction.atomic
def arrange_cover(
    *, absent: Person, covering: Person, first: date, last: date, by: Person
) -> Cover:
    """Let somebody do an absent agent's work. One arranges one's own; a supervisor, anybody's."""
    require(by, Action.REVIEW_FINDINGS if absent == by else Action.ASSIGN_FINDINGS)
    if absent == covering:
        msg = "Nobody covers for themselves. Choose somebody else."
        raise RefusedError(msg)
    for person in (absent, covering):
        if not may(memberships_of(person), Action.REVIEW_FINDINGS):
            msg = f"{person} does not review findings. Choose an agent or a supervisor."
            raise RefusedError(msg)
    if last < first or last < clock.today():
        msg = "The last day of a cover is today or later, and not before its first day."
        raise RefusedError(msg)
    with without_walls():
        cover = Cover.objects.create(
            unit=unit_of(by), absent=absent, covering=covering, first=first, last=last
        )
        record(
            events.COVERED,
            by=by,
            carries={
                "absent": str(absent.uuid),
                "covering": str(covering.uuid),
                "first": first.isoformat(),
                "last": last.isoformat(),
            },
        )
    return cover


@transaction.atomic
def end_cover(*, cover: Cover, by: Person) -> None:
    """End a cover before its time."""
    require(by, Action.REVIEW_FINDINGS if cover.absent == by else Action.ASSIGN_FINDINGS)
    with without_walls():
        if not Cover.objects.filter(pk=cover.pk, ended=None).update(ended=clock.now()):
            msg = "This cover has ended already."
            raise RefusedError(msg)
        record(events.COVER_ENDED, by=by, carries={"absent": str(cover.absent.uuid)})


def unit_of(person: Person) -> Party:
    """The commission's unit in which somebody reviews findings."""
    held = [each for each in memberships_of(person) if may([each], Action.SEE_FINDINGS)]
    if not held:
        msg = "This is open to people of the commission alone."
        raise RefusedError(msg)
    return held[0].party
