"""What the law allows of aggregate payouts and of poker, read from files of law values by date.

The files are TOML: `[rule.<name>]` with `[[rule.<name>.value]]`, each from a civil day on, as the
system ships them. Everything else in them is left to others.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from games.days import ZONE, microseconds

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

RULE: Final = "aggregate_form"
PER_DEAL: Final = "per_deal"
ANY: Final = "any"
_FORMS: Final = (PER_DEAL, ANY)


class LawFileError(ValueError):
    """Files of law values that can't be used; the message says which and why."""


@dataclass(frozen=True, slots=True)
class AggregateForm:
    """Which form of a maximum aggregate payout (PP-I8) the law allows over a span of time."""

    begin: int
    """Microseconds since 1970; the span is half-open."""
    end: int | None
    form: str
    """`per_deal`, or `any`."""
    cites: tuple[str, ...]


def read_aggregate_forms(folder: Path) -> tuple[AggregateForm, ...]:
    """Return what the files of a folder say about maximum aggregate payouts.

    Raises:
        LawFileError: a file can't be read, or none has the rule.
    """
    for path in sorted(folder.glob("*.toml")):
        try:
            rules = tomllib.loads(path.read_text("utf-8")).get("rule", {})
            if RULE in rules:
                return tuple(_form(value) for value in rules[RULE]["value"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            message = f"{path} is not a file of law values: {error}"
            raise LawFileError(message) from None
    message = f"{folder} has no file with the rule `{RULE}`."
    raise LawFileError(message)


@dataclass(frozen=True, slots=True)
class DatedLimit:
    """The most that the law allows over a span of time; `sure` whatever an operator meets."""

    begin: int
    """Microseconds since 1970; the span is half-open."""
    end: int | None
    sure: int | None
    most: int | None
    """Under a condition that the log says nothing about; otherwise as `sure`. None: not known."""
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PokerLaw:
    """What the law allows where players play each other."""

    wagers: tuple[DatedLimit, ...] = ()
    """A single wager, in cents."""
    rake_percent: tuple[DatedLimit, ...] = ()
    rake_cents: tuple[DatedLimit, ...] = ()
    raises: tuple[DatedLimit, ...] = ()
    """Raises on a street, after the bet."""

    @staticmethod
    def at(limits: Iterable[DatedLimit], time: int) -> DatedLimit | None:
        """Return the limit in effect at a time, if there is one."""
        fits = (each for each in limits if each.begin <= time)
        return next((each for each in fits if each.end is None or time < each.end), None)


POKER_RULES: Final = {
    "wagers": "wager_nonhouse_banked",
    "rake_percent": "rake_percent",
    "rake_cents": "rake_cents",
    "raises": "raises_nonhouse_banked",
}
"""The rule of each kind of limit; a folder that lacks one says nothing about it."""


def read_poker_law(folder: Path) -> PokerLaw:
    """Return what the files of a folder say about games between players.

    Raises:
        LawFileError: a file can't be read.
    """
    found: dict[str, tuple[DatedLimit, ...]] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            rules = tomllib.loads(path.read_text("utf-8")).get("rule", {})
            for kind, name in POKER_RULES.items():
                if name in rules:
                    found[kind] = tuple(map(_limit, rules[name]["value"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            message = f"{path} is not a file of law values: {error}"
            raise LawFileError(message) from None
    return PokerLaw(**found)


def _limit(value: dict[str, Any]) -> DatedLimit:
    sure, most = value.get("value"), value.get("conditional_value", value.get("value"))
    for each in (sure, most):
        if each is not None and type(each) is not int:
            message = f"a limit is a whole number, not {each!r}"
            raise ValueError(message)
    cites = tuple(str(value["citation"]).split(", "))
    return DatedLimit(_midnight(value["from"]), _end(value.get("to")), sure, most, cites)


def _form(value: dict[str, Any]) -> AggregateForm:
    if value["value"] not in _FORMS:
        message = f"`{RULE}` is one of {', '.join(_FORMS)}, not {value['value']!r}"
        raise ValueError(message)
    cites = tuple(str(value["citation"]).split(", "))
    return AggregateForm(_midnight(value["from"]), _end(value.get("to")), value["value"], cites)


def _end(day: date | None) -> int | None:
    return None if day is None else _midnight(day)


def _midnight(day: date) -> int:
    return microseconds(datetime.combine(day, time(0), ZoneInfo(ZONE)))
