"""`document.pay_table`: the pay tables of a filing's papers against the rules, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.paper_checks.found import Found

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.rule_set import RuleSet


CODE = "document.pay_table"
PAPERS = {"rules": "The rules of play as filed", "layout": "The layout drawing"}


def pay_tables_that_differ(
    rules: RuleSet, papers: Mapping[str, Mapping[str, Mapping[str, int]]]
) -> list[Found]:
    """Every line in which a paper differs from the rules; `papers` by origin, table, line.

    A layout prints only some tables; the rules as filed print them all.
    """
    found = []
    for origin, tables in papers.items():
        for name, table in rules.pay_tables.items():
            printed = tables.get(name)
            if printed is None:
                if origin == "rules":
                    says = f"{PAPERS[origin]} lack the pay table {name}."
                    found.append(Found(CODE, says, (table.clause,)))
                continue
            lines = {**table.lines, **printed}
            found.extend(
                Found(
                    CODE,
                    _says(origin, name, line, printed.get(line), table.lines.get(line)),
                    _cites(rules, origin, name, table.clause),
                )
                for line in lines
                if printed.get(line) != table.lines.get(line)
            )
        found.extend(
            Found(CODE, f"{PAPERS[origin]} print a pay table {name}; the rules have none.", ())
            for name in tables
            if name not in rules.pay_tables
        )
    return found


def _cites(rules: RuleSet, origin: str, table: str, clause: str) -> tuple[str, ...]:
    if origin == "layout" and table in rules.layouts:
        return (clause, rules.layouts[table].clause)
    return (clause,)


def _says(origin: str, table: str, line: str, printed: int | None, pays: int | None) -> str:
    paper, name = PAPERS[origin], f"{table}, {line.replace('_', ' ')}"
    if printed is None:
        return f"{paper}: {name} is missing; the rules pay {pays} to 1."
    if pays is None:
        return f"{paper}: {name} is printed with {printed} to 1; the rules have no such line."
    return f"{paper}: {name} is printed with {printed} to 1; the rules pay {pays} to 1."
