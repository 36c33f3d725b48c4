"""Approvals: approved by whom, exactly which state of what, under which conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from compliance import clock
from compliance.access.permissions import Action
from compliance.access.reads import require, require_not_of, require_outside
from compliance.errors import RefusedError
from compliance.events.digests import state_digest
from compliance.events.record import record
from compliance.filings.documents.writes import require_citable
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import RuleVersion
from compliance.filings.requests import events
from compliance.filings.requests.models import (
    Approval,
    Condition,
    ConditionAnswer,
    ConditionAttachment,
    ConditionMark,
    Withdrawal,
)
from games.rule_set import rule_set

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from compliance.access.models import Party, Person
    from compliance.filings.documents.models import DocumentVersion
    from compliance.history import Recorded


@dataclass(frozen=True)
class NewCondition:
    """A new condition: its kind and its text."""

    kind: Condition.Kind
    says: str


@dataclass(frozen=True)
class ChosenReading:
    """How the approver reads an open question of the rules, and why.

    `allowed` are the other readings that an operator's internal controls may choose.
    """

    id: str
    reading: str
    reason: str
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenQuestion:
    """A question that the rules leave open: its id, its usual reading, and each one in words."""

    id: str
    asks: str
    default: str
    readings: Mapping[str, str]


def open_questions(version: RuleVersion) -> list[OpenQuestion]:
    """Return the questions that a game's rules leave open and on which money depends."""
    definition = definition_of(version)
    if definition is not None:
        found = [each for each in definition.interpretations.values() if each.affects_money]
        return [OpenQuestion(each.id, each.asks, each.default, each.readings) for each in found]
    if not version.game.engine:
        return []
    known = rule_set(version.game.engine).interpretations.values()
    return [
        OpenQuestion(each.id, each.asks, each.default, each.readings)
        for each in known
        if len(each.readings) > 1
    ]


def require_readings(version: RuleVersion, chosen: Sequence[ChosenReading]) -> None:
    """Reject an open question without a reading and a reason, and a reading that is none."""
    by_id = {each.id: each for each in chosen}
    questions = {each.id: each for each in open_questions(version)}
    for id_ in by_id.keys() - questions.keys():
        msg = f"{version} has no open question {id_}."
        raise RefusedError(msg)
    for id_, question in questions.items():
        found = by_id.get(id_)
        if found is None or not found.reading:
            msg = f"{id_}: choose how this question is read. {question.asks}"
            raise RefusedError(msg)
        for reading in (found.reading, *found.allowed):
            if reading not in question.readings:
                msg = f"{id_}: {reading!r} is none of {', '.join(question.readings)}."
                raise RefusedError(msg)
        if not found.reason.strip():
            msg = f"{id_}: say why it is read so."
            raise RefusedError(msg)


def give_approval(
    *,
    kind: Approval.Kind,
    path: str,
    subject: Recorded,
    seen: str,
    party: Party,
    by: Person,
    by_party: Party,
    in_effect_from: datetime,
    conditions: Sequence[NewCondition] = (),
    interpretations: Sequence[ChosenReading] | None = None,
    note: str = "",
) -> Approval:
    """Create an approval, in the transaction of the step that leads to it.

    `seen` is the digest that the approver was shown. Rejects a state other than the one seen; a
    second approval of the same thing; a start in the past.
    """
    digest = state_digest(subject)
    if seen != digest:
        msg = "What you were shown is not what is on file now. Look at it again before you decide."
        raise RefusedError(msg)
    now = clock.now()
    approval = Approval(
        kind=kind,
        path=path,
        subject_type=subject._meta.label_lower,
        subject=subject.uuid,
        digest=digest,
        party=party,
        by=by.uuid,
        by_party=by_party,
        at=now,
        in_effect_from=in_effect_from,
        note=note,
    )
    if interpretations is not None:
        approval.interpretations = {
            each.id: {
                "reading": each.reading,
                "reason": each.reason.strip(),
                "allowed": sorted(set(each.allowed) - {each.reading}),
            }
            for each in interpretations
        }
    try:
        with transaction.atomic():
            approval.save()
    except IntegrityError as twice:
        msg = "This has been approved before. Nothing is approved twice."
        raise RefusedError(msg) from twice
    for place, each in enumerate(conditions):
        Condition(approval=approval, place=place, kind=each.kind, says=each.says).save()
    record(
        events.APPROVED,
        by=by,
        party=party,
        about=approval,
        carries={
            "kind": kind.label,
            "subject": str(subject.uuid),
            "digest": digest,
            "in_effect_from": in_effect_from.isoformat(),
            "conditions": [each.says for each in conditions],
            "interpretations": approval.interpretations or {},
        },
    )
    return approval


@transaction.atomic
def mark_condition(
    *,
    condition: Condition,
    mark: ConditionMark.Mark,
    reason: str,
    by: Person,
    until: date | None = None,
) -> ConditionMark:
    """Mark a condition as met, not met, or waived until a day; a reason is required.

    Rejects a waiver without an end or with one that has passed; an end for any other mark; a person
    who answered it for its holder, in another role.
    """
    require(by, *who_marks(condition.approval))
    require_outside(by, condition.approval.party)
    require_not_of(by, condition.answers.values_list("by", flat=True))
    if (mark == ConditionMark.Mark.WAIVED) != (until is not None):
        msg = "A waiver ends on a day; nothing else has one."
        raise RefusedError(msg)
    if until is not None and until <= clock.today():
        msg = "A waiver ends on a day to come."
        raise RefusedError(msg)
    _require_reason(reason)
    made = ConditionMark(
        condition=condition,
        mark=mark,
        until=until,
        reason=reason,
        by=by.uuid,
        at=clock.now(),
    )
    made.save()
    record(
        events.CONDITION_MARKED,
        by=by,
        party=condition.approval.party,
        about=made,
        reason=reason,
        carries={
            "mark": mark.label,
            "says": condition.says,
            "until": until.isoformat() if until else None,
        },
    )
    return made


@transaction.atomic
def answer_condition(
    *,
    condition: Condition,
    text: str,
    by: Person,
    papers: Sequence[DocumentVersion] = (),
) -> ConditionAnswer:
    """State as the holder of an approval that a condition is met, with the evidence.

    The condition's state does not change: the party that set it marks it. Rejects a condition that
    is marked met; an empty answer; another party's documents.
    """
    holder = condition.approval.party
    require(by, Action.ANSWER_CONDITIONS, holder)
    if not text.strip():
        msg = "Say how it is met."
        raise RefusedError(msg)
    last = condition.marks.last()
    if last is not None and last.mark == ConditionMark.Mark.MET:
        agency = condition.approval.kind == Approval.Kind.AGENCY
        who = "The agency" if agency else "The commission"
        msg = f"{who} has marked this condition as met."
        raise RefusedError(msg)
    require_citable(papers, of=[holder], by=by)
    made = ConditionAnswer(
        condition=condition, text=text, by=by.uuid, by_party=holder, at=clock.now()
    )
    made.save()
    for place, paper in enumerate(papers):
        ConditionAttachment(comment=made, paper=paper, place=place).save()
    record(
        events.CONDITION_ANSWERED,
        by=by,
        party=holder,
        about=made,
        carries={"says": condition.says, "text": text},
    )
    return made


WITHDRAWAL_ORDER: dict[Withdrawal.Step, frozenset[Withdrawal.Step]] = {
    Withdrawal.Step.NOTICED: frozenset(),
    Withdrawal.Step.OBJECTED: frozenset({Withdrawal.Step.NOTICED}),
    Withdrawal.Step.FINAL: frozenset({Withdrawal.Step.NOTICED}),
    Withdrawal.Step.DROPPED: frozenset({Withdrawal.Step.NOTICED}),
}


def steps_taken(approval: Approval) -> set[Withdrawal.Step]:
    """Return the completed steps of withdrawing an approval."""
    return {Withdrawal.Step(each.step) for each in approval.withdrawals.all()}


def is_step_open(step: Withdrawal.Step, taken: set[Withdrawal.Step]) -> bool:
    """Return whether a withdrawal step may follow the completed steps."""
    ended = bool({Withdrawal.Step.FINAL, Withdrawal.Step.DROPPED} & taken)
    return not ended and step not in taken and taken >= WITHDRAWAL_ORDER[step]


def who_marks(approval: Approval) -> tuple[Action, Party]:
    """Return the action and party whose permission allows marking its conditions.

    An agency marks the conditions of its own approval; the commission those of its concurrence.
    """
    if approval.kind == Approval.Kind.AGENCY:
        return Action.DECIDE_AS_AGENCY, approval.by_party
    return Action.REVIEW_GAMES, approval.party


def who_withdraws(approval: Approval, step: Withdrawal.Step) -> tuple[Action, Party]:
    """Return the action and party whose permission allows a step of withdrawing an approval."""
    if step == Withdrawal.Step.OBJECTED:
        return Action.OBJECT_TO_WITHDRAWAL, approval.party
    if approval.kind == Approval.Kind.AGENCY:
        return Action.DECIDE_AS_AGENCY, approval.by_party
    if approval.subject_type == RuleVersion._meta.label_lower:
        return Action.APPROVE_GAMES, approval.party
    return Action.APPROVE_CONTROLS, approval.party


@transaction.atomic
def step_withdrawal(
    *,
    approval: Approval,
    step: Withdrawal.Step,
    reason: str,
    by: Person,
    in_effect_from: datetime | None = None,
) -> Withdrawal:
    """Take a step of withdrawing an authorization (WAC 230-15-045): notice, objection, the end.

    Those who may approve such a thing may give notice, end it or drop it; the holder may object
    after the notice. Rejects a step out of order or already taken; a final step without its
    instant; a person who objected for the holder, in another role.
    """
    require(by, *who_withdraws(approval, step))
    if step != Withdrawal.Step.OBJECTED:
        require_outside(by, approval.party)
        require_not_of(
            by,
            [
                each.by
                for each in approval.withdrawals.all()
                if each.step == Withdrawal.Step.OBJECTED
            ],
        )
    _require_reason(reason)
    taken = steps_taken(approval)
    if not is_step_open(step, taken):
        msg = f"A withdrawal that is {', '.join(sorted(taken)) or 'not noticed'} cannot be {step}."
        raise RefusedError(msg)
    if (step == Withdrawal.Step.FINAL) != (in_effect_from is not None):
        msg = "A final withdrawal names the instant from which it holds; no other step does."
        raise RefusedError(msg)
    if in_effect_from is not None and in_effect_from < clock.now():
        msg = "An authorization ends at an instant to come: what was played before was authorized."
        raise RefusedError(msg)
    made = Withdrawal(
        approval=approval,
        step=step,
        reason=reason,
        by=by.uuid,
        at=clock.now(),
        in_effect_from=in_effect_from,
    )
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError as twice:
        msg = "Another user took this step just now."
        raise RefusedError(msg) from twice
    record(
        events.WITHDRAWAL,
        by=by,
        party=approval.party,
        about=made,
        reason=reason,
        carries={"step": step.label},
    )
    return made


def _require_reason(reason: str) -> None:
    if not reason.strip():
        msg = "Say why."
        raise RefusedError(msg)
