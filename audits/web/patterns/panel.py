"""The panel beside a pattern: whose desk it is on, what was decided, the steps open to one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.review_steps import STEPS, steps_from
from audits.services.review import needs_second
from audits.web.patterns.forms import NoteForm, StepForm
from audits.web.patterns.shown import Inside
from compliance.permissions import Action
from compliance.web.acting import allows
from compliance.web.fields import ReasonForm

if TYPE_CHECKING:
    from django import forms
    from django.http import HttpRequest

    from audits.models import Pattern


def panel_of(request: HttpRequest, pattern: Pattern, sent: dict[str, forms.Form]) -> dict[str, Any]:
    """What only the commission sees, and what one may do about it."""
    known = Inside.of(pattern)
    reviews = allows(request, Action.REVIEW_FINDINGS, pattern.party)
    names = (steps_from(pattern).keys() if reviews else set()) | (sent.keys() & STEPS.keys())
    steps = []
    for name in (each for each in STEPS if each in names):
        form = sent.get(name)
        if isinstance(form, StepForm):
            form.decide_on(known.edition)
        else:
            form = StepForm(
                STEPS[name], known.cases, prefix=name, initial={"edition": known.edition}
            )
        steps.append({"step": STEPS[name], "form": form, "url": f"pattern_{name}"})
    return {
        "inside": known,
        "reviews": reviews,
        "steps": steps,
        "two": needs_second(pattern),
        "claims": reviews and pattern.open and (known.work is None or not known.work.assigned_to),
        "releases": pattern.released is None
        and allows(request, Action.RELEASE_FINDINGS, pattern.party),
        "note": sent.get("note") or NoteForm(prefix="note"),
        "refused": sent.get("act"),
        "refuse": sent.get("refuse") or (known.proposal and ReasonForm(prefix="refuse")),
    }
