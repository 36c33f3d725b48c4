"""Approvals: whose word, on exactly which state of which thing, under which conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from compliance import clock
from compliance.event_types import approvals as events
from compliance.models import (
    Approval,
    Condition,
    ConditionAnswer,
    ConditionMark,
    ControlsVersion,
    Withdrawal,
)
from compliance.permissions import Action
from compliance.services.attach import attach, require_papers
from compliance.services.own_deeds import require_not_of, require_outside
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.state import state_digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from compliance.models import DocumentVersion, Party, Person
    from compliance.models.kinds import Recorded


@dataclass(frozen=True)
class Asked:
    """A condition as it is set: what kind, in which words."""

    kind: Condition.Kind
    says: str


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
    conditions: Sequence[Asked] = (),
    note: str = "",
) -> Approval:
    """Write an approval, in the transaction of the step that leads to it.

    `seen` is the digest that the approver was shown.
    Refuses: another state than was seen; a second approval of the same thing; a start before now.
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
    """Say how a condition stands: met, not met, or waived until a day; always with a reason.

    Refuses: a waiver without an end or with one that has passed; an end for anything else; whoever
    answered it for its holder, in another role.
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
    """Say as the holder of an approval that a condition is met, and by what one sees it.

    The condition stands as before: whoever set it marks it. Refuses: a condition that is marked
    met; nothing said; papers of somebody else.
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
    require_papers(papers, of=[holder], by=by)
    made = ConditionAnswer(
        condition=condition, text=text, by=by.uuid, by_party=holder, at=clock.now()
    )
    made.save()
    attach(made, papers)
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
    """The steps of withdrawing an approval that were taken."""
    return {Withdrawal.Step(each.step) for each in approval.withdrawals.all()}


def is_open(step: Withdrawal.Step, taken: set[Withdrawal.Step]) -> bool:
    """Whether a step of withdrawing may follow on those that were taken."""
    ended = bool({Withdrawal.Step.FINAL, Withdrawal.Step.DROPPED} & taken)
    return not ended and step not in taken and taken >= WITHDRAWAL_ORDER[step]


def who_marks(approval: Approval) -> tuple[Action, Party]:
    """What one must be allowed, and of whom, to say how its conditions stand.

    An agency's approval is the agency's, as are its conditions; the commission has its concurrence.
    """
    if approval.kind == Approval.Kind.AGENCY:
        return Action.DECIDE_AS_AGENCY, approval.by_party
    return Action.REVIEW_GAMES, approval.party


def who_withdraws(approval: Approval, step: Withdrawal.Step) -> tuple[Action, Party]:
    """What one must be allowed to take a step of withdrawing it: to give one, or to hold it."""
    if step == Withdrawal.Step.OBJECTED:
        return Action.OBJECT_TO_WITHDRAWAL, approval.party
    if approval.kind == Approval.Kind.AGENCY:
        return Action.DECIDE_AS_AGENCY, approval.by_party
    if approval.subject_type == ControlsVersion._meta.label_lower:
        return Action.APPROVE_CONTROLS, approval.party
    return Action.APPROVE_GAMES, approval.party


@transaction.atomic
def step_withdrawal(
    *,
    approval: Approval,
    step: Withdrawal.Step,
    reason: str,
    by: Person,
    in_effect_from: datetime | None = None,
) -> Withdrawal:
    """Take a step of withdrawing an authorisation (WAC 230-15-045): notice, objection, the end.

    Whoever may approve such a thing notices, ends or drops; the holder may object after the notice.
    Refuses: a step out of order or taken before; a final step without its instant; whoever objected
    for the holder, in another role.
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
    if not is_open(step, taken):
        msg = f"A withdrawal that is {', '.join(sorted(taken)) or 'not noticed'} cannot be {step}."
        raise RefusedError(msg)
    if (step == Withdrawal.Step.FINAL) != (in_effect_from is not None):
        msg = "A final withdrawal names the instant from which it holds; no other step does."
        raise RefusedError(msg)
    if in_effect_from is not None and in_effect_from < clock.now():
        msg = "An authorisation ends at an instant to come: what was played before was authorised."
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
        msg = "This step was taken at this very moment by somebody else."
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
