"""Pages to search for rounds and to show one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render

from audits.instants import instants_at
from audits.intake.forms import IdForm, TimeForm
from audits.intake.rounds import (
    find_rounds,
    key_of,
    removed_near,
    rounds_after,
    rounds_around,
    rounds_before,
    tables_near,
)
from audits.intake.segments.rejections import DamagedSegmentError
from audits.local_times import CLOCK, SHORT, show_duration, show_instant
from audits.replay.auditing.terms import TermsError
from audits.review.rounds.explanation import explain_round_on_file, words_in_effect
from audits.review.rounds.presentation import RoundView
from audits.review.rounds.tables import StretchTable
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.clock import zone
from compliance.files.archive import DamagedError, MissingError, RemovedError
from compliance.ui.access import allows
from compliance.ui.lists import mark_of, read_mark
from compliance.ui.pages import Page
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import HttpRequest, HttpResponse

    from audits.intake.rounds import Key, PlayedRound, RoundOnFile, Stretch


EACH_WAY: Final = 12
FAR: Final = timedelta(minutes=30)
"""A round further away does not answer the question."""
A_DAY: Final = timedelta(days=1)
MORNING: Final = 8
"""Before this hour, "that night" may mean the previous date."""
MARK: Final = "mark"
LIST: Final = "rounds of a table"
WAYS: Final = {"before": rounds_before, "after": rounds_after}


@dataclass(frozen=True)
class Asked:
    """A table and an instant, with remarks about the clock."""

    operator: Party
    table: str
    at: datetime
    skipped: bool
    """Whether the clock was set forward over the time and never showed it."""
    other: datetime | None
    """The other instant, if the clock was set back and showed the time twice."""

    @classmethod
    def of(cls, form: TimeForm) -> Asked:
        """Return what a valid form asks for."""
        entered = form.cleaned_data
        instants = instants_at(entered["day"], entered["time"], zone())
        skipped = not instants
        if skipped:
            instants = [datetime.combine(entered["day"], entered["time"], zone()).astimezone(UTC)]
        *others, at = instants if entered["second"] else instants[::-1]
        other = others[0] if others else None
        return cls(form.operator_asked(), entered["table"], at, skipped, other)


class FindRound(Page):
    """Find a round by ID, or by table and time; a single match for an ID is shown at once."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/rounds/find.html"

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Search by the form that was filled in."""
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
        status = 422 if by_id.errors or by_time.errors else 200
        return render(request, self.template_name, context, status=status)


def _found(operators: Iterable[Party], id_: str) -> tuple[list[RoundOnFile], str]:
    """Return the rounds with an ID, and if there are none, whether it may have been removed."""
    try:
        return find_rounds(operators, id_), ""
    except RemovedError as removed:
        return [], str(removed)


def operators_seen(request: HttpRequest) -> dict[str, Party]:
    """Return the operators whose rounds the user may see, by code."""
    return {
        each.code: each
        for each in Party.objects.filter(kind__in=OPERATOR_KINDS).order_by("code")
        if allows(request, Action.SEE_ROUNDS, each)
    }


def _named(found: Any) -> dict[str, Any]:
    at = found.segment.party
    return {
        "operator": at,
        "game": describe_name(found.segment.game),
        "table": found.found.round.table,
        "day": found.segment.day,
    }


def _at_table(request: HttpRequest, form: TimeForm) -> dict[str, Any]:
    """Return a table's rounds around a time, or before or after the end of a previous page."""
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
        "when": show_instant(asked.at, "l, F j, Y, g:i A"),
        "other": show_instant(asked.other, "g:i A") if asked.other else "",
        "other_on": f"?{urlencode(_other(kept))}" if asked.other else "",
        "night_on": _night_on(form, kept),
        "table_of_rounds": StretchTable([_row(each, asked, nearest) for each in stretch.rounds]),
        "far": far,
        "earlier": _on(kept, "before", stretch.rounds[0]) if stretch.earlier else "",
        "later": _on(kept, "after", stretch.rounds[-1]) if stretch.later else "",
        "back": f"?{urlencode(kept)}" if further else "",
        "near": [
            {
                "table": name,
                "games": ", ".join(sorted(map(describe_name, games))),
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
    """Parse a page mark; return an empty one if it is invalid."""
    key = read_mark(mark, of=LIST, parts=4)
    if key is None:
        return "", None
    way, at, segment, row = key
    return way, (at, segment, row)


def _on(kept: Mapping[str, str], way: str, edge: PlayedRound) -> str:
    return f"?{urlencode({**kept, MARK: mark_of([way, *edge.key], of=LIST)})}"


def _other(kept: Mapping[str, str]) -> dict[str, str]:
    """Return the same query for the other instant at which the clock showed this time."""
    without = {name: value for name, value in kept.items() if name != "second"}
    return without if kept.get("second") else {**without, "second": "on"}


def _night_on(form: TimeForm, kept: Mapping[str, str]) -> dict[str, str]:
    """Return the same time a day later, in case the night was named by its evening."""
    entered = form.cleaned_data
    if entered["time"].hour >= MORNING:
        return {}
    on = entered["day"] + A_DAY
    asked = {name: value for name, value in kept.items() if name != "second"}
    return {"day": f"{on:%A, %B} {on.day}", "on": f"?{urlencode(asked | {'day': str(on)})}"}


def _row(each: PlayedRound, asked: Asked, nearest: PlayedRound | None) -> dict[str, Any]:
    seconds = (each.at - asked.at).total_seconds()
    return {
        "round": each,
        "operator": asked.operator,
        "game": describe_name(each.game),
        "ended": show_instant(
            each.at, SHORT if abs(seconds) > A_DAY.total_seconds() / 2 else CLOCK
        ),
        "distance": f"{show_duration(seconds)} {'before' if seconds < 0 else 'after'}",
        "is_chosen": each is nearest,
    }


def _far(nearest: PlayedRound, asked: Asked) -> str:
    """Say how far away even the nearest round is, if it is far."""
    seconds = (nearest.at - asked.at).total_seconds()
    if abs(seconds) <= FAR.total_seconds():
        return ""
    way = "earlier" if seconds < 0 else "later"
    return f"{show_instant(nearest.at, SHORT)}, {show_duration(seconds)} {way}"


NOT_AS_WRITTEN: Final = (DamagedError, MissingError, DamagedSegmentError, TermsError)


class RoundPage(Page):
    """A round on file, with or without findings."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/rounds/round.html"

    def get_subject(self) -> Party:
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS)
        return get_object_or_404(operators, code=self.kwargs["operator"])

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show it, or say why its file cannot be read."""
        try:
            return self.show()
        except RemovedError:
            raise  # answered as on any page: when it was removed, and why
        except NOT_AS_WRITTEN as wrong:
            context = {"party": self.subject, "id": self.kwargs["id_"], "wrong": str(wrong)}
            return render(request, "audits/rounds/damaged.html", context, status=503)

    def get_context(self) -> dict[str, Any]:
        """Explain the round, and name those before and after it."""
        party: Party = self.subject
        found = find_rounds([party], self.kwargs["id_"])
        if not found:
            raise Http404
        on_file = found[0]
        played = on_file.found.round
        key = key_of(on_file.segment, on_file.found.row, played.at)
        [before, after] = (
            reach(party, played.table, key, 1).rounds for reach in (rounds_before, rounds_after)
        )
        return {
            "party": party,
            "round": RoundView(explain_round_on_file(on_file), words_in_effect(party, played)),
            "before": _near(before),
            "after": _near(after),
            "sees_replays": self.allows(Action.SEE_FINDINGS),
            "keeps_cases": self.allows(Action.KEEP_CASES),
            "reads_events": self.allows(Action.READ_EVENTS),
        }


def _near(rounds: Any) -> dict[str, str] | None:
    return {"id": rounds[0].id, "ended": show_instant(rounds[0].at, CLOCK)} if rounds else None
