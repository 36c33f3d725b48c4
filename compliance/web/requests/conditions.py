"""Conditions of an approval as they are met, and the steps of withdrawing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms

from compliance.models import ConditionAttachment, ConditionMark, Withdrawal
from compliance.permissions import Action
from compliance.selectors.conditions import standing_of
from compliance.selectors.documents import papers_named
from compliance.services.approvals import is_open, steps_taken, who_marks, who_withdraws
from compliance.web.acting import allows
from compliance.web.comments import CommentForm
from compliance.web.fields import DayField, InstantField, LongField, ReasonForm

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.models import Approval


class MarkForm(forms.Form):
    """How a condition stands, and why."""

    mark = forms.ChoiceField(label="It is", choices=ConditionMark.Mark.choices)
    until = DayField(label="Waived until", required=False)
    reason = LongField(label="Why", rows=2)


class ConditionAnswerForm(CommentForm):
    """How a condition is met, and the papers that show it."""

    text = LongField(label="How it is met", rows=3)


class WithdrawForm(ReasonForm):
    """The end of an authorisation: why, and from when."""

    in_effect_from = InstantField(label="Withdrawn from")


def condition_rows(
    request: HttpRequest, approval: Approval, sent: dict[str, forms.Form]
) -> list[dict[str, Any]]:
    """The conditions of an approval: how each stands, what its holder says, what can be said."""
    marks = allows(request, *who_marks(approval))
    answers = allows(request, Action.ANSWER_CONDITIONS, approval.party)
    papers = papers_named(ConditionAttachment.objects.filter(comment__condition__approval=approval))
    shown = []
    for condition in approval.conditions.all():
        mark, answer = (f"{name}-{approval.pk}-{condition.place}" for name in ("mark", "answer"))
        standing = standing_of(condition)
        can_answer = answers and standing.state != "met"
        offered = ConditionAnswerForm({approval.party}, prefix=answer) if can_answer else None
        shown.append(
            {
                "condition": condition,
                "standing": standing,
                "marks": condition.marks.all(),
                "answers": [(each, papers.get(each.pk, [])) for each in condition.answers.all()],
                "form": sent.get(mark) or (MarkForm(prefix=mark) if marks else None),
                "answer": sent.get(answer) or offered,
            }
        )
    return shown


@dataclass(frozen=True)
class Ending:
    """One step of withdrawing an approval: its words, its form."""

    label: str
    step: Withdrawal.Step
    form: type[ReasonForm]


ENDINGS: dict[str, Ending] = {
    "notice": Ending("Give notice of withdrawal", Withdrawal.Step.NOTICED, ReasonForm),
    "objection": Ending(
        "Object to the withdrawal",
        Withdrawal.Step.OBJECTED,
        ReasonForm,
    ),
    "end": Ending("Withdraw the approval", Withdrawal.Step.FINAL, WithdrawForm),
    "drop": Ending("Drop the withdrawal", Withdrawal.Step.DROPPED, ReasonForm),
}


def withdrawal_forms(
    request: HttpRequest, approval: Approval, sent: dict[str, Any]
) -> list[dict[str, Any]]:
    """The steps of withdrawing an approval that are open now to whoever asks."""
    taken = steps_taken(approval)
    shown = []
    for name, ending in ENDINGS.items():
        prefix = f"{name}-{approval.pk}"
        allowed = allows(request, *who_withdraws(approval, ending.step))
        open_now = allowed and is_open(ending.step, taken)
        if open_now or prefix in sent:
            form = sent.get(prefix) or ending.form(prefix=prefix)
            shown.append({"ending": ending, "form": form, "url": f"approval_{name}"})
    return shown
