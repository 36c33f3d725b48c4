"""Notifications about filings: for the people concerned and those who act next."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.timezone import localtime

from compliance.access.permissions import Action
from compliance.access.reads import who_may
from compliance.filings.controls import events as controls
from compliance.filings.controls.models import ControlsFiling
from compliance.filings.controls.presentation import describe_controls
from compliance.filings.requests import events as approvals
from compliance.filings.requests.models import Approval, GameRequest
from compliance.filings.requests.presentation import describe_request
from compliance.notifications.kinds import (
    NoticeKind,
    Notification,
    Occurrence,
    Way,
    notice_kind,
    notifies_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from compliance.access.models import Membership
    from compliance.filings.controls.models import ControlsVersion


DECIDED = notice_kind(
    NoticeKind(
        name="filing_decided",
        label="A filing of yours was decided, returned or taken up",
        mail="There is news of a filing.",
        action=Action.SEE_FILINGS,
        usual=Way.AT_ONCE,
        for_programs=True,
    )
)
COMMENTED = notice_kind(
    NoticeKind(
        name="filing_commented",
        label="A new comment on a filing",
        mail="A filing was commented on.",
        action=Action.SEE_FILINGS,
        usual=Way.DAILY,
    )
)
WAITS = notice_kind(
    NoticeKind(
        name="filing_waits",
        label="A filing waits for you",
        mail="A filing waits for you.",
        action=Action.SEE_FILINGS,
        usual=Way.DAILY,
    )
)
State = GameRequest.State
APPROVED = {
    ControlsFiling.State.APPROVED.label.lower(),
    ControlsFiling.State.APPROVED_VERBALLY.label.lower(),
}
ANNOUNCED = {State.SUBMITTED, State.SUBSTANTIAL_INTEREST, State.CONCURRENCE_SOUGHT}
"""The states in which a request comes to other people, who are notified."""


@notifies_of(approvals.REQUESTED, approvals.MOVED)
def notify_about_request(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the filer of the request's state, and those who act next."""
    request: GameRequest = occurrence.about
    filing = describe_request(request)
    yield Notification(
        kind=DECIDED,
        to=who_may(Action.SEE_FILINGS, filing.party),
        says=f"{filing.name}: {filing.state.lower()}.",
        link=filing.url,
        programs=[filing.party],
        numbers={"request": request.uuid},
    )
    if request.state in ANNOUNCED and filing.action is not None:
        is_agency = filing.action == Action.DECIDE_AS_AGENCY
        yield Notification(
            kind=WAITS,
            to=who_may(filing.action, filing.party.agency if is_agency else None),
            says=f"{filing.name}: {filing.state.lower()}. {filing.next_step}.",
            link=filing.url,
        )


@notifies_of(approvals.COMMENTED)
def notify_about_request_comment(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the other side: reviewers of the filer's comments, the filer of theirs."""
    comment = occurrence.about
    request: GameRequest = comment.request
    filing = describe_request(request)
    theirs = comment.by_party_id == request.asked_by_id
    yield Notification(
        kind=COMMENTED,
        to=_reviewers(request) if theirs else who_may(Action.SEE_FILINGS, occurrence.party),
        says=f"{comment.by_party} commented on {filing.name}.",
        link=filing.url,
    )


def _reviewers(request: GameRequest) -> QuerySet[Membership]:
    """Return a request's reviewers: the commission, or for a tribal operation first its agency."""
    agency = request.asked_by.agency
    if agency is None or request.state == State.CONCURRENCE_SOUGHT:
        return who_may(Action.REVIEW_GAMES)
    return who_may(Action.DECIDE_AS_AGENCY, agency)


@notifies_of(controls.SUBMITTED)
def notify_about_submitted_controls(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the reviewers of a pending version."""
    filing = describe_controls(occurrence.about)
    says = f"{filing.name}: {filing.state.lower()}. {filing.next_step}."
    yield Notification(kind=WAITS, to=who_may(Action.REVIEW_CONTROLS), says=says, link=filing.url)


@notifies_of(controls.RETURNED)
def notify_about_returned_controls(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the operator when an answer is due."""
    due = date.fromisoformat(occurrence.carries["due"])
    yield _of_controls(occurrence, f"returned with comments; an answer is due by {due:%b %-d, %Y}.")


@notifies_of(controls.DECIDED)
def notify_about_decided_controls(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the operator of the decision."""
    version: ControlsVersion = occurrence.about
    state, since = occurrence.carries["state"], ""
    given = Approval.objects.filter(subject=version.uuid).order_by("at", "id").last()
    if given is not None and state in APPROVED:
        from_ = date_format(localtime(given.in_effect_from), "N j, Y, g:i A")
        since = f"; in effect from {from_}"
    yield _of_controls(occurrence, f"{state}{since}.")


@notifies_of(controls.COMMENTED)
def notify_about_controls_comment(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the other side, as for a request."""
    comment = occurrence.about
    filing = describe_controls(comment.version)
    theirs = comment.by_party_id == comment.version.operator_id
    yield Notification(
        kind=COMMENTED,
        to=who_may(Action.REVIEW_CONTROLS)
        if theirs
        else who_may(Action.SEE_CONTROLS, occurrence.party),
        says=f"{comment.by_party} commented on {filing.name}.",
        link=filing.url,
    )


def _of_controls(occurrence: Occurrence, what: str) -> Notification:
    version: ControlsVersion = occurrence.about
    filing = describe_controls(version)
    return Notification(
        kind=DECIDED,
        to=who_may(Action.SEE_CONTROLS, occurrence.party),
        says=f"{filing.name}: {what}",
        link=filing.url,
        programs=[filing.party],
        numbers={"controls_version": version.uuid},
    )
