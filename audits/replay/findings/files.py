"""Archived files of a work unit: findings, issues and marks."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson
import pyarrow.parquet as pq

from audits.replay.auditing.cause_keys import ISOLATED
from audits.replay.auditing.findings import FindingsWriter, read_lines
from audits.replay.auditing.tally import MOST_EXCEPTIONS, IssueCount, Part
from audits.replay.findings.marks import MARK, Key, Marks, mark
from compliance.files.archive import current_archive
from games.checks import severity
from games.findings import Severity
from games.log.parquet import LINE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from audits.intake.models import Segment
    from audits.replay.auditing.causes import Cause, Causes
    from audits.replay.auditing.tally import AuditResult
    from audits.replay.models import ReplaySegment


@dataclass(frozen=True)
class Occurred:
    """An issue in one work unit: its counts, and its first findings in full."""

    key: Key
    weight: str
    headline: str
    findings: int
    rounds: int
    over: int
    under: int
    tested: int
    explained: int
    first: int
    last: int
    hours: list[list[Any]]
    """Table, beginning of a clock hour in microseconds, rounds, cents overpaid, cents underpaid,
    and rounds that were held against the cause and that it explains."""
    dealers: list[list[Any]]
    """Pseudonym, rounds, cents overpaid, cents underpaid."""
    parts: list[tuple[Part, list[int]]]
    """Findings, rounds, cents overpaid, cents underpaid by table, code, wager and line."""
    cites: list[str]
    concentrations: list[dict[str, Any]]
    exceptions: list[str]
    """The first findings that the cause does not explain, by id."""
    examples: list[str]
    """The first findings, as lines of the findings file."""
    shown: list[str] | None
    """A finding to show as an example, and its round as logged."""


OLDER: dict[str, Any] = {
    "headline": "", "hours": [], "dealers": [], "parts": [], "cites": [], "concentrations": [],
    "exceptions": [], "shown": None,
}  # fmt: skip
"""What files written before it existed do not have."""


def issues_of(unit: ReplaySegment) -> Iterator[Occurred]:
    """Yield the issues of a work unit by key."""
    with current_archive().fetch(unit.issues_file) as place:
        for line in read_lines(place):
            data = OLDER | orjson.loads(line)
            counts = {name: data["counts"].get(name, 0) for name in COUNTS}
            data |= {
                "key": Key.read(data["key"]),
                "parts": [(Part(*part), sums) for part, sums in data["parts"]],
                "examples": [
                    each if isinstance(each, str) else each[0] for each in data["examples"]
                ],
            }
            kept = {name: data[name] for name in (*OLDER, "key", "weight", "examples")}
            yield Occurred(**kept, **counts)


def marks_of(unit: ReplaySegment) -> Marks:
    """Return the marks of a work unit's findings, in the row order of its findings file."""
    keys = tuple(each.key for each in issues_of(unit))
    with current_archive().fetch(unit.marks_file) as place:
        return Marks(np.fromfile(place, MARK), keys)


@contextmanager
def findings_of(unit: ReplaySegment) -> Iterator[Iterator[bytes]]:
    """Yield the lines of a work unit's findings, in order."""
    with current_archive().fetch(unit.findings_file) as place:
        yield read_lines(place)


@contextmanager
def findings_with_keys(unit: ReplaySegment) -> Iterator[Iterator[tuple[bytes, Key]]]:
    """Yield the same lines, each with the key of its issue."""
    marks = marks_of(unit)
    with findings_of(unit) as lines:
        yield zip(lines, (marks.keys[n] for n in marks.rows["issue"].tolist()), strict=True)


def findings_at(unit: ReplaySegment, rows: set[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the findings in some rows of a work unit's findings file, each with its row."""
    if not rows:
        return
    with findings_of(unit) as lines:
        for row, line in enumerate(lines):
            if row in rows:
                yield row, orjson.loads(line)


COUNTS = ("findings", "rounds", "over", "under", "tested", "explained", "first", "last")
MARKED_AT_ONCE = 1 << 15
BY_SEVERITY = (Severity.PROCEDURE, Severity.MONEY, Severity.NOTICE)
"""Severity comes before money: procedure protects the fairness of every result."""


def store_unit_files(audit: AuditResult, *, game: str, folder: Path) -> dict[str, str]:
    """Store findings, issues and marks; return the work unit's fields that name the files."""
    issues, marks = folder / "issues", folder / "marks"
    counts, rows = count_issues(audit)
    with FindingsWriter(issues) as writer:
        for key in sorted(counts):
            assert audit.causes is not None  # noqa: S101 - there are findings
            writer.write(orjson.dumps(_as_line(game, counts[key], audit.causes.cause(key))))
    in_order = {key: place for place, key in enumerate(sorted(counts))}
    places = np.array([in_order[key] for key in counts], np.uint32)
    with marks.open("wb") as file:
        for some in rows:
            some["issue"] = places[some["issue"]]
            file.write(some.tobytes())
    kept = {"findings_file": audit.file, "issues_file": issues, "marks_file": marks}
    return {name: _stored(place) for name, place in kept.items()}


def count_issues(audit: AuditResult) -> tuple[dict[str, IssueCount], list[np.ndarray]]:
    """Count the findings of each cause; return the marks too, by place of the cause."""
    counts: dict[str, IssueCount] = {}
    number: dict[str, int] = {}
    rows: list[np.ndarray] = []
    waiting: list[tuple[Mapping[str, Any], int]] = []
    causes = audit.causes
    if causes is None:
        return counts, rows
    of_rounds = _rounds(read_lines(audit.file))
    for of_round, dealer in zip(of_rounds, audit.dealers, strict=True):
        keys = causes.keys_of([finding for _, finding in of_round])
        for (_, finding), key in zip(of_round, keys, strict=True):
            waiting.append((finding, number.setdefault(key, len(number))))
        for key in dict.fromkeys(keys):
            same = [each for each, of in zip(of_round, keys, strict=True) if of == key]
            _count(counts.setdefault(key, IssueCount()), same, key, causes, dealer)
        if len(waiting) >= MARKED_AT_ONCE:
            rows.append(mark(waiting))
            waiting = []
    if waiting:
        rows.append(mark(waiting))
    return counts, rows


def _rounds(lines: Iterable[bytes]) -> Iterator[list[tuple[bytes, dict[str, Any]]]]:
    read = ((line, orjson.loads(line)) for line in lines)
    for _, of_round in groupby(read, lambda each: itemgetter("log", "source_line")(each[1])):
        yield list(of_round)


def _count(
    count: IssueCount,
    findings: Sequence[tuple[bytes, Mapping[str, Any]]],
    key: str,
    causes: Causes,
    dealer: str,
) -> None:
    tested = all(causes.is_tested(finding, key) for _, finding in findings)
    strays = [finding["id"] for _, finding in findings if not causes.is_explained(finding, key)]
    explained = tested and not strays
    count.add_round(findings, tested=tested, explained=explained, dealer=dealer)
    for line, finding in findings:
        is_better = count.shown is None or finding["id"] in causes.typical
        if is_better and (text := causes.shown.get(finding["id"])):
            count.shown = line.decode(), text.decode()
    if key != ISOLATED and len(count.exceptions) < MOST_EXCEPTIONS:
        count.exceptions += strays


def _as_line(game: str, count: IssueCount, cause: Cause) -> dict[str, Any]:
    """Return an issue as a line of the issues file."""
    return {
        "key": [game, cause.key],
        "weight": weight_of({part.code for part in count.parts}),
        "headline": cause.headline,
        "concentrations": cause.concentrations,
        "counts": {name: getattr(count, name) for name in COUNTS},
        "hours": [[*hour, *counted] for hour, counted in sorted(count.hours.items())],
        "dealers": [[name, *counted] for name, counted in sorted(count.dealers.items())],
        "parts": sorted((list(part), sums) for part, sums in count.parts.items()),
        "cites": sorted(count.cites),
        "exceptions": count.exceptions[:MOST_EXCEPTIONS],
        "examples": count.examples,
        "shown": count.shown,
    }


def weight_of(codes: Iterable[str]) -> str:
    """Return the severity of an issue with these codes: the one that comes first."""
    return str(min(map(severity, codes), key=BY_SEVERITY.index))


def _stored(place: Path) -> str:
    with place.open("rb") as content:
        return current_archive().store(content).digest


DEALER: Final = "dealer_id"


def dealers_of(segment: Segment) -> Mapping[str, str]:
    """Return the dealer of each round that names one."""
    with (
        current_archive().fetch(segment.sha256) as place,
        pq.ParquetFile(place) as file,
    ):
        kept = [name for name in ("round", DEALER, LINE) if name in file.schema_arrow.names]
        table = file.read(kept, use_threads=False)
    named: dict[str, Any] = {}
    if DEALER in table.column_names:
        with_one = table.filter(table.column(DEALER).is_valid())
        rounds, dealers = (with_one.column(name).to_pylist() for name in ("round", DEALER))
        named.update(zip(rounds, dealers, strict=True))
    # A round that fits no columns is its line as text.
    odd = table.filter(table.column(LINE).is_valid())
    for id_, line in zip(*(odd.column(name).to_pylist() for name in ("round", LINE)), strict=True):
        if dealer := orjson.loads(line).get(DEALER):
            named[id_] = dealer
    return named
