"""`rules GAME`: what binds, what the pay tables pay, which questions are open."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any

from games.commands.call import columns, page_width, paragraph
from games.rule_set import SLUGS, rule_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.rule_set import Clause, Interpretation, PayTable, RuleSet

INDENT = 9


def run(arguments: list[str]) -> int:
    """Print the rules of one game."""
    parser = argparse.ArgumentParser(prog="python -m games rules", description=__doc__)
    parser.add_argument("game", choices=SLUGS, metavar="GAME", help=", ".join(SLUGS))
    parser.add_argument("--json", action="store_true", help="as data")
    call = parser.parse_args(arguments)
    rules = rule_set(call.game)
    if call.json:
        json.dump(rules_data(rules), sys.stdout, ensure_ascii=False, indent=1)
        sys.stdout.write("\n")
    else:
        sys.stdout.write("\n".join(rules_page(rules, page_width())) + "\n")
    return 0


def rules_page(rules: RuleSet, width: int) -> list[str]:
    """Return a game's rule set as lines of text."""
    return [
        *_heading(rules, width),
        "",
        "CLAUSES",
        *chain.from_iterable(_clause(clause, width) for clause in rules.clauses.values()),
        *_wagers(rules, width),
        *_pay_tables(rules, width),
        *_points(rules),
        "",
        "INTERPRETATIONS",
        *paragraph("Where the documents leave a question open. Approved controls may choose "
                   "another of the readings named here, nothing else may.", width),
        *chain.from_iterable(_question(item, width) for item in rules.interpretations.values()),
    ]  # fmt: skip


def rules_data(rules: RuleSet) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "game": rules.slug,
        "name": rules.name,
        "digest": rules.digest,
        "banked_by": rules.banked_by,
        "decks": {
            "number": rules.decks.number,
            "or_more": rules.decks.or_more,
            "jokers": rules.decks.jokers,
        },
        "clauses": [
            {
                "id": clause.id,
                "says": clause.says,
                "sources": [{"document": s.document, "place": s.place} for s in clause.sources],
            }
            for clause in rules.clauses.values()
        ],
        "wagers": [
            {"key": wager.key, "says": wager.says, "mandatory": wager.mandatory}
            for wager in rules.wagers.values()
        ],
        "pay_tables": [_pay_table_data(rules, table) for table in rules.pay_tables.values()],
        "points": {table.name: dict(table.lines) for table in rules.points.values()},
        "interpretations": [
            {
                "id": item.id,
                "asks": item.asks,
                "default": item.default,
                "readings": dict(item.readings),
            }
            for item in rules.interpretations.values()
        ],
    }


def _heading(rules: RuleSet, width: int) -> Iterator[str]:
    banker = "the house" if rules.house_banked else "nobody: players play each other"
    yield from paragraph(f"{rules.name} ({rules.slug})", width)
    yield from paragraph(f"Banked by {banker}. {decks_in_words(rules)}", width)
    yield f"Rule set {rules.digest}"


def decks_in_words(rules: RuleSet) -> str:
    """Return a sentence on the shoe that the rules require."""
    decks = rules.decks
    number = f"{decks.number} deck{'s' if decks.number != 1 else ''}"
    or_more = " or more" if decks.or_more else ""
    jokers = f"{decks.jokers} jokers" if decks.jokers else "no jokers"
    return f"Dealt from {number}{or_more} of 52 cards, {jokers}."


def _clause(clause: Clause, width: int) -> Iterator[str]:
    yield from paragraph(clause.says, width, first=clause.id, indent=INDENT)
    places = "; ".join(f"{source.document}, {source.place}" for source in clause.sources)
    yield from paragraph(f"[document {places}]", width, indent=INDENT)


def _wagers(rules: RuleSet, width: int) -> Iterator[str]:
    if not rules.wagers:
        return
    yield ""
    yield "WAGERS"
    for wager in rules.wagers.values():
        duty = "Mandatory." if wager.mandatory else "Optional."
        yield from paragraph(f"{wager.says} {duty}", width, first=wager.key, indent=14)


def _pay_tables(rules: RuleSet, width: int) -> Iterator[str]:
    if not rules.pay_tables:
        return
    yield ""
    yield "PAY TABLES"
    for table in rules.pay_tables.values():
        yield from paragraph(f"{table.name}, for the wager {table.wager} ({table.clause})", width)
        rows = [(f"  {line}", f"{to} to 1") for line, to in table.lines.items()]
        yield from columns(rows, right=[1])
        yield from _layout(rules, table, width)


def _points(rules: RuleSet) -> Iterator[str]:
    if not rules.points:
        return
    yield ""
    yield "POINTS of a hand that wins, else 1"
    for table in rules.points.values():
        yield f"{table.name} ({table.clause})"
        yield from columns([(f"  {line}", str(to)) for line, to in table.lines.items()], right=[1])


def _layout(rules: RuleSet, table: PayTable, width: int) -> Iterator[str]:
    for layout in rules.layouts.values():
        if layout.table == table.name:
            printed = ", ".join(f"{line} {to} to 1" for line, to in layout.lines.items())
            yield from paragraph(
                f"The layout drawing, not approved, prints {printed} ({layout.clause}).",
                width,
                indent=2,
            )


def _question(item: Interpretation, width: int) -> Iterator[str]:
    yield from paragraph(item.asks, width, first=item.id, indent=INDENT)
    alone = len(item.readings) == 1
    for name, says in item.readings.items():
        mark = " (the only reading)" if alone else " (default)" if name == item.default else ""
        yield from paragraph(f"- {name}{mark}: {says}", width, indent=INDENT)


def _pay_table_data(rules: RuleSet, table: PayTable) -> dict[str, Any]:
    printed = [layout.lines for layout in rules.layouts.values() if layout.table == table.name]
    return {
        "name": table.name,
        "clause": table.clause,
        "wager": table.wager,
        "lines": dict(table.lines),
        "layout": dict(printed[0]) if printed else None,
    }
