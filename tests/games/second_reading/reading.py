"""One line of a round log: whether it follows the contract's form. Nothing here audits play."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .forms import IDENTIFIER, FormError, check_round

if TYPE_CHECKING:
    from .findings import Round

LONGEST_LINE = 1024 * 1024
DEEPEST = 8
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass
class Line:
    """A line as read: a round, or why there is none; `table`, `round_id` as far as known."""

    number: int
    round: Round | None = None
    round_id: str | None = None
    table: str | None = None
    field: str = ""
    reason: str = ""


class TooLong(int):
    """An integer literal with more digits than any amount: no `int` where one is needed."""


def read_line(number: int, raw: bytes) -> Line:
    line = Line(number)
    try:
        text = text_of(raw)
        line.round_id, line.table = said_once(text, "round", 64), said_once(text, "table", 32)
        parsed = parse(text)
        check_round(parsed)
        instant(parsed["at"], "at")
        if "from" in parsed:
            instant(parsed["from"], "from")
    except FormError as bad:
        line.field, line.reason = bad.field, bad.reason
        return line
    line.round = parsed
    return line


def said_once(text: str, key: str, longest: int) -> str | None:
    """Return the id or table that a line gives, even if it is rejected for something else."""
    try:
        pairs = json.loads(text, object_pairs_hook=tuple, parse_int=integer, parse_constant=no_json)
    except (ValueError, RecursionError):
        return None
    values = [value for name, value in pairs if name == key] if isinstance(pairs, tuple) else []
    if len(values) != 1 or not isinstance(values[0], str):
        return None
    is_spelled = len(values[0]) <= longest and IDENTIFIER.fullmatch(values[0])
    return values[0] if is_spelled else None


def text_of(raw: bytes) -> str:
    content = raw.removesuffix(b"\n").removesuffix(b"\r")
    if not content:
        raise FormError("", "an empty line")
    if len(content) > LONGEST_LINE:
        raise FormError("", "the line is longer than 1 MiB")
    if content.startswith(BYTE_ORDER_MARK):
        raise FormError("", "a byte-order mark")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as bad:
        raise FormError("", "not UTF-8") from bad


def parse(text: str) -> Round:
    if depth(text) > DEEPEST:
        raise FormError("", "nested deeper than 8")
    try:
        parsed = json.loads(
            text, object_pairs_hook=without_repeats, parse_int=integer, parse_constant=no_json
        )
    except ValueError as bad:
        if isinstance(bad, FormError):
            raise
        raise FormError("", f"no JSON: {bad}") from bad
    if not isinstance(parsed, dict):
        raise FormError("", "a line is one JSON object")
    return parsed


def depth(text: str) -> int:
    """Return how deep braces and brackets are nested, ignoring those in strings."""
    now = deepest = 0
    in_string = escaped = False
    for sign in text:
        if in_string:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == '"':
                in_string = False
        elif sign == '"':
            in_string = True
        elif sign in "{[":
            now += 1
            deepest = max(deepest, now)
        elif sign in "}]":
            now -= 1
    return deepest


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise FormError(key, "the key is given twice")
    return dict(pairs)


def integer(digits: str) -> int:
    return int(digits) if len(digits) <= 30 else TooLong(10**30)


def no_json(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def instant(text: Any, field: str) -> Fraction:
    """Return seconds since 1970 of an RFC 3339 time with a zone, exactly."""
    match = TIME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise FormError(field, "an RFC 3339 time with a zone is wanted")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, zone = match.group(7), match.group(8)
    ahead = timedelta()
    if zone not in ("Z", "z"):
        hours, minutes = int(zone[1:3]), int(zone[4:6])
        if hours > 23 or minutes > 59:
            raise FormError(field, "no zone of RFC 3339")
        ahead = timedelta(hours=hours, minutes=minutes) * (-1 if zone[0] == "-" else 1)
    leap = second == 60
    try:
        local = datetime(year, month, day, hour, minute, 59 if leap else second, tzinfo=UTC)
    except ValueError as bad:
        raise FormError(field, str(bad)) from bad
    since = local - EPOCH
    seconds = since.days * 86400 + since.seconds + leap - int(ahead.total_seconds())
    return seconds + Fraction(int(fraction or 0), 10 ** len(fraction or ""))
