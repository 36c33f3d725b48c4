"""Taking the fields of one JSON object, one by one, each checked; what is left over is an error."""

from __future__ import annotations

import re
from datetime import date
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

from games.cards import CardError, as_set, dealt
from games.strict_json import DEEPEST, Duplicates, Number, nested, too_deep

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.cards import Cards

LARGEST_AMOUNT: Final = 10**12
LARGEST_RESULT: Final = 10**15
LARGEST_SEAT: Final = 2**63 - 1
MOST_COMPARED: Final = 50
"""With so many other keys of an object one that is missing is compared; a line can have 100,000."""

Value = TypeVar("Value")

_ID: Final = re.compile(r"[A-Za-z0-9._:-]+")
_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_EPOCH: Final = date(1970, 1, 1).toordinal()


class FormError(ValueError):
    """What is wrong with a line: which field, and what to write instead."""

    def __init__(self, field: str | None, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


class Fields:
    """The fields of one object of a line. `void` says whether the round may leave out its play."""

    def __init__(self, value: Any, path: str, level: int, *, void: bool = False) -> None:
        self.void = void
        if not isinstance(value, dict):
            raise FormError(path or None, f"an object {{...}} is wanted here, not {shown(value)}")
        if isinstance(value, Duplicates):
            name = value.repeated
            raise FormError(f"{path}.{clip(name)}" if path else clip(name), twice(value))
        self._value: dict[str, Any] = value
        self._left = set(value)
        self._asked: list[str] = []
        self._path = path
        self._level = level

    def path(self, key: str) -> str:
        """Where a field stands in the line."""
        return f"{self._path}.{key}" if self._path else key

    def has(self, key: str) -> bool:
        """Whether a field was given."""
        return key in self._value

    def need(self, key: str, check: Callable[[Any], Value]) -> Value:
        """A field that every round has."""
        if key not in self._value:
            raise FormError(self.path(key), f"`{key}` is missing{self._near(key)}")
        return self._checked(key, check)

    def maybe(self, key: str, check: Callable[[Any], Value], absent: Value) -> Value:
        """A field that may be left out."""
        if key in self._value:
            return self._checked(key, check)
        self._asked.append(key)
        return absent

    def option(self, key: str, check: Callable[[Any], Value]) -> Value | None:
        """A field that may be left out, and then is None."""
        return self._checked(key, check) if self.has(key) else self.maybe(key, lambda _: None, None)

    def play(self, key: str, check: Callable[[Any], Value], absent: Value) -> Value:
        """A field that only a void round may leave out."""
        return self.maybe(key, check, absent) if self.void else self.need(key, check)

    def never(self, key: str, why: str) -> None:
        """A field that must not stand here."""
        if key in self._value:
            raise FormError(self.path(key), f"`{key}` stands here {why}: leave it out")

    def object(self, key: str) -> Fields:
        """A field that is an object."""
        value = self.need(key, lambda given: given)
        return Fields(value, self.path(key), self._level + 1, void=self.void)

    def items(self, key: str) -> list[Fields]:
        """A field that is a list of objects, one or more."""
        value = self.need(key, lambda given: given)
        if not isinstance(value, list):
            raise FormError(self.path(key), f"a list [...] is wanted here, not {shown(value)}")
        if not value:
            raise FormError(self.path(key), "a round has at least one seat; this list is empty")
        return [
            Fields(item, f"{self.path(key)}[{place}]", self._level + 2, void=self.void)
            for place, item in enumerate(value)
        ]

    def close(self) -> None:
        """Refuse what is left, except fields of the operator's own, whose names begin with `x_`."""
        for key in self._value:
            if key not in self._left:
                continue
            if not key.startswith("x_"):
                near = get_close_matches(key[:40], self._asked, 1)
                hint = f" (did you mean `{near[0]}`?)" if near else ""
                raise FormError(
                    self.path(clip(key)),
                    f"`{clip(key)}` is no field of this object{hint};"
                    " a field of your own begins with `x_`",
                )
            for item, level in nested(self._value[key]):
                if self._level + level > DEEPEST:
                    raise FormError(self.path(clip(key)), too_deep())
                if isinstance(item, Duplicates):
                    raise FormError(self.path(clip(key)), twice(item))

    def _checked(self, key: str, check: Callable[[Any], Value]) -> Value:
        self._left.discard(key)
        try:
            return check(self._value[key])
        except FormError as error:
            raise FormError(self.path(key) + (error.field or ""), error.reason) from None

    def _near(self, key: str) -> str:
        others = islice((name for name in self._value if name in self._left), MOST_COMPARED)
        near = get_close_matches(key, [name[:40] for name in others], 1)
        return f" (this line has `{clip(near[0])}`)" if near else ""


def twice(value: Duplicates) -> str:
    """What is said of an object that holds a key twice."""
    return f"the key `{clip(value.repeated)}` stands twice in one object: leave one of them out"


def clip(text: str) -> str:
    """A text from a line, short enough to be shown."""
    return text if len(text) <= 40 else text[:39] + "…"


def shown(value: Any) -> str:
    """A value from a line as a sentence names it."""
    if isinstance(value, Number):
        return clip(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f'the text "{clip(value)}"'
    if isinstance(value, int):
        return str(value)
    return "a list" if isinstance(value, list) else "an object"


def _refuse(reason: str) -> FormError:
    return FormError(None, reason)


def whole_number(low: int, high: int, what: str) -> Callable[[Any], int]:
    """A check for integers from low to high."""
    wanted = f"{what} is a whole number from {low:,} to {high:,}"
    if low == high:
        wanted = f"{what} is {low:,}"

    def check(value: Any) -> int:
        if type(value) is int and low <= value <= high:
            return value
        raise _refuse(f"{wanted}; this line has {shown(value)}")

    return check


def cents(low: int, high: int, what: str) -> Callable[[Any], int]:
    """A check for money."""

    def check(value: Any) -> int:
        if type(value) is int:
            if low <= value <= high:
                return value
            raise _refuse(f"{what} is from {low:,} to {high:,} cents; this line has {value:,}")
        raise _refuse(
            f"{what} is a whole number of cents; this line has {shown(value)}{_rather(value)}"
        )

    return check


def _rather(value: Any) -> str:
    if isinstance(value, Number):
        whole, point, part = value.partition(".")
        if point and len(part) == 2 and part.isdigit():
            return f". Write {int(whole + part)}" if len(value) < 18 else ""
    elif isinstance(value, str) and value.isascii() and value.isdigit():
        return ": write it without the quotes"
    return ""


def text(value: Any) -> str:
    """A check for any text."""
    if isinstance(value, str) and not isinstance(value, Number):
        return value
    raise _refuse(f"a text in quotes is wanted; this line has {shown(value)}")


def text_or_null(value: Any) -> str | None:
    """A check for a text or null."""
    return None if value is None else text(value)


def truth(value: Any) -> bool:
    """A check for true or false."""
    if isinstance(value, bool):
        return value
    raise _refuse(f"true or false is wanted; this line has {shown(value)}")


def one_of(*allowed: str) -> Callable[[Any], str]:
    """A check for one of a few words."""

    def check(value: Any) -> str:
        if value in allowed and not isinstance(value, Number):
            return str(value)
        words = ", ".join(f"`{word}`" for word in allowed)
        which = f"one of {words} is" if len(allowed) > 1 else f"{words} is"
        raise _refuse(f"{which} wanted; this line has {shown(value)}")

    return check


def identifier(longest: int) -> Callable[[Any], str]:
    """A check for ids: `A-Z a-z 0-9 - _ . :`."""

    def check(value: Any) -> str:
        if is_identifier(value, longest):
            return str(value)
        raise _refuse(
            f"1 to {longest} of the characters A-Z a-z 0-9 - _ . : are wanted;"
            f" this line has {shown(value)}"
        )

    return check


def is_identifier(value: Any, longest: int) -> bool:
    """Whether a value is an id of at most so many characters."""
    return (
        isinstance(value, str)
        and not isinstance(value, Number)
        and len(value) <= longest
        and _ID.fullmatch(value) is not None
    )


def cards_dealt(value: Any) -> Cards:
    """A check for cards as dealt: a joker is `Jo`."""
    return _cards(value, dealt)


def cards_set(value: Any) -> Cards:
    """A check for set cards: a joker is `Jo=As`."""
    return _cards(value, as_set)


def _cards(value: Any, read: Callable[[str], Cards]) -> Cards:
    try:
        return read(text(value))
    except CardError as error:
        raise _refuse(str(error)) from None


def hands(number: int) -> Callable[[Any], tuple[Cards, ...]]:
    """A check for a list of so many set hands."""

    def check(value: Any) -> tuple[Cards, ...]:
        if not isinstance(value, list) or len(value) != number:
            has = f"{len(value)} of them" if isinstance(value, list) else shown(value)
            raise _refuse(f"a list of {number} hands is wanted; this line has {has}")
        read = []
        for place, item in enumerate(value):
            try:
                read.append(cards_set(item))
            except FormError as error:
                raise FormError(f"[{place}]", error.reason) from None
        return tuple(read)

    return check


def instant(value: Any) -> int:
    """A check for an RFC 3339 time with a zone: microseconds since 1970-01-01 UTC.

    A leap second counts as the second after it; digits past the sixth are dropped.
    """
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise _refuse(
            "a time with its zone is wanted, as in 2026-11-17T20:15:03-08:00;"
            f" this line has {shown(value)}"
        )
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    fraction, sign, zone_hour, zone_minute = found.groups()[6:]
    try:
        days = date(year, month, day).toordinal() - _EPOCH
    except ValueError:
        raise _refuse(f"no such day: {shown(value)}") from None
    zone = int(zone_hour or 0), int(zone_minute or 0)
    if hour > 23 or minute > 59 or second > 60 or zone[0] > 23 or zone[1] > 59:
        raise _refuse(f"no such time of day or zone: {shown(value)}")
    offset = (zone[0] * 3600 + zone[1] * 60) * (-1 if sign == "-" else 1)
    seconds = days * 86400 + hour * 3600 + minute * 60 + second - offset
    return seconds * 1_000_000 + int((fraction or "")[:6].ljust(6, "0"))
