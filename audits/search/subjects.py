"""What findings are about: a player, a dealer, a table, an operator, a rule, a layout."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse

from audits.replay.findings.models import Issue
from audits.replay.findings.reads import by_impact
from audits.review.columns import name_code
from compliance.access.models import Party
from compliance.access.scope import without_access_scope
from compliance.ui.charts import MONEY, Bar, Bars, Column, Columns
from compliance.ui.filters import day as show_day
from compliance.ui.lists import dollars, signed
from games.explanation.words import describe_name
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from audits.replay.findings.queries import Criteria, Findings, Sums


PLAYER, DEALER, TABLE = "player", "dealer", "table"
MOST_ROWS: Final = 10
MOST_NIGHTS: Final = 14


def address_of_rule(clause: str) -> str:
    """Return the address of the page of a clause, interpretation or section of the law."""
    return f"{reverse('subject_rule')}?{urlencode({'clause': clause})}"


@dataclass(frozen=True)
class Group:
    """Findings with one name in common, and where they are shown alone."""

    name: str
    url: str
    findings: int
    over: int
    under: int


@dataclass(frozen=True)
class Breakdown:
    """Findings by name: the first groups, and how many there are in all."""

    by: str
    title: str
    groups: list[Group]
    count: int
    chart: Bars | None

    @property
    def more(self) -> int:
        """Return how many groups are not shown."""
        return self.count - len(self.groups)


TITLES: Final = {
    "code": "What went wrong",
    "line": "Wager and line",
    "table": "Table",
    "player": "Player",
    "dealer": "Dealer",
    "party": "Operator",
    "game": "Game",
}


def address_of(kind: str, operator: str, name: str) -> str:
    """Return the address of the page of a player, dealer or table."""
    return reverse(f"subject_{kind}", args=[operator, name])


def breakdown(
    found: Findings, by: str, *, query: dict[str, str], operator: Party | None
) -> Breakdown:
    """Return findings by code, line, table, player, dealer, game or operator.

    A name links to its own page if there is one, otherwise to the same page with only its findings.
    """
    columns = ("wager", "line") if by == "line" else (by,)
    sums, count = found.sums(*columns, most=MOST_ROWS)
    groups = [_group(each, by, query=query, operator=operator) for each in sums]
    longest = sorted(groups, key=lambda each: -each.findings)
    chart = None
    if len(groups) > 1:
        chart = Bars.of(
            f"Findings by {TITLES[by].lower()}.",
            [Bar(each.name, each.findings, f"{each.findings:,}", each.url) for each in longest],
        )
    return Breakdown(by, TITLES[by], groups, count, chart)


def _group(each: Sums, by: str, *, query: dict[str, str], operator: Party | None) -> Group:
    names = [str(part) if part is not None else "" for part in each.by]
    if by in {PLAYER, DEALER, TABLE} and operator is not None:
        shown, url = names[0], address_of(by, operator.code, names[0])
    elif by == "party":
        with without_access_scope():
            party = Party.objects.get(pk=each.by[0])
        shown, url = party.name, reverse("subject_operator", args=[party.code])
    elif by == "line":
        shown = ", ".join(describe_name(name) for name in names if name)
        narrowed = {name: part for name, part in zip(("wager", "line"), names, strict=True) if part}
        url = f"?{urlencode(query | narrowed)}#rounds"
    else:
        shown = {"code": name_code, "game": describe_name}.get(by, str)(names[0])
        url = f"?{urlencode(query | {by: names[0]})}#rounds"
    return Group(shown, url, each.findings, each.over, each.under)


@dataclass(frozen=True)
class Nights:
    """Findings by gambling day, newest first, and their charts."""

    groups: list[Group]
    count: int
    findings: Columns
    money: Columns

    @property
    def more(self) -> int:
        """Return how many nights are not shown."""
        return self.count - len(self.groups)


def nights_of(found: Findings, *, query: dict[str, str]) -> Nights:
    """Return the newest nights with findings."""
    sums = sorted(found.sums("day")[0], key=lambda each: each.by[0])
    newest = sums[-MOST_NIGHTS:]

    def link(each: Sums) -> str:
        on = str(each.by[0])
        return f"?{urlencode(query | {'first': on, 'last': on})}#rounds"

    findings = sum(each.findings for each in newest)
    over, under = (sum(getattr(each, way) for each in newest) for way in ("over", "under"))
    names = [f"{each.by[0]:%b} {each.by[0].day}" for each in newest]
    return Nights(
        [
            Group(show_day(each.by[0]), link(each), each.findings, each.over, each.under)
            for each in reversed(newest)
        ],
        len(sums),
        Columns.of(
            "Findings by night",
            [
                Column(name, each.findings, url=link(each))
                for name, each in zip(names, newest, strict=True)
            ],
            says=f"Findings by night: {findings:,} in all.",
        ),
        Columns.of(
            "Money by night: overpaid above the line, underpaid below",
            [
                Column(name, each.over, each.under, url=link(each))
                for name, each in zip(names, newest, strict=True)
            ],
            says=f"Money by night: {dollars(over)} overpaid, {dollars(under)} underpaid.",
            kinds=MONEY,
        ),
    )


def issues_of(found: Findings) -> QuerySet[Issue]:
    """Return the issues in the access scope that the findings belong to, the worst first."""
    keys = found.issues()
    parties = {party for party, _, _ in keys}
    games, causes = {game for _, game, _ in keys}, {cause for _, _, cause in keys}
    named = Issue.objects.filter(
        party__in=parties, game__in=games, cause__in=causes, findings__gt=0
    )
    rows = named.order_by().values_list("pk", "party", "game", "cause")
    wanted = [pk for pk, *key in rows if tuple(key) in keys]
    return by_impact(Issue.objects.filter(pk__in=wanted)).select_related("party")


def sums_in_words(total: Sums, rounds: int) -> list[tuple[str, str]]:
    """Return what findings add up to, for people."""
    return [
        ("Findings", f"{total.findings:,}"),
        ("Rounds", f"{rounds:,}"),
        ("Players overpaid", signed(total.over)),
        ("Players underpaid", signed(-total.under)),
    ]


def clause_ids() -> list[str]:
    """Return the IDs of all clauses and interpretations of the games that ship."""
    rules = [rule_set(slug) for slug in SLUGS]
    return sorted(id_ for each in rules for id_ in (*each.clauses, *each.interpretations))


def clause_in_words(clause: str) -> tuple[str, str, list[str]]:
    """Return the name of a clause's game, what it says, and where that is written."""
    for slug in SLUGS:
        rules = rule_set(slug)
        if clause in rules.clauses:
            known = rules.clauses[clause]
            sources = [f"{each.document}, {each.place}" for each in known.sources]
            return describe_name(slug), known.says, sources
        if clause in rules.interpretations:
            return describe_name(slug), rules.interpretations[clause].asks, []
    return "", "", []


def narrowed(criteria: Criteria, asked: Criteria) -> Criteria:
    """Return the criteria of a subject, with what a reader asks for where the subject is silent."""
    more = {
        name: value for name, value in vars(asked).items() if value and not getattr(criteria, name)
    }
    return replace(criteria, **more)
