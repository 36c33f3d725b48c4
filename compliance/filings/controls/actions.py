"""Actions on a submitted version of internal controls: each has one form and one service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms

from compliance.access.permissions import COMMISSION_ROLES, Action
from compliance.access.scope import memberships_of
from compliance.errors import NotAllowedError
from compliance.filings.controls.models import ControlsFiling
from compliance.filings.controls.writes import (
    approve_controls,
    comment_on_controls,
    deny_controls,
    note_visit,
    return_controls,
    step_controls_withdrawal,
    withdraw_controls,
)
from compliance.filings.documents.forms import SectionForm
from compliance.filings.requests.approvals import is_step_open, steps_taken
from compliance.filings.requests.forms import ENDINGS, WithdrawalStep
from compliance.filings.requests.models import Withdrawal
from compliance.ui.forms import InstantField, LongField, ReasonForm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from compliance.access.models import Membership, Party, Person
    from compliance.filings.controls.models import ControlsVersion
    from compliance.filings.requests.models import Approval


State = ControlsFiling.State
OPEN = frozenset({State.SUBMITTED, State.APPROVED_VERBALLY})


class ReturnForm(ReasonForm):
    """Why a version is returned, and how many days the operator has to answer."""

    days = forms.IntegerField(
        label="Days to answer", min_value=1, max_value=365, initial=30,
        help_text="What would end on a weekend or a holiday ends on the next business day "
        "(WAC 230-06-051).",
    )  # fmt: skip


class ApproveForm(forms.Form):
    """When a version takes effect; `seen` is the state being decided on."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    in_effect_from = InstantField(label="In effect from")
    verbally = forms.BooleanField(
        label="Verbally first: a swap of games, to be approved in writing", required=False
    )
    note = LongField(required=False, rows=2)


class VisitForm(forms.Form):
    """What an agent saw."""

    as_approved = forms.BooleanField(label="In place as approved", required=False)
    note = LongField(label="Observation", required=False, rows=2)


@dataclass(frozen=True)
class VersionAction:
    """One action: its labels, form, permission, states and service."""

    label: str
    done: str
    form: type[forms.Form]
    action: Action
    states: frozenset[State]
    act: Callable[[ControlsVersion, dict[str, Any], Person], object]
    step: Withdrawal.Step | None = None
    judges: bool = False
    """Whether it decides on what was submitted: nobody may decide on their own submission."""

    def is_open(self, state: State, approvals: Iterable[Approval]) -> bool:
        """Return whether a version in this state, with these approvals, allows the action."""
        if state not in self.states:
            return False
        return self.step is None or any(
            is_step_open(self.step, steps_taken(each)) for each in approvals
        )


def withdrawal_action(ending: WithdrawalStep) -> VersionAction:
    """Return a step of withdrawing an approved version; those who approve may also withdraw."""
    commission = ending.step != Withdrawal.Step.OBJECTED
    return VersionAction(
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
    party = commenting_party(version, memberships_of(by))
    return comment_on_controls(version=version, by=by, by_party=party, **said)


def commenting_party(version: ControlsVersion, held: Sequence[Membership]) -> Party:
    """Return the party a comment is made for: the operator if its own, else the reviewer."""
    own = [each.party for each in held if each.party_id == version.operator_id]
    reviewing = [each.party for each in held if each.role in COMMISSION_ROLES]
    if not (own or reviewing):
        msg = f"You hold no role that speaks of the controls of {version.operator}."
        raise NotAllowedError(msg)
    return [*own, *reviewing][0]


ACTIONS: dict[str, VersionAction] = {
    "comment": VersionAction(
        "Comment on a section",
        "Comment added.",
        SectionForm,
        Action.COMMENT_ON_CONTROLS,
        frozenset(State),
        _comment,
    ),
    "approve": VersionAction(
        "Approve",
        "The version is approved.",
        ApproveForm,
        Action.APPROVE_CONTROLS,
        OPEN,
        lambda version, said, by: approve_controls(version=version, by=by, **said),
        judges=True,
    ),
    "return": VersionAction(
        "Return with comments",
        "The version is returned.",
        ReturnForm,
        Action.REVIEW_CONTROLS,
        frozenset({State.SUBMITTED}),
        lambda version, said, by: return_controls(version=version, by=by, **said),
    ),
    "deny": VersionAction(
        "Deny",
        "The version is denied.",
        ReasonForm,
        Action.APPROVE_CONTROLS,
        frozenset({State.SUBMITTED}),
        lambda version, said, by: deny_controls(version=version, by=by, **said),
        judges=True,
    ),
    "withdraw": VersionAction(
        "Withdraw",
        "The version is withdrawn.",
        ReasonForm,
        Action.SUBMIT_CONTROLS,
        frozenset({State.SUBMITTED, State.RETURNED}),
        lambda version, said, by: withdraw_controls(version=version, by=by, **said),
    ),
    "visit": VersionAction(
        "Record a visit",
        "Visit recorded.",
        VisitForm,
        Action.VISIT,
        frozenset({State.APPROVED, State.APPROVED_VERBALLY}),
        lambda version, said, by: note_visit(version=version, by=by, **said),
    ),
    **{name: withdrawal_action(ending) for name, ending in ENDINGS.items()},
}
