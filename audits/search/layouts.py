"""Where a layout drawing differs from the rules of play that it was filed with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.filings.games.models import FiledPayLine, RuleVersion
from compliance.filings.games.rules import rules_of_version
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from compliance.filings.documents.models import Document


@dataclass(frozen=True)
class PrintedLine:
    """A line of a pay table: what the rules pay, and what the layout prints, N to 1."""

    game: str
    wager: str
    line: str
    rules: str
    printed: str


def printed_lines(layout: Document) -> list[PrintedLine]:
    """Return the lines that differ, by the newest rules of play filed with the layout."""
    filed = RuleVersion.objects.filter(documents__document_version__document=layout)
    version = filed.select_related("game").order_by("-number").first()
    if version is None or version.game.engine not in SLUGS:
        return []
    tables = rules_of_version(version).pay_tables
    pays: dict[tuple[str, str], dict[str, int]] = {}
    for each in FiledPayLine.objects.filter(rule_version=version):
        pays.setdefault((each.table, each.line), {})[each.origin] = each.pays
    found = []
    for (table, line), by in sorted(pays.items()):
        printed = by.get(FiledPayLine.Origin.LAYOUT)
        approved = by.get(FiledPayLine.Origin.RULES)
        if printed is None or printed == approved:
            continue
        wager = tables[table].wager if table in tables else table
        rules = "nothing" if approved is None else f"{approved:,} to 1"
        found.append(PrintedLine(version.game.engine, wager, line, rules, f"{printed:,} to 1"))
    return found
