"""Assignment of issues, and due dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, F, Q

from audits.commission import people_who_may, unit_of
from audits.replay.findings.models import Issue
from audits.replay.findings.wording import with_parts
from audits.review import events
from audits.review.issues.models import Cover, Decision, Work
from audits.review.issues.steps import CLOSED
from compliance import clock
from compliance.access.permissions import Action, may
from compliance.access.reads import require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.clock import zone
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM, Actor
from compliance.events.record import record
from compliance.law.business_days import last_day
from games.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.access.models import Party, Person


WEEK = timedelta(days=7)
SHIFT = timedelta(hours=12)
"""As long as a night at the card rooms, so that a shift may go past midnight."""


def in_queues() -> QuerySet[Issue]:
    """Return issues with their work, for the units in the access scope.

    Each issue has one row of work and so appears once, which makes DISTINCT unnecessary for sorting
    and paging.
    """
    units = Work.objects.order_by().values("unit").distinct()
    with without_access_scope():
        found = Issue.objects.filter(work__unit__in=units)
    return with_parts(found.select_related("party", "work__assigned_to", "proposal__by"))


def due_when(found: QuerySet[Issue], when: str) -> QuerySet[Issue]:
    """Filter work that is overdue, due soon, escalated or proposed; return all if none is given."""
    today = clock.today()
    asked: dict[str, Q] = {
        "late": Q(open=True, work__due__lt=today),
        "today": Q(work__due=today),
        "week": Q(work__due__gte=today, work__due__lte=today + WEEK),
        "escalated": Q(work__escalated__isnull=False),
        "proposed": Q(proposal__isnull=False),
    }
    return found.filter(asked[when]) if when else found


def queues_of(person: Person) -> set[int]:
    """Return the people in whose queues a person works today: their own and those they cover."""
    today = clock.today()
    covered = Cover.objects.filter(
        covering=person, ended=None, first__lte=today, last__gte=today
    ).values_list("absent", flat=True)
    return {person.pk, *covered}


def covers_of(unit: Party) -> QuerySet[Cover]:
    """Return a unit's current and future covers."""
    return (
        Cover.objects.filter(unit=unit, ended=None, last__gte=clock.today())
        .select_related("absent", "covering")
        .order_by("first", "pk")
    )


def reviewers() -> list[Person]:
    """Return everyone who currently reviews findings, by name."""
    return people_who_may(Action.REVIEW_FINDINGS)


@dataclass(frozen=True)
class Progress:
    """A person's progress in the current shift."""

    decided: int
    mine: int
    late: int
    free: int
    """Unassigned issues in the person's unit."""

    @property
    def of(self) -> int:
        """Return the person's total work in this shift."""
        return self.decided + self.mine


def progress_of(person: Person, unit: Party, queues: Collection[int]) -> Progress:
    """Count what a person decided in this shift, what is in their queues, and unassigned issues."""
    decided = (
        Decision.objects.filter(
            Q(by=person.uuid) | Q(seconded_by=person.uuid),
            at__gt=clock.now() - SHIFT,
            state__in=CLOSED,
            issue__open=False,
        )
        .order_by()
        .values("issue")
        .distinct()
        .count()
    )
    mine = Q(assigned_to__in=queues)
    left = Work.objects.filter(issue__open=True).aggregate(
        mine=Count("pk", filter=mine),
        late=Count("pk", filter=mine & Q(due__lt=clock.today())),
        free=Count("pk", filter=Q(unit=unit, assigned_to=None)),
    )
    return Progress(decided, **left)


def next_on_queue(person: Person, after: Issue) -> UUID | None:
    """Return the issue in a person's queues that is due next, other than the current one."""
    return (
        in_queues()
        .filter(open=True, work__assigned_to__in=queues_of(person))
        .exclude(pk=after.pk)
        .order_by("work__due", "pk")
        .values_list("uuid", flat=True)
        .first()
    )


DAYS_TO_DECIDE = {Severity.MONEY: 3, Severity.PROCEDURE: 6, Severity.NOTICE: 14}
"""A house rule, not a law; fewer than seven days count as business days."""

STALE = (
    "Someone else changed this issue while you were looking at it. Your change was not made: look "
    "at what changed, and decide anew."
)

DECIDED = "This issue was decided: nobody has to take it up."


def due_of(issue: Issue) -> date:
    """Return the last day to decide an issue on time, counted from when it was opened."""
    return due_from(issue.opened.astimezone(zone()).date(), issue.weight)


def due_from(day: date, weight: str) -> date:
    """Return the last day to decide on time what reached the agents on a day."""
    return last_day(day, DAYS_TO_DECIDE[Severity(weight)])


def work_on(*, issue: Issue, unit: Party) -> Work:
    """Return the single row that assigns an issue, creating it if necessary."""
    with without_access_scope():
        return Work.objects.get_or_create(
            issue=issue, defaults={"unit": unit, "due": due_of(issue)}
        )[0]


@transaction.atomic
def claim(*, issue: Issue, by: Person) -> Work:
    """Assign an unassigned issue to the caller. Refuses an assigned one and names the assignee."""
    require(by, Action.REVIEW_FINDINGS, issue.party)
    work = work_on(issue=issue, unit=unit_of(by))
    with without_access_scope():
        if not Issue.objects.filter(pk=issue.pk, open=True).exists():
            raise RefusedError(DECIDED)
        free = Work.objects.filter(pk=work.pk, assigned_to=None)
        taken = free.update(assigned_to=by, assigned=clock.now(), edition=F("edition") + 1)
        work.refresh_from_db()
        if not taken and work.assigned_to != by:
            msg = f"{work.assigned_to} took this issue before you."
            raise RefusedError(msg)
        if taken:
            record(events.CLAIMED, by=by, about=issue, party=issue.party,
                   carries={"due": work.due.isoformat()})  # fmt: skip
    return work


@transaction.atomic
def assign(
    *, issue: Issue, to: Person | None, by: Person, edition: int | None = None, note: str = ""
) -> Work:
    """Assign an issue to a person, or to nobody, with a note for them.

    The assignee may hand it over; only a supervisor may assign others' issues. Refuses a person who
    may not review, and a page that is out of date.
    """
    require(by, Action.REVIEW_FINDINGS, issue.party)
    work = work_on(issue=issue, unit=unit_of(by))
    if work.assigned_to == to and edition in (None, work.edition - 1):
        return work  # a double click
    if edition is not None and edition != work.edition:
        raise RefusedError(STALE)
    action = Action.REVIEW_FINDINGS if work.assigned_to == by else Action.ASSIGN_FINDINGS
    require(by, action, issue.party)
    if to is not None and not may(memberships_of(to), Action.REVIEW_FINDINGS, issue.party):
        msg = f"{to} does not review findings. Choose an agent or a supervisor."
        raise RefusedError(msg)
    with without_access_scope():
        held = Work.objects.filter(pk=work.pk, edition=work.edition)
        if not held.update(
            assigned_to=to, assigned=clock.now() if to else None, edition=F("edition") + 1
        ):
            raise RefusedError(STALE)
        work.refresh_from_db()
        record(
            events.ASSIGNED,
            by=by,
            about=issue,
            party=issue.party,
            reason=note.strip(),
            carries={"person": str(to.uuid) if to else "nobody"},
        )
    return work


@transaction.atomic
def escalate(*, issue: Issue, reason: str, by: Person) -> Work:
    """Escalate an issue to the supervisors, with the reason. Refuses a second escalation."""
    require(by, Action.REVIEW_FINDINGS, issue.party)
    _put_before_supervisors(issue, reason, by, unit_of(by))
    return work_on(issue=issue, unit=unit_of(by))


def _put_before_supervisors(issue: Issue, reason: str, by: Person | Actor, unit: Party) -> None:
    work = work_on(issue=issue, unit=unit)
    with without_access_scope():
        done = Work.objects.filter(pk=work.pk, escalated=None).update(
            escalated=clock.now(), edition=F("edition") + 1
        )
        if not done:
            msg = "This issue is before the supervisors already."
            raise RefusedError(msg)
        record(events.ESCALATED, by=by, about=issue, party=issue.party, reason=reason)


def escalate_late() -> int:
    """Escalate overdue issues to the supervisors; return how many."""
    with without_access_scope():
        late = list(
            Work.objects.filter(
                due__lt=clock.today(), escalated=None, issue__open=True
            ).select_related("issue__party", "unit")[:200]
        )
        for work in late:
            with transaction.atomic():
                reason = f"It was due on {work.due}."
                _put_before_supervisors(work.issue, reason, SYSTEM, work.unit)
    return len(late)


@transaction.atomic
def arrange_cover(
    *, absent: Person, covering: Person, first: date, last: date, by: Person
) -> Cover:
    """Arrange cover for an absent agent. Agents arrange their own; supervisors, anyone's."""
    require(by, Action.REVIEW_FINDINGS if absent == by else Action.ASSIGN_FINDINGS)
    if absent == covering:
        msg = "Nobody covers for themselves. Choose someone else."
        raise RefusedError(msg)
    for person in (absent, covering):
        if not may(memberships_of(person), Action.REVIEW_FINDINGS):
            msg = f"{person} does not review findings. Choose an agent or a supervisor."
            raise RefusedError(msg)
    if last < first or last < clock.today():
        msg = "The last day of a cover is today or later, and not before its first day."
        raise RefusedError(msg)
    with without_access_scope():
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
    """End a cover early."""
    require(by, Action.REVIEW_FINDINGS if cover.absent == by else Action.ASSIGN_FINDINGS)
    with without_access_scope():
        if not Cover.objects.filter(pk=cover.pk, ended=None).update(ended=clock.now()):
            msg = "This cover has ended already."
            raise RefusedError(msg)
        record(events.COVER_ENDED, by=by, carries={"absent": str(cover.absent.uuid)})
