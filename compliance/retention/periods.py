"""Retention periods: classes, the minimum for each, and the years configured.

The law says how long a licensee must at least keep its records; it never requires removal. So
nothing is removed unless `RETENTION` sets the years for its class, and these are never below the
minimum. Only files are removed; rows, events and digests stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID


@dataclass(frozen=True)
class RetentionClass:
    """A class of files. `least` is the minimum in years, `rule` is its source."""

    name: str
    says: str
    least: int
    rule: str


ROUNDS = RetentionClass(
    "rounds",
    "Round logs as submitted, rejected lines, segments, and the terms and findings of replays",
    3,
    "daily card records: WAC 230-15-195, WAC 230-15-730(8)",
)
EVIDENCE = RetentionClass(
    "evidence",
    "Documents filed as evidence; rules, letters and controls are not removed",
    3,
    "no rule read; as long as the rounds they are about",
)
REPORTS = RetentionClass(
    "reports",
    "Reports: inputs, bodies and signed files",
    3,
    "no rule read; as long as the rounds they are about",
)
CLASSES = {each.name: each for each in (ROUNDS, EVIDENCE, REPORTS)}


@dataclass(frozen=True)
class Retained:
    """A file's retention class, its start date, and the identifiers that a legal hold may name."""

    under: RetentionClass
    since: datetime
    named: frozenset[UUID]

    def is_over(self, years: Mapping[str, int], now: datetime) -> bool:
        """Return whether the configured years for its class have passed."""
        kept_for = years.get(self.under.name)
        return kept_for is not None and years_after(self.since, kept_for) <= now


def years_after(instant: datetime, years: int) -> datetime:
    """Return the same day so many years later; March 1 for February 29."""
    try:
        return instant.replace(year=instant.year + years)
    except ValueError:
        return instant.replace(year=instant.year + years, month=3, day=1)


def read_years(text: str) -> dict[str, int]:
    """Parse `rounds=5,reports=10`.

    Raises:
        ValueError: an unknown class, or fewer years than its minimum.
    """
    years: dict[str, int] = {}
    for entry in filter(None, (each.strip() for each in text.split(","))):
        name, _, number = entry.partition("=")
        if name not in CLASSES or not number.isdecimal():
            message = f"{entry!r} is no class with its years: write one of {', '.join(CLASSES)}=…"
            raise ValueError(message)
        if not CLASSES[name].least <= int(number) <= 1000:
            least = CLASSES[name]
            message = f"{entry!r}: {name} are kept {least.least} years at least ({least.rule})."
            raise ValueError(message)
        years[name] = int(number)
    return years
