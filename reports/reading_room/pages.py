"""Public pages of an open reading room: approved games, letters, and the law."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

import django_tables2 as tables
from django.conf import settings
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.cache import add_never_cache_headers, get_conditional_response
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.views import View

from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, PartyKind
from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive, read_bytes
from compliance.files.downloads import as_file
from compliance.filings.controls.reads import find_controls_content
from compliance.filings.documents.models import DocumentFile
from compliance.filings.games.definitions import definition_text
from compliance.filings.games.presentation import compare_rules
from compliance.filings.games.reads import PAPER
from compliance.filings.requests.reads import list_published_approvals, rules_of
from compliance.law.pages import read_day
from compliance.law.presentation import law_table, time_line_table
from compliance.law.reads import law_rules
from compliance.law.values import time_line
from compliance.ui.access import asked
from compliance.ui.errors import in_turn
from compliance.ui.filters import when
from compliance.ui.pages import Page
from compliance.ui.tables import DayColumn, ListTable, WhenColumn, show_state
from reports.documents.letters import compose_approval, gather_approval
from reports.documents.registry import About
from reports.documents.rules import compose_public, gather

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from django.utils.safestring import SafeString

    from compliance.filings.games.models import RuleVersion
    from compliance.filings.requests.reads import PublishedApproval
    from compliance.law.values import Span


SECONDS = 60
A_MINUTE = 120
"""Pages per address: far more than a person reads, but enough to slow down a program that copies.
"""
NONCE = re.compile(rb' nonce="[^"]*"')


class PublicPage(Page):
    """A page for everyone; it does not exist if the reading room is closed.

    Browsers and proxies cache it. Its `ETag` is the digest of the content without the nonce, which
    changes each time. As everywhere, pages for signed-in people are not cached. Neither are
    responses to a request with a cookie: they may contain a message for this visitor, or delete the
    cookie.
    """

    http_method_names = ["get", "head"]  # noqa: RUF012 - as Django has it

    @method_decorator(in_turn("reading-room", A_MINUTE))
    def dispatch(self, request: HttpRequest, *args: Any, **address: Any) -> HttpResponseBase:
        """Respond, and let others cache the page."""
        if not settings.READING_ROOM:
            raise Http404
        response = cast("HttpResponse", View.dispatch(self, request, *args, **address))
        if asked(request).person is not None or response.status_code != 200:
            return response
        if request.COOKIES:
            add_never_cache_headers(response)
            return response
        etag = f'"{hashlib.sha256(NONCE.sub(b"", response.content)).hexdigest()[:32]}"'
        response["ETag"] = etag
        response["Cache-Control"] = f"public, max-age={SECONDS}"
        return get_conditional_response(request, etag=etag, response=response) or response


class ApprovalTable(ListTable):
    """Approved versions of a game's rules."""

    version = tables.Column(
        verbose_name="Rules",
        accessor="version__number",
        linkify=("public_rules", {"uuid": tables.A("version__uuid")}),
    )
    at = DayColumn(accessor="approval__at", verbose_name="Approved")
    by = tables.Column()
    in_effect_from = WhenColumn(accessor="approval__in_effect_from")
    letter = tables.Column(
        accessor="approval__uuid",
        linkify=("public_letter", {"uuid": tables.A("approval__uuid")}),
    )
    caption = "Approved rules of play, newest first"

    def render_version(self, value: int) -> str:
        return f"Version {value}"

    def render_in_effect_from(self, value: Any, record: PublishedApproval) -> SafeString | str:
        """Add when it ends, if it was withdrawn."""
        if record.withdrawn is None:
            return when(value)
        ended = show_state("failing", "Withdrawn")
        return format_html("{} {} from {}", when(value), ended, when(record.withdrawn))

    def render_letter(self, record: PublishedApproval) -> SafeString:
        hidden = '<span class="usa-sr-only"> of version {}</span>'
        return format_html(f"Approval letter{hidden}", record.version.number)


LONGEST_QUERY = 100


class Room(PublicPage):
    """Every approved game, or those that a search finds in their names and clauses."""

    template_name = "reading_room/room.html"

    def get_context(self) -> dict[str, Any]:
        """Return the games, each with its newest version and the clauses that the search found."""
        query = self.request.GET.get("q", "").strip()[:LONGEST_QUERY]
        words = query.lower().split()
        published = groupby(list_published_approvals(), key=lambda each: each.version.game)
        games = []
        for game, versions in published:
            newest = next(versions)
            found = _clauses_with(words, game.slug) if words else []
            if found or all(word in str(game).lower() for word in words):
                games.append((game, newest, found))
        return {"games": games, "query": query}


def _clauses_with(words: Sequence[str], slug: str) -> list[tuple[str, str]]:
    """Return the clauses of a game's newest approved rules that contain every word."""
    rules = rules_of(slug)
    clauses = rules.clauses.values() if rules else ()
    return [
        (each.id, each.says)
        for each in clauses
        if all(word in f"{each.id} {each.says}".lower() for word in words)
    ]


@dataclass(frozen=True)
class Offer:
    """An operator whose internal controls in effect name a game, and its tables there."""

    operator: str
    tables: str


def _offers(slug: str) -> list[Offer]:
    now = clock.now()
    with without_access_scope():
        operators = list(Party.objects.filter(kind__in=OPERATOR_KINDS).order_by("name"))
    found = []
    for operator in operators:
        content = find_controls_content(operator=operator, at=now)
        game = content.games.get(slug) if content else None
        if game is not None:
            names = (game.names.get(table, table) for table in game.tables)
            found.append(Offer(operator.name, ", ".join(names)))
    return found


class OfferTable(ListTable):
    """Where a game is offered."""

    operator = tables.Column(verbose_name="Card room or tribal operation")
    where = tables.Column(accessor="tables", verbose_name="Tables")
    caption = "Where it is offered now, by the internal controls in effect"

    class Meta:
        orderable = False


class GamePage(PublicPage):
    """A game: its approved versions, and a choice of two to compare."""

    template_name = "reading_room/game.html"

    def get_context(self) -> dict[str, Any]:
        versions = self.find_versions()
        return {
            "game": versions[0].version.game,
            "table": ApprovalTable(versions),
            "offers": OfferTable(_offers(self.kwargs["slug"])),
            "versions": versions,
            "after": versions[0],
            "before": versions[1] if len(versions) > 1 else None,
        }

    def find_versions(self) -> list[PublishedApproval]:
        """Return the approved versions of the game, newest first."""
        versions = list_published_approvals(slug=self.kwargs["slug"])
        if not versions:
            raise Http404
        return versions


class RulesPage(PublicPage):
    """The rules of play as interpreted, who approved them, and the open questions."""

    template_name = "reading_room/rules.html"

    def get_context(self) -> dict[str, Any]:
        """Return the approval, and the content of its report."""
        uuid = self.kwargs["uuid"]
        published = list_published_approvals(version=uuid)
        if not published:
            raise Http404
        with without_access_scope():
            content = compose_public(gather(About(subject=uuid)))
        return {
            "one": published[0],
            "content": content,
            "documents": public_documents(published[0].version),
        }


def public_documents(version: RuleVersion) -> list[DocumentFile]:
    """Return the files of approved rules that are public: those that the commission filed.

    A supplier's documents belong to the supplier.
    """
    with without_access_scope():
        files = DocumentFile.objects.filter(
            version__in=version.documents.values("document_version"),
            version__document__owner__kind=PartyKind.COMMISSION_UNIT,
        )
        return list(files.select_related("version__document").order_by("version_id", "place"))


class PublicFile(PublicPage):
    """An original document of approved rules, as the commission filed it."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Send the file; it is verified as a whole before its first byte is sent."""
        published = list_published_approvals(version=self.kwargs["uuid"])
        files = public_documents(published[0].version) if published else []
        for file in files:
            if file.sha256 == self.kwargs["sha256"]:
                content = read_bytes(current_archive(), file.sha256)
                return as_file(HttpResponse(content, content_type=file.media_type), file.name,
                               recorded=None)  # fmt: skip
        raise Http404


class PublicDefinition(PublicPage):
    """The approved definition of a game, by which its rounds are settled, as it was filed."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Send the definition as text."""
        published = list_published_approvals(version=self.kwargs["uuid"])
        if not published or not published[0].version.definition_file:
            raise Http404
        version = published[0].version
        answer = HttpResponse(definition_text(version), content_type="text/plain; charset=utf-8")
        name = f"{version.game.slug}-version-{version.number}.toml"
        return as_file(answer, name, recorded=None)


class LetterPage(PublicPage):
    """The approval letter of a rule version.

    It omits the note, which is between the commission and the supplier, the filing's documents, and
    who to write to on either side.
    """

    template_name = "reading_room/letter.html"

    def get_context(self) -> dict[str, Any]:
        """Return the approval, and the content of its letter."""
        uuid = self.kwargs["uuid"]
        published = [each for each in list_published_approvals() if each.approval.uuid == uuid]
        if not published:
            raise Http404
        with without_access_scope():
            data = gather_approval(About(subject=uuid))
        private: dict[str, Any] = {"note": "", "rules": None, "addressee": "", "contacts": []}
        content = compose_approval(data | private)
        return {"one": published[0], "content": content}


class ComparisonPage(GamePage):
    """Two approved versions of a game's rules, part by part."""

    template_name = "reading_room/compare.html"

    def get_context(self) -> dict[str, Any]:
        """Return the parts that differ, and the names of the others."""
        versions = {str(each.version.number): each for each in self.find_versions()}
        numbers = [self.request.GET.get(name, "") for name in ("from", "to")]
        if not versions.keys() >= set(numbers):
            raise Http404
        before, after = (versions[number] for number in numbers)
        with without_access_scope():
            sections = [
                each
                for each in compare_rules(before.version, after.version)
                if not each.section.key.startswith(PAPER)  # documents belong to the supplier
            ]
        return {
            "game": after.version.game,
            "before": before,
            "after": after,
            "versions": list(versions.values()),
            "changed": [each for each in sections if each.changed],
            "same": [each.section.heading for each in sections if not each.changed],
            "engine_same": before.version.rule_set == after.version.rule_set,
        }


class LawPage(PublicPage):
    """What each rule allowed on a day, by default today."""

    template_name = "reading_room/law.html"

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the day; an invalid one is refused."""
        self.day_form, self.on = read_day(request)
        return self.show(status=200 if self.day_form.is_valid() else 422)

    def get_context(self) -> dict[str, Any]:
        table = law_table(law_rules().values(), self.on, _url_of_rule)
        return {"form": self.day_form, "on": self.on, "table": table}


def _url_of_rule(name: str) -> str:
    return reverse("public_law_rule", args=[name])


class LawRulePage(PublicPage):
    """One rule on a time line, including what is unknown."""

    template_name = "reading_room/law_rule.html"

    def get_context(self) -> dict[str, Any]:
        """Return the time line, drawn and as a table."""
        rule = law_rules().get(self.kwargs["name"])
        if rule is None:
            raise Http404
        spans = time_line(rule, until=clock.today() + timedelta(days=1))
        return {
            "rule": rule,
            "table": time_line_table(spans),
            "drawn": _drawn(spans) if spans else [],
            "years": _years(spans[0].begin, spans[-1].end) if spans else [],
        }


WIDE = 1000
"""Width of the drawing from its first day to its last, in units."""
MOST_YEARS_MARKED = 6
EDGE = 50
"""Closer to either end, a year would not fit."""


@dataclass(frozen=True)
class Drawn:
    """A time span as drawn, in units."""

    x: int
    width: int
    span: Span


def _drawn(spans: list[Span]) -> list[Drawn]:
    begin, end = spans[0].begin, spans[-1].end
    places = [_place(each.begin, begin, end) for each in spans] + [WIDE]
    return [
        Drawn(at, max(after - at, 2), span)
        for span, at, after in zip(spans, places, places[1:], strict=False)
    ]


def _years(begin: date, end: date) -> list[tuple[int, int]]:
    """Return the years to mark and their positions, few enough to be readable."""
    years = range(begin.year + 1, end.year + 1)
    every = -(-len(years) // MOST_YEARS_MARKED) or 1
    marked = [year for year in years if year % every == 0]
    places = [(year, _place(date(year, 1, 1), begin, end)) for year in marked]
    return [(year, x) for year, x in places if EDGE <= x <= WIDE - EDGE]


def _place(day: date, begin: date, end: date) -> int:
    return round(WIDE * (day - begin).days / max((end - begin).days, 1))
