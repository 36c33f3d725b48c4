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

    A layout prints only some tables; the rules as filed print them all. Lines that a table lacks
    stand in one sentence.
    """
    found = []
    for origin, tables in papers.items():
        for name, table in rules.pay_tables.items():
            printed = tables.get(name)
            if printed is None:
                if origin == "rules":
                    says = f"{PAPERS[origin]} lack the pay table {_words(name)}."
                    found.append(Found(CODE, says, (table.clause,)))
                continue
            differing = [
                _says(origin, name, line, pays, table.lines.get(line))
                for line, pays in printed.items()
                if pays != table.lines.get(line)
            ]
            missing = {line: pays for line, pays in table.lines.items() if line not in printed}
            if missing:
                differing.append(_lacks(origin, name, missing))
            cites = _cites(rules, origin, name, table.clause)
            found.extend(Found(CODE, each, cites) for each in differing)
        found.extend(
            Found(
                CODE, f"{PAPERS[origin]} print a pay table {_words(name)}; the rules have none.", ()
            )
            for name in tables
            if name not in rules.pay_tables
        )
    return found


def _cites(rules: RuleSet, origin: str, table: str, clause: str) -> tuple[str, ...]:
    if origin == "layout" and table in rules.layouts:
        return (clause, rules.layouts[table].clause)
    return (clause,)


def _lacks(origin: str, table: str, missing: Mapping[str, int]) -> str:
    if len(missing) == 1:
        ((line, pays),) = missing.items()
        lines = f"{_words(line)} is missing; the rules pay {pays} to 1."
    else:
        each = ", ".join(f"{_words(line)} ({pays} to 1)" for line, pays in missing.items())
        lines = f"{len(missing)} lines that the rules pay are missing: {each}."
    return f"{PAPERS[origin]}: {_words(table)}, {lines}"


def _says(origin: str, table: str, line: str, printed: int, pays: int | None) -> str:
    said = f"{PAPERS[origin]}: {_words(table)}, {_words(line)} is printed with {printed} to 1; "
    return said + (
        "the rules have no such line." if pays is None else f"the rules pay {pays} to 1."
    )


def _words(name: str) -> str:
    return name.replace("_", " ")
