"""Visits, and the checklist of an operator."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from audits.replay.findings.models import Issue
from audits.replay.findings.reads import by_impact
from audits.replay.findings.wording import describe_title, parts_of
from audits.review.visits.models import Look, VisitItem, VisitPlan
from compliance.filings.controls.content import read_content
from compliance.filings.controls.models import ControlsFiling, ControlsVersion
from compliance.filings.controls.reads import find_controls_content
from compliance.filings.games.named_tables import STANDARD, odds_in_words
from compliance.filings.games.rules import rules_of_version
from compliance.filings.requests.models import Approval
from compliance.filings.requests.reads import game_names
from compliance.in_effect.reads import find_table_terms, find_terms
from games.cents import in_dollars
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from audits.review.visits.models import Visit
    from compliance.access.models import Party
    from compliance.filings.controls.content import Aggregate, Content
    from compliance.filings.games.named_tables import Odds
    from compliance.in_effect.reads import TermsInEffect
    from games.rule_set import RuleSet


def items_with_looks(visit: Visit) -> list[tuple[VisitItem, Look | None]]:
    """Return every item of a visit in order, with the newest look at it."""
    newest = {each.item_id: each for each in Look.objects.filter(item__visit=visit).order_by("pk")}
    items = VisitItem.objects.filter(visit=visit).select_related(
        "visit__party", "swap__operator", "issue__party"
    )
    return [(each, newest.get(each.pk)) for each in items]


def planned_visits() -> QuerySet[VisitPlan]:
    """Return visits that are planned and have not begun, the next one first."""
    found = VisitPlan.objects.filter(visit__isnull=True, canceled__isnull=True)
    return found.select_related("party", "planned_by")


POSTING = "WAC 230-15-060"
AGGREGATE = "WAC 230-15-490"
CONTROLS = "WAC 230-15-425"
SWAP = "WAC 230-15-440(2)"
APPROVED = (ControlsFiling.State.APPROVED, ControlsFiling.State.APPROVED_VERBALLY)
Kind = VisitItem.Kind


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One thing to check, and what was approved for it: names with values."""

    kind: Kind
    approved: list[list[str]]
    cites: list[str]
    game: str = ""
    table: str = ""
    about: str = ""
    swap: ControlsVersion | None = field(default=None)
    issue: Issue | None = None


MOST_ISSUES: Final = 20


def issues_to_inspect(operator: Party) -> QuerySet[Issue]:
    """Return the operator's open issues, the worst first."""
    found = Issue.objects.filter(party=operator, open=True, findings__gt=0)
    return by_impact(found.select_related("party"))


def _issues(operator: Party) -> Iterator[Entry]:
    """Yield the worst open issues: whether the cause is still there."""
    for issue in issues_to_inspect(operator)[:MOST_ISSUES]:
        facts = [["Finding", describe_title(issue)], ["Rounds", f"{issue.rounds:,}"]]
        facts += [["Tables", ", ".join(tables)]] if (tables := parts_of(issue, "table")) else []
        yield Entry(kind=Kind.ISSUE, game=issue.game, approved=facts, cites=[], issue=issue)


def checklist(operator: Party, at: datetime) -> list[Entry]:
    """List everything to check: the floor, open issues, then each table.

    Needs `without_access_scope`.
    """
    content = find_controls_content(operator=operator, at=at)
    names = game_names()
    entries = []
    if content is not None:
        entries.append(Entry(kind=Kind.FLOOR, approved=_floor(content, names), cites=[CONTROLS]))
    entries += _swaps(operator, at, names)
    if content is not None:
        entries += _issues(operator)
    if content is not None:
        for game in sorted(content.games, key=lambda slug: names.get(slug, slug)):
            found = find_terms(operator=operator, game=game, table=None, at=at)
            own = find_table_terms(found)
            for table in sorted(content.games[game].tables, key=_natural):
                entries += _table(own.get(table, found), table)
    return entries


def _floor(content: Content, names: Mapping[str, str]) -> list[list[str]]:
    return [
        [names.get(slug, describe_name(slug)), ", ".join(sorted(each.tables, key=_natural))]
        for slug, each in content.games.items()
    ]


def _swaps(operator: Party, at: datetime, names: Mapping[str, str]) -> Iterator[Entry]:
    """Yield game swaps that were approved, verbally or in writing, and not verified by a visit."""
    swaps = ControlsVersion.objects.filter(
        operator=operator, games_swap_only=True, filing__state__in=APPROVED, visits__isnull=True
    ).select_related("filing")
    for version in swaps:
        since = Approval.objects.filter(subject=version.uuid, in_effect_from__lte=at)
        if not since.exists():
            continue
        content = read_content(version.content)[0]
        approved = [["Version", f"{version.number}, {version.filing.get_state_display().lower()}"]]
        approved += _floor(content, names)
        yield Entry(kind=Kind.SWAP, approved=approved, cites=[SWAP], swap=version)


def _table(found: TermsInEffect, table: str) -> Iterator[Entry]:
    controls, version = found.controls, found.rule_version
    assert controls is not None  # noqa: S101 - the controls in effect name the game
    limits = [
        [describe_name(wager), f"{in_dollars(low)} to {in_dollars(high)}"]
        for wager, (low, high) in controls.tables[table].items()
    ]
    if controls.chinese is not None and controls.chinese.largest_unit is not None:
        limits.append(["Largest unit", in_dollars(controls.chinese.largest_unit)])
    if limits:
        yield Entry(
            kind=Kind.LIMITS, game=found.game, table=table, approved=limits, cites=[POSTING]
        )
    if version is not None:
        for name, clause, lines in _pay_tables(found):
            yield Entry(
                kind=Kind.PAY_TABLE,
                game=found.game,
                table=table,
                about=name,
                approved=[
                    [describe_name(line), odds_in_words(pays)] for line, pays in lines.items()
                ],
                cites=[clause, POSTING],
            )
    if sign := _aggregate(controls.aggregate):
        yield Entry(
            kind=Kind.AGGREGATE,
            game=found.game,
            table=table,
            approved=sign,
            cites=[POSTING, AGGREGATE],
        )
    rules = None if version is None else rules_of_version(version)
    if version is not None and rules is not None and rules.clauses:
        yield Entry(
            kind=Kind.DECKS,
            game=found.game,
            table=table,
            approved=[["Decks of 52 cards", _decks(rules)]],
            cites=[f"Rules of play, version {version.number}"],
        )


def _pay_tables(found: TermsInEffect) -> Iterator[tuple[str, str, dict[str, Odds]]]:
    """Yield the approved pay tables that the controls choose, in the order of the rules."""
    assert found.rule_version is not None  # noqa: S101 - the caller has looked
    chosen = {
        table: (each.name, lines)
        for each in found.pay_tables.values()
        for table, lines in each.lines.items()
    }
    for table, of_rules in rules_of_version(found.rule_version).pay_tables.items():
        if table in chosen:
            name, lines = chosen[table]
            yield table if name == STANDARD else f"{table}, {name}", of_rules.clause, lines


def _aggregate(aggregate: Aggregate) -> list[list[str]]:
    rows = [[describe_name(wager), in_dollars(most)] for wager, most in aggregate.per_deal.items()]
    if aggregate.per_hand is not None:
        rows.append(["Each hand in play", in_dollars(aggregate.per_hand)])
    return rows


def _decks(rules: RuleSet) -> str:
    decks = rules.decks
    jokers = f"{decks.jokers} jokers" if decks.jokers else "no joker"
    return f"{decks.number}{' or more' if decks.or_more else ''}, {jokers}"


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """Sort table 2 before table 10."""
    return [
        (part.isdigit(), int(part) if part.isdigit() else 0, part)
        for part in re.split(r"(\d+)", name)
    ]
