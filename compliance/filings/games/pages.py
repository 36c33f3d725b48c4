"""Games, and the versions of their rules with their documents and the differences among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.contrib import messages
from django.db.models import Count
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.utils.html import format_html

from compliance.access.models import Party
from compliance.access.permissions import COMMISSION_ROLES, Action, PartyKind, may
from compliance.errors import RefusedError
from compliance.events.digests import state_digest
from compliance.filings.definitions.coverage import coverage_of
from compliance.filings.definitions.drafts import documents_of, draft_of
from compliance.filings.games.definition_sections import present_definition
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.forms import COMMISSIONS_OWN, GameForm, RuleVersionForm
from compliance.filings.games.models import Game, RuleVersion
from compliance.filings.games.odds_tables import odds_of_version
from compliance.filings.games.pay_tables import SPARE, PayLines, describe_line
from compliance.filings.games.reads import filed_documents, pay_table_section
from compliance.filings.games.rules import rules_of_version
from compliance.filings.games.writes import (
    FiledDocuments,
    file_game,
    file_rule_version,
    find_differences,
    pay_tables_as_filed,
)
from compliance.filings.requests.approvals import open_questions
from compliance.filings.requests.models import GameRequest
from compliance.filings.requests.presentation import present_request, rule_version_changes
from compliance.filings.requests.reads import comments_on_request, request_to_fix
from compliance.ui.access import accepted, allows, asked
from compliance.ui.pages import ActionPage, FormPage, ListPage, Page
from compliance.ui.tables import CountColumn, DayColumn, ListTable, WhenColumn, show_state
from games.rule_set import rule_set

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from compliance.filings.games.checks import Discrepancy
    from compliance.filings.requests.approvals import OpenQuestion
    from games.rule_set import Interpretation, RuleSet


class GameTable(ListTable):
    """Games on file, by name."""

    name = tables.Column(linkify=("game", {"slug": tables.A("slug")}))
    banked_by = tables.Column(accessor="get_banked_by_display", order_by="banked_by")
    supplier = tables.Column(default="The commission", order_by="supplier__name")
    filed = CountColumn(accessor="number_of_versions", verbose_name="Versions of its rules")
    caption = "Games"

    class Meta:
        orderable = True


class RuleVersionTable(ListTable):
    """Versions of a game's rules."""

    number = tables.Column(
        verbose_name="Version", linkify=("rule_version", {"uuid": tables.A("uuid")})
    )
    as_of = DayColumn(verbose_name="Date of the documents")
    at = WhenColumn(verbose_name="Filed")
    findings = CountColumn(accessor="number_of_findings", verbose_name="Differences found")
    caption = "Versions of its rules"

    class Meta:
        empty_text = "No rules are on file yet."

    def render_number(self, value: int) -> str:
        return f"Version {value}"


class InterpretationTable(ListTable):
    """Open questions of a rule set, with the interpretation in a version."""

    asks = tables.Column(verbose_name="Question")
    interpretation = tables.Column()
    chosen = tables.Column()
    caption = "Interpretations of open questions"

    def render_asks(self, value: str, record: dict[str, Any]) -> SafeString:
        return format_html("<code>{}</code> {}", record["id"], value)


class PayLineTable(ListTable):
    """What each pay line pays, as the documents print it."""

    line = tables.Column()
    table = tables.Column()
    origin = tables.Column(accessor="get_origin_display", verbose_name="Printed in")
    pays = CountColumn()
    caption = "Pay tables as printed in the documents"

    def render_pays(self, value: int) -> str:
        return f"{value} to 1"

    render_line = render_table = staticmethod(lambda value: describe_line(value))


class PayLineEntryTable(ListTable):
    """The pay lines of a table in the rule set, with a field for each document."""

    name = tables.Column(verbose_name="Line")
    pays = CountColumn(verbose_name="The rule set pays")
    rules = tables.Column(verbose_name="The rules of play print")
    layout = tables.Column(verbose_name="The layout prints")
    differs = tables.Column(verbose_name="Compared", default="No document prints it")

    render_pays = PayLineTable.render_pays

    def render_differs(self, value: tuple[str, ...]) -> SafeString:
        if not value:
            return show_state("working", "Agrees")
        return show_state("attention", f"Differs: {', '.join(value).lower()}")


class FurtherLineTable(ListTable):
    """Fields for pay lines that the rule set does not have."""

    line = tables.Column()
    table = tables.Column()
    origin = tables.Column(verbose_name="Printed in")
    pays = tables.Column(verbose_name="Pays, N to 1")


class GameList(ListPage):
    """Games in the access scope."""

    permission = Action.SEE_FILINGS
    template_name = "games/games.html"
    table_class = GameTable
    by = None

    def get_rows(self) -> QuerySet[Game]:
        games = Game.objects.select_related("supplier")
        return games.annotate(number_of_versions=Count("rule_versions"))

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"files": self.allows(Action.FILE_GAMES)}


class NewGame(FormPage):
    """File a game."""

    permission = Action.FILE_GAMES
    title = "File a game"
    button = "File game"
    success_message = "{result} is on file."

    def get_form(self, data: Any = None, files: Any = None) -> GameForm:
        suppliers = Party.objects.filter(kind=PartyKind.SUPPLIER)
        owners = {each.code: each.name for each in suppliers if files_games(self.request, each)}
        if files_games(self.request, None):
            owners = {COMMISSIONS_OWN: "The commission", **owners}
        return GameForm(owners, data)

    def act(self, data: dict[str, Any]) -> Game:
        data["supplier"] = Party.objects.filter(code=data["supplier"]).first()
        data["banked_by"] = Game.Banking(data["banked_by"])
        return file_game(by=self.person, **data)

    def get_success_url(self, result: Game) -> str:
        return resolve_url("game", slug=result.slug)


class GamePage(Page):
    """A game with the versions of its rules, and the clauses of its rule set."""

    permission = Action.SEE_FILINGS
    template_name = "games/game.html"

    def get_subject(self) -> Game:
        games = Game.objects.select_related("supplier")
        return get_object_or_404(games, slug=self.kwargs["slug"])

    def get_context(self) -> dict[str, Any]:
        game: Game = self.subject
        versions = RuleVersion.objects.filter(game=game)
        versions = versions.annotate(number_of_findings=Count("findings", distinct=True))
        return {
            "game": game,
            "versions": RuleVersionTable(versions),
            "files": files_games(self.request, game.supplier),
            "rules": _rules_of(game),
        }


def _rules_of(game: Game) -> RuleSet | None:
    """Return the rules that settle a game: the engine's, or its newest definition's."""
    newest = RuleVersion.objects.select_related("game").filter(game=game)
    if not game.engine:
        newest = newest.filter(definition__isnull=False)
    version = newest.order_by("number").last()
    if version is not None:
        return rules_of_version(version)
    return rule_set(game.engine) if game.engine else None


def files_games(request: HttpRequest, supplier: Party | None) -> bool:
    """Return whether the user files games of a supplier; the commission files its own."""
    if supplier is None:
        held = [each for each in asked(request).memberships if each.role in COMMISSION_ROLES]
        return may(held, Action.FILE_GAMES)
    return allows(request, Action.FILE_GAMES, supplier)


class NewRuleVersion(ActionPage):
    """File a version of a game's rules with its documents, or compare it first."""

    permission = Action.SEE_FILINGS
    template_name = "games/new_version.html"
    get_subject = GamePage.get_subject

    lines: PayLines
    differences: list[Discrepancy] | None = None

    def check_permission(self) -> None:
        super().check_permission()
        if not files_games(self.request, self.subject.supplier):
            raise Http404

    def get_form(self, data: Any = None, files: Any = None) -> RuleVersionForm:
        """Return the form with its pay lines; it starts from the last version."""
        game: Game = self.subject
        if data is not None:
            self.lines = PayLines(game, data)
            return RuleVersionForm(game, data, files, newest=_last_version(game))
        before = _last_version(game)
        self.lines = PayLines(game, tables=pay_tables_as_filed(before) if before else None)
        form = RuleVersionForm(game, before=before)
        draft = draft_of(game) if "written" in self.request.GET else None
        if draft is not None:
            documents = documents_of(draft)
            days = [each.evidence_date for each in documents]
            form.initial.update(written=True, rules=documents)
            form.initial.update({"as_of": max(days)} if days else {})
        return form

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        form = self.get_form(request.POST, request.FILES)
        papers = _papers(form, self.lines) if form.is_valid() & self.lines.is_valid() else None
        if papers is None:
            return self.show_refused(form)
        if {"compare", "more"} & request.POST.keys():
            return self.compare(papers, form.cleaned_data["as_of"])
        version = accepted(
            form,
            lambda data: file_rule_version(
                game=self.subject,
                papers=papers,
                as_of=data["as_of"],
                interpretations=form.readings(),
                note=data["note"],
                by=self.person,
            ),
        )
        if version is None:
            return self.show_refused(form)
        messages.success(request, f"{version} is on file. You can request its approval now.")
        return redirect("rule_version", uuid=version.uuid)

    def compare(self, papers: FiledDocuments, as_of: Any) -> HttpResponse:
        """Show the page again with all lines filled in and the differences; file nothing yet."""
        data = self.request.POST.copy()
        data.pop("take_over", None)
        more = SPARE if "more" in data else 0
        self.differences = find_differences(self.subject, papers, as_of)
        self.lines = PayLines(self.subject, tables=papers.pay_tables, more=more)
        self.refused = RuleVersionForm(self.subject, data, {"printed": None})
        return self.show()

    def get_context(self) -> dict[str, Any]:
        """Add the pay lines, and the comments on the request that this version answers."""
        context = super().get_context()
        request = request_to_fix(self.subject)
        comments = comments_on_request(request) if request else {}
        hidden = ("differs",) if self.differences is None else ()
        pay_tables = []
        for table, name, rows in self.lines.tables():
            shown = PayLineEntryTable(rows, caption=name, exclude=hidden)
            pay_tables.append((name, shown, comments.pop(pay_table_section(table), [])))
        caption = "Lines that the rule set does not have" if pay_tables else "Lines"
        return context | {
            "game": self.subject,
            "before": _last_version(self.subject),
            "lines": self.lines,
            "tables": pay_tables,
            "further": FurtherLineTable(self.lines.further(), caption=caption),
            "differences": self.differences,
            "asked_for": request,
            "comments_on_tables": any(comments for _, _, comments in pay_tables),
            "comments": [
                (section.heading, comments[section.key])
                for section in (present_request(request, ()) if request else ())
                if section.key in comments
            ],
        }


def _last_version(game: Game) -> RuleVersion | None:
    return RuleVersion.objects.filter(game=game).order_by("number").last()


def _papers(form: RuleVersionForm, lines: PayLines) -> FiledDocuments | None:
    """Return the documents entered; None if the page and the spreadsheet contradict each other."""
    data = form.cleaned_data
    maximum = data["printed_maximum"]
    citations = (line.strip() for line in data["citations"].splitlines())
    try:
        tables = form.pay_tables(lines.pay_tables())
    except RefusedError as refused:
        form.add_error("printed", str(refused))
        return None
    return FiledDocuments(
        rules=list(data["rules"]),
        layouts=list(data["layouts"]),
        pay_tables=tables,
        citations=[line for line in citations if line],
        printed_maximum=None if maximum is None else int(maximum * 100),
        definition=data.get("definition", ""),
    )


class RuleVersionPage(Page):
    """A version of a game's rules: documents, pay tables, interpretations, differences."""

    permission = Action.SEE_FILINGS
    template_name = "games/version.html"

    def get_subject(self) -> RuleVersion:
        versions = RuleVersion.objects.select_related("game__supplier")
        return get_object_or_404(versions, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Add what the version consists of, and what it changes."""
        version: RuleVersion = self.subject
        rules = rules_of_version(version) if version.game.engine else None
        asks = allows(self.request, Action.REQUEST_APPROVAL, version.game.supplier)
        definition = definition_of(version)
        questions = rules.interpretations.values() if rules else open_questions(version)
        interpretations = [_proposed(version, each) for each in questions]
        return {
            "version": version,
            "changes": rule_version_changes(version),
            "asks": asks and not version.requests.exclude(state__in=GameRequest.OVER).exists(),
            "digest": state_digest(version),
            "papers": filed_documents(version),
            "findings": version.findings.all(),
            "definition": present_definition(definition) if definition else (),
            "odds": odds_of_version(version),
            "pay_lines": PayLineTable(version.pay_lines.all()),
            "interpretations": InterpretationTable(interpretations),
        }


class CoveragePage(RuleVersionPage):
    """What the checks cover of each document of a version, sentence by sentence."""

    template_name = "games/coverage.html"

    def get_context(self) -> dict[str, Any]:
        return {"version": self.subject, "documents": coverage_of(self.subject)}


def _proposed(version: RuleVersion, question: Interpretation | OpenQuestion) -> dict[str, Any]:
    """Return an open question with the reading that the filing proposes, if it does."""
    proposed = version.interpretations.get(question.id)
    if len(question.readings) == 1:
        says, chosen = next(iter(question.readings)), "By default"
    else:
        says, chosen = "the approver chooses", "At the approval"
    if proposed is not None:
        says, chosen = proposed, "In the filing"
    return {
        "id": question.id,
        "asks": question.asks,
        "interpretation": says.replace("_", " "),
        "chosen": chosen,
    }
