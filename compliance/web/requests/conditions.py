"""Conditions of an approval as they are met, and the steps of withdrawing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms

from compliance.models import ConditionMark, Withdrawal
from compliance.permissions import Action
from compliance.services.approvals import is_open, steps_taken
from compliance.web.acting import allows
from compliance.web.fields import DayField, InstantField, LongField, ReasonForm

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.models import Approval


class MarkForm(forms.Form):
    """How a condition stands, and why."""

    mark = forms.ChoiceField(label="It is", choices=ConditionMark.Mark.choices)
    until = DayField(label="Waived until", required=False)
    reason = LongField(label="Why", rows=2)


class WithdrawForm(ReasonForm):
    """The end of an authorisation: why, and from when."""

    in_effect_from = InstantField(label="Withdrawn from")


@dataclass(frozen=True)
class Ending:
    """One step of withdrawing an approval: its words, who may take it, its form."""

    label: str
    step: Withdrawal.Step
    action: Action
    form: type[ReasonForm]


ENDINGS: dict[str, Ending] = {
    "notice": Ending(
        "Give notice of withdrawal", Withdrawal.Step.NOTICED, Action.APPROVE_GAMES, ReasonForm
    ),
    "objection": Ending(
        "Object to the withdrawal",
        Withdrawal.Step.OBJECTED,
        Action.OBJECT_TO_WITHDRAWAL,
        ReasonForm,
    ),
    "end": Ending(
        "Withdraw the approval", Withdrawal.Step.FINAL, Action.APPROVE_GAMES, WithdrawForm
    ),
    "drop": Ending(
        "Drop the withdrawal", Withdrawal.Step.DROPPED, Action.APPROVE_GAMES, ReasonForm
    ),
}


def withdrawal_forms(
    request: HttpRequest, approval: Approval, sent: dict[str, Any]
) -> list[dict[str, Any]]:
    """The steps of withdrawing an approval that are open now to whoever asks."""
    taken = steps_taken(approval)
    shown = []
    for name, ending in ENDINGS.items():
        prefix = f"{name}-{approval.pk}"
        open_now = is_open(ending.step, taken) and allows(request, ending.action, approval.party)
        if open_now or prefix in sent:
            form = sent.get(prefix) or ending.form(prefix=prefix)
            shown.append({"ending": ending, "form": form, "url": f"approval_{name}"})
    return shown
