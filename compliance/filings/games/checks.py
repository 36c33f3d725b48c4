"""Check the documents of a game against its rules and the law. Pure: no database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from compliance.law.values import LawRule
    from games.rounding import Odds
    from games.rule_set import RuleSet


@dataclass(frozen=True)
class Discrepancy:
    """A difference: its code in the findings' contract, its description, and its basis."""

    code: str
    says: str
    cites: tuple[str, ...]


LIMIT_CODE = "document.limit"


@dataclass(frozen=True)
class OddsWager:
    """An odds-based wager, as needed for its aggregate: cents, and the odds of its best line."""

    name: str
    smallest: int
    largest: int
    top_odds: int


def aggregate_floor(wager: OddsWager, formula: str, counted: int) -> int:
    """Return the lowest maximum the law allows for one wager, in cents (WAC 230-15-490(3))."""
    capped = wager.largest * min(wager.top_odds, counted)
    if formula == "per_prize":
        return capped
    return max(capped, wager.smallest * wager.top_odds)


def printed_maximum(
    maximum: int, clause: str, law: Mapping[str, LawRule], top_odds: int, on: date
) -> list[Discrepancy]:
    """Check a printed maximum without stated limits: report the limits for which it is lawful.

    A game's documents name no operator's limits, so this reports the conditions for it to be
    lawful.
    """
    formula, counted = law["aggregate_floor"].on(on), law["odds_counted"].on(on)
    if formula is None or counted is None or not isinstance(counted.value, int):
        return []
    largest = maximum // min(top_odds, counted.value)
    says = (
        f"The layout prints a maximum aggregate of {in_dollars(maximum)}, which the rules leave to "
        f"the house. On {on} {formula.citation} allowed it only for wagers up to "
        f"{in_dollars(largest)}"
    )
    if formula.value != "per_prize":
        smallest = maximum // top_odds
        says += (
            f" and a smallest wager of {in_dollars(smallest)} as a player's limit, or half of both "
            "as a table's; it does not say which it is"
        )
    return [Discrepancy(LIMIT_CODE, f"{says}.", (clause, formula.citation))]


def find_low_maximum(
    maximum: int, wager: OddsWager, law: Mapping[str, LawRule], on: date
) -> list[Discrepancy]:
    """Report an operator's maximum for an odds-based wager below that day's legal floor."""
    formula, counted = law["aggregate_floor"].on(on), law["odds_counted"].on(on)
    if formula is None or counted is None or not isinstance(counted.value, int):
        return []
    if formula.value == "per_prize" and wager.top_odds < counted.value:
        says = (
            f"{wager.name}: its best odds are {wager.top_odds} to 1; under {counted.value} to 1 "
            "there may be no maximum aggregate."
        )
        return [Discrepancy(LIMIT_CODE, says, ("WAC 230-15-490(3)(c)",))]
    floor = aggregate_floor(wager, str(formula.value), counted.value)
    if maximum >= floor:
        return []
    says = (
        f"{wager.name}: a maximum aggregate of {in_dollars(maximum)} is under "
        f"{in_dollars(floor)}, the least for wagers up to {in_dollars(wager.largest)} (judged on "
        "the table's own maximum)."
    )
    return [Discrepancy(LIMIT_CODE, says, (formula.citation,))]


@dataclass(frozen=True)
class Citation:
    """A section that a document cites, and the rules of the law it may be cited for."""

    section: str
    rules: tuple[str, ...]


def find_outdated_citations(
    citations: Iterable[Citation], law: Mapping[str, LawRule], on: date
) -> list[Discrepancy]:
    """Report every cited section under which none of its rules was in effect on the day."""
    found: list[Discrepancy] = []
    for cited in citations:
        stood = [value for name in cited.rules if (value := law[name].on(on))]
        if not stood or any(_holds(cited.section, value.citation) for value in stood):
            continue
        says = law[cited.rules[0]].says.lower()
        where = ", ".join(value.citation for value in stood)
        found.append(
            Discrepancy(
                "document.citation",
                f"{cited.section} is cited for {says}; on {on} that stood in {where}.",
                (cited.section, *(value.citation for value in stood)),
            )
        )
    return found


def _holds(section: str, citation: str) -> bool:
    return any(part.strip().split("(")[0] == section for part in citation.split(","))


PAY_TABLE_CODE = "document.pay_table"
PAPERS = {"rules": "The rules of play as filed", "layout": "The layout drawing"}


def find_pay_table_differences(
    rules: RuleSet | None, papers: Mapping[str, Mapping[str, Mapping[str, int]]]
) -> list[Discrepancy]:
    """Report every line in which the documents of a filing, and the engine, differ.

    `papers` is by origin, table and line. The filed rules are compared with the engine's, if it
    knows the game, and must print each table. A layout prints only some tables; it is compared with
    the rules as filed, which bind. Lines missing from a table are listed in one sentence.
    """
    usual: dict[str, Mapping[str, Odds]] = {}
    if rules is not None:
        usual = {name: table.lines for name, table in rules.pay_tables.items()}
    filed = papers.get("rules", {})
    found: list[Discrepancy] = []
    if rules is not None and "rules" in papers:
        found += _compare(rules, "rules", _unnamed(filed), usual)
        lacking = [name for name in usual if not any(_of(key) == name for key in filed)]
        found += [
            Discrepancy(
                PAY_TABLE_CODE,
                f"{PAPERS['rules']} lack the pay table {_words(name)}.",
                (rules.pay_tables[name].clause,),
            )
            for name in lacking
        ]
    if "layout" in papers:
        found += _compare(rules, "layout", papers["layout"], {**usual, **_firsts(filed), **filed})
    return found


def _of(key: str) -> str:
    """Return the table of a key: `six_card:high` is the pay table “high” of six card."""
    return key.partition(":")[0].strip()


def _unnamed(tables: Mapping[str, Mapping[str, int]]) -> dict[str, Mapping[str, int]]:
    return {key: lines for key, lines in tables.items() if ":" not in key}


def _firsts(tables: Mapping[str, Mapping[str, int]]) -> dict[str, Mapping[str, int]]:
    """Return the first pay table of each table that has names."""
    found: dict[str, Mapping[str, int]] = {}
    for key, lines in tables.items():
        found.setdefault(_of(key), lines)
    return found


def _compare(
    rules: RuleSet | None,
    origin: str,
    printed: Mapping[str, Mapping[str, int]],
    bind: Mapping[str, Mapping[str, Odds]],
) -> Iterator[Discrepancy]:
    """Yield each difference between the tables that a document prints and those that bind."""
    for name, lines in printed.items():
        table = bind.get(name)
        if table is None:
            says = f"{PAPERS[origin]} print a pay table {_words(name)}; the rules have none."
            yield Discrepancy(PAY_TABLE_CODE, says, ())
            continue
        differing = [
            _says(origin, name, line, pays, table.get(line))
            for line, pays in lines.items()
            if pays != table.get(line)
        ]
        missing = {line: pays for line, pays in table.items() if line not in lines}
        if missing:
            differing.append(_lacks(origin, name, missing))
        cites = _cites(rules, origin, _of(name))
        for each in differing:
            yield Discrepancy(PAY_TABLE_CODE, each, cites)


def _cites(rules: RuleSet | None, origin: str, table: str) -> tuple[str, ...]:
    if rules is None or table not in rules.pay_tables:
        return ()
    clause = rules.pay_tables[table].clause
    if origin == "layout" and table in rules.layouts:
        return (clause, rules.layouts[table].clause)
    return (clause,)


def _lacks(origin: str, table: str, missing: Mapping[str, Odds]) -> str:
    if len(missing) == 1:
        ((line, pays),) = missing.items()
        lines = f"{_words(line)} is missing; the rules pay {_to(pays)}."
    else:
        each = ", ".join(f"{_words(line)} ({_to(pays)})" for line, pays in missing.items())
        lines = f"{len(missing)} lines that the rules pay are missing: {each}."
    return f"{PAPERS[origin]}: {_words(table)}, {lines}"


def _to(odds: Odds) -> str:
    return f"{odds.numerator} to {odds.denominator}"


def _says(origin: str, table: str, line: str, printed: int, pays: Odds | None) -> str:
    said = f"{PAPERS[origin]}: {_words(table)}, {_words(line)} is printed with {printed} to 1; "
    return said + (
        "the rules have no such line." if pays is None else f"the rules pay {_to(pays)}."
    )


def _words(name: str) -> str:
    return name.replace("_", " ")
