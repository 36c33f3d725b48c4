"""Patterns: the list, and one with its nights, its findings and the steps open to whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import django_tables2 as tables
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from audits.findings_in_words import code_in_words, name_in_words
from audits.judging.whose_money import whose
from audits.models import Finding, Pattern
from audits.selectors.patterns import standing_patterns
from audits.selectors.questions import waiting_for_an_answer
from audits.web.exports import exported
from audits.web.patterns.beside import beside
from audits.web.patterns.forms import PatternFilters
from audits.web.patterns.panel import asked_of, panel_of
from audits.web.patterns.shown import (
    findings_of,
    how_often,
    in_one_sentence,
    money_of,
    nights_of,
    title_of,
)
from audits.web.rounds.times import InstantColumn
from compliance.permissions import Action
from compliance.web.acting import allows, require_sight
from compliance.web.keyset import AFTER, cut
from compliance.web.lists import signed

if TYPE_CHECKING:
    from uuid import UUID

    from django import forms
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

MOST_WAITING = 20
MINOR = {"td": {"class": "minor"}}
"""Left to the pattern's own page where the screen is narrow."""
AMOUNT = {"td": {"class": "amount"}, "th": {"class": "amount"}}


class Patterns(tables.Table):  # type: ignore[misc]
    """Patterns, the newest first."""

    code = tables.Column(
        verbose_name="What went wrong", linkify=("pattern", {"uuid": tables.A("uuid")})
    )
    party = tables.Column(verbose_name="Operator")
    table = tables.Column(empty_values=(), verbose_name="Game and table")
    wager = tables.Column(empty_values=(), verbose_name="Wager and line", attrs=MINOR)
    rounds = tables.Column(attrs=AMOUNT)
    over = tables.Column(verbose_name="Too much", attrs=AMOUNT)
    under = tables.Column(verbose_name="Too little", attrs=AMOUNT)
    last = InstantColumn(verbose_name="Last", form="M j, Y, g:i A T", attrs=MINOR)
    state = tables.Column(accessor="get_state_display")
    caption = "Patterns"
    compact = True

    class Meta:
        orderable = False

    def render_code(self, value: str) -> str:
        """What went wrong, with its code."""
        return f"{code_in_words(value).rstrip('.')} ({value})"

    def render_table(self, record: Pattern) -> str:
        """Where it was."""
        return ", ".join(filter(None, (name_in_words(record.game), record.table))) or "–"

    def render_wager(self, record: Pattern) -> str:
        """What it was about."""
        return ", ".join(map(name_in_words, filter(None, (record.wager, record.line)))) or "–"

    def render_rounds(self, value: int) -> str:
        """With its thousands apart."""
        return f"{value:,}"

    def render_over(self, value: int) -> str:
        """With its sign."""
        return signed(abs(value))

    def render_under(self, value: int) -> str:
        """With its sign."""
        return signed(-abs(value))


@login_required
@require_safe
def patterns(request: HttpRequest) -> HttpResponse:
    """The patterns one may see: all, or those that were released."""
    require_sight(request, Action.SEE_RELEASED)
    inside = allows(request, Action.SEE_FINDINGS)
    form = PatternFilters(request.GET, inside=inside)
    page = cut(request, form.chosen(standing_patterns(inside=inside)).select_related("party"))
    context = {
        "form": form,
        "query": _asked_for(request),
        "inside": inside,
        "cut": page,
        "table": Patterns(page.rows, exclude=() if inside else ("state",)),
        "asked": any(request.GET.get(name) for name in form.fields),
        "replays": allows(request, Action.REPLAY),
        "waiting": [] if inside else waiting_for_an_answer()[:MOST_WAITING],
    }
    return render(
        request, "audits/patterns/patterns.html", context, status=422 if form.errors else 200
    )


@login_required
@require_safe
def one(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One pattern: what happened, what it moved, what can be done about it."""
    return page_of(request, found_pattern(request, uuid))


def found_pattern(request: HttpRequest, uuid: UUID) -> Pattern:
    """A pattern that whoever asks is shown: their own, of an operation of their tribe, or any."""
    found = get_object_or_404(Pattern.objects.select_related("party__agency"), uuid=uuid)
    shown_to = filter(None, (found.party, found.party.agency))
    if not any(allows(request, Action.SEE_RELEASED, party) for party in shown_to):
        raise Http404
    return found


def page_of(
    request: HttpRequest,
    pattern: Pattern,
    sent: dict[str, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a pattern, with the forms that were sent and refused."""
    inside = allows(request, Action.SEE_FINDINGS, pattern.party)
    findings = Finding.objects.filter(pattern=pattern)
    if not inside:
        findings = findings.exclude(standing=Finding.Standing.GONE)
    page = cut(request, findings, by="pk")
    nights, earlier = nights_of(pattern, inside=inside)
    context = {
        "pattern": pattern,
        "title": title_of(pattern),
        "sentence": in_one_sentence(pattern),
        "often": how_often(pattern),
        "diagnosed": pattern.code.startswith("settlement."),
        "game": name_in_words(pattern.game),
        "wager": name_in_words(pattern.wager),
        "line": name_in_words(pattern.line),
        **money_of(pattern),
        "whose": whose(pattern.code, pattern.wager),
        "nights": nights,
        "earlier": earlier,
        **beside(pattern, nights, inside=inside),
        "cut": page,
        "findings": findings_of(request, pattern, page.rows),
        **(panel_of if inside else asked_of)(request, pattern, sent or {}),
    }
    return render(request, "audits/patterns/pattern.html", context, status=status)


@login_required
@require_safe
def export(request: HttpRequest) -> HttpResponseBase:
    """All that the filters of the list show, as a file."""
    require_sight(request, Action.SEE_RELEASED)
    inside = allows(request, Action.SEE_FINDINGS)
    form = PatternFilters(request.GET, inside=inside)
    if not form.is_valid():  # an empty file would say that there is nothing
        return patterns(request)
    found = form.chosen(standing_patterns(inside=inside))
    related = ("party", "work__assigned_to") if inside else ("party",)
    found = found.select_related(*related).order_by("-pk")
    return exported(found, name="findings", form=request.GET.get("as", ""), inside=inside)


def _asked_for(request: HttpRequest) -> str:
    """The filters of the address, without the page."""
    return urlencode([(name, value) for name, value in request.GET.items() if name != AFTER])
