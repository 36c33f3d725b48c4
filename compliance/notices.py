"""Who is told of filings: the party that filed, and whoever has to act next."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from compliance.event_types import approvals, controls, webhooks
from compliance.models import Approval, ControlsFiling, GameRequest
from compliance.permissions import Action
from compliance.selectors.people import who_may
from compliance.telling import Happened, NoticeKind, Telling, Way, notice_kind, tells_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from compliance.models import ControlsVersion, Membership, Webhook

DEADLINE = notice_kind(
    NoticeKind(
        name="deadline",
        label="A day comes near by which you have something to do",
        mail="Something is due soon.",
        action=Action.SEE_REPORTS,  # whoever has a part in the work; administrators have none
        usual=Way.DAILY,
    )
)
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
        label="Somebody commented on a filing",
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
STOPPED = notice_kind(
    NoticeKind(
        name="webhook_stopped",
        label="A webhook of yours was stopped",
        mail="A webhook of yours was stopped.",
        action=Action.MANAGE_KEYS,
        usual=Way.AT_ONCE,
    )
)
State = GameRequest.State
APPROVED = {
    ControlsFiling.State.APPROVED.label.lower(),
    ControlsFiling.State.APPROVED_VERBALLY.label.lower(),
}
NEXT = {
    State.SUBMITTED: Action.REVIEW_GAMES,
    State.SUBSTANTIAL_INTEREST: Action.REVIEW_INTERESTS,
    State.CONCURRENCE_SOUGHT: Action.APPROVE_GAMES,
}
"""Whose turn it is in the commission when a request comes to a state."""


@tells_of(approvals.REQUESTED, approvals.MOVED)
def of_request(happened: Happened) -> Iterable[Telling]:
    """Tell who asked where the request stands, and who is next that it waits."""
    request: GameRequest = happened.about
    state, link = State(request.state), reverse("request", args=[request.uuid])
    yield Telling(
        kind=DECIDED,
        to=who_may(Action.SEE_FILINGS, request.asked_by),
        says=f"{request}: {state.label.lower()}.",
        link=link,
        programs=[request.asked_by],
        numbers={"request": request.uuid},
    )
    agency = request.asked_by.agency
    if request.path == GameRequest.Path.TRIBAL and agency is not None and state == State.SUBMITTED:
        to = who_may(Action.DECIDE_AS_AGENCY, agency)
    elif state in NEXT:
        to = who_may(NEXT[state])
    else:
        return
    yield Telling(kind=WAITS, to=to, says=f"{request} waits: {state.label.lower()}.", link=link)


@tells_of(approvals.COMMENTED)
def of_request_comment(happened: Happened) -> Iterable[Telling]:
    """Tell the other side: of what the asker says the reviewers, of what they say the asker."""
    comment = happened.about
    request: GameRequest = comment.request
    theirs = comment.by_party_id == request.asked_by_id
    yield Telling(
        kind=COMMENTED,
        to=_reviewers(request) if theirs else who_may(Action.SEE_FILINGS, happened.party),
        says=f"{comment.by_party} commented on {request}.",
        link=reverse("request", args=[request.uuid]),
    )


def _reviewers(request: GameRequest) -> QuerySet[Membership]:
    """Who looks through a request: the commission; of a tribe's operation its agency, at first."""
    agency = request.asked_by.agency
    if agency is None or request.state == State.CONCURRENCE_SOUGHT:
        return who_may(Action.REVIEW_GAMES)
    return who_may(Action.DECIDE_AS_AGENCY, agency)


@tells_of(controls.SUBMITTED)
def of_submitted_controls(happened: Happened) -> Iterable[Telling]:
    """Tell the reviewers that a version waits."""
    version: ControlsVersion = happened.about
    link = reverse("controls_version", args=[version.uuid])
    says = f"{_named(version)} waits for review."
    yield Telling(kind=WAITS, to=who_may(Action.REVIEW_CONTROLS), says=says, link=link)


@tells_of(controls.RETURNED)
def of_returned_controls(happened: Happened) -> Iterable[Telling]:
    """Tell the operator by when an answer is due."""
    due = date.fromisoformat(happened.carries["due"])
    yield _of_controls(happened, f"came back: an answer is due by {due:%b %-d, %Y}.")


@tells_of(controls.DECIDED)
def of_decided_controls(happened: Happened) -> Iterable[Telling]:
    """Tell the operator what was decided."""
    version: ControlsVersion = happened.about
    state, since = happened.carries["state"], ""
    given = Approval.objects.filter(subject=version.uuid).order_by("at", "id").last()
    if given is not None and state in APPROVED:
        from_ = date_format(localtime(given.in_effect_from), "N j, Y, g:i A")
        since = f" and takes effect on {from_}"
    yield _of_controls(happened, f"is {state}{since}.")


@tells_of(controls.COMMENTED)
def of_controls_comment(happened: Happened) -> Iterable[Telling]:
    """Tell the other side, as of a request."""
    comment = happened.about
    version: ControlsVersion = comment.version
    theirs = comment.by_party_id == version.operator_id
    yield Telling(
        kind=COMMENTED,
        to=who_may(Action.REVIEW_CONTROLS)
        if theirs
        else who_may(Action.SEE_CONTROLS, happened.party),
        says=f"{comment.by_party} commented on {version}.",
        link=reverse("controls_version", args=[version.uuid]),
    )


@tells_of(webhooks.STOPPED)
def of_stopped_webhook(happened: Happened) -> Iterable[Telling]:
    """Tell whoever keeps what programs need."""
    webhook: Webhook = happened.about
    yield Telling(
        kind=STOPPED,
        to=who_may(Action.MANAGE_KEYS, happened.party),
        says=f"The {webhook} was stopped. {happened.event.reason}",
        link=reverse("webhooks", args=[webhook.party.code]),
    )


def _of_controls(happened: Happened, what: str) -> Telling:
    version: ControlsVersion = happened.about
    return Telling(
        kind=DECIDED,
        to=who_may(Action.SEE_CONTROLS, happened.party),
        says=f"{_named(version)} {what}",
        link=reverse("controls_version", args=[version.uuid]),
        programs=[version.operator],
        numbers={"controls_version": version.uuid},
    )


def _named(version: ControlsVersion) -> str:
    return f"Version {version.number} of the internal controls of {version.operator}"
