"""How long bytes are kept: classes, the least that each is kept for, and the years configured.

The law says for how long a licensee keeps at least what it has; it tells nobody to remove anything.
So nothing goes unless `RETENTION` names the years for its class, and these are never fewer than the
least. What is removed is bytes; rows, events and digests stay.
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
    """A class of bytes. `least` is in years, `rule` says where that comes from."""

    name: str
    says: str
    least: int
    rule: str


ROUNDS = RetentionClass(
    "rounds",
    "Round logs as handed in, rejected lines, segments, what replays judged by and found",
    3,
    "daily card records: WAC 230-15-195, WAC 230-15-730(8)",
)
PAPERS = RetentionClass(
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
CLASSES = {each.name: each for each in (ROUNDS, PAPERS, REPORTS)}


@dataclass(frozen=True)
class Retained:
    """Under which class a file is kept, since when, and what a legal hold on it may name."""

    under: RetentionClass
    since: datetime
    named: frozenset[UUID]

    def is_over(self, years: Mapping[str, int], now: datetime) -> bool:
        """Whether the years configured for its class have gone by."""
        kept_for = years.get(self.under.name)
        return kept_for is not None and years_after(self.since, kept_for) <= now


def years_after(instant: datetime, years: int) -> datetime:
    """The same day so many years later; after 29 February the first of March."""
    try:
        return instant.replace(year=instant.year + years)
    except ValueError:
        return instant.replace(year=instant.year + years, month=3, day=1)


def read_years(text: str) -> dict[str, int]:
    """Read `rounds=5,reports=10`.

    Raises:
        ValueError: a class that there is not, or fewer years than its least.
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
