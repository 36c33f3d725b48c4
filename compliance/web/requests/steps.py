"""The steps of a request as forms: one for each row of the table of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.models import Condition, GameRequest
from compliance.permissions import COMMISSION_ROLES, Action, may
from compliance.request_steps import STEPS, Step
from compliance.services.approvals import Asked
from compliance.services.refused import RefusedError
from compliance.services.requests import (
    STANDARD_CONDITIONS,
    approve_request,
    refuse_request,
    take_step,
)
from compliance.web.fields import LongField, ReasonForm

if TYPE_CHECKING:
    from compliance.models import Membership, Party, Person

APPROVING = frozenset({"approve", "approve_as_agency", "concur"})
REFUSING = frozenset({"deny", "deny_as_agency", "object"})


class ApproveForm(forms.Form):
    """Under which conditions; `seen` is the state that is being decided on."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    standard = forms.MultipleChoiceField(
        label="Standard conditions", required=False, widget=forms.CheckboxSelectMultiple
    )
    other = LongField(
        label="Further conditions", required=False, help_text="One in each line.", rows=3
    )
    note = LongField(required=False, rows=2, help_text="It stands in the letter.")

    def __init__(self, path: str, data: object = None, **more: Any) -> None:
        super().__init__(data, **more)  # type: ignore[arg-type]
        self.standing = STANDARD_CONDITIONS[GameRequest.Path(path)]
        field = self.fields["standard"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(each.kind.value, each.says) for each in self.standing]
        field.initial = [each.kind.value for each in self.standing]

    def conditions(self) -> list[Asked]:
        """The conditions as they were chosen and written."""
        chosen = [each for each in self.standing if each.kind in self.cleaned_data["standard"]]
        lines = (line.strip() for line in self.cleaned_data["other"].splitlines())
        return [*chosen, *(Asked(Condition.Kind.OTHER, line) for line in lines if line)]


def form_of(
    name: str, request: GameRequest, data: object = None, seen: str = ""
) -> ApproveForm | ReasonForm:
    """The form of a step, empty or as it was sent."""
    if name in APPROVING:
        return ApproveForm(request.path, data, prefix=name, initial={"seen": seen})
    initial = {"reason": STEPS[name].usual}
    return ReasonForm(data, prefix=name, initial=initial)  # type: ignore[arg-type]


def take(name: str, request: GameRequest, form: ApproveForm | ReasonForm, by: Person) -> object:
    """Take a step as its form says. Refuses what the services refuse."""
    step = STEPS[name]
    if request.state not in step.of or request.path not in step.paths:
        msg = f"{step.label}: the request is {request.get_state_display().lower()}."
        raise RefusedError(msg)
    said = form.cleaned_data
    if isinstance(form, ApproveForm):
        return approve_request(
            request=request,
            seen=said["seen"],
            by=by,
            conditions=form.conditions(),
            note=said["note"],
        )
    if name in REFUSING:
        return refuse_request(request=request, reasons=said["reason"], by=by)
    return take_step(request=request, name=name, reason=said["reason"], by=by)


def party_of(step: Step, request: GameRequest) -> Party | None:
    """On whose behalf a step is allowed: the agency's own, or of whoever asks."""
    if step.action == Action.DECIDE_AS_AGENCY:
        return request.asked_by.agency
    return request.asked_by


def speaks_for(request: GameRequest, held: list[Membership]) -> Party | None:
    """The party in whose name somebody comments."""
    parties = [
        each.party
        for each in held
        if may([each], Action.COMMENT_ON_REQUESTS)
        and (
            each.role in COMMISSION_ROLES
            or each.party_id in {request.asked_by_id, request.asked_by.agency_id}
        )
    ]
    return parties[0] if parties else None
