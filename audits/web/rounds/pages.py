"""The page of a round: the table as dealt, what each wager came to, why, and what proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from audits.judging.terms import TermsError
from audits.segments.refusals import DamagedSegmentError
from audits.selectors.round_told import round_told
from audits.selectors.rounds import find_rounds
from audits.selectors.table_rounds import key_of, rounds_after, rounds_before
from audits.web.rounds.shown import RoundShown
from audits.web.rounds.times import CLOCK, shown
from compliance.archive import DamagedError, MissingError, RemovedError
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.permissions import Action
from compliance.web.acting import allows, require_sight

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from audits.selectors.rounds import RoundOnFile

NOT_AS_WRITTEN: Final = (DamagedError, MissingError, DamagedSegmentError, TermsError)


@login_required
@require_safe
def one(request: HttpRequest, operator: str, id_: str) -> HttpResponse:
    """One round on file, with or without findings."""
    party = get_object_or_404(Party, code=operator, kind__in=OPERATOR_KINDS)
    require_sight(request, Action.SEE_ROUNDS, party)
    try:
        found = find_rounds([party], id_)
        if not found:
            raise Http404
        context = _context(request, party, found[0])
    except RemovedError:
        raise  # answered as on any page: when it was removed, and why
    except NOT_AS_WRITTEN as wrong:
        context = {"party": party, "id": id_, "wrong": str(wrong)}
        return render(request, "audits/rounds/damaged.html", context, status=503)
    return render(request, "audits/rounds/round.html", context)


def _context(request: HttpRequest, party: Party, on_file: RoundOnFile) -> dict[str, Any]:
    played = on_file.found.round
    key = key_of(on_file.segment, on_file.found.row, played.at)
    [before, after] = (
        reach(party, played.table, key, 1).rounds for reach in (rounds_before, rounds_after)
    )
    return {
        "party": party,
        "round": RoundShown(round_told(on_file)),
        "before": _near(before),
        "after": _near(after),
        "sees_replays": allows(request, Action.SEE_FINDINGS, party),
        "keeps_cases": allows(request, Action.KEEP_CASES, party),
        "reads_events": allows(request, Action.READ_EVENTS, party),
    }


def _near(rounds: Any) -> dict[str, str] | None:
    return {"id": rounds[0].id, "ended": shown(rounds[0].at, CLOCK)} if rounds else None
