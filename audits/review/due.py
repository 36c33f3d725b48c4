"""Pending work for operators and the commission."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.formats import date_format

from audits.intake.days.models import GamblingDay
from audits.intake.models import Submission
from audits.intake.reads import current_segments
from audits.replay.findings.models import Issue, IssueNight
from audits.replay.findings.wording import describe_title
from audits.review.issues.models import Work
from audits.review.issues.questions import waiting_for_an_answer, with_deadline
from audits.review.visits.models import VisitPlan
from compliance import clock
from compliance.access.permissions import Action
from compliance.notifications.due_dates import Due
from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from compliance.access.models import Party


NO_LOG = "night.no_log"
MOST = 20


def questions_due(party: Party) -> Iterator[Due]:
    """Yield the commission's unanswered questions by deadline."""
    waiting = waiting_for_an_answer().filter(party=party)
    for each in with_deadline(waiting)[:MOST]:
        where = f" at {each.table}" if each.table else ""
        yield Due(
            says=f"Answer the commission: {describe_title(each)}{where}",
            on=each.until,  # type: ignore[attr-defined]
            action=Action.ANSWER_QUESTIONS,
            url_name="issue",
            args=(str(each.uuid),),
        )


def logs_due(party: Party) -> Iterator[Due]:
    """Yield the days whose logs are still due and the days whose logs are missing."""
    now = clock.now()
    open_days = GamblingDay.objects.filter(party=party, ends__lte=now, closes__gt=now)
    for day in open_days:
        if not current_segments(party, day=day.day):
            yield _log_of(day.day, timezone.localtime(day.closes))
    missing = IssueNight.objects.filter(
        issue__party=party,
        issue__code=NO_LOG,
        issue__state__in=(Issue.State.NEW, Issue.State.UNDER_REVIEW),
        findings__gt=0,
    )
    for night in missing.order_by("-day")[:MOST]:
        closed = GamblingDay.objects.filter(party=party, day=night.day).first()
        yield _log_of(night.day, timezone.localtime(closed.closes) if closed else None)


def submissions_due(party: Party) -> Iterator[Due]:
    """Yield submissions that are incomplete."""
    for each in Submission.objects.filter(party=party, state=Submission.State.RECEIVING)[:MOST]:
        yield Due(
            says=f"Finish submitting {each.name}: part of it is missing",
            action=Action.SUBMIT_ROUNDS,
            url_name="submission_run",
            args=(str(each.uuid),),
        )


def restitution_due(party: Party) -> Iterator[Due]:
    """Yield restitution still to be paid for days whose findings were released."""
    from audits.review.restitution.reads import days_with_restitution

    owing = [each for each in days_with_restitution(party) if each.left]
    for each in sorted(owing, key=lambda it: it.due)[:MOST]:
        yield Due(
            says=f"Pay players {in_dollars(each.left)} of {date_format(each.day, 'F j, Y')}, and "
            "confirm it",
            on=each.due,
            action=Action.CONFIRM_RESTITUTION,
            url_name="restitution",
            args=(party.code, f"{each.day:%Y-%m-%d}"),
        )


def _log_of(day: date, closes: datetime | None) -> Due:
    until = f", by {date_format(closes, 'g:i A')}" if closes else ""
    return Due(
        says=f"Submit the round log of {date_format(day, 'F j, Y')}{until}",
        on=closes.date() if closes else None,
        action=Action.SUBMIT_ROUNDS,
        url_name="submission",
    )


def issues_due(unit: Party) -> Iterator[Due]:
    """Yield a unit's counts of unassigned, proposed and escalated issues."""
    left = Work.objects.filter(unit=unit, issue__open=True).aggregate(
        free=Count("pk", filter=Q(assigned_to=None)),
        escalated=Count("pk", filter=Q(escalated__isnull=False)),
        proposed=Count("issue__proposal"),
    )
    if free := left["free"]:
        says = "1 issue is unassigned" if free == 1 else f"{free:,} are unassigned"
        yield Due(
            says=f"Choose an issue and assign it to yourself: {says}",
            action=Action.REVIEW_FINDINGS,
            url_name="work",
            query="whose=unit&queue=nobody",
        )
    if proposed := left["proposed"]:
        yield Due(
            says=f"Approve or reject what colleagues proposed: {proposed:,} "
            f"{'decision waits' if proposed == 1 else 'decisions wait'} for a second person",
            action=Action.REVIEW_FINDINGS,
            url_name="work",
            query="whose=unit&due=proposed",
        )
    if escalated := left["escalated"]:
        yield Due(
            says=f"Look at what was escalated to the supervisors: {escalated:,}",
            action=Action.ASSIGN_FINDINGS,
            url_name="work",
            query="whose=unit&due=escalated",
        )


def visits_due(unit: Party) -> Iterator[Due]:
    """Yield visits that the unit planned."""
    planned = VisitPlan.objects.filter(unit=unit, visit=None, canceled=None)
    for plan in planned.select_related("party")[:MOST]:
        yield Due(
            says=f"Visit {plan.party}",
            on=plan.day,
            action=Action.VISIT,
            url_name="visits",
        )


def all_due(party: Party) -> Iterator[Due]:
    """Yield all pending work."""
    for source in (
        questions_due,
        logs_due,
        restitution_due,
        submissions_due,
        issues_due,
        visits_due,
    ):
        yield from source(party)
