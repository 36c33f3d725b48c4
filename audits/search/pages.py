"""The search, and a page for each player, dealer, table, operator, rule and layout.

Every page of a subject is alike: what is known of it, what its findings add up to and by what, its
issues, and all its findings, which the address may narrow further.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlencode

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.functional import cached_property

from audits.replay.findings.queries import Criteria, Findings, Sight, Sums, opened
from audits.review.columns import name_code
from audits.review.issues.tables import IssueTable
from audits.search.anything import Found, search_anything
from audits.search.layouts import PrintedLine, printed_lines
from audits.search.subjects import (
    DEALER,
    PLAYER,
    TABLE,
    breakdown,
    clause_in_words,
    issues_of,
    narrowed,
    nights_of,
    sums_in_words,
)
from audits.search.tables import FoundTable, GroupTable, PrintedTable
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.filings.documents.models import Document
from compliance.in_effect.gaming_tables import list_tables_in_effect
from compliance.ui.access import allows, asked
from compliance.ui.forms import DayField, NameField, OperatorField
from compliance.ui.lists import dollars
from compliance.ui.pages import Page
from games.checks import CODES
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


MOST_ISSUES: Final = 10
ROWS: Final = 25
LAST_PAGE: Final = 2000
"""Beyond this many pages, a reader narrows the list or downloads it."""


class SearchPage(Page):
    """One box for everything: what is found, by kind."""

    permission = None
    template_name = "audits/search/search.html"

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Search for the words in the address."""
        self.form_asked = SearchForm(request.GET if "q" in request.GET else None)
        return self.show(status=422 if self.form_asked.errors else 200)

    def get_context(self) -> dict[str, Any]:
        """Find the words in everything that the user may see."""
        form = self.form_asked
        words = form.cleaned_data["q"].strip() if form.is_bound and form.is_valid() else ""
        found: list[Found] = search_anything(self.request, words) if words else []
        return {"form": form, "words": words, "found": found}


class SearchForm(forms.Form):
    """What to look for."""

    q = NameField(
        label="Search for",
        max_length=120,
        help_text="An issue, round, player, dealer, table, rule (PP-15), WAC section, document, "
        "person, operator, case number, or words in a title.",
    )


class FindingsForm(forms.Form):
    """What findings to show; what is left empty does not narrow them."""

    operator = OperatorField(required=False, empty_label="All operators")
    player = NameField(required=False, max_length=64)
    dealer = NameField(required=False, max_length=64)
    table = NameField(required=False, max_length=32)
    game = NameField(required=False, max_length=40, widget=forms.HiddenInput)
    code = forms.ChoiceField(label="What went wrong", required=False, choices=lambda: _codes())
    wager = NameField(required=False, max_length=40, widget=forms.HiddenInput)
    line = NameField(required=False, max_length=60, widget=forms.HiddenInput)
    clause = NameField(label="Rule", required=False, max_length=200)
    first = DayField(label="From gambling day", required=False)
    last = DayField(label="Through gambling day", required=False)

    def criteria(self) -> Criteria:
        """Return what a valid form asks for."""
        asked_for = dict(self.cleaned_data)
        operator = asked_for.pop("operator", None)
        return Criteria(party=operator.pk if operator else None, **asked_for)


def _codes() -> list[tuple[str, str]]:
    named = sorted((name_code(code), code) for code in CODES)
    return [("", "Anything"), *((code, title) for title, code in named)]


class SubjectPage(Page):
    """A page of findings about one subject: a subclass says which, and what is known of it."""

    permission: ClassVar[Action] = Action.SEE_RELEASED
    template_name = "audits/search/subject.html"
    breakdowns: ClassVar[tuple[str, ...]] = ("code", "line")
    hidden: ClassVar[tuple[str, ...]] = ()
    """Fields of the form that the subject itself answers."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the subject, or say what is wrong with what was asked."""
        self.asked_form = FindingsForm(request.GET)
        for name in self.hidden:
            del self.asked_form.fields[name]
        return self.show(status=200 if self.asked_form.is_valid() else 422)

    @cached_property
    def sight(self) -> Sight:
        """Return which findings the user may see."""
        return Sight.of(asked(self.request).memberships)

    def get_title(self) -> str:
        """Return the name of the subject."""
        raise NotImplementedError

    def get_criteria(self) -> Criteria:
        """Return what findings are about the subject."""
        return Criteria()

    def get_facts(self) -> list[tuple[str, str, str]]:
        """Return what is known of the subject: label, text and address."""
        return []

    def get_more(self, found: Findings) -> dict[str, Any]:
        """Return what else the page shows."""
        return {}

    def get_context(self) -> dict[str, Any]:
        """Collect the findings, and draw them."""
        form = self.asked_form
        criteria = self.get_criteria()
        if form.is_valid():
            criteria = narrowed(criteria, form.criteria())
        context = {
            "title": self.get_title(),
            "facts": self.get_facts(),
            "form": form,
            "query": self.query,
        }
        try:
            with opened(self.sight, criteria) as found:
                return context | self._shown(found)
        except RefusedError as refused:
            return context | {"refused_because": str(refused)}

    @property
    def query(self) -> dict[str, str]:
        """Return what the address asks for, without the page."""
        asked_for = self.request.GET
        return {name: str(asked_for[name]) for name in asked_for if name != "page"}

    def _shown(self, found: Findings) -> dict[str, Any]:
        total = found.total()
        operator = self.party
        by = [
            breakdown(found, each, query=self.query, operator=operator) for each in self.breakdowns
        ]
        nights = nights_of(found, query=self.query)
        issues = issues_of(found)
        number = self._page_number(total)
        sees_rounds = self.allows(Action.SEE_ROUNDS)
        return {
            "total": total,
            "sums": sums_in_words(total, found.rounds()),
            "left_out": found.left_out,
            "breakdowns": [(each, GroupTable.of(each)) for each in by if each.groups],
            "nights": nights,
            "nights_table": GroupTable.of_nights(nights),
            "issues": IssueTable(
                issues[:MOST_ISSUES],
                inside=self.allows(Action.SEE_FINDINGS),
                caption=_caption("Issues", issues.count()),
                exclude=() if self.allows(Action.SEE_FINDINGS) else ("state",),
            ),
            "rows": FoundTable(
                found.page(number, ROWS),
                sees_rounds=sees_rounds,
                caption="Findings, newest first",
            ),
            "page": number,
            "pages": -(-total.findings // ROWS) or 1,
            "earlier_on": self._at(number - 1) if number > 1 else "",
            "later_on": self._at(number + 1) if number * ROWS < total.findings else "",
            **self.get_more(found),
        }

    def _page_number(self, total: Sums) -> int:
        asked_for = self.request.GET.get("page", "1")
        number = int(asked_for) if asked_for.isascii() and asked_for.isdigit() else 1
        last = min(-(-total.findings // ROWS) or 1, LAST_PAGE)
        return max(1, min(number, last))

    def _at(self, number: int) -> str:
        return f"?{urlencode(self.query | {'page': str(number)})}#rounds"


def _caption(text: str, count: int) -> str:
    return f"{text}; the first {MOST_ISSUES} of {count:,}" if count > MOST_ISSUES else text


class AllFindings(SubjectPage):
    """Every finding that the user may see."""

    breakdowns = ("code", "line", "party")

    def get_title(self) -> str:
        return "Findings"


class OfOperator(SubjectPage):
    """A subject at one operator."""

    breakdowns: ClassVar[tuple[str, ...]] = ("code", "line", "table", "player", "dealer")
    hidden: ClassVar[tuple[str, ...]] = ("operator",)

    def get_subject(self) -> Party:
        """Return an operator of which the user may see findings.

        An agency sees those that were released to it, of an operation outside its own scope.
        """
        seen = self.sight.parties
        with without_access_scope():
            named = Party.objects.filter(kind__in=OPERATOR_KINDS, code=self.kwargs["code"]).first()
        if named is None or not (named.pk in seen or allows(self.request, self.permission, named)):
            raise Http404
        return named

    def check_permission(self) -> None:
        """Leave it at that."""

    def get_criteria(self) -> Criteria:
        return Criteria(party=self.subject.pk)

    def get_facts(self) -> list[tuple[str, str, str]]:
        url = reverse("subject_operator", args=[self.subject.code])
        return [("Operator", self.subject.name, url)]


class OperatorPage(OfOperator):
    """An operator: its games and tables in effect, and all its findings."""

    def get_title(self) -> str:
        return str(self.subject.name)

    def get_facts(self) -> list[tuple[str, str, str]]:
        code = self.subject.code
        facts = [("Kind", self.subject.get_kind_display(), "")]
        if allows(self.request, Action.SEE_CONTROLS, self.subject):
            for game in list_tables_in_effect(self.subject):
                tables = f": tables {', '.join(sorted(game.tables))}" if game.tables else ""
                url = f"{reverse('in_effect')}?{urlencode({'operator': code, 'game': game.game})}"
                facts.append(("In effect", f"{describe_name(game.game)}{tables}", url))
        if self.allows(Action.SEE_FINDINGS):
            facts += [
                ("Queue", "Issues of this operator", f"{reverse('issues')}?operator={code}"),
                ("Watch", "What the watch counts here", reverse("watch_operator", args=[code])),
                ("Cases", "Cases on this operator", f"{reverse('cases')}?operator={code}"),
            ]
        return facts


class NamedPage(OfOperator):
    """A player, dealer or table of an operator, by its name in the log."""

    kind: ClassVar[str]
    says: ClassVar[str]

    def get_title(self) -> str:
        return f"{self.says} {self.kwargs['name']}, {self.subject.name}"

    def get_criteria(self) -> Criteria:
        return Criteria(party=self.subject.pk, **{self.kind: self.kwargs["name"]})

    def get_facts(self) -> list[tuple[str, str, str]]:
        facts = super().get_facts()
        if self.allows(Action.SEE_FINDINGS):
            watch = reverse("watch_operator", args=[self.subject.code])
            query = urlencode({"about": self.kwargs["name"]})
            facts.append(
                ("Watch", f"What the watch counts of {self.kwargs['name']}", f"{watch}?{query}")
            )
        return facts


class PlayerPage(NamedPage):
    """A player at an operator."""

    kind, says = PLAYER, "Player"
    breakdowns = ("code", "line", "table", "dealer")
    hidden = ("operator", "player")


class DealerPage(NamedPage):
    """A dealer at an operator."""

    kind, says = DEALER, "Dealer"
    breakdowns = ("code", "line", "table", "player")
    hidden = ("operator", "dealer")


class TablePage(NamedPage):
    """A table at an operator."""

    kind, says = TABLE, "Table"
    breakdowns = ("code", "line", "player", "dealer")
    hidden = ("operator", "table")

    def get_facts(self) -> list[tuple[str, str, str]]:
        facts = super().get_facts()
        table, code = self.kwargs["name"], self.subject.code
        if allows(self.request, Action.SEE_CONTROLS, self.subject):
            for game in list_tables_in_effect(self.subject):
                if limits := game.tables.get(table):
                    query = urlencode({"operator": code, "game": game.game, "table": table})
                    amounts = "; ".join(
                        f"{describe_name(wager)} {dollars(low)} to {dollars(high)}"
                        for wager, (low, high) in limits.items()
                    )
                    facts.append(
                        (
                            "In effect",
                            f"{describe_name(game.game)}: {amounts}",
                            f"{reverse('in_effect')}?{query}",
                        )
                    )
        return facts


class RulePage(SubjectPage):
    """A clause, interpretation or section of the law, and the findings that cite it.

    Its name is in the query of the address: it may contain anything.
    """

    breakdowns = ("code", "line", "party")

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the rule; without one, the search."""
        self.clause = request.GET.get("clause", "").strip()
        return super().get(request, **address) if self.clause else redirect("search")

    def get_title(self) -> str:
        return f"Rule {self.clause}"

    def get_facts(self) -> list[tuple[str, str, str]]:
        game, says, sources = clause_in_words(self.clause)
        facts = [("Game", game, ""), ("It says", says, "")]
        facts += [("Source", each, "") for each in sources]
        if self.clause.startswith(("WAC ", "RCW ")):
            facts.append(("Legal limits", "Limits and their citations", reverse("law")))
        return [each for each in facts if each[1]]


class LayoutPage(SubjectPage):
    """A layout drawing: where it differs from the rules, and the findings on those lines."""

    breakdowns = ("line", "party")
    hidden = ("game", "wager", "line")

    def get_subject(self) -> Any:
        return get_object_or_404(Document, uuid=self.kwargs["uuid"])

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the layout; of another document, its own page."""
        if self.subject.kind != Document.Kind.LAYOUT:
            return redirect("document", self.subject.uuid)
        return super().get(request, **address)

    @property
    def party(self) -> None:
        """Return no party: operators of every kind may use the layout."""
        return

    def check_permission(self) -> None:
        """Raise Http404 for someone who may not see filings."""
        if not allows(self.request, Action.SEE_FILINGS):
            raise Http404
        super().check_permission()

    def get_title(self) -> str:
        return str(self.subject.title)

    @cached_property
    def printed(self) -> list[PrintedLine]:
        """Return the lines that the layout prints otherwise than the rules."""
        return printed_lines(self.subject)

    def get_criteria(self) -> Criteria:
        # A name that no game has finds nothing where nothing differs.
        lines = tuple(f"{each.wager} {each.line}" for each in self.printed) or (" ",)
        return Criteria(game=self.printed[0].game if self.printed else "", lines=lines)

    def get_more(self, found: Findings) -> dict[str, Any]:
        rows = []
        for each in self.printed:
            criteria = Criteria(game=each.game, wager=each.wager, line=each.line)
            total = found.narrowed(criteria).total()
            query = {"game": each.game, "wager": each.wager, "line": each.line}
            rows.append(
                {
                    "line": f"{describe_name(each.wager)}, {describe_name(each.line)}",
                    "url": f"{reverse('all_findings')}?{urlencode(query)}",
                    "rules": each.rules,
                    "printed": each.printed,
                    "findings": total.findings,
                    "over": total.over,
                    "under": total.under,
                }
            )
        return {"printed": PrintedTable(rows) if rows else None, "is_layout": True}

    def get_facts(self) -> list[tuple[str, str, str]]:
        return [
            ("Filed by", self.subject.owner.name, ""),
            ("Document", "Versions and files", reverse("document", args=[self.subject.uuid])),
        ]
