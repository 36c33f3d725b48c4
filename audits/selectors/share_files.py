"""The files that a judged share left in the archive, read: findings, patterns, marks."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from audits.judging.findings_file import read_lines
from audits.judging.judgement import Example
from audits.marks import MARK, Key, Marks
from compliance.archive import current_archive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from audits.models import ReplaySegment


@dataclass(frozen=True)
class Occurred:
    """A pattern in one share: counts, and its first findings in full."""

    key: Key
    weight: str
    findings: int
    rounds: int
    over: int
    under: int
    first: int
    last: int
    hours: list[list[int]]
    """Beginning of a clock hour in microseconds, rounds, cents over, cents under."""
    cites: list[str]
    examples: tuple[Example, ...]


def patterns_of(share: ReplaySegment) -> Iterator[Occurred]:
    """The patterns of a share, by key."""
    with current_archive().fetch(share.patterns_file) as place:
        for line in read_lines(place):
            told = orjson.loads(line)
            rounds = [text.encode() for text in told.get("rounds", ())]
            examples = tuple(
                Example(finding.encode(), _round(place, rounds))
                for finding, place in told["examples"]
            )
            yield Occurred(
                key=Key(*told["key"]),
                weight=told["weight"],
                hours=told.get("hours", []),  # not in files of before they were counted
                cites=told.get("cites", []),
                examples=examples,
                **told["counts"],
            )


def _round(told: int | str | None, rounds: Sequence[bytes]) -> bytes:
    """The round of an example; a file of before rounds were kept once holds it there itself."""
    if isinstance(told, str):
        return told.encode()
    return b"" if told is None else rounds[told]


def marks_of(share: ReplaySegment) -> Marks:
    """The marks of a share's findings, row by row as in its findings file."""
    keys = tuple(each.key for each in patterns_of(share))
    with current_archive().fetch(share.marks_file) as place:
        return Marks(np.fromfile(place, MARK), keys)


@contextmanager
def findings_of(share: ReplaySegment) -> Iterator[Iterator[bytes]]:
    """The lines of a share's findings, in order."""
    with current_archive().fetch(share.findings_file) as place:
        yield read_lines(place)


def findings_at(share: ReplaySegment, rows: set[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The findings in some rows of a share's findings file, each with its row."""
    if not rows:
        return
    with findings_of(share) as lines:
        for row, line in enumerate(lines):
            if row in rows:
                yield row, orjson.loads(line)
