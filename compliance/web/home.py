"""The first page: what concerns one's own party today; for anybody else, what the system is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.views.decorators.http import require_safe

from compliance import clock
from compliance.capabilities import capabilities
from compliance.due import due_of
from compliance.web.acting import allows
from compliance.web.home_parts import parts_for
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from compliance.models import Party


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What is due and what is new for each party one belongs to; else what the system can do."""
    parties = {held.party_id: held.party for held in asked(request).memberships}
    desks = [_desk(request, party) for party in parties.values() if parts_for(party)]
    desks = [each for each in desks if each["due"] or each["parts"]]
    if not desks:
        return render(request, "compliance/home.html", {"capabilities": capabilities()})
    context = {"desks": desks, "today": clock.today(), "one": len(desks) == 1}
    return render(request, "compliance/own_home.html", context)


def _desk(request: HttpRequest, party: Party) -> dict[str, Any]:
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
