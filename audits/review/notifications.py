"""Notifications of logs, findings and questions; operators only hear of what was released."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import reverse

from audits.intake import events as intake_events
from audits.replay import events as replay_events
from audits.replay.findings.models import Issue
from audits.replay.findings.wording import describe_title, title_of
from audits.review import events as review_events
from audits.review.issues.models import Decision, Work
from audits.review.issues.questions import ASK_STEP, questions_on
from audits.review.issues.steps import CLOSED, OUTCOMES, STEPS
from compliance.access.permissions import Action, may
from compliance.access.reads import commission_units, who_may
from compliance.notifications.due_dates import DueDate, due_dates_from
from compliance.notifications.kinds import (
    Notification,
    Occurrence,
    Way,
    notice_kind,
    notifies_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from audits.review.disclosures.models import Disclosure
    from compliance.access.models import Membership, Person

QUESTION = notice_kind(
    "question",
    "The commission asked you a question",
    mail="The commission asked you a question.",
    action=Action.ANSWER_QUESTIONS,
    usual=Way.AT_ONCE,
    for_programs=True,
)
ANSWER = notice_kind(
    "answer",
    "An operator answered your question",
    mail="A question was answered.",
    action=Action.REVIEW_FINDINGS,
    usual=Way.AT_ONCE,
    for_programs=True,
)
GIVEN = notice_kind(
    "issue_given",
    "An issue was assigned to you",
    mail="An issue was assigned to you.",
    action=Action.REVIEW_FINDINGS,
    usual=Way.AT_ONCE,
)
PROPOSED = notice_kind(
    "decision_proposed",
    "A decision needs a second approval, or yours was rejected",
    mail="A decision needs a second approval.",
    action=Action.REVIEW_FINDINGS,
    usual=Way.DAILY,
)
LATE = notice_kind(
    "issue_late",
    "An issue was escalated or is overdue",
    mail="An issue was escalated.",
    action=Action.REVIEW_FINDINGS,
    usual=Way.DAILY,
)
RELEASED = notice_kind(
    "findings_released",
    "Findings were released to you",
    mail="Findings were released to you.",
    action=Action.SEE_RELEASED,
    usual=Way.AT_ONCE,
    for_programs=True,
)
OUTCOME = notice_kind(
    "outcome",
    "The commission decided on a finding that was released to you",
    mail="The commission decided on a finding.",
    action=Action.SEE_RELEASED,
    usual=Way.AT_ONCE,
    for_programs=True,
)
RESTITUTION = notice_kind(
    "restitution",
    "Players are owed money under released findings",
    mail="Players are owed money.",
    action=Action.CONFIRM_RESTITUTION,
    usual=Way.AT_ONCE,
    for_programs=True,
)
REJECTED = notice_kind(
    "log_rejected",
    "A round log, or some of its lines, was rejected",
    mail="A round log, or some of its lines, was rejected.",
    action=Action.SUBMIT_ROUNDS,
    usual=Way.AT_ONCE,
    for_programs=True,
)
ACCEPTED = notice_kind(
    "log_registered",
    "A round log was accepted",
    mail="A round log was accepted.",
    action=Action.SUBMIT_ROUNDS,
    usual=Way.NEVER,
    for_programs=True,
)
SET_ASIDE = notice_kind(
    "game_set_aside",
    "A game of a night could not be audited",
    mail="A game of a night could not be audited.",
    action=Action.REPLAY,
    usual=Way.AT_ONCE,
)
DISCLOSED = notice_kind(
    "disclosure",
    "An operator reported an irregularity",
    mail="An operator reported an irregularity.",
    action=Action.REVIEW_FINDINGS,
    usual=Way.DAILY,
    for_programs=True,
)


@notifies_of(replay_events.GAME_SET_ASIDE)
def of_game_set_aside(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify those who replay rounds that a game's terms cannot be built."""
    carried = occurrence.carries
    yield Notification(
        kind=SET_ASIDE,
        to=who_may(Action.REPLAY),
        says=f"{carried['game']} of {carried['day']} at {occurrence.party} was not audited: "
        f"{carried['why']}",
        link=reverse("replay", args=[carried["replay"]]),
    )


@notifies_of(review_events.DECIDED)
def of_decision(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the operator of a question on a released issue, and of what it came to."""
    decision: Decision = occurrence.about
    issue = decision.issue
    if issue.released is None:
        return
    if decision.step == ASK_STEP:
        yield _question(issue, decision.until)
    elif STEPS[decision.step].closes or decision.was in CLOSED:
        says = OUTCOMES[Issue.State(decision.state)].says
        yield Notification(
            kind=OUTCOME,
            to=who_may(Action.SEE_RELEASED, issue.party),
            says=f"{says}: {_named(issue)}.",
            link=reverse("issue", args=[issue.uuid]),
            programs=[issue.party],
            numbers={"issue": issue.uuid},
        )


@notifies_of(intake_events.ISSUE_RELEASED)
def of_release(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the operator and its agency, and of the question that waited for the release."""
    issue: Issue = occurrence.about
    standing = occurrence.carries["standing"] == "yes"
    for party in filter(None, (issue.party, issue.party.agency)):
        yield Notification(
            kind=RELEASED,
            to=who_may(Action.SEE_RELEASED, party),
            says="New findings are released to you automatically."
            if standing
            else f"Findings were released to you: {_named(issue)}.",
            link=reverse("issues") if standing else reverse("issue", args=[issue.uuid]),
            programs=[party],
            numbers={"issue": issue.uuid},
        )
    if _is_owed(issue):
        yield _restitution(issue)
    asked = questions_on(issue)
    if issue.state == Issue.State.INFORMATION_REQUESTED and asked:
        yield _question(issue, asked[0].until)


@notifies_of(intake_events.DAY_RELEASED)
def of_released_day(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the operator that the report of a day is available to it."""
    day = date.fromisoformat(occurrence.carries["day"])
    yield Notification(
        kind=RELEASED,
        to=who_may(Action.SEE_RELEASED, occurrence.party),
        says=f"The report of the gambling day {day:%b %-d, %Y} was released to you.",
        link=reverse("reports"),
        programs=[occurrence.party] if occurrence.party else [],
    )


@notifies_of(review_events.ANSWERED)
def of_answer(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the person who asked and the current assignee."""
    issue: Issue = occurrence.about.issue
    asked = Decision.objects.filter(issue=issue, step=ASK_STEP).values("by")
    who = Q(person__uuid__in=asked) | Q(person__work__issue=issue)
    yield Notification(
        kind=ANSWER,
        to=who_may(Action.REVIEW_FINDINGS).filter(who).distinct(),
        says=f"{issue.party} answered your question: {_named(issue)}.",
        link=reverse("issue", args=[issue.uuid]),
        programs=commission_units(),
        numbers={"issue": issue.uuid},
    )


@notifies_of(review_events.PROPOSED)
def of_proposal(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify everyone who could approve the proposal."""
    issue: Issue = occurrence.about
    yield Notification(
        kind=PROPOSED,
        to=who_may(Action.REVIEW_FINDINGS),
        says=f"A decision needs your second approval, at {issue.party}: {_named(issue)}.",
        link=reverse("issue", args=[issue.uuid]),
    )


@notifies_of(review_events.PROPOSAL_REFUSED)
def of_refused_proposal(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the proposer of the refusal and its reason."""
    issue: Issue = occurrence.about
    yield Notification(
        kind=PROPOSED,
        to=who_may(Action.REVIEW_FINDINGS).filter(person=issue.proposal.by),
        says=f"Your proposal at {issue.party} was rejected: {_named(issue)}. "
        f"{occurrence.event.reason}",
        link=reverse("issue", args=[issue.uuid]),
    )


@notifies_of(review_events.ASSIGNED)
def of_assignment(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the new assignee of an issue."""
    issue: Issue = occurrence.about
    given_to = occurrence.carries["person"]
    if given_to != "nobody":
        yield Notification(
            kind=GIVEN,
            to=who_may(Action.REVIEW_FINDINGS).filter(person__uuid=given_to),
            says=" ".join(
                filter(None, (f"Assigned to you: {title_of(issue)}.", occurrence.event.reason))
            ),
            link=reverse("issue", args=[issue.uuid]),
        )


@notifies_of(review_events.ESCALATED)
def of_escalation(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the supervisors and the assignee."""
    issue: Issue = occurrence.about
    supervisors = Q(pk__in=who_may(Action.ASSIGN_FINDINGS).values("pk"))
    who = supervisors | Q(person__work__issue=issue)
    yield Notification(
        kind=LATE,
        to=who_may(Action.REVIEW_FINDINGS).filter(who).distinct(),
        says=f"Escalated to supervisors: {_named(issue)} at {issue.party}. "
        f"{occurrence.event.reason}",
        link=reverse("issue", args=[issue.uuid]),
    )


@notifies_of(review_events.DISCLOSED)
def of_disclosure(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the agents."""
    disclosure: Disclosure = occurrence.about
    yield Notification(
        kind=DISCLOSED,
        to=who_may(Action.REVIEW_FINDINGS),
        says=f"{disclosure.party} reported an irregularity of {disclosure.day:%b %-d, %Y}.",
        link=reverse("disclosure", args=[disclosure.uuid]),
        programs=commission_units(),
        numbers={"disclosure": disclosure.uuid},
    )


@notifies_of(intake_events.REGISTERED)
def of_registered_log(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify programs of a log, and its submitters of rejected lines."""
    number, parties = (
        {"round_log": occurrence.about.uuid},
        [occurrence.party] if occurrence.party else [],
    )
    link = reverse("round_log", args=[occurrence.about.uuid])
    yield Notification(
        kind=ACCEPTED,
        to=who_may(Action.SUBMIT_ROUNDS, occurrence.party),
        says=f"{occurrence.carries['name']} is on file.",
        link=link,
        programs=parties,
        numbers=number,
    )
    rejected = occurrence.carries["rejected"]
    if rejected:
        says = (
            f"{rejected:,} of {occurrence.carries['lines']:,} lines of {occurrence.carries['name']}"
        )
        yield Notification(
            kind=REJECTED,
            to=who_may(Action.SUBMIT_ROUNDS, occurrence.party),
            says=f"{says} were rejected.",
            link=link,
            actor_too=True,
            programs=parties,
            numbers=number,
        )


@notifies_of(intake_events.REFUSED)
def of_refused_log(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify submitters of a log that was refused."""
    yield Notification(
        kind=REJECTED,
        to=who_may(Action.SUBMIT_ROUNDS, occurrence.party),
        says=f"{occurrence.carries['name']} was rejected: {occurrence.event.reason}",
        link=reverse("submission_run", args=[occurrence.about.uuid]),
        actor_too=True,
        programs=[occurrence.party] if occurrence.party else [],
        numbers={"submission": occurrence.about.uuid},
    )


@due_dates_from
def issues_due(person: Person, memberships: Collection[Membership]) -> Iterable[DueDate]:
    """Yield the open issues in a person's own queue."""
    units = [each.party_id for each in memberships if may([each], Action.REVIEW_FINDINGS)]
    if not units:
        return
    work = Work.objects.filter(assigned_to=person, issue__open=True, unit__in=units)
    for each in work.select_related("issue"):
        yield DueDate(
            key=f"issue-{each.issue.uuid}",
            on=each.due,
            says=f"Decide: {_named(each.issue)}",
            outside="Decide an issue in your queue",
            link=reverse("issue", args=[each.issue.uuid]),
            party=each.unit_id,
        )


def _question(issue: Issue, until: date | None) -> Notification:
    by = f" Answer by {until:%b %-d, %Y}." if until else ""
    return Notification(
        kind=QUESTION,
        to=who_may(Action.ANSWER_QUESTIONS, issue.party),
        says=f"The commission has a question about this: {_named(issue)}.{by}",
        link=reverse("issue", args=[issue.uuid]),
        programs=[issue.party],
        numbers={"issue": issue.uuid},
    )


def _restitution(issue: Issue) -> Notification:
    """Say where and by when it is paid: the one day, or the list of days."""
    from audits.review.restitution.reads import due_of

    days = list(
        issue.nights.filter(findings__gt=0, under__gt=0)
        .order_by("day")
        .values_list("day", flat=True)
    )
    until = by = ""
    if days and issue.released is not None:
        until = f" Payment is due by {due_of(days[0], issue.released):%b %-d, %Y}."
    if len(days) == 1:
        by = reverse("restitution", args=[issue.party.code, f"{days[0]:%Y-%m-%d}"])
    return Notification(
        kind=RESTITUTION,
        to=who_may(Action.CONFIRM_RESTITUTION, issue.party),
        says=f"Players were underpaid: {_named(issue)}.{until}",
        link=by or reverse("restitution_days"),
        programs=[issue.party],
        numbers={"issue": issue.uuid},
    )


def _is_owed(issue: Issue) -> bool:
    """Return whether its findings mean that players were underpaid."""
    # This imports Arrow, which every starting process would load.
    from audits.review.restitution.reads import is_owed

    lacking = {"code": issue.code, "wager": issue.wager, "delta": -abs(issue.under)}
    return is_owed(lacking)


def _named(issue: Issue) -> str:
    """Describe an issue in one line: what went wrong, and where."""
    at = f", table {issue.table}" if issue.table else ""
    return f"{describe_title(issue)}{at}"
