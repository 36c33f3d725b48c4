"""Legal holds: listed, placed, lifted; and retention periods."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.shortcuts import get_object_or_404
from django.urls import reverse

from compliance.access.permissions import Action
from compliance.retention.models import LegalHold
from compliance.retention.periods import CLASSES
from compliance.retention.reads import all_holds, kinds
from compliance.retention.writes import lift_hold, place_hold
from compliance.ui.forms import LongField, NameField, ReasonForm
from compliance.ui.pages import ActionPage, Page
from compliance.ui.tables import ActionColumn, ListTable, RowAction, WhenColumn


class HoldForm(forms.Form):
    """The object to hold, and the reason."""

    kind = forms.ChoiceField(
        label="What is on hold",
        choices=lambda: [(name, kind.label) for name, kind in kinds().items()],
    )
    which = NameField(
        label="Which",
        max_length=120,
        help_text="An operator's code (cedar), a log's number or SHA-256, a case's number "
        "(CR 2025-00012), a report's reference.",
    )
    reason = LongField(
        label="Reason", rows=3, max_length=2000, help_text="The order, the case or the request."
    )


class HoldTable(ListTable):
    """Legal holds in effect."""

    name = tables.Column(verbose_name="What is on hold")
    reason = tables.Column()
    at = WhenColumn(verbose_name="Since")
    lift = ActionColumn(lambda record: record["actions"])
    caption = "Holds in effect"

    class Meta:
        empty_text = (
            "There are no holds. Place one below when an order, a case or a request requires it."
        )


class LiftedTable(ListTable):
    """Legal holds that have ended."""

    name = tables.Column(verbose_name="What was on hold")
    at = WhenColumn(verbose_name="From")
    lifted = WhenColumn(accessor="lifted__at")
    reason = tables.Column(accessor="lifted__reason", verbose_name="Why")
    caption = "Lifted holds"


class PeriodTable(ListTable):
    """Retention periods, by class of files."""

    says = tables.Column(verbose_name="What")
    years = tables.Column(verbose_name="Kept for", default="always")
    minimum = tables.Column(verbose_name="At least")
    caption = "Retention periods"


class HoldsPage(Page):
    """Current and past holds, and retention periods."""

    permission = Action.KEEP_HOLDS
    template_name = "retention/holds.html"

    def get_context(self) -> dict[str, Any]:
        """Collect the holds, each with the form to lift it."""
        holds = list(all_holds())
        in_effect = [
            {
                "name": hold.name,
                "reason": hold.reason,
                "at": hold.at,
                "actions": [
                    RowAction(
                        url=reverse("lift_hold", args=[hold.uuid]),
                        button="Lift hold",
                        hint=str(hold),
                        form=self.form(ReasonForm, f"lift-{hold.uuid}"),
                    )
                ],
            }
            for hold in holds
            if not hasattr(hold, "lifted")
        ]
        periods = [
            {
                "says": each.says,
                "years": f"{years} years" if (years := settings.RETENTION.get(each.name)) else None,
                "minimum": f"{each.least} years ({each.rule})",
            }
            for each in CLASSES.values()
        ]
        return {
            "form": self.form(HoldForm, "place"),
            "in_effect": HoldTable(in_effect),
            "lifted": LiftedTable([hold for hold in holds if hasattr(hold, "lifted")]),
            "periods": PeriodTable(periods),
        }


class HoldAction(ActionPage):
    """An action on the page of holds."""

    permission = Action.KEEP_HOLDS
    shown_on = HoldsPage
    returns_to = ("holds",)

    def get_shown_subject(self) -> None:
        """Return nothing: the page is about all holds."""


class PlaceHold(HoldAction):
    """Place a hold."""

    form_class = HoldForm
    form_name = "place"
    success_message = "Nothing of {result.name} is removed until this hold is lifted."

    def act(self, data: dict[str, Any]) -> LegalHold:
        return place_hold(by=self.person, **data)


class LiftHold(HoldAction):
    """Lift a hold, with the reason."""

    form_class = ReasonForm
    form_name = "lift-{uuid}"
    success_message = "The {subject} is lifted."

    def get_subject(self) -> LegalHold:
        return get_object_or_404(LegalHold, uuid=self.kwargs["uuid"])

    def act(self, data: dict[str, Any]) -> None:
        lift_hold(hold=self.subject, by=self.person, **data)
