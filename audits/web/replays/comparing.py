"""Two replays beside each other: asked for, followed, and what the later says of the former's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRefresh

from audits.findings_in_words import code_in_words, name_in_words, value_in_words
from audits.models import Replay, ReplayComparison, RoundLog
from audits.selectors.comparisons import Comparison
from audits.services.comparisons import begin_comparison
from audits.web.replays.forms import CompareForm
from audits.web.replays.pages import found_replay
from compliance.web.acting import accepted, person_of
from compliance.web.lists import signed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

State = ReplayComparison.State
UNDER_WAY = (State.WAITING, State.RUNNING)
OFFERED = 20
MOST_PATTERNS = 100
KINDS = {
    "changed": "Found by both, and not the same",
    "gone": "Found no more",
    "new": "Found now",
}


@dataclass(frozen=True)
class Said:
    """What one replay says of a round."""

    logged: str
    expected: str
    delta: str
    cites: tuple[str, ...]

    @classmethod
    def of(cls, finding: dict[str, Any] | None) -> Said | None:
        """A finding as it is shown; None where the replay does not have it."""
        if finding is None:
            return None
        code = finding["code"]
        return cls(
            value_in_words(code, finding["logged"]),
            value_in_words(code, finding["expected"]),
            signed(finding["delta"]),
            tuple(finding["cites"]),
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def compare(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Choose an earlier replay of the same operator; what is different between the two."""
    later = found_replay(request, uuid)
    others = (
        Replay.objects.filter(party=later.party_id, state=Replay.State.DONE, pk__lt=later.pk)
        if later.state == Replay.State.DONE
        else Replay.objects.none()
    )
    offered = list(others.order_by("-pk")[:OFFERED])
    chosen = request.POST if request.method == "POST" else request.GET
    form = CompareForm(offered, chosen if "former" in chosen else None)
    former = None
    if form.is_bound and form.is_valid():
        former = others.filter(uuid=form.cleaned_data["former"]).first()
        if former is None:
            form.add_error(
                "former", "No earlier replay of this operator that is done has this number."
            )
    if former is not None and request.method == "POST":
        begun = former
        if accepted(
            form, lambda _: begin_comparison(former=begun, later=later, by=person_of(request))
        ):
            return redirect(_address(later, former))
    kept = ReplayComparison.objects.filter(former=former, later=later).first() if former else None
    moving = kept is not None and kept.state in UNDER_WAY
    if request.headers.get("HX-Request") == "true" and kept is not None and not moving:
        return HttpResponseClientRefresh()
    context: dict[str, Any] = {
        "later": later,
        "offered": offered,
        "form": form,
        "former": former,
        "kept": kept,
        "moving": moving,
        "still": "still" in request.GET,
        "address": _address(later, former) if former else "",
    }
    if kept is not None and kept.state == State.DONE:
        context |= _compared(kept)
    refused = request.method == "POST" or (form.is_bound and former is None)
    return render(request, "audits/replays/compare.html", context, status=422 if refused else 200)


def _address(later: Replay, former: Replay) -> str:
    return f"{reverse('compare_replays', args=[later.uuid])}?former={former.uuid}"


def _compared(kept: ReplayComparison) -> dict[str, Any]:
    found = Comparison.of(kept)
    lines = _lines(kept.later, found)
    return {
        "total": found.total,
        "patterns": [
            {
                "says": code_in_words(key.code),
                "key": key,
                "game": name_in_words(key.game),
                "wager": name_in_words(key.wager),
                "line": name_in_words(key.line),
                "standing": standing,
            }
            for key, standing in sorted(found.patterns.items())[:MOST_PATTERNS]
        ],
        "more_patterns": max(len(found.patterns) - MOST_PATTERNS, 0),
        "kinds": [
            {"says": says, "count": getattr(found.total, kind), "rows": _rows(found, kind, lines)}
            for kind, says in KINDS.items()
        ],
    }


def _rows(found: Comparison, kind: str, lines: dict[str, str]) -> list[dict[str, Any]]:
    rows = []
    for each in found.examples[kind]:
        told = each.later or each.former
        if told is not None:
            log = lines.get(told["log"])
            rows.append(
                {
                    "told": told,
                    "wager": name_in_words(told["wager"] or ""),
                    "former": Said.of(each.former),
                    "later": Said.of(each.later),
                    "line": reverse("log_line", args=[log, told["source_line"]]) if log else "",
                }
            )
    return rows


def _lines(replay: Replay, found: Comparison) -> dict[str, str]:
    """The numbers of the logs in which the examples stand, by digest."""
    told: Iterable[dict[str, Any]] = (
        finding
        for examples in found.examples.values()
        for each in examples
        for finding in (each.former, each.later)
        if finding is not None
    )
    digests = {finding["log"] for finding in told}
    logs = RoundLog.objects.filter(party=replay.party_id, sha256__in=digests)
    return {each.sha256: str(each.uuid) for each in logs}
