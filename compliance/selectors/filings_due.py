"""What a party has to do about its filings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.choices import OPERATOR_KINDS, PartyKind
from compliance.due import Due
from compliance.models import Approval, ControlsDraft, ControlsFiling, GameRequest
from compliance.permissions import Action
from compliance.selectors.conditions import (
    TO_LOOK_AT,
    conditions_to_meet,
    requests_of,
    standing_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.models import Party


def controls_due(party: Party) -> Iterator[Due]:
    """Controls that came back and were not submitted anew, and a draft that waits."""
    newest = (
        ControlsFiling.objects.filter(version__operator=party)
        .select_related("version")
        .order_by("version__number")
        .last()
    )
    if newest is not None and newest.state == ControlsFiling.State.RETURNED:
        yield Due(
            says=f"Mend version {newest.version.number} of your internal controls: it came back "
            "with comments",
            on=newest.due,
            action=Action.WRITE_CONTROLS,
            url_name="controls_draft",
            args=(party.code,),
        )
        return
    draft = ControlsDraft.objects.filter(operator=party).first()
    if draft is None and newest is None and party.kind in OPERATOR_KINDS:
        yield Due(
            says="Write your internal controls: nothing may be dealt before they are approved",
            action=Action.WRITE_CONTROLS,
            url_name="controls_draft",
            args=(party.code,),
        )
    if draft is None or (newest is not None and newest.version.content == draft.content):
        return
    yield Due(
        says="Go on with the draft of your internal controls",
        action=Action.WRITE_CONTROLS,
        url_name="controls_draft",
        args=(party.code,),
    )


def requests_due(party: Party) -> Iterator[Due]:
    """Requests in which something is missing."""
    lacking = GameRequest.objects.filter(asked_by=party, state=GameRequest.State.INCOMPLETE)
    for each in lacking.select_related("rule_version__game"):
        yield Due(
            says=f"Send what is missing in the request for {each.rule_version}",
            on=each.due,
            action=Action.REQUEST_APPROVAL,
            url_name="request",
            args=(str(each.uuid),),
        )


def conditions_due(party: Party) -> Iterator[Due]:
    """Conditions of a party's approvals of which it has still to say how they are met."""
    for each in conditions_to_meet([party]):
        if not each.open:
            continue
        conditions = "A condition is" if each.open == 1 else f"{each.open} conditions are"
        yield Due(
            says=f"{conditions} to be met: {each.name}",
            action=Action.ANSWER_CONDITIONS,
            url_name="request",
            args=(str(each.request.uuid),),
        )


AGENCY_STEPS = {
    GameRequest.State.SUBMITTED: "Decide on the request of {operation}: {rules}",
    GameRequest.State.AGENCY_APPROVED: "Seek the commission's concurrence for {operation}: {rules}",
}


def agency_due(party: Party) -> Iterator[Due]:
    """What the operations of a tribe ask its agency, and what it has still to pass on."""
    if party.kind != PartyKind.TRIBAL_AGENCY:
        return
    asked = GameRequest.objects.filter(asked_by__agency=party, state__in=list(AGENCY_STEPS))
    for each in asked.select_related("rule_version__game", "asked_by").order_by("id"):
        yield Due(
            says=AGENCY_STEPS[GameRequest.State(each.state)].format(
                operation=each.asked_by, rules=each.rule_version
            ),
            action=Action.DECIDE_AS_AGENCY,
            url_name="request",
            args=(str(each.uuid),),
        )
    yield from _answers_to_agency(party)


def _answers_to_agency(party: Party) -> Iterator[Due]:
    """Conditions of an agency's own approvals that are said to be met since it looked last."""
    given = Approval.objects.filter(by_party=party, kind=Approval.Kind.AGENCY)
    approvals = list(given.prefetch_related("conditions__marks", "conditions__answers"))
    requests = requests_of(approvals)
    for each in approvals:
        request = requests.get(each.uuid)
        said = [TO_LOOK_AT for one in each.conditions.all() if standing_of(one) is TO_LOOK_AT]
        if said and request is not None:
            yield Due(
                says=f"Look at what {request.asked_by} says of a condition: {request.rule_version}",
                action=Action.DECIDE_AS_AGENCY,
                url_name="request",
                args=(str(request.uuid),),
            )
