"""What operators are shown: the report of a day by an agent's word, findings as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_http_methods, require_safe

from audits.findings_in_words import code_in_words
from audits.models import GamblingDay, Pattern
from audits.selectors.releases import (
    codes_known,
    days_to_release,
    said_of_standing,
    standing_releases,
    who_released,
)
from audits.services.release import release_day, set_standing_release
from audits.web.cases.pages import operators
from audits.web.releases.forms import DayForm, StandingForm
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.permissions import Action
from compliance.web.acting import accepted, allows, person_of, require_sight

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

MOST_ROWS = 100


@login_required
@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Days whose report no operator is shown yet, and the way to each operator's releases."""
    require_sight(request, Action.SEE_FINDINGS)
    context = {"days": days_to_release()[:MOST_ROWS], "operators": list(operators().values())}
    return render(request, "audits/releases/releases.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def day(request: HttpRequest, code: str, day: str) -> HttpResponse:
    """One day: whether its report is released, what that shows, and the form that does it."""
    kept = _day(request, code, day)
    if request.method != "POST":
        return _day_page(request, kept)
    require_sight(request, Action.RELEASE_FINDINGS, kept.party)
    form = DayForm(request.POST)
    accepted(form, lambda said: release_day(day=kept, by=person_of(request), **said))
    if form.errors:
        kept.refresh_from_db()
        return _day_page(request, kept, form, status=422)
    messages.success(request, f"{kept.party} is shown the report of {kept.day:%B %-d, %Y} now.")
    return redirect("day_release", code=code, day=f"{kept.day:%Y-%m-%d}")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def standing(request: HttpRequest, code: str) -> HttpResponse:
    """What an operator is shown without an agent's word; give it, or end it."""
    party = get_object_or_404(Party, code=code, kind__in=OPERATOR_KINDS)
    require_sight(request, Action.SEE_FINDINGS, party)
    if request.method != "POST":
        return _standing_page(request, party)
    require_sight(request, Action.RELEASE_FINDINGS, party)
    form = StandingForm(codes_known(party), request.POST)
    accepted(form, lambda said: set_standing_release(party=party, by=person_of(request), **said))
    if form.errors:
        return _standing_page(request, party, form, status=422)
    said = form.cleaned_data
    now = "are released as they come" if said["stands"] else "wait for an agent"
    messages.success(request, f"Findings of {said['code']} {now} from now on.")
    return redirect("standing_releases", code=code)


def _day(request: HttpRequest, code: str, day: str) -> GamblingDay:
    try:
        on = parse_date(day)
    except ValueError:
        on = None
    if on is None:
        raise Http404
    found = GamblingDay.objects.select_related("party__agency", "current")
    kept = get_object_or_404(found, party__code=code, day=on)
    require_sight(request, Action.SEE_FINDINGS, kept.party)
    return kept


def _day_page(
    request: HttpRequest, kept: GamblingDay, sent: DayForm | None = None, status: int = 200
) -> HttpResponse:
    patterns = Pattern.objects.filter(party=kept.party_id, nights__day=kept.day).distinct()
    context = {
        "kept": kept,
        "refused": sent,
        "closed": kept.state == GamblingDay.State.CLOSED,
        "patterns": patterns.count(),
        "shown": patterns.filter(released__isnull=False).count(),
        "by": who_released(kept) if kept.released else "",
        "releases": allows(request, Action.RELEASE_FINDINGS, kept.party),
        "read": kept.supplements,
    }
    return render(request, "audits/releases/day.html", context, status=status)


def _standing_page(
    request: HttpRequest, party: Party, sent: StandingForm | None = None, status: int = 200
) -> HttpResponse:
    stands = standing_releases(party)
    taken = {each.code for each in stands}
    left = [code for code in codes_known(party) if code not in taken]
    releases = allows(request, Action.RELEASE_FINDINGS, party)
    context: dict[str, Any] = {
        "party": party,
        "days": days_to_release().filter(party=party)[:MOST_ROWS],
        "rows": [{"stands": each, "says": code_in_words(each.code)} for each in stands],
        "releases": releases,
        "refused": sent,
        "form": StandingForm(left) if releases else None,
        "told": said_of_standing(party)[:MOST_ROWS],
    }
    return render(request, "audits/releases/standing.html", context, status=status)
