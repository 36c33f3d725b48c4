"""Any round looked for: by its number, or by its table and the time, as a patron tells it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from audits.findings_in_words import name_in_words
from audits.instants import instants_shown
from audits.selectors.rounds import find_rounds
from audits.selectors.table_rounds import (
    removed_near,
    rounds_after,
    rounds_around,
    rounds_before,
    tables_near,
)
from audits.web.rounds.forms import IdForm, TimeForm
from audits.web.rounds.times import CLOCK, SHORT, apart, shown
from compliance.archive import RemovedError
from compliance.choices import OPERATOR_KINDS
from compliance.keyset import mark_of, read_mark
from compliance.models import Party
from compliance.permissions import Action
from compliance.selectors.in_force import zone
from compliance.web.acting import allows, require_sight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import HttpRequest, HttpResponse

    from audits.selectors.rounds import RoundOnFile
    from audits.selectors.table_rounds import Key, PlayedRound, Stretch

EACH_WAY: Final = 12
FAR: Final = timedelta(minutes=30)
"""Further off no round answers the question."""
A_DAY: Final = timedelta(days=1)
MORNING: Final = 8
"""Before this hour "that night" may mean the date before."""
MARK: Final = "mark"
LIST: Final = "rounds of a table"
WAYS: Final = {"before": rounds_before, "after": rounds_after}


@dataclass(frozen=True)
class Asked:
    """A table and an instant, and what is to be said of the clock."""

    operator: Party
    table: str
    at: datetime
    skipped: bool
    """The clock was set forward over the time, and never showed it."""
    other: datetime | None
    """The clock was set back, and showed the time then too."""

    @classmethod
    def of(cls, form: TimeForm) -> Asked:
        """What a valid form asks."""
        said = form.cleaned_data
        instants = instants_shown(said["day"], said["time"], zone())
        skipped = not instants
        if skipped:
            instants = [datetime.combine(said["day"], said["time"], zone()).astimezone(UTC)]
        *others, at = instants if said["second"] else instants[::-1]
        other = others[0] if others else None
        return cls(form.operator_asked(), said["table"], at, skipped, other)


@login_required
@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """A round by its number or by its table and the time; one of a number is shown at once."""
    require_sight(request, Action.SEE_ROUNDS)
    operators = operators_seen(request)
    by_id = IdForm(request.GET if "id" in request.GET else None)
    by_time = TimeForm(operators, request.GET if "table" in request.GET else None)
    context: dict[str, Any] = {"by_id": by_id, "by_time": by_time}
    if by_id.is_bound and by_id.is_valid():
        sought = by_id.cleaned_data["id"]
        found, context["removed"] = _found(operators.values(), sought)
        if len(found) == 1:
            return redirect("round", found[0].segment.party.code, sought)
        context |= {"sought": sought, "found": [_named(each) for each in found]}
    elif by_time.is_bound and operators and by_time.is_valid():
        context |= _at_table(request, by_time)
    wrong = by_id.errors or by_time.errors
    return render(request, "audits/rounds/find.html", context, status=422 if wrong else 200)


def _found(operators: Iterable[Party], id_: str) -> tuple[list[RoundOnFile], str]:
    """The rounds of a number; where there is none, whether it may have been removed."""
    try:
        return find_rounds(operators, id_), ""
    except RemovedError as removed:
        return [], str(removed)


def operators_seen(request: HttpRequest) -> dict[str, Party]:
    """The operators whose rounds whoever asks may see, by their codes."""
    return {
        each.code: each
        for each in Party.objects.filter(kind__in=OPERATOR_KINDS).order_by("code")
        if allows(request, Action.SEE_ROUNDS, each)
    }


def _named(found: Any) -> dict[str, Any]:
    at = found.segment.party
    return {
        "operator": at,
        "game": name_in_words(found.segment.game),
        "table": found.found.round.table,
        "day": found.segment.day,
    }


def _at_table(request: HttpRequest, form: TimeForm) -> dict[str, Any]:
    """The rounds of a table about a time, or before or after one that a page ended with."""
    asked = Asked.of(form)
    table, stretch, near = asked.table, _stretch(request, asked, asked.table), {}
    if not stretch.rounds:
        near = tables_near(asked.operator, asked.at - A_DAY, asked.at + A_DAY)
        alike = [name for name in near if name.casefold() == table.casefold()]
        if len(alike) == 1:
            table = alike[0]
            stretch = _stretch(request, asked, table)
    kept = {name: str(value) for name, value in request.GET.items() if name != MARK}
    nearest = min(stretch.rounds, key=lambda each: abs(each.at - asked.at), default=None)
    further = MARK in request.GET
    far = _far(nearest, asked) if nearest and not further else ""
    about_then = (asked.operator, table, asked.at - A_DAY, asked.at + A_DAY)
    return {
        "asked": asked,
        "table": table,
        "removed": removed_near(*about_then) if far or not nearest else "",
        "when": shown(asked.at, "l, F j, Y, g:i A"),
        "other": shown(asked.other, "g:i A") if asked.other else "",
        "other_on": f"?{urlencode(_other(kept))}" if asked.other else "",
        "night_on": _night_on(form, kept),
        "rows": [_row(each, asked, nearest) for each in stretch.rounds],
        "far": far,
        "earlier": _on(kept, "before", stretch.rounds[0]) if stretch.earlier else "",
        "later": _on(kept, "after", stretch.rounds[-1]) if stretch.later else "",
        "back": f"?{urlencode(kept)}" if further else "",
        "near": [
            {
                "table": name,
                "games": ", ".join(sorted(map(name_in_words, games))),
                "on": f"?{urlencode(kept | {'table': name})}",
            }
            for name, games in sorted(near.items())
        ],
    }


def _stretch(request: HttpRequest, asked: Asked, table: str) -> Stretch:
    way, key = _marked(request.GET.get(MARK, ""))
    if key is not None and way in WAYS:
        return WAYS[way](asked.operator, table, key, 2 * EACH_WAY)
    return rounds_around(asked.operator, table, asked.at, EACH_WAY)


def _marked(mark: str) -> tuple[str, Key | None]:
    """What a mark of ours says; nothing where it is none."""
    key = read_mark(mark, of=LIST, parts=4)
    if key is None:
        return "", None
    way, at, segment, row = key
    return way, (at, segment, row)


def _on(kept: Mapping[str, str], way: str, edge: PlayedRound) -> str:
    return f"?{urlencode({**kept, MARK: mark_of([way, *edge.key], of=LIST)})}"


def _other(kept: Mapping[str, str]) -> dict[str, str]:
    """The same question of the other hour that the clock showed alike."""
    without = {name: value for name, value in kept.items() if name != "second"}
    return without if kept.get("second") else {**without, "second": "on"}


def _night_on(form: TimeForm, kept: Mapping[str, str]) -> dict[str, str]:
    """The same time a date later, where a night was perhaps named by its evening."""
    said = form.cleaned_data
    if said["time"].hour >= MORNING:
        return {}
    on = said["day"] + A_DAY
    asked = {name: value for name, value in kept.items() if name != "second"}
    return {"day": f"{on:%A, %B} {on.day}", "on": f"?{urlencode(asked | {'day': str(on)})}"}


def _row(each: PlayedRound, asked: Asked, nearest: PlayedRound | None) -> dict[str, Any]:
    seconds = (each.at - asked.at).total_seconds()
    return {
        "round": each,
        "operator": asked.operator,
        "game": name_in_words(each.game),
        "ended": shown(each.at, SHORT if abs(seconds) > A_DAY.total_seconds() / 2 else CLOCK),
        "apart": f"{apart(seconds)} {'before' if seconds < 0 else 'after'}",
        "nearest": each is nearest,
    }


def _far(nearest: PlayedRound, asked: Asked) -> str:
    """Where even the nearest round is far off: by how much."""
    seconds = (nearest.at - asked.at).total_seconds()
    if abs(seconds) <= FAR.total_seconds():
        return ""
    way = "earlier" if seconds < 0 else "later"
    return f"{shown(nearest.at, SHORT)}, {apart(seconds)} {way}"
