"""Requests on a party's home page: a supplier's, an operation's, those before an agency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from compliance.choices import PartyKind
from compliance.models import Game, GameRequest
from compliance.permissions import Action
from compliance.selectors.conditions import conditions_to_meet
from compliance.web.acting import allows

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.models import Party

NEWEST = 10
MARKS: dict[str, str] = {
    GameRequest.State.APPROVED: "working",
    GameRequest.State.INCOMPLETE: "attention",
    GameRequest.State.DENIED: "failing",
    GameRequest.State.OBJECTED: "failing",
}


def own_requests(request: HttpRequest, party: Party) -> dict[str, Any]:
    """The newest requests with where they stand, and what approvals still ask for."""
    found = GameRequest.objects.filter(
        Q(asked_by=party) | Q(asked_by__agency=party)
    ).select_related("rule_version__game", "asked_by")
    files = allows(request, Action.FILE_GAMES, party)
    return {
        "requests": [(each, MARKS.get(each.state, "waiting")) for each in found[:NEWEST]],
        "to_meet": conditions_to_meet([party]),
        "games": Game.objects.filter(supplier=party) if files else (),
        "asks": allows(request, Action.REQUEST_APPROVAL, party),
        "files": files,
        "agency": party.kind == PartyKind.TRIBAL_AGENCY,
    }
