"""What waits for the commission, by the unit that moves it on: since when, by when, with whom.

A filing waits for whoever may take its next step; the list is made of where filings stand, so
nothing is put in a queue and nothing is forgotten in one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from compliance.choices import PartyKind
from compliance.models import (
    Approval,
    ConditionAnswer,
    ControlsFiling,
    FilingInHand,
    GameRequest,
    Membership,
    Queue,
)
from compliance.permissions import ROLES_OF_ACTION, Action, may
from compliance.selectors.conditions import requests_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date
    from uuid import UUID

    from compliance.models import Party, Person

At = GameRequest.State
Controls = ControlsFiling.State


@dataclass(frozen=True)
class Moment:
    """Where requests wait: before which unit, for what, and which action moves them on."""

    queue: Queue
    waits_for: str
    action: Action


REQUESTS: dict[str, Moment] = {
    At.SUBMITTED: Moment(Queue.LICENSING, "to be taken up", Action.REVIEW_GAMES),
    At.UNDER_REVIEW: Moment(Queue.LICENSING, "review and decision", Action.APPROVE_GAMES),
    At.INCOMPLETE: Moment(Queue.LICENSING, "what was missing did not come", Action.REVIEW_GAMES),
    At.SUBSTANTIAL_INTEREST: Moment(
        Queue.FINANCIAL, "review of substantial interests", Action.REVIEW_INTERESTS
    ),
    At.CONCURRENCE_SOUGHT: Moment(Queue.TRIBAL, "concurrence or objection", Action.APPROVE_GAMES),
}
CONTROLS: dict[str, str] = {
    Controls.SUBMITTED: "review and decision",
    Controls.APPROVED_VERBALLY: "approval in writing",
    Controls.RETURNED: "an answer that did not come",
}
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class WaitingFiling:
    """A filing that somebody of the commission has to move on."""

    subject: UUID
    what: str
    kind: str
    party: Party
    queue: Queue
    waits_for: str
    action: Action
    since: datetime | None
    filers_day: date | None
    in_hand: FilingInHand | None = None

    @property
    def due(self) -> date | None:
        """The day that the commission set itself, or that has passed for whoever filed."""
        own = self.in_hand.due if self.in_hand else None
        return own or self.filers_day

    @property
    def person(self) -> Person | None:
        """Who has it in hand."""
        return self.in_hand.person if self.in_hand else None


def queues_of(memberships: Iterable[Membership]) -> list[Queue]:
    """The queues that somebody with these roles moves on; the others one may look into."""
    held = list(memberships)
    moved = {moment.queue for moment in REQUESTS.values() if may(held, moment.action)}
    if may(held, Action.REVIEW_CONTROLS):
        moved |= {Queue.LICENSING, Queue.TRIBAL}
    return [queue for queue in Queue if queue in moved]


def waiting_filings(today: date) -> list[WaitingFiling]:
    """Everything that waits before the commission, what has waited longest first."""
    found = [*_requests(today), *_controls(today), *_answers()]
    in_hand = {
        (each.subject, each.queue): each
        for each in FilingInHand.objects.filter(
            subject__in=[each.subject for each in found]
        ).select_related("person")
    }
    known = [replace(each, in_hand=in_hand.get((each.subject, each.queue))) for each in found]
    return sorted(known, key=lambda each: (each.since or LONG_AGO, str(each.subject)))


def waiting_filing(subject: UUID, today: date) -> WaitingFiling | None:
    """One filing as it waits; None where it waits for nobody here."""
    return next((each for each in waiting_filings(today) if each.subject == subject), None)


def who_may_take(waiting: WaitingFiling) -> list[Person]:
    """The people whose roles can take the next step with a filing, by name."""
    held = Membership.objects.filter(
        role__in=ROLES_OF_ACTION[waiting.action] & ROLES_OF_ACTION[Action.SEE_QUEUES],
        ended__isnull=True,
        party__kind=PartyKind.COMMISSION_UNIT,
        person__is_active=True,
    ).select_related("person")
    people = {each.person_id: each.person for each in held}
    return sorted(people.values(), key=lambda person: person.name)


def _requests(today: date) -> Iterator[WaitingFiling]:
    found = GameRequest.objects.filter(state__in=list(REQUESTS)).select_related(
        "rule_version__game", "asked_by"
    )
    for each in found:
        overdue = each.due is not None and each.due < today
        if each.state == At.INCOMPLETE and not overdue:
            continue
        moment = REQUESTS[each.state]
        yield WaitingFiling(
            subject=each.uuid,
            what=str(each.rule_version),
            kind="Request",
            party=each.asked_by,
            queue=moment.queue,
            waits_for=moment.waits_for,
            action=moment.action,
            since=each.since,
            filers_day=each.due,
        )


def _controls(today: date) -> Iterator[WaitingFiling]:
    found = ControlsFiling.objects.filter(state__in=list(CONTROLS)).select_related(
        "version__operator"
    )
    for each in found:
        overdue = each.due is not None and each.due < today
        if each.state == Controls.RETURNED and not overdue:
            continue
        operator = each.version.operator
        tribal = operator.kind == PartyKind.TRIBAL_OPERATION
        yield WaitingFiling(
            subject=each.version.uuid,
            what=f"Internal controls, version {each.version.number}",
            kind="Controls",
            party=operator,
            queue=Queue.TRIBAL if tribal else Queue.LICENSING,
            waits_for=CONTROLS[each.state],
            action=Action.REVIEW_CONTROLS,
            since=each.version.at,
            filers_day=each.due,
        )


def _answers() -> Iterator[WaitingFiling]:
    """Approvals whose holder says that a condition is met, and nobody has looked since.

    What an agency set, it looks at itself.
    """
    seen = Approval.objects.exclude(kind=Approval.Kind.AGENCY).values("pk")
    answers = (
        ConditionAnswer.objects.filter(condition__approval__in=seen)
        .select_related("condition__approval__party")
        .prefetch_related("condition__marks")
        .order_by("at", "id")
    )
    open_ones: dict[UUID, list[ConditionAnswer]] = {}
    for each in answers:
        marks = each.condition.marks.all()
        if not any(mark.at >= each.at for mark in marks):
            open_ones.setdefault(each.condition.approval.uuid, []).append(each)
    of_approval = requests_of([each[0].condition.approval for each in open_ones.values()])
    for uuid, each in open_ones.items():
        request = of_approval.get(uuid)
        if request is None:
            continue
        yield WaitingFiling(
            subject=uuid,
            what=f"{request.rule_version}: conditions",
            kind="Conditions",
            party=each[0].condition.approval.party,
            queue=Queue.LICENSING,
            waits_for="a look at what is said to be met",
            action=Action.REVIEW_GAMES,
            since=each[0].at,
            filers_day=None,
        )
