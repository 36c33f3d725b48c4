"""The types of values in a round log: what each accepts, and what it says about another value.

A type also knows how a value is written as a line again, and which number stands for it in a
column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final

from games.cards import CardError, as_set, dealt, show
from games.strict_json import Number

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.cards import Cards

ABSENT: Final = -(2**63)
"""A time that isn't given, in its column; an absent number is 0."""
MOST_SEATS: Final = 63
"""The highest number of a seat in columns."""
END_OF_TIME: Final = 253_402_300_800_000_000
"""The year 10000, which Python's calendar doesn't support."""

_ID: Final = re.compile(r"[A-Za-z0-9._:-]+")
_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
_MICROSECOND: Final = timedelta(microseconds=1)
_FARTHEST: Final = (24 * 60 - 1) * 60_000_000
"""No zone is further from UTC, in microseconds."""


class FormError(ValueError):
    """An error in a line: which field, and what to write instead."""

    def __init__(self, field: str | None, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


class MisfitError(ValueError):
    """A value that is of its type and still doesn't fit its column."""


class Code(IntEnum):
    """What the compiled parser does with a value, and so which columns store it."""

    INTEGER = 0
    IDENTIFIER = 1
    TEXT = 2
    TIME = 3
    CARDS = 4
    HANDS = 5
    CHOICE = 6
    TRUTH = 7
    NOTHING = 8
    OBJECT = 9
    SEATS = 10
    GAME = 11
    VERSION = 12


class FieldType:
    """A type of value; a subclass overrides what differs from a value stored as it is written."""

    code: ClassVar[Code]

    def check(self, value: Any) -> Any:
        """Return the value of a round for a JSON value; raise FormError if it isn't one."""
        raise NotImplementedError

    def trust(self, value: Any) -> Any:
        """Return the value of a round for a JSON value that `write` returned."""
        return value

    def write(self, value: Any) -> Any:
        """Return the JSON value for the value of a round."""
        return value

    def to_number(self, value: Any) -> int:
        """Return what stands for the value in a column of numbers; raise MisfitError if none."""
        return int(value or 0)

    def from_number(self, number: int) -> Any:
        """Return the value that a number in a column stands for."""
        return number


@dataclass(frozen=True)
class WholeNumber(FieldType):
    """A whole number within bounds; where 0 is out of bounds, it marks an absent one in columns."""

    noun: str
    least: int
    most: int
    code = Code.INTEGER

    def check(self, value: Any) -> int:
        """Accept an integer literal within the bounds."""
        if type(value) is int and self.least <= value <= self.most:
            return value
        wanted = f"a whole number from {self.least:,} to {self.most:,}"
        if self.least == self.most:
            wanted = f"{self.least:,}"
        raise FormError(None, f"{self.noun} is {wanted}; this line has {shown(value)}")

    def to_number(self, value: int | None) -> int:
        """Return the number itself, 0 if there is none."""
        if value and not self.least <= value <= self.most:
            raise MisfitError
        return value or 0

    def from_number(self, number: int) -> int | None:
        """Return the number itself; none for a 0 that is out of bounds."""
        return None if number == 0 < self.least else number


class Version(WholeNumber):
    """The version of a line, which decides which fields it may have."""

    code = Code.VERSION


class SeatNumber(WholeNumber):
    """The number of a seat."""

    def to_number(self, value: int | None) -> int:
        """Return the number itself, 0 if there is none."""
        if value and value > MOST_SEATS:
            raise MisfitError
        return value or 0


class Cents(WholeNumber):
    """An amount of money."""

    def check(self, value: Any) -> int:
        """Accept an integer literal within the bounds."""
        if type(value) is int:
            if self.least <= value <= self.most:
                return value
            reason = f"is from {self.least:,} to {self.most:,} cents; this line has {value:,}"
        else:
            reason = f"is a whole number of cents; this line has {shown(value)}{_rather(value)}"
        raise FormError(None, f"{self.noun} {reason}")


def _rather(value: Any) -> str:
    if isinstance(value, Number):
        whole, point, part = value.partition(".")
        if point and len(part) == 2 and part.isdigit():
            return f". Write {int(whole + part)}" if len(value) < 18 else ""
    elif isinstance(value, str) and value.isascii() and value.isdigit():
        return ": write it without the quotes"
    return ""


@dataclass(frozen=True)
class Id(FieldType):
    """An id: `A-Z a-z 0-9 - _ . :`."""

    most: int
    least = 1
    code = Code.IDENTIFIER

    def accepts(self, value: Any) -> bool:
        """Return whether a value is such an id."""
        return (
            isinstance(value, str)
            and not isinstance(value, Number)
            and len(value) <= self.most
            and _ID.fullmatch(value) is not None
        )

    def check(self, value: Any) -> str:
        """Accept an id that isn't too long."""
        if self.accepts(value):
            return str(value)
        raise FormError(
            None,
            f"expected an id of 1 to {self.most} characters (A-Z a-z 0-9 - _ . :);"
            f" this line has {shown(value)}",
        )


class Text(FieldType):
    """Any text."""

    code = Code.TEXT

    def check(self, value: Any) -> str:
        """Accept a string."""
        return text(value)


@dataclass(frozen=True)
class ShortText(Text):
    """A text of limited length."""

    most: int
    least = 1

    def check(self, value: Any) -> str:
        """Accept a string that is neither empty nor too long."""
        return _short(value, self.most)


@dataclass(frozen=True)
class TextList(FieldType):
    """A list of short texts; columns have no room for it."""

    most: int
    code = Code.NOTHING

    def check(self, value: Any) -> tuple[str, ...]:
        """Accept a list of strings that are neither empty nor too long."""
        if not isinstance(value, list):
            raise FormError(None, f"expected a list of texts; this line has {shown(value)}")
        texts = []
        for place, item in enumerate(value):
            try:
                texts.append(_short(item, self.most))
            except FormError as error:
                raise FormError(f"[{place}]", error.reason) from None
        return tuple(texts)

    def trust(self, value: list[str]) -> tuple[str, ...]:
        """Return the texts."""
        return tuple(value)

    def write(self, value: tuple[str, ...]) -> list[str]:
        """Return the texts as a list."""
        return list(value)


@dataclass(frozen=True)
class Meters(FieldType):
    """Amounts by id; columns have no room for them."""

    least: int
    most: int
    code = Code.NOTHING

    def check(self, value: Any) -> dict[str, int]:
        """Accept an object of amounts whose keys are ids."""
        if not isinstance(value, dict):
            raise FormError(None, f"expected an object {{id: cents}}; this line has {shown(value)}")
        id_, amount = Id(64), Cents("an amount", self.least, self.most)
        for key, item in value.items():
            try:
                id_.check(key)
                amount.check(item)
            except FormError as error:
                raise FormError(f".{clip(key)}", error.reason) from None
        return dict(value)


def _short(value: Any, most: int) -> str:
    found = text(value)
    if not 1 <= len(found) <= most:
        raise FormError(
            None, f"expected a text of 1 to {most} characters; this one has {len(found)}"
        )
    return found


class TextOrNull(FieldType):
    """Any text, or null; columns have no room for the text."""

    code = Code.NOTHING

    def check(self, value: Any) -> str | None:
        """Accept a string or null."""
        return None if value is None else text(value)


class Truth(FieldType):
    """True or false; false if absent."""

    code = Code.TRUTH

    def check(self, value: Any) -> bool:
        """Accept true and false."""
        if isinstance(value, bool):
            return value
        raise FormError(None, f"expected true or false; this line has {shown(value)}")

    def from_number(self, number: int) -> bool:
        """Return the truth that 1 and 0 stand for."""
        return bool(number)


LONGEST_SCORING: Final = 32


@dataclass(frozen=True)
class Choice(FieldType):
    """One of a few words; their places, from 1, stand for them in columns."""

    words: tuple[str, ...]
    code = Code.CHOICE

    def check(self, value: Any) -> str:
        """Accept one of the words."""
        if value in self.words and not isinstance(value, Number):
            return str(value)
        words = ", ".join(f"`{word}`" for word in self.words)
        which = f"one of {words}" if len(self.words) > 1 else words
        raise FormError(None, f"expected {which}; this line has {shown(value)}")

    def to_number(self, value: str | None) -> int:
        """Return the word's place, 0 if there is none."""
        if value and value not in self.words:
            raise MisfitError
        return self.words.index(value) + 1 if value else 0

    def from_number(self, number: int) -> str | None:
        """Return the word at a place."""
        return self.words[number - 1] if number else None


class Scoring(Choice):
    """A way to score that a definition names; the words are those of version 1 (CP-14).

    Only the words have a place in columns.
    """

    code = Code.CHOICE

    def check(self, value: Any) -> str:
        """Accept any id: whether the definition in effect names it is for settling to say."""
        return str(value) if Id(LONGEST_SCORING).accepts(value) else super().check(value)


class GameName(Choice):
    """The game of a line, which decides its other fields."""

    code = Code.GAME

    def check(self, value: Any) -> str:
        """Accept one of the games; filed games are read elsewhere, by their definitions."""
        try:
            return super().check(value)
        except FormError as error:
            known, _, this = error.reason.rpartition("; ")
            reason = f"{known}, or a game whose definition is approved; {this}"
            raise FormError(None, reason) from None


class Time(FieldType):
    """An RFC 3339 time with a zone, in microseconds since 1970-01-01 UTC.

    A leap second counts as the second after it; digits past the sixth are dropped.
    """

    code = Code.TIME

    def check(self, value: Any) -> int:
        """Accept a time with a zone, on a day in the calendar."""
        found = _TIME.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            raise FormError(
                None,
                "expected a time with a time zone, such as 2026-11-17T20:15:03-08:00;"
                f" this line has {shown(value)}",
            )
        year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
        fraction, sign, zone_hour, zone_minute = found.groups()[6:]
        try:
            days = date(year, month, day).toordinal() - _FIRST_DAY
        except ValueError:
            raise FormError(None, f"there is no such day: {shown(value)}") from None
        zone = int(zone_hour or 0), int(zone_minute or 0)
        if hour > 23 or minute > 59 or second > 60 or zone[0] > 23 or zone[1] > 59:
            raise FormError(None, f"there is no such time of day or time zone: {shown(value)}")
        offset = (zone[0] * 3600 + zone[1] * 60) * (-1 if sign == "-" else 1)
        seconds = days * 86400 + hour * 3600 + minute * 60 + second - offset
        return seconds * 1_000_000 + int((fraction or "")[:6].ljust(6, "0"))

    def trust(self, value: str) -> int:
        """Parse a time as `write` spells it."""
        return (datetime.fromisoformat(value) - _EPOCH) // _MICROSECOND

    def write(self, value: int) -> str:
        """Return the time in UTC."""
        try:
            return (_EPOCH + timedelta(microseconds=value)).isoformat().replace("+00:00", "Z")
        except OverflowError:  # before year 1 or after 9999 in UTC, but not in the original zone
            behind = -1 if value > 0 else 1
            local = _EPOCH + timedelta(microseconds=value + behind * _FARTHEST)
            return local.isoformat().replace("+00:00", "-23:59" if behind < 0 else "+23:59")

    def to_number(self, value: int | None) -> int:
        """Return the time itself."""
        if value is not None and not 0 <= value < END_OF_TIME:
            raise MisfitError
        return ABSENT if value is None else value

    def from_number(self, number: int) -> int | None:
        """Return the time itself."""
        return None if number == ABSENT else number


class Day(FieldType):
    """A gambling day, as `2026-11-17`."""

    code = Code.TEXT

    def check(self, value: Any) -> date:
        """Accept a day in the calendar."""
        if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
            try:
                return date.fromisoformat(value)
            except ValueError:
                raise FormError(None, f"there is no such day: {shown(value)}") from None
        raise FormError(None, f"expected a day, such as 2026-11-17; this line has {shown(value)}")


@dataclass(frozen=True)
class DealtCards(FieldType):
    """Cards as dealt, a joker `Jo`. Columns have room for `least` to `most` of them.

    Another number of cards, or a joker where the game has none, is no error of form: it is a
    finding of the settlement.
    """

    least: int
    most: int
    jokers: bool = False
    code = Code.CARDS

    def check(self, value: Any) -> Cards:
        """Accept any number of cards."""
        return _cards(value, dealt)

    def trust(self, value: str) -> Cards:
        """Parse cards that are spelled right."""
        return dealt(value)

    def write(self, value: Cards) -> str:
        """Spell the cards."""
        return show(value)


class SetCards(DealtCards):
    """Cards as set, a joker with the card it stands for: `Jo=As`."""

    def check(self, value: Any) -> Cards:
        """Accept any number of cards."""
        return _cards(value, as_set)

    def trust(self, value: str) -> Cards:
        """Parse cards that are spelled right."""
        return as_set(value)


def _cards(value: Any, parse: Callable[[str], Cards]) -> Cards:
    try:
        return parse(text(value))
    except CardError as error:
        raise FormError(None, str(error)) from None


@dataclass(frozen=True)
class SetHands(FieldType):
    """A list of set hands. Columns have room for `most` cards, in hands of these `sizes` if any."""

    least: int
    """How many hands."""
    most: int
    sizes: tuple[int, ...] = ()
    jokers = False
    code = Code.HANDS
    called = "hands"
    parse = staticmethod(as_set)

    def check(self, value: Any) -> tuple[Cards, ...]:
        """Accept a list of as many hands."""
        if not isinstance(value, list) or len(value) != self.least:
            has = len(value) if isinstance(value, list) else shown(value)
            reason = f"expected a list of {self.least} {self.called}; this line has {has}"
            raise FormError(None, reason)
        hands = []
        for place, item in enumerate(value):
            try:
                hands.append(_cards(item, self.parse))
            except FormError as error:
                raise FormError(f"[{place}]", error.reason) from None
        return tuple(hands)

    def trust(self, value: list[str]) -> tuple[Cards, ...]:
        """Parse cards that are spelled right."""
        return tuple(map(self.parse, value))

    def write(self, value: tuple[Cards, ...]) -> list[str]:
        """Spell each hand."""
        return list(map(show, value))


class SetParts(SetHands):
    """A list of parts in a game whose rules say what a joker is, so that it is written `Jo`."""

    called = "parts"
    parse = staticmethod(dealt)


class OwnType(FieldType):
    """A type that only the lines of one family have; columns have no room for it."""

    code = Code.NOTHING

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the type."""
        raise NotImplementedError


class Object(FieldType):
    """An object with fields of its own."""

    code = Code.OBJECT


class SeatList(Object):
    """The list of the seats' objects."""

    code = Code.SEATS


def text(value: Any) -> str:
    """Check any text."""
    if isinstance(value, str) and not isinstance(value, Number):
        return value
    raise FormError(None, f"expected a text in quotes; this line has {shown(value)}")


def clip(value: str) -> str:
    """Shorten a text from a line so that it can be shown."""
    return value if len(value) <= 40 else value[:39] + "…"


def shown(value: Any) -> str:
    """Format a value from a line for a sentence."""
    if isinstance(value, Number):
        return clip(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f'the text "{clip(value)}"'
    if isinstance(value, int):
        return str(value)
    return "a list" if isinstance(value, list) else "an object"
