"""The content of internal controls, and the parts in which they are written and saved."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import time
from typing import TYPE_CHECKING, Any, Final

from compliance.events.canonical import digest
from compliance.text import unseen_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


TEXTS: Final = {
    "departments": "Departments and who heads them",
    "accounting": "Accounting controls",
    "administrative": "Administrative controls",
    "dealing": "Dealing procedures",
    "irregularities": "Irregularities",
    "banking": "Player banking",
    "tips": "Tips",
    "surveillance": "Surveillance",
}
"""The prose sections and their headings (WAC 230-15-430)."""

DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LARGEST: Final = 10**12
LONGEST_TEXT: Final = 100_000


@dataclass(frozen=True)
class Problem:
    """A problem that prevents submission: where it is, what to do, and the rule."""

    place: str
    says: str
    cites: str = ""


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """A maximum aggregate payout: per played hand, or per wager over all hands of a deal."""

    per_hand: int | None = None
    per_deal: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Chinese:
    """Thirteen Card Poker as the operator plays it."""

    scoring: tuple[str, ...] = ("unit",)
    bonuses: Mapping[str, int] = field(default_factory=dict)
    naturals: Mapping[str, int] = field(default_factory=dict)
    surrender: int | None = None
    largest_unit: int | None = None


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What is played: an approved version of the rules, its named pay tables, interpretations."""

    version: int | None = None
    """The number of the version; None, the one that was approved when the controls began."""
    pay_tables: Mapping[str, str] = field(default_factory=dict)
    """By wager, the name of an approved pay table."""
    interpretations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class GameControls:
    """One game: what is played, its maximum aggregate, and its tables' limits by wager."""

    game: str
    tables: Mapping[str, Mapping[str, tuple[int, int]]]
    """By table, as round logs name it."""
    version: int | None = None
    pay_tables: Mapping[str, str] = field(default_factory=dict)
    interpretations: Mapping[str, str] = field(default_factory=dict)
    by_table: Mapping[str, Choice] = field(default_factory=dict)
    """What single tables play otherwise; what a table leaves out is as for the game."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The name that people use for a table, by its name in round logs, where they differ."""
    aggregate: Aggregate = field(default_factory=Aggregate)
    banker_min: Mapping[str, int] = field(default_factory=dict)
    chinese: Chinese | None = None

    def choice(self, table: str | None) -> Choice:
        """Return what a table plays; without one, what the game's other tables play."""
        own = self.by_table.get(table or "", Choice())
        return Choice(
            version=self.version if own.version is None else own.version,
            pay_tables={**self.pay_tables, **own.pay_tables},
            interpretations={**self.interpretations, **own.interpretations},
        )


@dataclass(frozen=True, kw_only=True)
class Content:
    """One operator's internal controls."""

    texts: Mapping[str, str]
    hours: Mapping[str, tuple[time, time] | None]
    """Opening and closing by day of the week; equal times mean around the clock; None is closed."""
    cut_off: time
    submission_hours: int
    void_reasons: tuple[str, ...]
    games: Mapping[str, GameControls]
    cash_tolerance: int | None = None
    """How far a table's cash and its rounds may differ, in cents; None if the room sets nothing."""


def time_in_words(clock: time) -> str:
    """Format a time of day for people: 4:00 AM."""
    return f"{clock:%-I:%M %p}"


class _Reader:
    """Reads values from JSON and collects errors."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def wrong(self, place: str, says: str) -> None:
        self.problems.append(Problem(place, says))

    def in_plain_sight(self, place: str, text: str) -> None:
        if found := unseen_in(text):
            line, sign = found
            self.wrong(place, f"Line {line} holds a sign that nobody sees ({sign}). Take it out.")

    def mapping(self, place: str, value: Any, known: set[str] | None = None) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong(place, "An object is wanted here.")
            return {}
        for key in value:
            self.in_plain_sight(place, key)
        for key in sorted(set(value) - known) if known is not None else ():
            self.wrong(f"{place}.{key}" if place else key, "There is no such entry.")
        return value

    def text(self, place: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            self.wrong(place, f"A text of up to {LONGEST_TEXT:,} characters is wanted here.")
            return ""
        self.in_plain_sight(place, value)
        return value.strip()

    def number(self, place: str, value: Any, most: int = LARGEST) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            self.wrong(place, f"A whole number from 0 to {most:,} is wanted here.")
            return 0
        return value

    def numbers(self, place: str, value: Any, most: int = LARGEST) -> dict[str, int]:
        return {
            key: self.number(f"{place}.{key}", each, most)
            for key, each in self.mapping(place, value).items()
        }

    def clock(self, place: str, value: Any) -> time:
        try:
            return time.fromisoformat(value)
        except (TypeError, ValueError):
            self.wrong(place, "A time of day is written as 06:00.")
            return time(0)

    def texts(self, place: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            self.wrong(place, "A list is wanted here.")
            return ()
        return tuple(self.text(f"{place}.{n}", each) for n, each in enumerate(value))


def read_content(data: Any) -> tuple[Content, list[Problem]]:
    """Read controls from JSON, with every error; the content is complete if there are none."""
    reader = _Reader()
    known = {"texts", *SECTIONS, "games"} - TEXTS.keys()
    given = reader.mapping("", data, known)
    texts = reader.mapping("texts", given.get("texts"), set(TEXTS))
    hours = reader.mapping("hours", given.get("hours"), set(DAYS))
    games = reader.mapping("games", given.get("games"))
    content = Content(
        texts={name: reader.text(f"texts.{name}", each) for name, each in texts.items()},
        hours={day: _opening(reader, f"hours.{day}", hours.get(day)) for day in DAYS},
        cut_off=reader.clock("cut_off", given.get("cut_off", "06:00")),
        submission_hours=reader.number("submission_hours", given.get("submission_hours", 6), 72),
        void_reasons=reader.texts("void_reasons", given.get("void_reasons", [])),
        games={slug: _game(reader, slug, each) for slug, each in games.items()},
        cash_tolerance=None
        if given.get("cash_tolerance") is None
        else reader.number("cash_tolerance", given["cash_tolerance"]),
    )
    return content, reader.problems


def _opening(reader: _Reader, place: str, value: Any) -> tuple[time, time] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        reader.wrong(place, 'Opening and closing are written as ["10:00", "04:00"].')
        return None
    return reader.clock(f"{place}.0", value[0]), reader.clock(f"{place}.1", value[1])


def _game(reader: _Reader, slug: str, data: Any) -> GameControls:
    place = f"games.{slug}"
    known = {*CHOSEN, "by_table", "names", "tables", "max_aggregate", "banker_min", "chinese"}
    given = reader.mapping(place, data, known)
    tables = reader.mapping(f"{place}.tables", given.get("tables"))
    choice = _choice(reader, place, given)
    by_table = reader.mapping(f"{place}.by_table", given.get("by_table"), set(tables))
    names = reader.mapping(f"{place}.names", given.get("names"), set(tables))
    for table in tables:
        if not TABLE.fullmatch(table):
            reader.wrong(f"{place}.tables.{table}", AS_LOGGED)
    return GameControls(
        game=slug,
        tables={
            table: _limits(reader, f"{place}.tables.{table}", wagers)
            for table, wagers in tables.items()
        },
        version=choice.version,
        pay_tables=choice.pay_tables,
        interpretations=choice.interpretations,
        by_table={
            table: _choice(
                reader,
                f"{place}.by_table.{table}",
                reader.mapping(f"{place}.by_table.{table}", each, set(CHOSEN)),
            )
            for table, each in by_table.items()
        },
        names={table: reader.text(f"{place}.names.{table}", each) for table, each in names.items()},
        aggregate=_aggregate(reader, f"{place}.max_aggregate", given.get("max_aggregate")),
        banker_min=reader.numbers(f"{place}.banker_min", given.get("banker_min")),
        chinese=_chinese(reader, f"{place}.chinese", given.get("chinese")),
    )


TABLE: Final = re.compile(r"[A-Za-z0-9._:-]{1,32}")
AS_LOGGED: Final = (
    "Name the table as the round log does: 1 to 32 letters, digits, hyphens, underscores, dots or "
    "colons. Enter the name that people use beside it."
)
CHOSEN: Final = ("version", "pay_tables", "interpretations")


def _choice(reader: _Reader, place: str, given: Mapping[str, Any]) -> Choice:
    version = given.get("version")
    names = {
        part: {
            key: reader.text(f"{place}.{part}.{key}", each)
            for key, each in reader.mapping(f"{place}.{part}", given.get(part)).items()
        }
        for part in ("pay_tables", "interpretations")
    }
    return Choice(
        version=None if version is None else reader.number(f"{place}.version", version, 10**6),
        pay_tables=names["pay_tables"],
        interpretations=names["interpretations"],
    )


def _limits(reader: _Reader, place: str, data: Any) -> dict[str, tuple[int, int]]:
    limits = {}
    for wager, value in reader.mapping(place, data).items():
        if not isinstance(value, list) or len(value) != 2:
            reader.wrong(f"{place}.{wager}", "Minimum and maximum are written as [500, 20000].")
            continue
        low = reader.number(f"{place}.{wager}.0", value[0])
        high = reader.number(f"{place}.{wager}.1", value[1])
        if low > high:
            reader.wrong(f"{place}.{wager}", "The minimum is above the maximum.")
        limits[wager] = (low, high)
    return limits


def _aggregate(reader: _Reader, place: str, value: Any) -> Aggregate:
    if value is None:
        return Aggregate()
    if isinstance(value, dict):
        return Aggregate(per_deal=reader.numbers(place, value))
    return Aggregate(per_hand=reader.number(place, value))


def _chinese(reader: _Reader, place: str, data: Any) -> Chinese | None:
    if data is None:
        return None
    known = {"scoring", "bonuses", "naturals", "surrender", "largest_unit"}
    given = reader.mapping(place, data, known)
    surrender, unit = given.get("surrender"), given.get("largest_unit")
    return Chinese(
        scoring=reader.texts(f"{place}.scoring", given.get("scoring", ["unit"])),
        bonuses=reader.numbers(f"{place}.bonuses", given.get("bonuses"), 1000),
        naturals=reader.numbers(f"{place}.naturals", given.get("naturals"), 1000),
        surrender=None if surrender is None else reader.number(f"{place}.surrender", surrender),
        largest_unit=None if unit is None else reader.number(f"{place}.largest_unit", unit),
    )


GAME: Final = "games."
SECTIONS: Final = (
    *TEXTS,
    "hours",
    "cut_off",
    "submission_hours",
    "cash_tolerance",
    "void_reasons",
)
"""The sections that are one part each; in the section `games`, each game is a part."""
PART_OF_GAME: Final = re.compile(r"games\.[a-z0-9-]{1,40}")


def is_part(part: str) -> bool:
    """Return whether controls can have this part: a section, or a game by its short name."""
    return part in SECTIONS or PART_OF_GAME.fullmatch(part) is not None


def section_of(part: str) -> str:
    """Return the section that a part belongs to, as named in comments."""
    return "games" if part.startswith(GAME) else part


def get_part(content: Mapping[str, Any], part: str) -> Any:
    """Return the content of one part; None if it is empty."""
    return _holder(content, part).get(_key(part))


def with_part(content: Mapping[str, Any], part: str, value: Any) -> dict[str, Any]:
    """Return the controls with one part replaced; None removes it."""
    changed = deepcopy(dict(content))
    if part in TEXTS:
        changed.setdefault("texts", {})
    elif part.startswith(GAME):
        changed.setdefault("games", {})
    holder = _holder(changed, part)
    if value is None:
        holder.pop(_key(part), None)
    else:
        holder[_key(part)] = value
    return changed


def digest_of_part(content: Mapping[str, Any], part: str) -> str:
    """Return a digest that identifies the state of a part."""
    return digest({"part": get_part(content, part)})


def find_unreadable(part: str, value: Any) -> list[Problem]:
    """Return what cannot be read in a part, regardless of the law; nothing if it is removed."""
    if value is None:
        return []
    _, problems = read_content(with_part({}, part, value))
    empty = _empty_in(value, part) if part.startswith(GAME) else ()
    return problems + [Problem(place, "Leave out what is not said.") for place in empty]


def _empty_in(value: Any, place: str) -> Iterator[str]:
    if value is None:
        yield place
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _empty_in(each, f"{place}.{key}")


def problems_of_part(part: str, problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems within a part."""
    place = f"texts.{part}" if part in TEXTS else part
    return [each for each in problems if f"{each.place}.".startswith(f"{place}.")]


def _holder(content: Mapping[str, Any], part: str) -> Any:
    if part in TEXTS:
        return content.get("texts", {})
    return content.get("games", {}) if part.startswith(GAME) else content


def _key(part: str) -> str:
    return part.removeprefix(GAME)
