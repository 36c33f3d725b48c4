"""A built-in game's definition as its code, checks and pages know it: a frozen `RuleSet`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from games.definition import read_definition
from games.definition.named_games import HOUSE, NAMED_GAMES, PLAYERS, pay_lines
from games.rounding import in_short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.definition import Definition
    from games.definition.model import Layout, Points, Rounding, Scoring
    from games.definition.named_games import NamedGame
    from games.rounding import Odds

GAMES = Path(__file__).resolve().parent

SLUGS = tuple(NAMED_GAMES)
"""The five games, as named in a round log."""

MOST_TO_ONE = 100_000


class RuleSetError(ValueError):
    """A rule set that can't be used; the message names the key."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a clause comes from: a document's number and the place in it."""

    document: str
    place: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A binding rule, in our own words."""

    id: str
    says: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """An open question, its default, and the interpretations that a commission could accept."""

    id: str
    asks: str
    default: str
    readings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Wager:
    """One wager of a hand."""

    key: str
    says: str
    mandatory: bool
    odds_based: bool


@dataclass(frozen=True, slots=True)
class PayTable:
    """Lines and what they pay to 1, best line first."""

    name: str
    clause: str
    wager: str
    lines: Mapping[str, Odds]


@dataclass(frozen=True, slots=True)
class Decks:
    """How many 52-card decks, and how many jokers among them."""

    number: int
    or_more: bool
    jokers: int

    def allows(self, decks: int) -> bool:
        """Return whether the rules allow a shoe of `decks` decks."""
        return decks == self.number or (self.or_more and decks > self.number)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one game, as filed."""

    slug: str
    name: str
    letters: str
    banked_by: str
    decks: Decks
    clauses: Mapping[str, Clause]
    wagers: Mapping[str, Wager]
    results: tuple[str, ...]
    pay_tables: Mapping[str, PayTable]
    layouts: Mapping[str, Layout]
    points: Mapping[str, Points]
    scorings: Mapping[str, Scoring]
    interpretations: Mapping[str, Interpretation]
    digest: str
    rounding: Rounding | None = None
    """How payouts at odds that aren't whole are rounded."""

    @property
    def house_banked(self) -> bool:
        """Return whether players play against the house (so the cap on a single wager applies)."""
        return self.banked_by == "house"


@cache
def rule_set(slug: str) -> RuleSet:
    """Return this engine's rule set of a game.

    Raises:
        RuleSetError: there is no such game.
    """
    if slug not in SLUGS:
        message = f"`{slug}` is no game: one of {', '.join(SLUGS)}."
        raise RuleSetError(message)
    return as_rule_set(built_in_definition(slug))


def definition_file(slug: str) -> Path:
    """Return the file of a game's definition that comes with the engine."""
    return GAMES / slug.replace("-", "_") / "definition.toml"


@cache
def built_in_definition(slug: str) -> Definition:
    """Return a game's definition that comes with the engine."""
    return read_definition(definition_file(slug).read_text("utf-8"))


def as_rule_set(
    definition: Definition, chosen: Mapping[str, str] = MappingProxyType({})
) -> RuleSet:
    """Return a definition as checks, kernels and pages know a game's rules.

    `chosen` names the pay table in use of a wager, if it isn't the first.
    """
    named = definition.named
    known = NAMED_GAMES.get(definition.slug) if named else None
    titles = {id_: source.title for id_, source in definition.sources.items()}
    return RuleSet(
        slug=definition.slug,
        name=definition.name,
        letters=known.letters if known else "",
        banked_by=_banked_by(definition, known),
        decks=Decks(
            definition.decks.number,
            or_more=named is not None and named.or_more_decks,
            jokers=definition.decks.jokers,
        ),
        clauses=_frozen(
            definition.clauses,
            lambda of: Clause(
                of.id,
                of.says,
                (Source(titles[of.source.source], f"page {of.source.page or 1}"),),
            ),
        ),
        wagers=_frozen(
            definition.wagers,
            lambda of: Wager(of.id, of.says, of.mandatory, of.id in _paid_by_table(definition)),
        ),
        results=definition.results,
        pay_tables=_named_tables(definition, chosen),
        layouts=named.layouts if named else MappingProxyType({}),
        points=named.points if named else MappingProxyType({}),
        scorings=named.scorings if named else MappingProxyType({}),
        interpretations=MappingProxyType(
            {
                **(every_game() if named else {}),
                **_frozen(
                    definition.interpretations,
                    lambda of: Interpretation(of.id, of.asks, of.default, of.readings),
                ),
            }
        ),
        digest=definition.digest,
        rounding=definition.rounding,
    )


def _banked_by(definition: Definition, known: NamedGame | None) -> str:
    if known is not None:
        return known.banked_by
    return PLAYERS if definition.own and definition.own.is_between_players else HOUSE


def _frozen(items: Mapping[str, Any], make: Callable[[Any], Any]) -> Mapping[str, Any]:
    return MappingProxyType({key: make(of) for key, of in items.items()})


def _paid_by_table(definition: Definition) -> set[str]:
    return {of.wager for tables in definition.pay_tables.values() for of in tables.values()}


def _named_tables(definition: Definition, chosen: Mapping[str, str]) -> Mapping[str, PayTable]:
    """Return one pay table of each key."""
    tables = {}
    for key, by_name in definition.pay_tables.items():
        first = next(iter(by_name.values()))
        table = by_name[chosen.get(first.wager, first.name)]
        lines = MappingProxyType({line.id: in_short(line.pays) for line in table.lines})
        tables[key] = PayTable(key, ", ".join(table.cites), table.wager, lines)
    return MappingProxyType(tables)


@cache
def every_game() -> Mapping[str, Interpretation]:
    """Return the interpretations that apply to every game (X-I1, X-I2)."""
    data = tomllib.loads((GAMES / "every_game.toml").read_text("utf-8"))
    return MappingProxyType(
        {
            id_: Interpretation(id_, of["asks"], of["default"], MappingProxyType(of["readings"]))
            for id_, of in data["interpretation"].items()
        }
    )


def with_pay_tables(rules: RuleSet, approved: Mapping[str, Mapping[str, Odds]]) -> RuleSet:
    """Return the rules with complete pay tables in place of their own.

    Raises:
        RuleSetError: a table or line that the game's code does not know, a table that is missing,
            or odds that it cannot pay.
    """
    known = pay_lines(rules.slug)
    for table in approved:
        if table not in known:
            has = ", ".join(known) or "none"
            message = f"{rules.name} has no pay table `{table}`. Its pay tables are: {has}."
            raise RuleSetError(message)
    tables = {}
    for table, lines in known.items():
        if not approved.get(table):
            message = f"The pay table `{table}` is missing; {rules.name} cannot be settled without."
            raise RuleSetError(message)
        whole = _whole_odds(rules, table, lines, approved[table])
        best_first = {line: whole[line] for line in reversed(lines) if line in whole}
        tables[table] = replace(rules.pay_tables[table], lines=MappingProxyType(best_first))
    return replace(rules, pay_tables=MappingProxyType(tables))


def _whole_odds(
    rules: RuleSet, table: str, known: tuple[str, ...], lines: Mapping[str, Odds]
) -> dict[str, int]:
    whole = {}
    for line, pays in lines.items():
        if line not in known:
            message = (
                f"The pay table `{table}` has a line that {rules.name} cannot produce: "
                f"`{line}`. Remove it. Its lines are: {', '.join(reversed(known))}."
            )
            raise RuleSetError(message)
        if type(pays) is not int or not 0 <= pays <= MOST_TO_ONE:
            message = (
                f"The pay table `{table}` pays `{line}` {pays} to 1. {rules.name} pays whole "
                f"numbers from 0 to {MOST_TO_ONE:,} to 1."
            )
            raise RuleSetError(message)
        whole[line] = pays
    return whole
