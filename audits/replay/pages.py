"""Pages of replays: the list, a new one, one with its progress, and a comparison of two."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

import django_tables2 as tables
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.urls import reverse
from django.utils.html import format_html
from django_htmx.http import HttpResponseClientRefresh

from audits.intake.models import RoundLog
from audits.replay.comparisons import Comparison, begin_comparison
from audits.replay.findings.marks import Key
from audits.replay.findings.models import Issue
from audits.replay.forms import CompareForm, NewReplayForm, PriorityForm
from audits.replay.models import Replay, ReplayComparison, ReplaySegment
from audits.replay.reads import progress_of
from audits.replay.writes import (
    UNDER_WAY,
    Scope,
    begin_replay,
    cancel_replay,
    move_replay,
    retry_replay,
)
from compliance.access.permissions import Action
from compliance.ui.lists import cut, signed
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import CountColumn, ListTable, WhenColumn
from compliance.verification.release import find_release
from games.explanation.findings import describe_value
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django import forms
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString


class DigestColumn(tables.Column):  # type: ignore[misc]
    """The beginning of a digest."""

    def render(self, value: str) -> SafeString:
        """Show 12 of its signs."""
        return format_html("<code>{}</code>", value[:12])


class ReplayTable(ListTable):
    """Replays, newest first."""

    at = WhenColumn(verbose_name="Requested", linkify=("replay", {"uuid": tables.A("uuid")}))
    state = tables.Column(accessor="get_state_display")
    party = tables.Column(verbose_name="Operator")
    days = tables.Column(empty_values=(), verbose_name="Gambling days")
    rounds = CountColumn()
    findings = CountColumn()
    digest = DigestColumn()
    caption = "Replays"

    def render_days(self, record: Replay) -> str:
        """Show the requested days, or the days that the replay covers."""
        return days_of(record)


class SegmentTable(ListTable):
    """A replay's segments, in order."""

    segment = tables.Column()
    state = tables.Column(accessor="get_state_display")
    rounds = CountColumn(accessor="segment__rounds")
    findings = CountColumn()
    identity = DigestColumn(accessor="segment__identity")
    terms = DigestColumn()
    findings_digest = DigestColumn(verbose_name="Findings (digest)")
    caption = "Segments"

    class Meta:
        empty_text = "None: a correction left no rounds of them."
        orderable = False


def days_of(replay: Replay) -> str:
    """Describe the gambling days of a replay."""
    scope = replay.scope
    named = [scope["day"], scope.get("last", scope["day"])] if "day" in scope else replay.days
    if not named:
        return "Every day on file"
    first, last = (date.fromisoformat(each) for each in (named[0], named[-1]))
    return f"{first:%b %-d, %Y}" if first == last else f"{first:%b %-d, %Y} to {last:%b %-d, %Y}"


class ReplayList(ListPage):
    """All replays, no matter who requested them."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/replays/replays.html"
    table_class = ReplayTable

    def get_rows(self) -> QuerySet[Replay]:
        return Replay.objects.select_related("party")

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"begins": self.allows(Action.REPLAY)}


class NewReplay(ActionPage):
    """Start a replay."""

    permission = Action.REPLAY
    template_name = "audits/replays/new.html"

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        names = ("operator", "day", "log")
        return NewReplayForm(data, initial={n: self.request.GET.get(n, "") for n in names})

    def act(self, data: dict[str, Any]) -> Replay:
        """Start it, unless one with the same inputs is under way."""
        return begin_replay(
            operator=data["operator"],
            scope=Scope(
                day=data["day"],
                last=data["last"],
                game=data["game"] or None,
                table=data["table"] or None,
                log=data["sha256"],
            ),
            by=self.person,
        )

    def get_success_url(self, result: Replay) -> str:
        return resolve_url("replay", uuid=result.uuid)


def find_replay(uuid: UUID) -> Replay:
    """Return a replay that the user may see."""
    return get_object_or_404(Replay.objects.select_related("party", "by"), uuid=uuid)


class ReplayPage(Page):
    """A replay's progress, results and inputs."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/replays/replay.html"

    def get_subject(self) -> Replay:
        return find_replay(self.kwargs["uuid"])

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show it; a page that follows the progress reloads at the end."""
        if request.headers.get("HX-Request") == "true" and self.subject.state not in UNDER_WAY:
            return HttpResponseClientRefresh()
        return self.show()

    def get_context(self) -> dict[str, Any]:
        """Collect progress, sums, comparisons by day, segments and forms."""
        replay: Replay = self.subject
        segments = ReplaySegment.objects.filter(replay=replay).select_related("segment")
        page = cut(self.request, segments, by="position")
        return {
            "replay": replay,
            "release": find_release(replay.engine),
            "days": days_of(replay),
            "progress": progress_of(replay),
            "moving": replay.state in UNDER_WAY,
            "still": "still" in self.request.GET,
            "over": abs(replay.over),
            "under": abs(replay.under),
            "standings": [
                {"day": date.fromisoformat(day), **standing}
                for day, standing in replay.standings.items()
                if standing
            ],
            "cut": page,
            "table": SegmentTable(page.rows),
            "may": self.allows(Action.REPLAY),
            "priority_form": self.form(PriorityForm, "order", priority=replay.priority),
        }


class ReplayAction(ActionPage):
    """An action on the page of a replay."""

    permission = Action.REPLAY
    shown_on: ClassVar[type[Page] | None] = ReplayPage

    def get_subject(self) -> Replay:
        return find_replay(self.kwargs["uuid"])

    def get_page_url(self) -> str:
        return resolve_url("replay", uuid=self.kwargs["uuid"])


class CancelReplay(ReplayAction):
    """Cancel a replay that is under way."""

    shown_on = None
    success_message = "The replay is canceled."

    def act(self, data: dict[str, Any]) -> None:
        cancel_replay(replay=self.subject, by=self.person)


class MoveReplay(ReplayAction):
    """Change a replay's priority."""

    form_class = PriorityForm
    form_name = "order"
    success_message = "Priority saved."

    def act(self, data: dict[str, Any]) -> None:
        move_replay(replay=self.subject, by=self.person, **data)


class RetryReplay(ReplayAction):
    """Retry a failed replay."""

    shown_on = None
    success_message = "The replay is being retried."

    def act(self, data: dict[str, Any]) -> None:
        retry_replay(replay=self.subject, by=self.person)


State = ReplayComparison.State
COMPARISON_UNDER_WAY = (State.WAITING, State.RUNNING)
OFFERED = 20
MOST_ISSUES = 100
KINDS = {
    "changed": "Found by both, but different",
    "gone": "No longer found",
    "new": "Newly found",
}


@dataclass(frozen=True)
class DifferenceRow:
    """What one replay says about a round."""

    logged: str
    expected: str
    delta: str
    cites: tuple[str, ...]

    @classmethod
    def of(cls, finding: dict[str, Any] | None) -> DifferenceRow | None:
        """Format a finding for display; None if the replay does not have it."""
        if finding is None:
            return None
        code = finding["code"]
        return cls(
            describe_value(code, finding["logged"]),
            describe_value(code, finding["expected"]),
            signed(finding["delta"]),
            tuple(finding["cites"]),
        )


class CompareReplays(ActionPage):
    """Choose an earlier replay of the same operator, and show the differences."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/replays/compare.html"

    def get_subject(self) -> Replay:
        return find_replay(self.kwargs["uuid"])

    def setup_choice(self, chosen: Any) -> None:
        """Read which earlier replay was chosen, and whether the two were compared."""
        later: Replay = self.subject
        done = Replay.State.DONE
        others = Replay.objects.filter(party=later.party_id, state=done, pk__lt=later.pk)
        if later.state != done:
            others = Replay.objects.none()
        self.offered = list(others.order_by("-pk")[:OFFERED])
        is_asked = self.request.method == "POST" or "former" in chosen
        self.choice = CompareForm(self.offered, chosen if is_asked else None)
        self.former: Replay | None = None
        if self.choice.is_valid():
            self.former = others.filter(uuid=self.choice.cleaned_data["former"]).first()
            if self.former is None:
                says = "This operator has no earlier finished replay with this number."
                self.choice.add_error("former", says)
        pairs = ReplayComparison.objects.filter(former=self.former, later=later)
        self.kept = pairs.first() if self.former else None

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the comparison; a page that follows the progress reloads at the end."""
        self.setup_choice(request.GET)
        is_done = self.kept is not None and self.kept.state not in COMPARISON_UNDER_WAY
        if request.headers.get("HX-Request") == "true" and is_done:
            return HttpResponseClientRefresh()
        return self.show(status=422 if self.choice.errors else 200)

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        if data is not None:
            self.setup_choice(data)
        return self.choice

    def act(self, data: dict[str, Any]) -> ReplayComparison:
        assert self.former is not None  # noqa: S101 - else the form has an error
        return begin_comparison(former=self.former, later=self.subject, by=self.person)

    def respond(self, result: ReplayComparison) -> HttpResponse:
        return redirect(self._address())

    def _address(self) -> str:
        own = reverse("compare_replays", args=[self.subject.uuid])
        return f"{own}?former={self.former.uuid}" if self.former else own

    def get_context(self) -> dict[str, Any]:
        """Collect the choice, the progress and the differences."""
        kept = self.kept
        context: dict[str, Any] = super().get_context() | {
            "later": self.subject,
            "offered": self.offered,
            "former": self.former,
            "kept": kept,
            "moving": kept is not None and kept.state in COMPARISON_UNDER_WAY,
            "still": "still" in self.request.GET,
            "address": self._address(),
        }
        return context | (_compared(kept) if kept and kept.state == State.DONE else {})


class ChangedIssueTable(ListTable):
    """Issues in which the two replays differ."""

    cause = tables.Column(verbose_name="What went wrong", empty_values=())
    game = tables.Column(accessor="key__game")
    confirmed = CountColumn(accessor="standing__confirmed")
    changed = CountColumn(accessor="standing__changed")
    gone = CountColumn(accessor="standing__gone")
    new = CountColumn(accessor="standing__new")
    caption = "Issues with differences"

    def render_cause(self, record: dict[str, Any]) -> str:
        """Show the headline, or the key if no issue has it any more."""
        text: str = record["headline"] or record["key"].cause
        return text[:1].upper() + text[1:]

    def render_game(self, value: str) -> str:
        return describe_name(value)


class DifferenceTable(ListTable):
    """Findings on which the two replays differ."""

    round = tables.Column(accessor="finding__round", linkify=lambda record: record["line"] or None)
    code = tables.TemplateColumn("<code>{{ value }}</code>", accessor="finding__code")
    seat = tables.Column(verbose_name="Seat and wager", empty_values=())
    former = tables.TemplateColumn(
        template_name="audits/replays/said.html", verbose_name="Before", empty_values=()
    )
    later = tables.TemplateColumn(
        template_name="audits/replays/said.html", verbose_name="Now", empty_values=()
    )

    def render_seat(self, record: dict[str, Any]) -> str:
        finding = record["finding"]
        seat = "–" if finding["seat"] is None else str(finding["seat"])
        return ", ".join(filter(None, (seat, describe_name(finding["wager"] or ""))))


def _compared(kept: ReplayComparison) -> dict[str, Any]:
    found = Comparison.of(kept)
    lines = _lines(kept.later, found)
    of_party = Issue.objects.filter(party=kept.later.party_id)
    headlines = {
        Key(game, cause): headline
        for game, cause, headline in of_party.values_list("game", "cause", "headline")
    }
    return {
        "total": found.total,
        "issues": ChangedIssueTable(
            [
                {"key": key, "standing": standing, "headline": headlines.get(key, "")}
                for key, standing in sorted(found.issues.items())[:MOST_ISSUES]
            ]
        ),
        "more_issues": max(len(found.issues) - MOST_ISSUES, 0),
        "kinds": [
            {
                "title": title,
                "count": getattr(found.total, kind),
                "table": DifferenceTable(_rows(found, kind, lines)),
            }
            for kind, title in KINDS.items()
        ],
    }


def _rows(found: Comparison, kind: str, lines: dict[str, str]) -> list[dict[str, Any]]:
    rows = []
    for each in found.examples[kind]:
        finding = each.later or each.former
        if finding is not None:
            log = lines.get(finding["log"])
            rows.append(
                {
                    "finding": finding,
                    "former": DifferenceRow.of(each.former),
                    "later": DifferenceRow.of(each.later),
                    "line": reverse("log_line", args=[log, finding["source_line"]]) if log else "",
                }
            )
    return rows


def _lines(replay: Replay, found: Comparison) -> dict[str, str]:
    """Return the UUIDs of the logs that contain the examples, by digest."""
    findings: Iterable[dict[str, Any]] = (
        finding
        for examples in found.examples.values()
        for each in examples
        for finding in (each.former, each.later)
        if finding is not None
    )
    digests = {finding["log"] for finding in findings}
    logs = RoundLog.objects.filter(party=replay.party_id, sha256__in=digests)
    return {each.sha256: str(each.uuid) for each in logs}
