"""The types of values in a definition: what each accepts, and what it says about another value.

The reader, the JSON Schema and the reference page are all made from these types. A value that
isn't of its type is a problem with its place, and reading goes on with the next one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.definition.problems import Problems

Json = dict[str, Any]

MOST_ITEMS: Final = 500
LONGEST_SHOWN: Final = 60


class Bad:
    """Stands for a value that couldn't be read, so that reading can go on."""


BAD: Final = Bad()


def shown(value: Any) -> str:
    """Format a value for a sentence."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = value if value.isprintable() else ascii(value)[1:-1]
        return f'"{text[:LONGEST_SHOWN]}{"…" if len(text) > LONGEST_SHOWN else ""}"'
    if isinstance(value, dict):
        return "a table of keys"
    if isinstance(value, list):
        return "a list"
    text = str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


class Type:
    """A type of value; `wanted` completes the sentence "Expected ..."."""

    wanted: str

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Return the value to use, or BAD after recording a problem."""
        raise NotImplementedError

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        raise NotImplementedError

    def _reject(self, value: Any, where: str, problems: Problems) -> Bad:
        problems.add(where, f"Expected {self.wanted}, not {shown(value)}.")
        return BAD


@dataclass(frozen=True)
class Text(Type):
    """A text that isn't empty or absurdly long."""

    most: int = 2_000
    wanted: str = "a text"

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept a text that can be shown and stored."""
        if not isinstance(value, str) or not value.strip():
            return self._reject(value, where, problems)
        if len(value) > self.most:
            problems.add(
                where, f"This text has {len(value):,} characters; write at most {self.most:,}."
            )
            return BAD
        if not all(each.isprintable() or each == "\n" for each in value):
            problems.add(where, "This text contains a control character. Remove it.")
            return BAD
        return value

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {"type": "string", "minLength": 1, "maxLength": self.most}


@dataclass(frozen=True)
class Pattern(Type):
    """A text of a certain form."""

    regex: str
    wanted: str

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept a text of this form."""
        if isinstance(value, str) and re.fullmatch(self.regex, value):
            return value
        return self._reject(value, where, problems)

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {"type": "string", "pattern": f"^{self.regex}$"}


@dataclass(frozen=True)
class OneOf(Type):
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def wanted(self) -> str:  # type: ignore[override]
        """Return the words for the sentence."""
        words = ", ".join(f"`{word}`" for word in self.words)
        return f"one of {words}" if len(self.words) > 1 else words

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept one of the words."""
        if isinstance(value, str) and value in self.words:
            return value
        return self._reject(value, where, problems)

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Flag(Type):
    """True or false."""

    wanted: str = "true or false"

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept true and false."""
        return value if isinstance(value, bool) else self._reject(value, where, problems)

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Number(Type):
    """A whole number within bounds."""

    least: int
    most: int

    @property
    def wanted(self) -> str:  # type: ignore[override]
        """Return the bounds for the sentence."""
        return f"a whole number from {self.least:,} to {self.most:,}"

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept a whole number within the bounds."""
        if type(value) is int and self.least <= value <= self.most:
            return value
        return self._reject(value, where, problems)

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


MOST_TO_ONE: Final = 10**6
LARGEST_DENOMINATOR: Final = 1_000
_ODDS: Final = re.compile(r"(-?)([0-9]{1,9})(?:/([0-9]{1,9}))?")


@dataclass(frozen=True)
class Odds(Type):
    """What is paid for each unit wagered: `3` or `"3/2"` (to 1), negative for a part that is lost.

    The words `win`, `push` and `lose` are 1, 0 and -1.
    """

    words: tuple[str, ...] = ()
    wanted: str = 'odds such as 3, "3/2" or "-1/2" (to 1)'

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept a whole number or a ratio in a text."""
        if isinstance(value, str) and value in self.words:
            return value
        if type(value) is int:
            return self._bounded(Fraction(value), value, where, problems)
        found = _ODDS.fullmatch(value) if isinstance(value, str) else None
        if found is None or (found[3] is not None and int(found[3]) == 0):
            return self._reject(value, where, problems)
        if found[3] is not None and int(found[3]) > LARGEST_DENOMINATOR:
            problems.add(where, f"Odds are counted in parts of at most {LARGEST_DENOMINATOR:,}.")
            return BAD
        odds = Fraction(int(found[2]), int(found[3] or 1)) * (-1 if found[1] else 1)
        return self._bounded(odds, value, where, problems)

    @staticmethod
    def _bounded(odds: Fraction, value: Any, where: str, problems: Problems) -> Any:
        if -1 <= odds <= MOST_TO_ONE:
            return odds
        problems.add(
            where,
            f"Odds are from -1 (the wager is lost) to {MOST_TO_ONE:,} to 1, not {shown(value)}.",
        )
        return BAD

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        options: list[Json] = [
            {"type": "integer", "minimum": -1, "maximum": MOST_TO_ONE},
            {"type": "string", "pattern": f"^{_ODDS.pattern}$"},
        ]
        return {"anyOf": [*options, {"enum": list(self.words)}] if self.words else options}


@dataclass(frozen=True)
class ListOf(Type):
    """A list; with `single`, one item may be written without the list."""

    item: Type
    least: int = 0
    most: int = MOST_ITEMS
    single: bool = False

    @property
    def wanted(self) -> str:  # type: ignore[override]
        """Return the items for the sentence."""
        return f"{self.item.wanted}, or a list of them" if self.single else "a list"

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept a list, and read each item."""
        if self.single and not isinstance(value, list):
            return (self.item.read(value, where, problems),)
        if not isinstance(value, list):
            return self._reject(value, where, problems)
        if not self.least <= len(value) <= self.most:
            problems.add(
                where,
                f"Expected {self.least:,} to {self.most:,} items; this list has {len(value):,}.",
            )
            return BAD
        return tuple(
            self.item.read(each, f"{where}[{place}]", problems) for place, each in enumerate(value)
        )

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        many = {
            "type": "array",
            "items": self.item.schema(),
            "minItems": self.least,
            "maxItems": self.most,
        }
        return {"anyOf": [self.item.schema(), many]} if self.single else many


@dataclass(frozen=True)
class MapOf(Type):
    """A table whose keys are names that the definition chooses."""

    key: Pattern
    item: Type
    least: int = 0
    most: int = MOST_ITEMS
    wanted: str = "a table of keys"

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept a table, and read each key and value."""
        if not isinstance(value, dict):
            return self._reject(value, where, problems)
        if not self.least <= len(value) <= self.most:
            problems.add(
                where,
                f"Expected {self.least:,} to {self.most:,} entries; this has {len(value):,}.",
            )
            return BAD
        read = {}
        for key, item in value.items():
            self.key.read(key, f"{where}.{clipped(key)}", problems)
            read[key] = self.item.read(item, f"{where}.{clipped(key)}", problems)
        return read

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {
            "type": "object",
            "propertyNames": {"pattern": f"^{self.key.regex}$"},
            "additionalProperties": self.item.schema(),
            "minProperties": self.least,
            "maxProperties": self.most,
        }


def clipped(key: str) -> str:
    """Shorten a key so that a place can be shown."""
    return shown(key)[1:-1]


@dataclass(frozen=True)
class Key:
    """One key of a table; required unless it is optional."""

    type: Type
    says: str
    optional: bool = False
    default: Any = None
    """The value to use where an optional key is absent."""


@dataclass(frozen=True)
class Table(Type):
    """A table with keys of its own."""

    name: str
    keys: Mapping[str, Key]
    short: str = ""
    """A key whose value alone may stand for the whole table."""
    wanted: str = field(default="a table of keys")

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept a table, and read each key; unknown and missing keys are problems."""
        if self.short and not isinstance(value, dict):
            rest = {key: each.default for key, each in self.keys.items()}
            return {**rest, self.short: self.keys[self.short].type.read(value, where, problems)}
        if not isinstance(value, dict):
            return self._reject(value, where, problems)
        for key in value:
            if key not in self.keys:
                known = ", ".join(self.keys)
                problems.add(_inside(where, clipped(key)), f"Unknown key; known are {known}.")
        read = {}
        for key, expected in self.keys.items():
            if key in value:
                read[key] = expected.type.read(value[key], _inside(where, key), problems)
            elif expected.optional:
                read[key] = expected.default
            else:
                problems.add(_inside(where, key), f"This is missing: {expected.says}")
                read[key] = BAD
        return read

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        table: Json = {
            "type": "object",
            "properties": {
                key: {**each.type.schema(), "description": each.says}
                for key, each in self.keys.items()
            },
            "required": [key for key, each in self.keys.items() if not each.optional],
            "additionalProperties": False,
        }
        if not self.short:
            return table
        return {"anyOf": [self.keys[self.short].type.schema(), table]}


def _inside(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
