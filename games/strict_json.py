"""JSON according to RFC 8259, and stricter: no repeated keys, no NaN, no unpaired surrogates.

Python's own parser accepts all of these, and turns 25.50 into a float before anyone can report what
was written. Here a number that isn't an integer literal (or is longer than any amount) stays as
written.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_INTEGER: Final = 20
"""Digits with sign; every integer of the round log has fewer. (Python rejects more than 4,300.)"""

DEEPEST: Final = 8


class JsonError(ValueError):
    """Text that isn't valid JSON; the message says why."""


class Number(str):
    """A number as written that isn't an integer literal of a sensible length."""

    __slots__ = ()


class Duplicates(dict[str, Any]):
    """An object that contains a key twice: `repeated` names the first such key."""

    repeated: str


def read_json(text: str) -> Any:
    """Read one JSON value. An object with a repeated key comes back as `Duplicates`.

    Raises:
        JsonError: the text isn't JSON, contains an unpaired surrogate, or is nested too deep.
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


def visible(text: str) -> str:
    """Return text from a log in a form that a sentence can show and any database can store.

    Control and format characters are escaped as JSON escapes them: PostgreSQL stores no NUL.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def nested(value: Any) -> Iterator[tuple[Any, int]]:
    """Yield every object and list in a value with its depth, itself at 1; without recursion."""
    open_ = [(value, 1)]
    while open_:
        item, level = open_.pop()
        if isinstance(item, dict | list):
            yield item, level
            inside = item.values() if isinstance(item, dict) else item
            open_.extend((child, level + 1) for child in inside)


def too_deep() -> str:
    """Return the message for a text nested too deep."""
    return f"objects and lists are nested more than {DEEPEST} deep"


def _at(error: json.JSONDecodeError) -> str:
    sentence = error.msg[:1].lower() + error.msg[1:]
    return f"{sentence.removesuffix(' at')} (character {error.pos + 1})"


def _integer(literal: str) -> int | Number:
    return int(literal) if len(literal) <= LONGEST_INTEGER else Number(literal)


def _constant(literal: str) -> NoReturn:
    message = f"this is not JSON: {literal} is not a JSON number"
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
            "a text contains half of a surrogate pair (\\ud800 to \\udfff),"
            " which is not a character"
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
