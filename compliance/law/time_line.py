"""A rule of the law through the years, without a gap: what was allowed, and what nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from compliance.law.values import Grade

if TYPE_CHECKING:
    from datetime import date

    from compliance.law.values import LawRule, LawValue


class Sure(StrEnum):
    """How sure we are of a span of days."""

    CONFIRMED = "confirmed"
    SECONDARY = "secondary"
    INFERRED = "inferred"
    CARRIED = "carried"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Span:
    """Days from `begin` to before `end`; without a value nothing is known of them."""

    begin: date
    end: date
    value: LawValue | None
    sure: Sure


def time_line(rule: LawRule, *, until: date) -> list[Span]:
    """The spans of a rule from its first value on, to before a day.

    Behind the day through which a value was verified it is carried forward, and said to be.
    """
    spans: list[Span] = []
    known_to: date | None = None
    for value in rule.values:
        if value.from_ >= until:
            break
        if known_to is not None and known_to < value.from_:
            spans.append(Span(known_to, value.from_, None, Sure.UNKNOWN))
        known_to = min(value.to or until, until)
        spans += _of_value(value, known_to)
    if known_to is not None and known_to < until:
        spans.append(Span(known_to, until, None, Sure.UNKNOWN))
    return spans


def _of_value(value: LawValue, end: date) -> list[Span]:
    sure = Sure.UNKNOWN if value.grade == Grade.UNKNOWN else Sure(value.grade.value)
    looked = value.verified_through
    if looked is None or looked >= end or sure == Sure.UNKNOWN:
        return [Span(value.from_, end, value, sure)]
    if looked <= value.from_:
        return [Span(value.from_, end, value, Sure.CARRIED)]
    return [Span(value.from_, looked, value, sure), Span(looked, end, value, Sure.CARRIED)]
