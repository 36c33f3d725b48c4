"""Legal holds: listed, placed, lifted; and how long bytes are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from compliance.holdable import kinds
from compliance.models import LegalHold
from compliance.permissions import Action
from compliance.retention import CLASSES
from compliance.selectors.retention import all_holds
from compliance.services.refused import RefusedError
from compliance.services.retention import lift_hold, place_hold
from compliance.web.acting import accepted, person_of, require_sight
from compliance.web.fields import LongField, NameField, ReasonForm

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse


class HoldForm(forms.Form):
    """What is held, and why."""

    kind = forms.ChoiceField(label="What is held", choices=lambda: _choices())
    which = NameField(
        label="Which",
        max_length=120,
        help_text="An operator's code (cedar), a log's number or SHA-256, a case's number "
        "(CR 2025-00012), a report's reference.",
    )
    reason = LongField(
        label="Reason", rows=3, max_length=2000, help_text="The order, the case or the request."
    )


def _choices() -> list[tuple[str, str]]:
    return [(name, kind.label) for name, kind in kinds().items()]


@login_required
@require_safe
def holds(request: HttpRequest) -> HttpResponse:
    """What is held, what was, and how long bytes are kept."""
    require_sight(request, Action.KEEP_HOLDS)
    return _page(request, HoldForm())


@login_required
@require_POST
def place(request: HttpRequest) -> HttpResponse:
    """Place a hold."""
    require_sight(request, Action.KEEP_HOLDS)
    form = HoldForm(request.POST)
    person = person_of(request)
    hold = accepted(form, lambda said: place_hold(**said, by=person))
    if hold is None:
        return _page(request, form, status=422)
    messages.success(request, f"Nothing of {hold.name} is removed until this hold is lifted.")
    return redirect("holds")


@login_required
@require_POST
def lift(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Lift a hold."""
    require_sight(request, Action.KEEP_HOLDS)
    hold = get_object_or_404(LegalHold, uuid=uuid)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"Say why the {hold} is lifted. {form.errors['reason'][0]}")
        return redirect("holds")
    try:
        lift_hold(hold=hold, reason=form.cleaned_data["reason"], by=person_of(request))
    except RefusedError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"The {hold} is lifted.")
    return redirect("holds")


def _page(request: HttpRequest, form: HoldForm, status: int = 200) -> HttpResponse:
    found = list(all_holds())
    context = {
        "form": form,
        "in_force": [each for each in found if not hasattr(each, "lifted")],
        "lifted": [each for each in found if hasattr(each, "lifted")],
        "classes": [
            {"class": each, "years": settings.RETENTION.get(each.name)} for each in CLASSES.values()
        ],
    }
    return render(request, "retention/holds.html", context, status=status)
