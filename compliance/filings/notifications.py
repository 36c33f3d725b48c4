"""Notifications about filings: for the people concerned and those who act next."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from compliance.access.permissions import Action
from compliance.access.reads import who_may
from compliance.filings.controls import events as controls
from compliance.filings.controls.content import read_content
from compliance.filings.controls.models import ControlsFiling
from compliance.filings.controls.presentation import describe_controls
from compliance.filings.controls.reads import approved_controls
from compliance.filings.games.models import RuleVersion
from compliance.filings.requests import events as approvals
from compliance.filings.requests.models import Approval, GameRequest, Withdrawal
from compliance.filings.requests.presentation import describe_request
from compliance.filings.requests.reads import approved_at_start
from compliance.notifications.kinds import (
    Notification,
    Occurrence,
    Way,
    notice_kind,
    notifies_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.db.models import QuerySet

    from compliance.access.models import Membership, Party
    from compliance.filings.controls.content import GameControls
    from compliance.filings.controls.models import ControlsVersion


DECIDED = notice_kind(
    "filing_decided",
    "Your filing was decided, returned or taken up for review",
    mail="A filing has been updated.",
    action=Action.SEE_FILINGS,
    usual=Way.AT_ONCE,
    for_programs=True,
)
COMMENTED = notice_kind(
    "filing_commented",
    "A new comment on a filing",
    mail="A filing has a new comment.",
    action=Action.SEE_FILINGS,
    usual=Way.DAILY,
)
WAITS = notice_kind(
    "filing_waits",
    "A filing needs your review",
    mail="A filing needs your review.",
    action=Action.SEE_FILINGS,
    usual=Way.DAILY,
)
VERSION_APPROVED = notice_kind(
    "version_approved",
    "A new version of a game that you offer was approved",
    mail="A new version of a game that you offer was approved.",
    action=Action.SEE_CONTROLS,
    usual=Way.AT_ONCE,
)
APPROVAL_WITHDRAWN = notice_kind(
    "approval_withdrawn",
    "The approval of a game that you offer or supply is being withdrawn",
    mail="The approval of a game is being withdrawn.",
    action=Action.SEE_FILINGS,
    usual=Way.AT_ONCE,
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


@notifies_of(approvals.APPROVED)
def notify_about_approved_version(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the operators that offer the game: nothing changes for them until they choose it."""
    version = _approved_rules(occurrence.about)
    if version is None:
        return
    for operator, game in _offering(version):
        chosen = game.choice(None).version
        says = f"{version} is approved."
        if chosen != version.number:
            says += (
                " Nothing changes at your tables until you choose it in your controls and they "
                "are approved."
            )
        yield Notification(
            kind=VERSION_APPROVED,
            to=who_may(Action.SEE_CONTROLS, operator),
            says=says,
            link=_in_effect(operator, version),
        )


@notifies_of(approvals.WITHDRAWAL)
def notify_about_withdrawal(occurrence: Occurrence) -> Iterable[Notification]:
    """Notify the holder of each step, and of the notice and the end the operators that play it."""
    step: Withdrawal = occurrence.about
    version = _approved_rules(step.approval)
    if version is None:
        return
    says = f"The approval of {version}: withdrawal {step.get_step_display().lower()}."
    if step.in_effect_from is not None:
        from_ = date_format(localtime(step.in_effect_from), "N j, Y, g:i A")
        says = f"The approval of {version} is withdrawn from {from_}."
    yield Notification(
        kind=APPROVAL_WITHDRAWN,
        to=who_may(Action.SEE_FILINGS, step.approval.party),
        says=says,
        link=reverse("game", args=[version.game.slug]),
    )
    if step.step in {Withdrawal.Step.NOTICED, Withdrawal.Step.FINAL}:
        for operator, game in _offering(version):
            if _plays(operator, game, version):
                yield Notification(
                    kind=APPROVAL_WITHDRAWN,
                    to=who_may(Action.SEE_CONTROLS, operator),
                    says=f"{says} Your controls choose it.",
                    link=_in_effect(operator, version),
                )


def _approved_rules(approval: Approval) -> RuleVersion | None:
    """Return the rules that the commission approved; None for another approval."""
    if approval.kind != Approval.Kind.COMMISSION:
        return None
    found = RuleVersion.objects.filter(uuid=approval.subject).select_related("game__supplier")
    return found.first()


def _offering(version: RuleVersion) -> Iterator[tuple[Party, GameControls]]:
    """Yield each operator whose newest approved controls name the game, and what they say of it."""
    slug = version.game.slug
    newest = {
        each.version.operator: each.version
        for each in ControlsFiling.objects.filter(
            state__in=(ControlsFiling.State.APPROVED, ControlsFiling.State.APPROVED_VERBALLY)
        )
        .select_related("version__operator")
        .order_by("version__number")
    }
    for operator, approved in newest.items():
        game = read_content(approved.content)[0].games.get(slug)
        if game is not None:
            yield operator, game


def _plays(operator: Party, game: GameControls, version: RuleVersion) -> bool:
    """Return whether an operator's controls choose a version, by its number or by their start."""
    numbers = {game.choice(table).version for table in (None, *game.by_table)}
    if version.number in numbers:
        return True
    if None not in numbers:
        return False
    since = approved_controls(operator)[-1][0].in_effect_from
    versions = list(version.game.rule_versions.order_by("-number"))
    return version in approved_at_start(operator, versions, since)


def _in_effect(operator: Party, version: RuleVersion) -> str:
    return f"{reverse('in_effect')}?operator={operator.code}&game={version.game.slug}"


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
