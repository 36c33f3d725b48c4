"""Legal limits by date: what Washington's rules allowed, and how well that is known."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import date


FOLDER = Path(__file__).parent


class Grade(StrEnum):
    """How sure we are of a value."""

    CONFIRMED = "confirmed"  # the official text or filing was read
    SECONDARY = "secondary"  # from the press or a directory
    INFERRED = "inferred"  # follows from other sources
    UNKNOWN = "unknown"  # a value existed, but nobody has read it


class LawError(Exception):
    """A file or an entry of law values is invalid; the message names it."""


@dataclass(frozen=True, kw_only=True)
class LawValue:
    """What one rule allowed over one span of days."""

    rule: str
    scope: str
    unit: str
    from_: date
    to: date | None
    value: int | str | None
    conditional_value: int | None
    condition: str
    verified_through: date | None
    citation: str
    filing: str
    grade: Grade
    source: str

    def carried_forward(self, on: date) -> bool:
        """Return whether `on` is after the last day through which the value was verified."""
        return self.verified_through is not None and on > self.verified_through

    def as_rows(self) -> list[dict[str, Any]]:
        """Return its rows for other programs: what applies everywhere, then on a condition.

        The scope of the second row names the condition.
        """
        row = self.as_row()
        if self.conditional_value is None:
            return [row]
        scope = f"{self.scope}, only: {self.condition}"
        return [row, {**row, "scope": scope, "value": self.conditional_value}]

    def as_row(self) -> dict[str, Any]:
        """Return the row of the value that applies everywhere."""
        return {
            "rule": self.rule,
            "scope": self.scope,
            "value": self.value,
            "unit": self.unit,
            "from": self.from_.isoformat(),
            "to": self.to.isoformat() if self.to else None,
            "verified_through": (
                self.verified_through.isoformat() if self.verified_through else None
            ),
            "citation": self.citation,
            "filing": self.filing,
            "grade": self.grade.value,
        }


@dataclass(frozen=True, kw_only=True)
class LawRule:
    """One legal limit, and its values from oldest to newest."""

    name: str
    says: str
    scope: str
    unit: str
    values: tuple[LawValue, ...]

    def on(self, day: date) -> LawValue | None:
        """Return the value in effect on a day; None if no value is known."""
        for value in reversed(self.values):
            if value.from_ <= day and (value.to is None or day < value.to):
                return value
        return None


RULE_KEYS = {"says", "scope", "unit", "value"}
VALUE_KEYS = {
    "from",
    "to",
    "value",
    "conditional_value",
    "condition",
    "verified_through",
    "citation",
    "filing",
    "grade",
    "source",
}


@cache
def shipped_rules() -> dict[str, LawRule]:
    """Return every rule in the files shipped with the system."""
    rules: dict[str, LawRule] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for name, entry in tomllib.loads(path.read_text())["rule"].items():
            if name in rules:
                msg = f"{path.name}: the rule {name} is in two files."
                raise LawError(msg)
            rules[name] = read_rule(f"{path.name}, {name}", name, entry)
    return rules


def read_rule(place: str, name: str, entry: dict[str, Any]) -> LawRule:
    """Read and check one rule in a file."""
    if unknown := set(entry) - RULE_KEYS:
        msg = f"{place}: unknown key {min(unknown)!r}."
        raise LawError(msg)
    values = tuple(_read_value(place, name, entry, each) for each in entry["value"])
    check_spans(place, values)
    return LawRule(
        name=name, says=entry["says"], scope=entry["scope"], unit=entry["unit"], values=values
    )


def check_spans(place: str, values: tuple[LawValue, ...]) -> None:
    """Raise unless the spans follow each other without overlap and only the last is open."""
    for value, after in zip(values, [*values[1:], None], strict=True):
        if value.to is not None and value.to <= value.from_:
            msg = f"{place}: the value from {value.from_} ends before it begins."
            raise LawError(msg)
        if after is not None and (value.to is None or value.to > after.from_):
            msg = f"{place}: the values from {value.from_} and {after.from_} overlap."
            raise LawError(msg)


def _read_value(place: str, name: str, rule: dict[str, Any], entry: dict[str, Any]) -> LawValue:
    place = f"{place} from {entry.get('from')}"
    if unknown := set(entry) - VALUE_KEYS:
        msg = f"{place}: unknown key {min(unknown)!r}."
        raise LawError(msg)
    grade = Grade(entry["grade"])
    if (grade == Grade.UNKNOWN) != ("value" not in entry):
        msg = f"{place}: an unknown value is left out, any other is written."
        raise LawError(msg)
    if ("to" in entry) == ("verified_through" in entry):
        msg = f"{place}: a value that has ended has `to`, and one in effect has `verified_through`."
        raise LawError(msg)
    return LawValue(
        rule=name,
        scope=rule["scope"],
        unit=rule["unit"],
        from_=entry["from"],
        to=entry.get("to"),
        value=entry.get("value"),
        conditional_value=entry.get("conditional_value"),
        condition=entry.get("condition", ""),
        verified_through=entry.get("verified_through"),
        citation=entry["citation"],
        filing=entry["filing"],
        grade=grade,
        source=entry["source"],
    )


class Certainty(StrEnum):
    """How sure we are of a span of days."""

    CONFIRMED = "confirmed"
    SECONDARY = "secondary"
    INFERRED = "inferred"
    CARRIED = "carried"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Span:
    """Days from `begin` to before `end`; without a value nothing is known about them."""

    begin: date
    end: date
    value: LawValue | None
    sure: Certainty


def time_line(rule: LawRule, *, until: date) -> list[Span]:
    """Return a rule's spans from its first value on, to before a day.

    After the day through which a value was verified, it is carried forward, and marked as such.
    """
    spans: list[Span] = []
    known_to: date | None = None
    for value in rule.values:
        if value.from_ >= until:
            break
        if known_to is not None and known_to < value.from_:
            spans.append(Span(known_to, value.from_, None, Certainty.UNKNOWN))
        known_to = min(value.to or until, until)
        spans += _of_value(value, known_to)
    if known_to is not None and known_to < until:
        spans.append(Span(known_to, until, None, Certainty.UNKNOWN))
    return spans


def _of_value(value: LawValue, end: date) -> list[Span]:
    sure = Certainty.UNKNOWN if value.grade == Grade.UNKNOWN else Certainty(value.grade.value)
    looked = value.verified_through
    if looked is None or looked >= end or sure == Certainty.UNKNOWN:
        return [Span(value.from_, end, value, sure)]
    if looked <= value.from_:
        return [Span(value.from_, end, value, Certainty.CARRIED)]
    return [Span(value.from_, looked, value, sure), Span(looked, end, value, Certainty.CARRIED)]
