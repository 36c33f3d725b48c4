"""JSON as RFC 8259 has it, and stricter: no key twice, no NaN, no half of a surrogate pair.

Python's own reader takes all of these, and turns 25.50 into a float before anyone can say what was
written. Here a number that is no integer literal (or is longer than any amount) stays as written.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_INTEGER: Final = 20
"""Digits with sign; every integer of the round log has fewer. (Python refuses over 4,300.)"""

DEEPEST: Final = 8


class JsonError(ValueError):
    """A text that is not JSON as it is wanted; the message says why."""


class Number(str):
    """A number as written that is no integer literal of a sensible length."""

    __slots__ = ()


class Duplicates(dict[str, Any]):
    """An object in which a key stands twice: `repeated` names the first such key."""

    repeated: str


def read_json(text: str) -> Any:
    """Read one JSON value. An object that holds a key twice comes back as `Duplicates`.

    Raises:
        JsonError: the text is not JSON, holds half a surrogate pair, or is nested too deep.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        message = f"this is not JSON: {_at(error)}"
        raise JsonError(message) from None
    except RecursionError:
        raise JsonError(too_deep()) from None
    if "\\u" in text:
        _whole_characters(value)
    return value


def nested(value: Any) -> Iterator[tuple[Any, int]]:
    """Every object and list in a value with its depth, itself at 1; without recursion."""
    open_ = [(value, 1)]
    while open_:
        item, level = open_.pop()
        if isinstance(item, dict | list):
            yield item, level
            inside = item.values() if isinstance(item, dict) else item
            open_.extend((child, level + 1) for child in inside)


def too_deep() -> str:
    """What is said of a text nested too deep."""
    return f"objects and lists stand inside each other more than {DEEPEST} deep"


def _at(error: json.JSONDecodeError) -> str:
    said = error.msg[:1].lower() + error.msg[1:]
    return f"{said.removesuffix(' at')} (character {error.pos + 1})"


def _integer(literal: str) -> int | Number:
    return int(literal) if len(literal) <= LONGEST_INTEGER else Number(literal)


def _constant(literal: str) -> NoReturn:
    message = f"this is not JSON: {literal} is no number that JSON knows"
    raise JsonError(message)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    seen: set[str] = set()
    doubled = Duplicates(value)
    doubled.repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return doubled


def _whole_characters(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        message = (
            "a text holds half of a surrogate pair (\\ud800 to \\udfff), which is no character"
        )
        raise JsonError(message) from None
    except RecursionError:
        raise JsonError(too_deep()) from None


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=Number,
    parse_constant=_constant,
)
