"""Compare the pay tables that documents print with those of the definition, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from compliance.filings.definitions.printed import SAME, PrintedLine, printed_lines, prints_odds
from compliance.filings.games.checks import PAY_TABLE_CODE, Discrepancy
from games.explanation.words import name_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from games.definition import Definition
    from games.definition.model import PayTable

LEAST_LINES: Final = 3
"""Fewer lines with odds beside each other are a sentence, not a pay table."""


@dataclass(frozen=True)
class PrintedTable:
    """Lines that a page prints below each other."""

    page: int
    lines: tuple[PrintedLine, ...]


def printed_tables(pages: list[str]) -> Iterator[PrintedTable]:
    """Yield the pay tables that a document prints, column by column."""
    for number, page in enumerate(pages, 1):
        for block in _blocks(page):
            lines = printed_lines(block) if prints_odds(block) else []
            for column in sorted({each.column for each in lines}):
                of_column = tuple(each for each in lines if each.column == column)
                if len(of_column) >= LEAST_LINES:
                    yield PrintedTable(number, of_column)


def find_printed_differences(
    definition: Definition, title: str, pages: list[str]
) -> list[Discrepancy]:
    """Report every line in which the pay tables of a document and of the definition differ.

    A printed table is compared with the table of the definition that has most of its lines.
    """
    tables = [table for names in definition.pay_tables.values() for table in names.values()]
    found = []
    for printed in printed_tables(pages):
        where = f"{title}, page {printed.page}"
        table = _nearest(printed, tables)
        if table is None:
            says = (
                f"{where}: a pay table is printed that the definition does not have, from "
                f"“{printed.lines[0].words}” to “{printed.lines[-1].words}”."
            )
            found.append(Discrepancy(PAY_TABLE_CODE, says, ()))
            continue
        name = f"{name_in_words(table.wager)}, {name_in_words(table.name)}"
        found += [
            Discrepancy(PAY_TABLE_CODE, f"{where}: {name}, {says}", table.cites)
            for says in _differences(printed, table)
        ]
    return found


def _blocks(page: str) -> Iterator[str]:
    """Yield the parts of a page between blank lines that are not within a table."""
    block: list[str] = []
    for line in page.split("\n"):
        if not line.strip() and block and printed_lines("\n".join(block)):
            yield "\n".join(block)
            block = []
        elif line.strip():
            block.append(line)
        elif block:
            block = []
    if block:
        yield "\n".join(block)


def _nearest(printed: PrintedTable, tables: Iterable[PayTable]) -> PayTable | None:
    """Return the table with most lines of the printed one, and of these the most alike."""
    names = {each.name: each.pays for each in printed.lines}

    def likeness(table: PayTable) -> tuple[int, int, int]:
        pays = _pays(table)
        shared = names.keys() & pays.keys()
        return len(shared), sum(names[each] == pays[each] for each in shared), -len(pays)

    best = max(tables, key=likeness, default=None)
    return best if best is not None and 2 * likeness(best)[0] >= len(names) else None


def _differences(printed: PrintedTable, table: PayTable) -> Iterator[str]:
    pays = _pays(table)
    for line in printed.lines:
        due = pays.get(line.name)
        has = "has no such line" if due is None else f"pays {_odds(due)}"
        if due != line.pays:
            yield f"{line.words} is printed with {_odds(line.pays)}; the definition {has}."
    missing = {name: due for name, due in pays.items() if name not in _names(printed)}
    for name, due in missing.items():
        yield f"{name_in_words(name)} is not printed; the definition pays {_odds(due)}."


def _names(printed: PrintedTable) -> set[str]:
    return {each.name for each in printed.lines}


def _pays(table: PayTable) -> Mapping[str, Fraction]:
    return {SAME.get(line.id, line.id): line.pays for line in table.lines}


def _odds(pays: Fraction) -> str:
    return f"{pays.numerator:,} to {pays.denominator:,}"
