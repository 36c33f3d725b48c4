"""A game's rules as data: `games/<game>/rules.toml` read into a frozen, digested `RuleSet`.

The file contains the clauses with their sources, the wagers, the pay tables and the open questions
(interpretations). `games/<game>/reasons.py` says what the game's code can settle (`PAY_LINES`,
`POINTS`, `READINGS`); a file that asks for more or less is rejected with the name of the key.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

GAMES = Path(__file__).resolve().parent

SLUGS = ("pyramid-poker", "chinese-poker", "pick-2-poker", "showdown", "casino-version")
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
    """Lines and what they pay, N to 1, best line first."""

    name: str
    clause: str
    wager: str
    lines: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Points:
    """What a hand scores when it wins, if that isn't one point. No approval replaces it."""

    name: str
    clause: str
    lines: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Scoring:
    """What players of Chinese Poker win from each other, in units; they add up (CP-14)."""

    name: str
    says: str
    clause: str
    each_hand: int
    """For each hand won, less each hand lost."""
    two_hands: int
    """For winning two of the three hands, but not all three."""
    all_three: int


@dataclass(frozen=True, slots=True)
class Layout:
    """What a layout drawing prints where it differs from the rules: evidence, never a pay table."""

    table: str
    clause: str
    lines: Mapping[str, int]


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
    approved: bool
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
    folder = slug.replace("-", "_")
    return read_rule_set((GAMES / folder / "rules.toml").read_text("utf-8"))


@cache
def every_game() -> Mapping[str, Interpretation]:
    """Return the interpretations that apply to every game (X-I1, X-I2)."""
    data = tomllib.loads((GAMES / "every_game.toml").read_text("utf-8"))
    return _interpretations(data["interpretation"], None)


def read_rule_set(text: str) -> RuleSet:
    """Parse the text of a `rules.toml`.

    Raises:
        RuleSetError: it isn't TOML, or a key, interpretation or pay-table line is unknown, missing
            or of the wrong type.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"The rule set is no TOML: {error}."
        raise RuleSetError(message) from None
    top = _Keys(data, "")
    game = top.table("game")
    slug = game.one_of("slug", SLUGS)
    code = import_module(f"games.{slug.replace('-', '_')}.reasons")
    wagers = _wagers(top.tables("wager", optional=True))
    rules = RuleSet(
        slug=slug,
        name=game.text("name"),
        letters=game.text("letters"),
        approved=game.flag("approved"),
        banked_by=game.one_of("banked_by", ("house", "players")),
        decks=_decks(game.table("decks")),
        clauses=_clauses(top.list("clause")),
        wagers=wagers,
        results=tuple(game.list("results", optional=True)) or tuple(wagers),
        pay_tables=_pay_tables(top.tables("pay_table", optional=True), code.PAY_LINES),
        layouts=_layouts(top.tables("layout", optional=True), code.PAY_LINES),
        points=_points(top.tables("points", optional=True), getattr(code, "POINTS", {})),
        scorings=_scorings(top.tables("scoring", optional=True)),
        interpretations=MappingProxyType(
            {**every_game(), **_interpretations(top.raw("interpretation"), code.READINGS)}
        ),
        digest=hashlib.sha256(
            json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        ).hexdigest(),
    )
    game.done()
    top.done()
    return rules


def pay_lines(slug: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines that a game's code can recognize, by pay table."""
    code = import_module(f"games.{slug.replace('-', '_')}.reasons")
    lines: Mapping[str, tuple[str, ...]] = code.PAY_LINES
    return lines


def with_pay_tables(
    rules: RuleSet, approved: Mapping[str, Mapping[str, int | Fraction]]
) -> RuleSet:
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
    rules: RuleSet, table: str, known: tuple[str, ...], lines: Mapping[str, int | Fraction]
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


class _Keys:
    """The keys of one TOML table, taken one by one, so that leftover keys can be reported."""

    def __init__(self, data: Any, path: str) -> None:
        if not isinstance(data, dict):
            message = f"`{path}` is a table of keys."
            raise RuleSetError(message)
        self._left = dict(data)
        self._path = path

    def path(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def raw(self, key: str) -> Any:
        if key not in self._left:
            message = f"`{self.path(key)}` is missing."
            raise RuleSetError(message)
        return self._left.pop(key)

    def _typed(self, key: str, kind: type, called: str) -> Any:
        value = self.raw(key)
        if type(value) is not kind:
            message = f"`{self.path(key)}` is {called}."
            raise RuleSetError(message)
        return value

    def text(self, key: str) -> str:
        return str(self._typed(key, str, "a text"))

    def flag(self, key: str, *, default: bool | None = None) -> bool:
        if default is not None and key not in self._left:
            return default
        return bool(self._typed(key, bool, "true or false"))

    def number(self, key: str) -> int:
        return int(self._typed(key, int, "a whole number"))

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in allowed:
            message = f"`{self.path(key)}` is `{value}`; it is one of {', '.join(allowed)}."
            raise RuleSetError(message)
        return value

    def list(self, key: str, *, optional: bool = False) -> list[Any]:
        if optional and key not in self._left:
            return []
        return list(self._typed(key, list, "a list"))

    def table(self, key: str) -> _Keys:
        return _Keys(self.raw(key), self.path(key))

    def tables(self, key: str, *, optional: bool = False) -> dict[str, _Keys]:
        if optional and key not in self._left:
            return {}
        raw = self.raw(key)
        outer = _Keys(raw, self.path(key))
        return {name: outer.table(name) for name in raw}

    def has(self, key: str) -> bool:
        return key in self._left

    def done(self) -> None:
        for key in self._left:
            message = f"`{self.path(key)}` is no key of a rule set."
            raise RuleSetError(message)


def _decks(keys: _Keys) -> Decks:
    or_more = keys.has("at_least")
    number = keys.number("at_least" if or_more else "exactly")
    decks = Decks(number, or_more, keys.number("jokers"))
    keys.done()
    return decks


def _clauses(items: list[Any]) -> Mapping[str, Clause]:
    clauses: dict[str, Clause] = {}
    for place, item in enumerate(items, 1):
        keys = _Keys(item, f"clause {place}")
        clause = Clause(keys.text("id"), keys.text("says"), tuple(_sources(keys)))
        keys.done()
        if clause.id in clauses:
            message = f"Clause `{clause.id}` stands twice."
            raise RuleSetError(message)
        clauses[clause.id] = clause
    return MappingProxyType(clauses)


def _sources(keys: _Keys) -> list[Source]:
    sources = []
    for item in keys.list("sources"):
        source = _Keys(item, keys.path("sources"))
        sources.append(Source(source.text("document"), source.text("place")))
        source.done()
    return sources


def _wagers(tables: dict[str, _Keys]) -> Mapping[str, Wager]:
    wagers = {}
    for key, keys in tables.items():
        wagers[key] = Wager(
            key, keys.text("says"), keys.flag("mandatory"), keys.flag("odds_based", default=False)
        )
        keys.done()
    return MappingProxyType(wagers)


def _pay_tables(
    tables: dict[str, _Keys], known: Mapping[str, tuple[str, ...]]
) -> Mapping[str, PayTable]:
    _same_names("pay table", tables, known)
    read = {}
    for name, keys in tables.items():
        clause, wager = keys.text("clause"), keys.text("wager")
        lines = _lines(keys, keys.raw("lines"), known[name])
        for line in known[name]:
            if line not in lines:
                message = f"`{keys.path('lines')}.{line}` is missing."
                raise RuleSetError(message)
        read[name] = PayTable(name, clause, wager, lines)
        keys.done()
    return MappingProxyType(read)


def _points(tables: dict[str, _Keys], known: Mapping[str, tuple[str, ...]]) -> Mapping[str, Points]:
    _same_names("points", tables, known)
    read = {}
    for name, keys in tables.items():
        clause, lines = keys.text("clause"), _lines(keys, keys.raw("lines"), known[name])
        _same_names(f"points.{name}.lines", lines, dict.fromkeys(known[name]))
        read[name] = Points(name, clause, lines)
        keys.done()
    return MappingProxyType(read)


def _scorings(tables: dict[str, _Keys]) -> Mapping[str, Scoring]:
    read = {}
    for name, keys in tables.items():
        units = [keys.number(key) for key in ("each_hand", "two_hands", "all_three")]
        if not all(0 <= number <= MOST_TO_ONE for number in units):
            message = f"`scoring.{name}` is in units, each from 0 to {MOST_TO_ONE:,}."
            raise RuleSetError(message)
        read[name] = Scoring(name, keys.text("says"), keys.text("clause"), *units)
        keys.done()
    return MappingProxyType(read)


def _layouts(
    tables: dict[str, _Keys], known: Mapping[str, tuple[str, ...]]
) -> Mapping[str, Layout]:
    read = {}
    for name, keys in tables.items():
        if name not in known:
            message = f"`layout.{name}` is no pay table of this game."
            raise RuleSetError(message)
        read[name] = Layout(name, keys.text("clause"), _lines(keys, keys.raw("lines"), known[name]))
        keys.done()
    return MappingProxyType(read)


def _lines(keys: _Keys, raw: Any, known: tuple[str, ...]) -> Mapping[str, int]:
    lines = _Keys(raw, keys.path("lines"))
    read = {}
    for line in raw:
        if line not in known:
            message = f"`{lines.path(line)}` is no line of this pay table."
            raise RuleSetError(message)
        read[line] = lines.number(line)
        if not 0 <= read[line] <= MOST_TO_ONE:
            message = f"`{lines.path(line)}` pays N to 1, N from 0 to {MOST_TO_ONE:,}."
            raise RuleSetError(message)
    return MappingProxyType(read)


def _interpretations(
    raw: Any, known: Mapping[str, tuple[str, ...]] | None
) -> Mapping[str, Interpretation]:
    tables = _Keys({"interpretation": raw}, "").tables("interpretation")
    read = {}
    for id_, keys in tables.items():
        readings = keys.raw("readings")
        words = _Keys(readings, keys.path("readings"))
        read[id_] = Interpretation(
            id_,
            keys.text("asks"),
            keys.one_of("default", tuple(readings)),
            MappingProxyType({name: words.text(name) for name in readings}),
        )
        keys.done()
    if known is not None:
        _only_known_readings(read, known)
    return MappingProxyType(read)


def _only_known_readings(
    read: Mapping[str, Interpretation], known: Mapping[str, tuple[str, ...]]
) -> None:
    """Check that the file offers exactly the choices that the code has."""
    chosen = {id_: item for id_, item in read.items() if len(item.readings) > 1 or id_ in known}
    _same_names("interpretation", chosen, known)
    for id_, item in chosen.items():
        _same_names(f"interpretation.{id_}.readings", item.readings, dict.fromkeys(known[id_]))


def _same_names(what: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    for name in given:
        if name not in known:
            message = f"{what} `{name}` is unknown to this game."
            raise RuleSetError(message)
    for name in known:
        if name not in given:
            message = f"{what} `{name}` is missing."
            raise RuleSetError(message)
