"""Archived files of a work unit: findings, issues and marks."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from audits.replay.findings.marks import MARK, Key, Marks, mark
from audits.replay.judging.findings import FindingsWriter, read_findings, read_lines
from audits.replay.judging.tally import Example
from compliance.files.archive import current_archive
from games.checks import severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from audits.replay.judging.tally import Judgment
    from audits.replay.models import ReplaySegment


@dataclass(frozen=True)
class Occurred:
    """An issue in one work unit: its counts, and its first findings in full."""

    key: Key
    weight: str
    findings: int
    rounds: int
    over: int
    under: int
    first: int
    last: int
    hours: list[list[int]]
    """Beginning of a clock hour in microseconds, rounds, cents overpaid, cents underpaid."""
    cites: list[str]
    examples: tuple[Example, ...]


def issues_of(share: ReplaySegment) -> Iterator[Occurred]:
    """Yield the issues of a work unit by key."""
    with current_archive().fetch(share.issues_file) as place:
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
                hours=told.get("hours", []),  # missing in older files
                cites=told.get("cites", []),
                examples=examples,
                **told["counts"],
            )


def _round(told: int | str | None, rounds: Sequence[bytes]) -> bytes:
    """Return the round of an example; older files contain it there instead of an index."""
    if isinstance(told, str):
        return told.encode()
    return b"" if told is None else rounds[told]


def marks_of(share: ReplaySegment) -> Marks:
    """Return the marks of a work unit's findings, in the row order of its findings file."""
    keys = tuple(each.key for each in issues_of(share))
    with current_archive().fetch(share.marks_file) as place:
        return Marks(np.fromfile(place, MARK), keys)


@contextmanager
def findings_of(share: ReplaySegment) -> Iterator[Iterator[bytes]]:
    """Yield the lines of a work unit's findings, in order."""
    with current_archive().fetch(share.findings_file) as place:
        yield read_lines(place)


def findings_at(share: ReplaySegment, rows: set[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the findings in some rows of a work unit's findings file, each with its row."""
    if not rows:
        return
    with findings_of(share) as lines:
        for row, line in enumerate(lines):
            if row in rows:
                yield row, orjson.loads(line)


COUNTS = ("findings", "rounds", "over", "under", "first", "last")
MOST_BYTES_OF_ROUNDS = 1 << 20
"""Maximum bytes of rounds kept per issue, but at least one round: hundreds at most tables."""


def store_unit_files(judgment: Judgment, *, game: str, folder: Path) -> dict[str, str]:
    """Store findings, issues and marks; return the work unit's fields that name the files."""
    keys = {
        Key(game, key.table, key.code, key.wager or "", key.line or ""): count
        for key, count in judgment.issues.items()
    }
    issues, marks = folder / "issues", folder / "marks"
    with FindingsWriter(issues) as writer:
        for key in sorted(keys):
            count = keys[key]
            told = {
                "key": list(key),
                "weight": severity(key.code),
                "counts": {name: getattr(count, name) for name in COUNTS},
                "hours": [[begin, *counted] for begin, counted in sorted(count.hours.items())],
                "cites": sorted(count.cites),
                **_examples(count.examples),
            }
            writer.write(orjson.dumps(told))
    with marks.open("wb") as file:
        for rows in mark(read_findings(judgment.file), sorted(keys)):
            file.write(rows.tobytes())
    kept = {"findings_file": judgment.file, "issues_file": issues, "marks_file": marks}
    return {name: _stored(place) for name, place in kept.items()}


def _examples(examples: Sequence[Example]) -> dict[str, list[Any]]:
    """Return the first findings, each with its round's index in `rounds`, if that was kept."""
    places: dict[bytes, int] = {}
    size, told = 0, []
    for each in examples:
        if each.round not in places and (
            not places or size + len(each.round) <= MOST_BYTES_OF_ROUNDS
        ):
            places[each.round] = len(places)
            size += len(each.round)
        told.append([each.finding.decode(), places.get(each.round)])
    return {"examples": told, "rounds": [text.decode() for text in places]}


def _stored(place: Path) -> str:
    with place.open("rb") as content:
        return current_archive().store(content).digest
