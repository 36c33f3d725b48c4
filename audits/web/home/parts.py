"""Parts of home pages: an agent's desk; an operator's newest logs and released findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.findings_in_words import code_in_words, name_in_words
from audits.models import Pattern, RoundLog
from audits.selectors.desk import desks_of, on_desks
from audits.selectors.round_logs import hand_ins_under_way
from audits.web.desk.lists import BY_DUE, rows_of
from audits.web.patterns.shown import money_of
from audits.web.rounds.times import shown as shown_time
from compliance.permissions import Action
from compliance.web.acting import allows, person_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.models import Party

NEWEST = 5


def desk(request: HttpRequest, _: Party) -> dict[str, Any]:
    """What is on one's own desk and is due first."""
    found = on_desks().filter(open=True, work__assigned_to__in=desks_of(person_of(request)))
    return {"rows": rows_of(found.order_by(*BY_DUE)[:NEWEST])}


def logs(request: HttpRequest, party: Party) -> dict[str, Any]:
    """The newest round logs, and those on their way."""
    return {
        "logs": RoundLog.objects.filter(party=party).order_by("-at", "-pk")[:NEWEST],
        "under_way": hand_ins_under_way([party])[:NEWEST],
        "hands_in": allows(request, Action.HAND_IN_ROUNDS, party),
    }


def findings(_: HttpRequest, party: Party) -> dict[str, Any]:
    """The newest patterns that were released: never who at the commission said what of them."""
    released = Pattern.objects.filter(party=party, released__isnull=False)
    return {
        "rows": [
            {
                "pattern": each,
                "title": code_in_words(each.code).rstrip("."),
                "where": ", ".join(filter(None, (name_in_words(each.game), each.table))),
                "last": shown_time(each.last, "M j, Y, g:i A") if each.last else "–",
                **money_of(each),
            }
            for each in released.order_by("-released", "-pk")[:NEWEST]
        ]
    }
