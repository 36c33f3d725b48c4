"""The compact's checklist on a request: read by all who see it, ticked by the agency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.permissions import Action
from compliance.selectors.checklist import checklist_of
from compliance.services.checklist import BEFORE_THE_AGENCY
from compliance.web.acting import allows
from compliance.web.fields import LongField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from compliance.models import GameRequest
    from compliance.selectors.checklist import Checked


class ChecklistForm(forms.Form):
    """Which of the lines the filing answers."""

    there = forms.TypedMultipleChoiceField(
        label="The filing holds", required=False, widget=forms.CheckboxSelectMultiple
    )
    note = LongField(required=False, rows=2)

    def __init__(self, lines: Sequence[Checked], data: object = None) -> None:
        super().__init__(data, prefix="checklist")  # type: ignore[arg-type]
        items = {str(each.item.uuid): each.item for each in lines}
        field = self.fields["there"]
        assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101
        field.choices = [(uuid, f"{item.asks} ({item.citation})") for uuid, item in items.items()]
        field.coerce = items.__getitem__
        field.initial = [
            str(each.item.uuid) for each in lines if each.tick is not None and each.tick.there
        ]


def checklist_context(
    request: HttpRequest, found: GameRequest, sent: dict[str, forms.Form]
) -> dict[str, Any]:
    """The lines with what was found of each, and the form, where it is the agency that asks."""
    lines = checklist_of(found)
    agency = found.asked_by.agency
    ticks = agency is not None and allows(request, Action.DECIDE_AS_AGENCY, agency)
    ticks = ticks and bool(lines) and found.state in BEFORE_THE_AGENCY
    return {
        "lines": lines,
        "there": sum(each.tick is not None and each.tick.there for each in lines),
        "form": sent.get("checklist") or (ChecklistForm(lines) if ticks else None),
    }
