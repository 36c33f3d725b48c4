"""The home page: news for the user's parties; for anyone else, what the system is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.views.decorators.http import require_safe

from compliance import clock
from compliance.access.permissions import Action
from compliance.notifications.due_dates import due_of
from compliance.ui.access import allows, asked
from compliance.ui.home_parts import capabilities, parts_for

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from compliance.access.models import Party


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what is due and new for each of the user's parties; else what the system does."""
    parties = {membership.party_id: membership.party for membership in asked(request).memberships}
    queues = [_queue(request, party) for party in parties.values() if parts_for(party)]
    queues = [each for each in queues if each["due"] or each["parts"]]
    if not queues:
        context = {
            "capabilities": capabilities(),
            "has_role": bool(asked(request).memberships),
            "registers": allows(request, Action.REGISTER_PARTY),
        }
        return render(request, "compliance/home.html", context)
    context = {"queues": queues, "today": clock.today(), "one": len(queues) == 1}
    return render(request, "compliance/own_home.html", context)


def _queue(request: HttpRequest, party: Party) -> dict[str, Any]:
    return {
        "party": party,
        "due": [each for each in due_of(party) if allows(request, each.action, party)],
        "parts": [
            {"template": part.template, "shown": shown}
            for part in parts_for(party)
            if allows(request, part.action, party)
            and (shown := part.shows(request, party)) is not None
        ],
    }
