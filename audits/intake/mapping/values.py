"""Values as exports write them: money, local times, numbers, ids and words."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from audits.instants import instants_at

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


TIMES: Final = (
    *("%m/%d/%Y %I:%M:%S %p", "%m/%d/%Y %I:%M %p", "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M"),
    *("%m/%d/%y %I:%M:%S %p", "%m/%d/%y %I:%M %p", "%m/%d/%y %H:%M:%S", "%m/%d/%y %H:%M"),
    *("%b %d, %Y %I:%M:%S %p", "%b %d, %Y %I:%M %p", "%d-%b-%Y %H:%M:%S", "%Y%m%d %H%M%S"),
)
_EPOCH: Final = re.compile(r"[0-9]{10}(?:[0-9]{3})?")
_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.:-]+")
_TRUE: Final = frozenset({"true", "yes", "y", "1", "t", "x"})
_FALSE: Final = frozenset({"false", "no", "n", "0", "f", ""})
_GROUPED: Final = {
    ",": re.compile(r"-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?"),
    ".": re.compile(r"-?[0-9]{1,3}(\.[0-9]{3})+(,[0-9]+)?"),
}
MOST_DIGITS: Final = 20
_ACTIONS: Final = {
    "h": "hit",
    "s": "stand",
    "d": "double",
    "dd": "double",
    "p": "split",
    "sp": "split",
    "r": "surrender",
}


def read_cents(text: str, *, dollars: bool, decimal: str = ".") -> int:
    """Return an amount in cents; a minus sign or parentheses make it negative."""
    plain = text.strip().replace("$", "").replace("\u2212", "-").replace("\u00a0", "")
    plain = plain.replace("USD", "").replace(" ", "")
    negative = plain.startswith("(") and plain.endswith(")")
    plain = plain.strip("()")
    if plain.endswith("-"):
        plain, negative = plain[:-1], True
    groups = "," if decimal == "." else "."
    if groups in plain and _GROUPED[groups].fullmatch(plain):
        plain = plain.replace(groups, "")
    try:
        amount = Decimal(plain.replace(decimal, ".")) if 0 < len(plain) <= MOST_DIGITS else None
    except InvalidOperation:
        amount = None
    if amount is None or not amount.is_finite():
        msg = f'"{text[:40]}" is not an amount of money. Write it like 25.00 or -25.00.'
        raise ValueError(msg)
    cents = amount * 100 if dollars else amount
    if cents != cents.to_integral_value():
        unit = "cents of a dollar" if dollars else "cents"
        msg = f'"{text[:40]}" is not a whole number of {unit}.'
        raise ValueError(msg)
    return -int(cents) if negative else int(cents)


def read_number(text: str) -> int:
    """Return a whole number, also one that a spreadsheet wrote as `3.0`."""
    plain = text.strip().removesuffix(".0").replace(",", "")
    if not re.fullmatch(r"-?[0-9]{1,18}", plain):
        msg = f'"{text[:40]}" is not a whole number.'
        raise ValueError(msg)
    return int(plain)


def read_truth(text: str) -> bool:
    """Return yes or no."""
    plain = text.strip().lower()
    if plain not in _TRUE | _FALSE:
        msg = f'"{text[:40]}" is neither yes nor no. Replace it with yes or no in the mapping.'
        raise ValueError(msg)
    return plain in _TRUE


def read_id(text: str) -> str:
    """Return an id; whatever an id cannot contain becomes a dash."""
    return _UNFIT.sub("-", text.strip()).strip("-")


def read_word(text: str) -> str:
    """Return the id that a definition gives to a wager, a choice or an act: `Pair Plus` is one."""
    return "_".join(text.lower().replace("-", " ").replace("_", " ").split())


def read_texts(text: str) -> list[str]:
    """Return texts that are separated by semicolons or bars."""
    return [each.strip() for each in re.split(r"[;|]", text) if each.strip()]


def read_actions(text: str) -> list[str]:
    """Return the actions of a hand, written in words or as H, S, D, P and R."""
    words = re.split(r"[\s,;|/>+\[\]\"']+", text.strip().lower())
    return [_ACTIONS.get(word, word) for word in words if word]


def read_day(text: str, form: str = "") -> date:
    """Return a day as people and systems write it."""
    for each in (form, "%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y", "%d-%b-%Y"):
        try:
            return datetime.strptime(text.strip().split(" 00:00")[0], each).date()  # noqa: DTZ007
        except ValueError:
            continue
    msg = f'"{text[:40]}" is not a day. Write 7/12/2025 or 2025-07-12.'
    raise ValueError(msg)


class Clock:
    """Times of one file: local ones get the offset that the table's clock had.

    In the hour that the clock shows twice, a time is the first one unless that would be before the
    table's previous round.
    """

    def __init__(self, zone: ZoneInfo, form: str = "", *, newest_first: bool = False) -> None:
        self._zone, self._form, self._back = zone, form, newest_first
        self._last: dict[str, datetime] = {}

    def read(self, text: str, table: str) -> str:
        """Return a time with its offset; raise ValueError with a sentence otherwise."""
        at = self._parse(text.strip())
        if at.tzinfo is None:
            at = self._local(at, text, table)
        self._last[table] = at
        return at.isoformat(timespec="milliseconds" if at.microsecond else "seconds")

    def _local(self, at: datetime, text: str, table: str) -> datetime:
        either = instants_at(at.date(), at.time(), self._zone)
        if not either:
            msg = (
                f'"{text[:40]}" is in the hour that the clock skips when daylight saving time '
                "begins. Check the clock of the table, or export times with their offset."
            )
            raise ValueError(msg)
        last = self._last.get(table)
        if last is not None and self._back:
            chosen = next((each for each in reversed(either) if each <= last), either[0])
        else:
            chosen = next((each for each in either if last is None or each >= last), either[-1])
        return chosen.astimezone(self._zone)

    def _parse(self, text: str) -> datetime:
        if self._form:
            try:
                return datetime.strptime(text, self._form)  # noqa: DTZ007 - the zone follows
            except ValueError:
                msg = f'"{text[:40]}" is not a time in the form {self._form}.'
                raise ValueError(msg) from None
        if _EPOCH.fullmatch(text):
            seconds = int(text) / (1000 if len(text) == 13 else 1)
            return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).astimezone(
                self._zone
            )
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            pass
        for form in TIMES:
            try:
                return datetime.strptime(text, form)  # noqa: DTZ007 - the zone follows
            except ValueError:
                continue
        msg = (
            f'"{text[:40]}" is not a date and a time. Write 7/12/2025 8:15:03 PM or '
            "2025-07-12 20:15:03, or give the form of your times in the mapping."
        )
        raise ValueError(msg)
