"""A party's due tasks for its filings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.access.permissions import OPERATOR_KINDS, Action, PartyKind
from compliance.filings.controls.models import ControlsDraft, ControlsFiling, ControlsVersion
from compliance.filings.controls.presentation import describe_controls
from compliance.filings.requests.conditions import ANSWERED, condition_state, find_open_conditions
from compliance.filings.requests.models import Approval, GameRequest
from compliance.filings.requests.presentation import Filing, describe_request
from compliance.filings.requests.reads import (
    requests_by_approval,
)
from compliance.notifications.due_dates import Due

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from compliance.access.models import Party


def _task(filing: Filing) -> Due:
    """Return the next step of a filing as a task for those who take it."""
    assert filing.action is not None  # noqa: S101 - a task has one
    return Due(
        says=filing.task,
        on=filing.due,
        action=filing.action,
        url_name=filing.url_name,
        args=filing.url_args,
    )


def controls_due(party: Party) -> Iterator[Due]:
    """Yield returned controls that were not resubmitted, and an unfinished draft."""
    newest = (
        ControlsVersion.objects.filter(operator=party)
        .select_related("operator", "filing")
        .order_by("number")
        .last()
    )
    draft = ControlsDraft.objects.filter(operator=party).first()
    if newest is not None and newest.filing.state == ControlsFiling.State.RETURNED:
        yield _draft_task(party, describe_controls(newest).task, on=newest.filing.due)
    elif draft is None and newest is None and party.kind in OPERATOR_KINDS:
        says = "Write your internal controls: nothing may be dealt before they are approved"
        yield _draft_task(party, says)
    elif draft is not None and (newest is None or newest.content != draft.content):
        yield _draft_task(party, "Continue the draft of your internal controls")


def _draft_task(party: Party, says: str, on: date | None = None) -> Due:
    return Due(
        says=says,
        on=on,
        action=Action.WRITE_CONTROLS,
        url_name="controls_draft",
        args=(party.code,),
    )


def requests_due(party: Party) -> Iterator[Due]:
    """Yield incomplete requests."""
    incomplete = GameRequest.objects.filter(asked_by=party, state=GameRequest.State.INCOMPLETE)
    for each in incomplete.select_related("rule_version__game", "asked_by__agency"):
        yield _task(describe_request(each))


def conditions_due(party: Party) -> Iterator[Due]:
    """Yield conditions of a party's approvals that it has not answered yet."""
    for each in find_open_conditions([party]):
        if not each.open:
            continue
        conditions = "a condition" if each.open == 1 else f"{each.open} conditions"
        yield Due(
            says=f"Answer {conditions}: {each.name}",
            action=Action.ANSWER_CONDITIONS,
            url_name="request",
            args=(str(each.request.uuid),),
        )


def agency_due(party: Party) -> Iterator[Due]:
    """Yield the requests of a tribe's operations to its agency, and those it must pass on."""
    if party.kind != PartyKind.TRIBAL_AGENCY:
        return
    requests = GameRequest.objects.filter(asked_by__agency=party).order_by("id")
    for each in requests.select_related("rule_version__game", "asked_by__agency"):
        if (filing := describe_request(each)).action == Action.DECIDE_AS_AGENCY:
            yield _task(filing)
    yield from _answers_to_agency(party)


def _answers_to_agency(party: Party) -> Iterator[Due]:
    """Yield conditions of an agency's own approvals that were answered since its last review."""
    given = Approval.objects.filter(by_party=party, kind=Approval.Kind.AGENCY)
    approvals = list(given.prefetch_related("conditions__marks", "conditions__answers"))
    requests = requests_by_approval(approvals)
    for each in approvals:
        request = requests.get(each.uuid)
        is_answered = any(condition_state(one) is ANSWERED for one in each.conditions.all())
        if is_answered and request is not None:
            yield Due(
                says=f"Review what {request.asked_by} answered to a condition: "
                f"{request.rule_version}",
                action=Action.DECIDE_AS_AGENCY,
                url_name="request",
                args=(str(request.uuid),),
            )
