"""The states of conditions: as people marked them, or as the records show; and what they block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.filings.requests.condition_records import check_by_records
from compliance.filings.requests.models import Approval, Condition, ConditionMark, GameRequest
from compliance.filings.requests.reads import requests_by_approval

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.access.models import Party
    from compliance.filings.games.models import RuleVersion


Mark = ConditionMark.Mark


@dataclass(frozen=True)
class ConditionState:
    """A condition's state: `state` for programs, `says` for people, `kind` of the mark shown."""

    state: str
    says: str
    kind: str


MET = ConditionState("met", "Met", "working")
ANSWERED = ConditionState("answered", "Answered; under review", "waiting")
OPEN = ConditionState("open", "Not answered yet", "attention")
WAIVER_ENDED = ConditionState("open", "The waiver has ended; not met yet", "attention")
NOT_MET = ConditionState("not_met", "Not met", "failing")
MET_BY_RECORDS = ConditionState("met", "Met, as the records show", "working")
NOT_MET_BY_RECORDS = ConditionState("not_met", "Not met, as the records show", "failing")


def condition_state(condition: Condition) -> ConditionState:
    """Return a condition's state: as last marked or answered, else as the records show it.

    A waiver ends on its day.
    """
    mark = max(condition.marks.all(), key=lambda each: (each.at, each.pk), default=None)
    answer = max(condition.answers.all(), key=lambda each: (each.at, each.pk), default=None)
    if answer is not None and (mark is None or mark.at < answer.at):
        return ANSWERED
    if mark is None:
        return _by_records(condition)
    if mark.mark == Mark.MET:
        return MET
    if mark.mark == Mark.NOT_MET or mark.until is None:
        return NOT_MET
    if mark.until <= clock.today():
        return WAIVER_ENDED
    day = f"{mark.until:%B} {mark.until.day}, {mark.until.year}"
    return ConditionState("waived", f"Waived until {day}", "waiting")


def _by_records(condition: Condition) -> ConditionState:
    found = check_by_records(condition)
    if found is None or found.met is None:
        return OPEN
    return MET_BY_RECORDS if found.met else NOT_MET_BY_RECORDS


@dataclass(frozen=True)
class OpenConditions:
    """An approval's conditions that are not met or waived, and the request it came from."""

    request: GameRequest
    approval: Approval
    conditions: list[tuple[Condition, ConditionState]]

    @property
    def name(self) -> str:
        """Return what was approved; on the tribal path, also the kind of approval."""
        rules = str(self.request.rule_version)
        if self.request.path == GameRequest.Path.COMMERCIAL:
            return rules
        return f"{rules}, {self.approval.get_kind_display().lower()}"

    @property
    def open(self) -> int:
        """Return how many conditions the holder has yet to answer."""
        return sum(standing.state in {"open", "not_met"} for _, standing in self.conditions)


def find_open_conditions(parties: Collection[Party]) -> list[OpenConditions]:
    """Return the open conditions of these parties' approvals, oldest approval first."""
    approvals = list(
        Approval.objects.filter(party__in=[each.pk for each in parties]).prefetch_related(
            "conditions__marks", "conditions__answers"
        )
    )
    of_approval = requests_by_approval(approvals)
    found = []
    for approval in approvals:
        standing = [(each, condition_state(each)) for each in approval.conditions.all()]
        unmet = [(each, how) for each, how in standing if how.state not in {"met", "waived"}]
        if unmet and (request := of_approval.get(approval.uuid)):
            found.append(OpenConditions(request, approval, unmet))
    return found


BLOCK_CONTROLS = frozenset({Condition.Kind.NO_MARKETING, Condition.Kind.BEFORE_PLAY})
"""Conditions that must be met before an operator's internal controls may choose the game.

Others block something else: a delivery of equipment is checked when it is recorded, the compact's
supplement when the commission concurs, and play without approved controls is a finding.
"""


def find_blocking(version: RuleVersion) -> list[str]:
    """Return the conditions of a game's approval that keep controls from choosing it, and why."""
    with without_access_scope():
        conditions = Condition.objects.filter(
            approval__subject=version.uuid,
            approval__kind=Approval.Kind.COMMISSION,
            kind__in=BLOCK_CONTROLS,
        ).prefetch_related("marks", "answers")
        found = []
        for each in conditions:
            state = condition_state(each)
            if state.state not in {"met", "waived"}:
                record = check_by_records(each)
                why = record.says if record is not None else f"{state.says}."
                found.append(f"{version}: \u201c{each.says}\u201d {why}")
        return found
