"""The law in the reading room: on a day, and through the years on a line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render

from compliance import clock
from compliance.law.time_line import time_line
from compliance.selectors.law import law_rules
from compliance.web.law.pages import DayForm, told_value
from reports.web.reading_room.public import in_the_reading_room

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from compliance.law.time_line import Span

WIDE = 1000
"""Units of the drawing from its first day to its last."""
MOST_YEARS_MARKED = 6
EDGE = 50
"""Nearer to either end a year would not fit."""


@dataclass(frozen=True)
class Drawn:
    """A span where the drawing has it, in its units."""

    x: int
    width: int
    span: Span


@in_the_reading_room
def on_a_day(request: HttpRequest) -> HttpResponse:
    """What each rule allowed on a day: today, or the one that is asked for."""
    form = DayForm(request.GET if "on" in request.GET else None)
    on, status = clock.today(), 200
    if form.is_bound:
        if form.is_valid():
            on = form.cleaned_data["on"] or on
        else:
            status = 422
    context = {
        "form": form if form.is_bound else DayForm(initial={"on": on}),
        "on": on,
        "rows": [(each, told_value(each.on(on), on)) for each in law_rules().values()],
    }
    return render(request, "reading_room/law.html", context, status=status)


@in_the_reading_room
def through_the_years(request: HttpRequest, name: str) -> HttpResponse:
    """One rule on a line of time, with what is not known of it."""
    rule = law_rules().get(name)
    if rule is None:
        raise Http404
    spans = time_line(rule, until=clock.today() + timedelta(days=1))
    context = {
        "rule": rule,
        "spans": [(each, told_value(each.value, each.begin)) for each in spans],
        "drawn": _drawn(spans) if spans else [],
        "years": _years(spans[0].begin, spans[-1].end) if spans else [],
    }
    return render(request, "reading_room/law_rule.html", context)


def _drawn(spans: list[Span]) -> list[Drawn]:
    begin, end = spans[0].begin, spans[-1].end
    places = [_place(each.begin, begin, end) for each in spans] + [WIDE]
    return [
        Drawn(at, max(after - at, 2), span)
        for span, at, after in zip(spans, places, places[1:], strict=False)
    ]


def _years(begin: date, end: date) -> list[tuple[int, int]]:
    """Years to be marked, and where: few enough to be read."""
    years = range(begin.year + 1, end.year + 1)
    every = -(-len(years) // MOST_YEARS_MARKED) or 1
    marked = [year for year in years if year % every == 0]
    places = [(year, _place(date(year, 1, 1), begin, end)) for year in marked]
    return [(year, x) for year, x in places if EDGE <= x <= WIDE - EDGE]


def _place(day: date, begin: date, end: date) -> int:
    return round(WIDE * (day - begin).days / max((end - begin).days, 1))
