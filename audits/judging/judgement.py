"""What judging a segment came to: counts, patterns with their first examples, hours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

MOST_EXAMPLES: Final = 200
"""So many findings of a pattern are kept in full; all of them stand in the findings file."""


class PatternKey(NamedTuple):
    """What findings of one cause at one table have in common."""

    table: str
    code: str
    wager: str | None = None
    line: str | None = None
    """The pay-table line, or the reason, that the expected settlement reached."""


@dataclass(frozen=True, slots=True)
class Example:
    """One finding in full: its line in the findings file, and its round as logged.

    A round that was not kept is empty.
    """

    finding: bytes
    round: bytes


@dataclass(slots=True)
class PatternCount:
    """The findings of one pattern in one segment."""

    findings: int = 0
    rounds: int = 0
    over: int = 0
    """Cents that players received too much, in all."""
    under: int = 0
    """Cents that players received too little, in all, as a number of at least 0."""
    first: int = 0
    """`at` of the earliest round, in microseconds since 1970; `last` of the latest."""
    last: int = 0
    hours: dict[int, list[int]] = field(default_factory=dict)
    """By the beginning of a clock hour, in microseconds since 1970: rounds, cents over, under."""
    cites: set[str] = field(default_factory=set)
    """Every clause and reading that one of the findings rests on."""
    examples: list[Example] = field(default_factory=list)
    """The first ones in the order of the file."""


class Hour(NamedTuple):
    """A clock hour at a table: `begin` in microseconds since 1970."""

    table: str
    begin: int


@dataclass(slots=True)
class Judgement:
    """A segment judged. Money is what findings of players' own money sum up to, in cents."""

    file: Path
    """The findings file: compressed JSON Lines."""
    digest: str = ""
    """SHA-256 of the file's lines, uncompressed."""
    findings: int = 0
    rounds: int = 0
    seats: int = 0
    void: int = 0
    flagged: int = 0
    irregular: int = 0
    over: int = 0
    under: int = 0
    patterns: dict[PatternKey, PatternCount] = field(default_factory=dict)
    rounds_by_hour: Counter[Hour] = field(default_factory=Counter)
    findings_by_hour: Counter[Hour] = field(default_factory=Counter)
