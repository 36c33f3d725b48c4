"""The commission's pending filings by unit: since when, due when, assigned to whom.

A filing waits for those who may take its next step; the list is computed from the state of each
filing, so nothing is added to a queue and nothing is forgotten in one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from compliance.access.models import Membership
from compliance.access.permissions import ROLES_OF_ACTION, Action, PartyKind, may
from compliance.filings.controls.models import ControlsVersion
from compliance.filings.controls.presentation import CONTROLS_STEPS, describe_controls
from compliance.filings.queues.models import FilingInHand, Queue
from compliance.filings.requests.models import Approval, ConditionAnswer, GameRequest
from compliance.filings.requests.presentation import REQUEST_STEPS, Filing, describe_request
from compliance.filings.requests.reads import requests_by_approval

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date
    from uuid import UUID

    from compliance.access.models import Party, Person


CONDITIONS = "conditions"
LONG_AGO = datetime.min.replace(tzinfo=UTC)
QUEUES: dict[Queue, frozenset[Action]] = {
    Queue.LICENSING: frozenset({Action.REVIEW_GAMES, Action.APPROVE_GAMES, Action.REVIEW_CONTROLS}),
    Queue.TRIBAL: frozenset({Action.APPROVE_GAMES, Action.REVIEW_CONTROLS}),
    Queue.FINANCIAL: frozenset({Action.REVIEW_INTERESTS}),
}
"""The next steps that each unit takes."""
OF_COMMISSION = frozenset().union(*QUEUES.values())


@dataclass(frozen=True)
class WaitingFiling:
    """A filing whose next step is the commission's, and its assignment."""

    filing: Filing
    queue: Queue
    assignment: FilingInHand | None = None

    @property
    def subject(self) -> UUID:
        """Return the UUID of the request, the version of controls or the approval."""
        return self.filing.uuid

    @property
    def party(self) -> Party:
        """Return the party that filed it."""
        return self.filing.party

    @property
    def action(self) -> Action:
        """Return the commission's action that comes next."""
        assert self.filing.action is not None  # noqa: S101 - only such filings wait
        return self.filing.action

    @property
    def due(self) -> date | None:
        """Return the commission's own due date, or the filer's day that has passed."""
        own = self.assignment.due if self.assignment else None
        return own or self.filing.due

    @property
    def person(self) -> Person | None:
        """Return the assignee."""
        return self.assignment.person if self.assignment else None


def list_queues(memberships: Iterable[Membership]) -> list[Queue]:
    """Return the queues that these roles move on; they may look at the others."""
    held = list(memberships)
    return [queue for queue in Queue if any(may(held, action) for action in QUEUES[queue])]


def waiting_filings(today: date) -> list[WaitingFiling]:
    """Return everything pending in the commission, longest wait first."""
    found = [WaitingFiling(each, _queue_of(each)) for each in _filings(today)]
    assignments = {
        (each.subject, each.queue): each
        for each in FilingInHand.objects.filter(
            subject__in=[each.subject for each in found]
        ).select_related("person")
    }
    found = [
        replace(each, assignment=assignments.get((each.subject, each.queue))) for each in found
    ]
    return sorted(found, key=lambda each: (each.filing.since or LONG_AGO, str(each.subject)))


def waiting_filing(subject: UUID, today: date) -> WaitingFiling | None:
    """Return one pending filing; None if it is not pending in the commission."""
    return next((each for each in waiting_filings(today) if each.subject == subject), None)


def _queue_of(filing: Filing) -> Queue:
    if filing.action == Action.REVIEW_INTERESTS:
        return Queue.FINANCIAL
    is_tribal = filing.party.kind == PartyKind.TRIBAL_OPERATION and filing.kind != CONDITIONS
    return Queue.TRIBAL if is_tribal else Queue.LICENSING


def list_assignees(waiting: WaitingFiling) -> list[Person]:
    """Return the people whose roles can take a filing's next step, by name."""
    held = Membership.objects.filter(
        role__in=ROLES_OF_ACTION[waiting.action] & ROLES_OF_ACTION[Action.SEE_QUEUES],
        ended__isnull=True,
        party__kind=PartyKind.COMMISSION_UNIT,
        person__is_active=True,
    ).select_related("person")
    people = {each.person_id: each.person for each in held}
    return sorted(people.values(), key=lambda person: person.name)


def _filings(today: date) -> Iterator[Filing]:
    requests = GameRequest.objects.filter(state__in=[state for _, state in REQUEST_STEPS])
    for request in requests.select_related("rule_version__game", "asked_by__agency"):
        if (filing := describe_request(request, today)).action in OF_COMMISSION:
            yield filing
    versions = ControlsVersion.objects.filter(filing__state__in=list(CONTROLS_STEPS))
    for version in versions.select_related("operator", "filing"):
        if (filing := describe_controls(version, today)).action in OF_COMMISSION:
            yield filing
    yield from _answers()


def _answers() -> Iterator[Filing]:
    """Yield approvals with an answered condition that has not been reviewed since.

    An agency reviews its own conditions.
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
    of_approval = requests_by_approval([each[0].condition.approval for each in open_ones.values()])
    for uuid, each in open_ones.items():
        request = of_approval.get(uuid)
        if request is None:
            continue
        yield Filing(
            uuid=uuid,
            kind=CONDITIONS,
            title=f"{request.rule_version}: conditions",
            name=f"{request}: conditions",
            party=each[0].condition.approval.party,
            state="Answered",
            since=each[0].at,
            next_step="The licensing unit reviews the answers to conditions",
            action=Action.REVIEW_GAMES,
            url_name="request",
            url_args=(str(request.uuid),),
            anchor="conditions",
        )
