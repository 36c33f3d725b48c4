"""The pay tables of a rule version as approved: complete, several by name for one wager.

A filing names a table as the engine does (`six_card`), or with a name of its own behind a colon
(`six_card:high`). A wager that pays on two tables at once has both under each name.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from compliance.errors import RefusedError
from compliance.events.canonical import digest
from compliance.filings.games.definitions import definition_of
from compliance.filings.games.models import FiledPayLine
from compliance.remembered import remembered
from games.rule_set import RuleSetError, rule_set, with_pay_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compliance.filings.games.models import RuleVersion
    from games.definition import Definition
    from games.rule_set import RuleSet


STANDARD: Final = "standard"
"""The name of a pay table that the filing does not name."""

Odds = int | Fraction
Lines = dict[str, dict[str, Odds]]
"""What each line pays, to 1, by table."""


def odds_in_words(pays: Odds) -> str:
    """Format odds for people: 1,000 to 1, or 3 to 2."""
    return f"{pays.numerator:,} to {pays.denominator:,}"


def odds_to_one(pays: Odds) -> str:
    """Format odds under the heading "to 1": 1,000, or 3/2."""
    return f"{pays.numerator:,}" if pays.denominator == 1 else str(pays)


@dataclass(frozen=True)
class NamedPayTable:
    """One approved pay table of a wager, complete."""

    wager: str
    name: str
    lines: Lines

    @cached_property
    def digest(self) -> str:
        """Return a digest that identifies it."""
        lines = {
            table: {line: pays if isinstance(pays, int) else str(pays) for line, pays in of.items()}
            for table, of in self.lines.items()
        }
        data: dict[str, Any] = {"wager": self.wager, "name": self.name, "lines": lines}
        return digest(data)

    @property
    def top_odds(self) -> int:
        """Return the most that one hand wins, to 1, rounded up: on all of its tables together."""
        return sum(ceil(max(lines.values(), default=0)) for lines in self.lines.values())


Named = dict[str, dict[str, NamedPayTable]]
"""Pay tables by wager and name."""


def named_pay_tables(version: RuleVersion) -> Named:
    """Return the approved pay tables of a rule version, by wager and name."""
    definition = definition_of(version)
    if definition is not None:
        return {
            wager: {name: _of_definition(definition, wager, name) for name in names}
            for wager, names in definition.tables_of_wagers.items()
        }
    printed: dict[str, dict[str, int]] = {}
    for each in version.pay_lines.filter(origin=FiledPayLine.Origin.RULES):
        printed.setdefault(each.table, {})[each.line] = each.pays
    return arrange_pay_tables(version.game.engine, printed)


@remembered
def readable_pay_tables(version: RuleVersion) -> Named:
    """Return the same; none if this release does not read the definition as it was filed.

    The game is then not settled, which keeps no other game from being audited.
    """
    try:
        return named_pay_tables(version)
    except RefusedError:
        return {}


def _of_definition(definition: Definition, wager: str, name: str) -> NamedPayTable:
    tables = {key: names[name] for key, names in definition.pay_tables.items() if name in names}
    lines: Lines = {
        key: {line.id: _odds(line.pays) for line in table.lines}
        for key, table in tables.items()
        if table.wager == wager
    }
    return NamedPayTable(wager, name, lines)


def _odds(pays: Fraction) -> Odds:
    return int(pays) if pays.denominator == 1 else pays


def arrange_pay_tables(engine: str, printed: Mapping[str, Mapping[str, int]]) -> Named:
    """Arrange the tables that the rules of play print by wager and name."""
    known = rule_set(engine).pay_tables if engine else {}
    found: dict[str, dict[str, Lines]] = {}
    for key, lines in printed.items():
        table, _, name = key.partition(":")
        wager = known[table].wager if table in known else table
        of_name = found.setdefault(wager, {}).setdefault(name.strip() or STANDARD, {})
        of_name[table.strip()] = dict(lines)
    return {
        wager: {name: NamedPayTable(wager, name, lines) for name, lines in names.items()}
        for wager, names in found.items()
    }


def lines_of(tables: Mapping[str, NamedPayTable]) -> Lines:
    """Return the lines of the chosen pay tables, by table."""
    return {table: lines for each in tables.values() for table, lines in each.lines.items()}


def require_settleable(rules: RuleSet, printed: Mapping[str, Mapping[str, int]]) -> None:
    """Reject, in a sentence, pay tables by which the game's code cannot settle rounds."""
    named = arrange_pay_tables(rules.slug, printed)
    first = {wager: next(iter(names.values())) for wager, names in named.items()}
    for wager, names in named.items():
        for each in names.values():
            _require_lines(rules, lines_of({**first, wager: each}), each)
    if not named and rules.pay_tables:
        _require_lines(rules, {}, None)
    for names in named.values():
        whole = next(iter(names.values()))
        for each in names.values():
            if each.lines.keys() != whole.lines.keys():
                missing = sorted(whole.lines.keys() ^ each.lines.keys())
                msg = (
                    f"Every pay table of {each.wager} consists of the same tables: give "
                    f"{', '.join(missing)} under the name {each.name} too, or under no name."
                )
                raise RefusedError(msg)


def _require_lines(rules: RuleSet, lines: Lines, of: NamedPayTable | None) -> None:
    try:
        with_pay_tables(rules, lines)
    except RuleSetError as error:
        where = "" if of is None or of.name == STANDARD else f"{of.wager}, {of.name}: "
        msg = f"{where}{error}"
        raise RefusedError(msg) from error
