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
    from collections.abc import Iterator

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
    examples: tuple[Example, ...]


def patterns_of(share: ReplaySegment) -> Iterator[Occurred]:
    """The patterns of a share, by key."""
    with current_archive().fetch(share.patterns_file) as place:
        for line in read_lines(place):
            told = orjson.loads(line)
            examples = tuple(
                Example(finding.encode(), round_.encode()) for finding, round_ in told["examples"]
            )
            yield Occurred(
                key=Key(*told["key"]),
                weight=told["weight"],
                examples=examples,
                **told["counts"],
            )


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
