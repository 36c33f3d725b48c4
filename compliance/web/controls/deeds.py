"""What people do with a submitted version of internal controls: one form and one service each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms

from compliance.models import ControlsFiling, Withdrawal
from compliance.permissions import COMMISSION_ROLES, Action
from compliance.services.approvals import is_open, steps_taken
from compliance.services.controls import (
    approve_controls,
    comment_on_controls,
    deny_controls,
    note_visit,
    return_controls,
    step_controls_withdrawal,
    withdraw_controls,
)
from compliance.services.refused import NotAllowedError
from compliance.walls import memberships_of
from compliance.web.comments import SectionForm
from compliance.web.fields import InstantField, LongField, ReasonForm
from compliance.web.requests.conditions import ENDINGS, Ending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from compliance.models import Approval, ControlsVersion, Membership, Party, Person

State = ControlsFiling.State
OPEN = frozenset({State.SUBMITTED, State.APPROVED_VERBALLY})


class ReturnForm(ReasonForm):
    """Why a version goes back, and how long there is to answer."""

    days = forms.IntegerField(
        label="Days to answer", min_value=1, max_value=365, initial=30,
        help_text="What would end on a weekend or a holiday ends on the next business day "
        "(WAC 230-06-051).",
    )  # fmt: skip


class ApproveForm(forms.Form):
    """From when a version is in effect; `seen` is the state that is being decided on."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    in_effect_from = InstantField(label="In effect from")
    verbally = forms.BooleanField(
        label="Verbally first: a swap of games, to be approved in writing", required=False
    )
    note = LongField(required=False, rows=2)


class VisitForm(forms.Form):
    """What an agent saw."""

    as_approved = forms.BooleanField(label="In place as approved", required=False)
    note = LongField(label="What was seen", required=False, rows=2)


@dataclass(frozen=True)
class Deed:
    """One thing to do: its words, its form, who may, in which states, and the service."""

    label: str
    done: str
    form: type[forms.Form]
    action: Action
    states: frozenset[State]
    act: Callable[[ControlsVersion, dict[str, Any], Person], object]
    step: Withdrawal.Step | None = None
    judges: bool = False
    """Whether it judges what was submitted: nobody does so of their own."""

    def is_open(self, state: State, approvals: Iterable[Approval]) -> bool:
        """Whether a version in this state, with these approvals, can take it."""
        if state not in self.states:
            return False
        return self.step is None or any(is_open(self.step, steps_taken(each)) for each in approvals)


def withdrawing(ending: Ending) -> Deed:
    """A step of withdrawing an approved version; whoever may approve one may take it back."""
    commission = ending.step != Withdrawal.Step.OBJECTED
    return Deed(
        ending.label,
        "The step is on file.",
        ending.form,
        Action.APPROVE_CONTROLS if commission else Action.OBJECT_TO_WITHDRAWAL,
        frozenset({State.APPROVED, State.APPROVED_VERBALLY}),
        lambda version, said, by: step_controls_withdrawal(
            version=version, step=ending.step, by=by, **said
        ),
        ending.step,
    )


def _comment(version: ControlsVersion, said: dict[str, Any], by: Person) -> object:
    party = speaks_for(version, memberships_of(by))
    return comment_on_controls(version=version, by=by, by_party=party, **said)


def speaks_for(version: ControlsVersion, held: Sequence[Membership]) -> Party:
    """The party in whose name somebody comments: the operator's own, or the one that reviews."""
    own = [each.party for each in held if each.party_id == version.operator_id]
    reviewing = [each.party for each in held if each.role in COMMISSION_ROLES]
    if not (own or reviewing):
        msg = f"You hold no role that speaks of the controls of {version.operator}."
        raise NotAllowedError(msg)
    return [*own, *reviewing][0]


DEEDS: dict[str, Deed] = {
    "comment": Deed(
        "Comment on a section",
        "The comment is on file.",
        SectionForm,
        Action.COMMENT_ON_CONTROLS,
        frozenset(State),
        _comment,
    ),
    "approve": Deed(
        "Approve",
        "The version is approved.",
        ApproveForm,
        Action.APPROVE_CONTROLS,
        OPEN,
        lambda version, said, by: approve_controls(version=version, by=by, **said),
        judges=True,
    ),
    "return": Deed(
        "Return with comments",
        "The version is returned.",
        ReturnForm,
        Action.REVIEW_CONTROLS,
        frozenset({State.SUBMITTED}),
        lambda version, said, by: return_controls(version=version, by=by, **said),
    ),
    "deny": Deed(
        "Deny",
        "The version is denied.",
        ReasonForm,
        Action.APPROVE_CONTROLS,
        frozenset({State.SUBMITTED}),
        lambda version, said, by: deny_controls(version=version, by=by, **said),
        judges=True,
    ),
    "withdraw": Deed(
        "Withdraw",
        "The version is withdrawn.",
        ReasonForm,
        Action.SUBMIT_CONTROLS,
        frozenset({State.SUBMITTED, State.RETURNED}),
        lambda version, said, by: withdraw_controls(version=version, by=by, **said),
    ),
    "visit": Deed(
        "Note a visit",
        "The visit is noted.",
        VisitForm,
        Action.VISIT,
        frozenset({State.APPROVED, State.APPROVED_VERBALLY}),
        lambda version, said, by: note_visit(version=version, by=by, **said),
    ),
    **{name: withdrawing(ending) for name, ending in ENDINGS.items()},
}
