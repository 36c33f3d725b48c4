"""How conditions of approvals stand: met, waiting for a look, still to be met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance import clock
from compliance.models import Approval, Condition, ConditionMark, GameRequest

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from compliance.models import Party

Mark = ConditionMark.Mark


@dataclass(frozen=True)
class Standing:
    """How a condition stands: `state` for programs, `says` for people, `kind` of the mark shown."""

    state: str
    says: str
    kind: str


MET = Standing("met", "Met", "working")
TO_LOOK_AT = Standing("answered", "Said to be met; whoever set it looks at it", "waiting")
OPEN = Standing("open", "Nobody has said yet how it stands", "attention")
WAIVER_ENDED = Standing("open", "The waiver has ended; to be met", "attention")
NOT_MET = Standing("not_met", "Not met", "failing")


def standing_of(condition: Condition) -> Standing:
    """How a condition stands, by the last that was said of it; a waiver ends on its day."""
    mark = max(condition.marks.all(), key=lambda each: (each.at, each.pk), default=None)
    answer = max(condition.answers.all(), key=lambda each: (each.at, each.pk), default=None)
    if answer is not None and (mark is None or mark.at < answer.at):
        return TO_LOOK_AT
    if mark is None:
        return OPEN
    if mark.mark == Mark.MET:
        return MET
    if mark.mark == Mark.NOT_MET or mark.until is None:
        return NOT_MET
    if mark.until <= clock.today():
        return WAIVER_ENDED
    day = f"{mark.until:%B} {mark.until.day}, {mark.until.year}"
    return Standing("waived", f"Waived until {day}", "waiting")


@dataclass(frozen=True)
class ToMeet:
    """The conditions of an approval that are not met or waived, and the request it came from."""

    request: GameRequest
    approval: Approval
    conditions: list[tuple[Condition, Standing]]

    @property
    def name(self) -> str:
        """What was approved; where agency and commission both approve, also by which of them."""
        rules = str(self.request.rule_version)
        if self.request.path == GameRequest.Path.COMMERCIAL:
            return rules
        return f"{rules}, {self.approval.get_kind_display().lower()}"

    @property
    def open(self) -> int:
        """How many its holder has still to say something of."""
        return sum(standing.state in {"open", "not_met"} for _, standing in self.conditions)


def conditions_to_meet(parties: Collection[Party]) -> list[ToMeet]:
    """What these parties' approvals still ask for, the oldest approval first."""
    approvals = list(
        Approval.objects.filter(party__in=[each.pk for each in parties]).prefetch_related(
            "conditions__marks", "conditions__answers"
        )
    )
    of_approval = requests_of(approvals)
    found = []
    for approval in approvals:
        standing = [(each, standing_of(each)) for each in approval.conditions.all()]
        unmet = [(each, how) for each, how in standing if how.state not in {"met", "waived"}]
        if unmet and (request := of_approval.get(approval.uuid)):
            found.append(ToMeet(request, approval, unmet))
    return found


def requests_of(approvals: Collection[Approval]) -> dict[UUID, GameRequest]:
    """The request that led to each approval of a game, by the approval."""
    requests = GameRequest.objects.filter(
        rule_version__uuid__in=[each.subject for each in approvals]
    ).select_related("rule_version__game", "asked_by__agency")
    newest = {
        (each.rule_version.uuid, each.path, each.asked_by_id): each
        for each in requests.order_by("id")
    }
    return {
        each.uuid: newest[key]
        for each in approvals
        if (key := (each.subject, each.path, each.party_id)) in newest
    }
