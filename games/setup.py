"""An operator's approved terms: `SETUP.json` of the filter, or the approvals on file.

The file is parsed strictly: an unknown key, open question or interpretation is reported by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

from games.definition.named_games import NAMED_GAMES, pay_lines
from games.rounding import DIRECTIONS, Pays
from games.rule_set import MOST_TO_ONE, SLUGS, rule_set
from games.strict_json import Duplicates, JsonError, Number, read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from games.definition import Definition
    from games.law import AggregateForm, PokerLaw
    from games.rounding import Odds
    from games.rule_set import RuleSet


NO_LINE: Final = -1
"""What a kernel is passed for a line that the approved pay table does not have."""

LETTERS: Final = {game.letters: slug for slug, game in NAMED_GAMES.items()}
"""Which game an interpretation's id belongs to; `X` is every game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chinese:
    """Chinese Poker as the operator plays it (CP-3, CP-8 to CP-12)."""

    scoring: frozenset[str] | None = None
    """Approved scorings; None, any."""
    bonuses: Mapping[str, int] = field(default_factory=dict)
    naturals: Mapping[str, int] = field(default_factory=dict)
    surrender: int | None = None
    """Units to each live player; None, surrender isn't approved."""


class ByDefinition(Protocol):
    """What settles and explains the rounds of a filed game; see `games.families.filed`."""

    @property
    def rules(self) -> RuleSet:
        """Return its rules as the shared checks know a game's rules."""

    def settle(self, played: Any, setup: Setup, before: Any, *, is_repeat: bool = False) -> Any:
        """Return the verdict on a round."""

    def sections(self, played: Any, setup: Setup, verdict: Any, /) -> Any:
        """Explain each place of a round."""

    def as_defined(self, played: Any) -> Any:
        """Return a round as its definition reads it."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """The approved terms under which rounds are audited. Everything may be left out."""

    interpretations: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    """By table, then wager: minimum and maximum in cents."""
    cap: int | None = None
    """The legal maximum of a single wager, for house-banked games."""
    players: int | None = None
    """How many players Pyramid Poker and Pick 2 may seat; None, not checked."""
    max_aggregate: int | None = None
    """Maximum aggregate payout of one hand, one player or the table, as PP-I8 says."""
    max_per_deal: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Maximum aggregate payout of one wager over all hands of a deal, by game."""
    banker_min: Mapping[str, int] = field(default_factory=dict)
    chinese: Chinese = field(default_factory=Chinese)
    void_reasons: frozenset[str] = frozenset()
    pay_tables: Mapping[str, Mapping[str, Mapping[str, Odds]]] = field(default_factory=dict)
    """By game and table: lines that replace those of the rules."""
    named_tables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By filed game and wager: the named pay table in use, if it isn't the first."""
    aggregate_forms: tuple[AggregateForm, ...] = ()
    """The law on maximum aggregate payouts by date; empty, it isn't applied."""
    poker: PokerLaw | None = None
    """The law on games between players by date; None, it isn't applied."""
    rule_sets: Mapping[str, RuleSet] = field(default_factory=dict)
    """Rule sets that replace the engine's own (an older version, for example)."""
    filed: Mapping[str, ByDefinition] = field(default_factory=dict)
    """The filed games that are settled by their definitions, by slug."""

    def rules(self, game: str) -> RuleSet:
        """Return the rule set of a game."""
        if game in self.filed:
            return self.filed[game].rules
        return self.rule_sets.get(game) or rule_set(game)

    def reading(self, id_: str) -> str:
        """Return the interpretation in effect for an open question: chosen, or the default."""
        chosen = self.interpretations.get(id_)
        if chosen is not None:
            return chosen
        return self.rules(LETTERS[id_.partition("-")[0]]).interpretations[id_].default

    def lines(self, game: str, table: str) -> Mapping[str, Odds]:
        """Return the lines of a pay table, to 1: those of the rules with its replacements."""
        replaced = self.pay_tables.get(game, {}).get(table, {})
        return {**self.rules(game).pay_tables[table].lines, **replaced}

    def pays(self, game: str, table: str) -> Pays:
        """Return a pay table in the order of the game's own `PAY_LINES`.

        A line that the table lacks is `NO_LINE`. All tables of a game count in the same parts, so
        that what two of them pay can be added.
        """
        key = (game, table)
        if key not in self._pays:
            self._pays[key] = self._read_pays(game, table)
        return self._pays[key]

    @cached_property
    def _pays(self) -> dict[tuple[str, str], Pays]:
        return {}

    def _read_pays(self, game: str, table: str) -> Pays:
        known = pay_lines(game)
        over = lcm(*(to.denominator for key in known for to in self.lines(game, key).values()))
        lines = self.lines(game, table)
        numbers = tuple(
            int(lines[line] * over) if line in lines else NO_LINE for line in known[table]
        )
        rounding = self.rules(game).rounding
        if rounding is None:
            return Pays(numbers, over)
        return Pays(numbers, over, rounding.step, DIRECTIONS[rounding.direction])


LARGEST: Final = 10**15

BONUSES: Final = ("straight_flush", "four_of_a_kind", "full_house_middle", "trips_front")
NATURALS: Final = ("three-straights", "three-flushes", "six-pairs", "dragon")


class SetupError(ValueError):
    """A set-up that can't be used; the message says what is wrong in it."""


Filed = Mapping[str, "Definition"]
"""Definitions of filed games, by slug."""


def read_setup(text: str, filed: Filed = MappingProxyType({})) -> Setup:
    """Parse the text of a SETUP.json; it may also choose for `filed` games.

    Raises:
        SetupError: it isn't JSON, or something in it is unknown, repeated or of the wrong type.
    """
    try:
        value = read_json(text)
    except JsonError as error:
        _refuse("the set-up", str(error))
    parts = _object("the set-up", value, (*_PARTS, *_OF_GAMES))
    fields: dict[str, Any] = {}
    for key, part in parts.items():
        where = f"`{key}`"
        fields.update(
            _OF_GAMES[key](where, part, filed) if key in _OF_GAMES else _PARTS[key](where, part)
        )
    if "max_aggregate" in fields and fields.get("interpretations", {}).get("PP-I8") == "per_deal":
        _refuse("`max_aggregate`", "PP-I8 `per_deal` wants a maximum by game and wager")
    return Setup(**fields)


def _refuse(where: str, why: str) -> NoReturn:
    message = f"{where}: {why}."
    raise SetupError(message)


def _object(where: str, value: Any, known: Iterable[str] | None) -> dict[str, Any]:
    """Check an object whose keys must all be known (any key is allowed with None)."""
    if not isinstance(value, dict):
        _refuse(where, "an object {...} is wanted")
    if isinstance(value, Duplicates):
        _refuse(where, f"the key `{value.repeated}` stands twice")
    if known is not None:
        names = tuple(known)
        for key in value:
            if key not in names:
                _refuse(where, f"`{key}` is unknown; known are {', '.join(names) or 'none'}")
    return value


def _number(where: str, value: Any, low: int = 0, high: int = LARGEST) -> int:
    if type(value) is not int or not low <= value <= high:
        _refuse(where, f"a whole number from {low:,} to {high:,} is wanted")
    return value


def _words(where: str, value: Any, known: tuple[str, ...] | None) -> frozenset[str]:
    if not isinstance(value, list):
        _refuse(where, "a list of texts is wanted")
    for word in value:
        if not isinstance(word, str) or isinstance(word, Number):
            _refuse(where, "a list of texts is wanted")
        if known is not None and word not in known:
            _refuse(where, f"`{word}` is unknown; known are {', '.join(known)}")
    return frozenset(value)


def _numbers(
    where: str, value: Any, known: Iterable[str], high: int = LARGEST
) -> Mapping[str, int]:
    items = _object(where, value, known)
    return {key: _number(f"{where}, `{key}`", item, 0, high) for key, item in items.items()}


def _interpretations(where: str, value: Any, filed: Filed) -> dict[str, Any]:
    own: dict[str, Any] = {
        id_: each for game in filed.values() for id_, each in game.interpretations.items()
    }
    for id_, reading in _object(where, value, None).items():
        game = LETTERS.get(id_.partition("-")[0])
        known: dict[str, Any] = {**rule_set(game or SLUGS[0]).interpretations, **own}
        if id_ not in known:
            _refuse(where, f"`{id_}` is no interpretation")
        readings = known[id_].readings
        if not isinstance(reading, str) or reading not in readings:
            _refuse(where, f"`{reading}` is no reading of {id_}; it has {', '.join(readings)}")
    return {"interpretations": value}


def _limits(where: str, value: Any, filed: Filed) -> dict[str, Any]:
    games: list[Any] = [*map(rule_set, SLUGS), *filed.values()]
    wagers = {key: None for game in games for key in game.wagers}
    limits: dict[str, dict[str, tuple[int, int]]] = {}
    for table, by_wager in _object(where, value, None).items():
        limits[table] = {}
        for wager, pair in _object(f"{where}, table `{table}`", by_wager, wagers).items():
            here = f"{where}, table `{table}`, `{wager}`"
            if not isinstance(pair, list) or len(pair) != 2:
                _refuse(here, "[minimum, maximum] in cents is wanted")
            low, high = (_number(here, amount) for amount in pair)
            if low > high:
                _refuse(here, f"the minimum {low:,} is above the maximum {high:,}")
            limits[table][wager] = (low, high)
    return {"limits": limits}


def _max_aggregate(where: str, value: Any, filed: Filed) -> dict[str, Any]:
    if type(value) is int:
        return {"max_aggregate": _number(where, value)}
    games = {slug: _odds_based(slug) for slug in SLUGS}
    games |= {slug: game.results for slug, game in filed.items() if not game.named}
    known = [slug for slug, wagers in games.items() if wagers]
    return {
        "max_per_deal": {
            slug: _numbers(f"{where}, `{slug}`", by_wager, games[slug])
            for slug, by_wager in _object(where, value, known).items()
        }
    }


def _odds_based(slug: str) -> tuple[str, ...]:
    rules = rule_set(slug)
    if not rules.house_banked:
        return ()
    return tuple(key for key, wager in rules.wagers.items() if wager.odds_based)


def _banker(where: str, value: Any) -> dict[str, Any]:
    parts = _object(where, value, ("min",))
    if "min" not in parts:
        return {}
    return {"banker_min": _numbers(f"{where}, `min`", parts["min"], ("three_card", "six_card"))}


def _chinese(where: str, value: Any, filed: Filed) -> dict[str, Any]:
    parts = _object(where, value, ("scoring", "bonuses", "naturals", "surrender"))
    read: dict[str, Any] = {}
    if "scoring" in parts:
        named = filed["chinese-poker"].named if "chinese-poker" in filed else None
        known = tuple((named or rule_set("chinese-poker")).scorings)
        read["scoring"] = _words(f"{where}, `scoring`", parts["scoring"], known)
    if "bonuses" in parts:
        read["bonuses"] = _numbers(f"{where}, `bonuses`", parts["bonuses"], BONUSES, MOST_TO_ONE)
    if "naturals" in parts:
        read["naturals"] = _numbers(
            f"{where}, `naturals`", parts["naturals"], NATURALS, MOST_TO_ONE
        )
    if "surrender" in parts:
        read["surrender"] = _number(f"{where}, `surrender`", parts["surrender"], 0, MOST_TO_ONE)
    return {"chinese": Chinese(**read)}


def _pay_tables(where: str, value: Any, filed: Filed) -> dict[str, Any]:
    with_tables = [slug for slug in SLUGS if rule_set(slug).pay_tables]
    read: dict[str, dict[str, Mapping[str, int]]] = {}
    named: dict[str, dict[str, str]] = {}
    for slug, tables in _object(where, value, (*filed, *with_tables)).items():
        if slug in filed:
            named[slug], read[slug] = _filed_tables(f"{where}, `{slug}`", tables, filed[slug])
            continue
        known = rule_set(slug).pay_tables
        read[slug] = {
            name: _numbers(f"{where}, `{slug}`, `{name}`", lines, known[name].lines, MOST_TO_ONE)
            for name, lines in _object(f"{where}, `{slug}`", tables, known).items()
        }
    return {"pay_tables": read, "named_tables": named}


def _filed_tables(
    where: str, value: Any, filed: Definition
) -> tuple[dict[str, str], dict[str, Mapping[str, int]]]:
    """Return which named table each wager of a filed game has, and lines that pay otherwise."""
    named: dict[str, str] = {}
    lines: dict[str, Mapping[str, int]] = {}
    wagers, tables = filed.tables_of_wagers, filed.pay_tables
    for key, chosen in _object(where, value, {**wagers, **tables}).items():
        here = f"{where}, `{key}`"
        if isinstance(chosen, str):
            names = wagers.get(key, ())
            if chosen not in names:
                has = ", ".join(names) or "none"
                _refuse(here, f"`{chosen}` is no pay table of it; it has {has}")
            named[key] = chosen
        elif key in tables:
            known = [line.id for line in next(iter(tables[key].values())).lines]
            lines[key] = _numbers(here, chosen, known, MOST_TO_ONE)
        else:
            _refuse(here, "name one of its pay tables, in quotes")
    return named, lines


_PARTS: Final[dict[str, Callable[[str, Any], dict[str, Any]]]] = {
    "cap": lambda where, value: {"cap": _number(where, value)},
    "players": lambda where, value: {"players": _number(where, value)},
    "banker": _banker,
    "void_reasons": lambda where, value: {"void_reasons": _words(where, value, None)},
}
_OF_GAMES: Final[dict[str, Callable[[str, Any, Filed], dict[str, Any]]]] = {
    "interpretations": _interpretations,
    "limits": _limits,
    "max_aggregate": _max_aggregate,
    "pay_tables": _pay_tables,
    "chinese": _chinese,
}
