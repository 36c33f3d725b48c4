"""Help: how a pattern is decided, and the words of the trade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audits.services.work import DAYS_TO_DECIDE
from audits.web.help import diagram
from audits.web.help.glossary import GLOSSARY
from compliance.business_days import SHORT
from compliance.permissions import Action
from compliance.web.acting import require_sight
from compliance.web.lists import dollars

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@login_required
@require_safe
def deciding(request: HttpRequest) -> HttpResponse:
    """The states of a pattern and the steps between them."""
    require_sight(request, Action.SEE_FINDINGS)
    context = {
        "drawn": diagram.diagram(),
        "steps": diagram.rows(),
        "above": dollars(settings.FOUR_EYES_ABOVE),
        "days": [
            (weight, days, "business days" if days < SHORT else "days")
            for weight, days in DAYS_TO_DECIDE.items()
        ],
    }
    return render(request, "audits/help/deciding.html", context)


@login_required
@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    """Words as the regulation uses them, and our own."""
    return render(request, "audits/help/glossary.html", {"terms": GLOSSARY})
