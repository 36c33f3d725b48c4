"""Findings shown in full: the first ones of an issue in each segment, and their standing.

A finding that was shown remains; a later replay marks it as confirmed, changed or gone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import orjson

from audits.instants import instant
from audits.replay.auditing.tally import MOST_EXAMPLES
from audits.replay.findings.files import findings_at
from audits.replay.findings.marks import SAYS, Key, halves, says_hash
from audits.replay.findings.models import Finding
from audits.replay.findings.routes import marks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.intake.days.models import GamblingDay
    from audits.replay.findings.files import Occurred
    from audits.replay.findings.models import Issue
    from audits.replay.models import Replay, ReplaySegment


class FoundAgain(NamedTuple):
    """A finding that a later replay found again: in which work unit, what, and of which issue."""

    unit: ReplaySegment
    finding: dict[str, Any]
    key: Key


REWRITTEN = ("standing", "replay", "segment", "log_sha256", "source_line", "line", *SAYS)


@dataclass(frozen=True)
class ExampleFindings:
    """The findings shown for a day, and what its current replay says about each."""

    day: GamblingDay
    rows: dict[int, list[Finding]]
    """Findings left by an earlier replay, by issue."""
    found: dict[str, FoundAgain]
    """Findings that were found again, by identity."""

    @classmethod
    def of(
        cls, day: GamblingDay, replay: Replay, units: Sequence[ReplaySegment]
    ) -> ExampleFindings:
        """Look up a day's shown findings in the findings of a replay."""
        rows: dict[int, list[Finding]] = defaultdict(list)
        left = Finding.objects.filter(
            issue__party=day.party, day=day.day, replay__isnull=False
        ).order_by("pk")
        for row in left:
            rows[row.issue_id].append(row)
        wanted = {row.identity for each in rows.values() for row in each}
        return cls(day, rows, _found(wanted, units))


def _found(wanted: set[str], units: Sequence[ReplaySegment]) -> dict[str, FoundAgain]:
    """Find findings by identity, reading only the rows that contain them."""
    found: dict[str, FoundAgain] = {}
    if not wanted:
        return found
    high = np.array([halves(identity)[0] for identity in wanted], np.uint64)
    for unit in units:
        marks = marks_of(unit)
        rows = np.flatnonzero(np.isin(marks.rows["high"], high))
        for row, finding in findings_at(unit, set(rows.tolist())):
            if finding["id"] in wanted:
                key = marks.keys[int(marks.rows["issue"][row])]
                found[finding["id"]] = FoundAgain(unit, finding, key)
    return found


def change_examples(
    *,
    replay: Replay,
    issue: Issue,
    night: Sequence[tuple[ReplaySegment, Occurred]],
    shown: ExampleFindings,
) -> list[Finding]:
    """Update the standing of an issue's shown findings; return the first new ones, to be added."""
    rows = shown.rows.get(issue.pk, [])
    known = {row.identity for row in rows}
    _stand(rows, replay, issue, shown)
    in_segment = Counter(row.segment_id for row in rows if row.standing != Finding.Standing.GONE)
    new = []
    for unit, occurred in night:
        for example in occurred.examples:
            if in_segment[unit.segment_id] >= MOST_EXAMPLES:
                break
            finding = orjson.loads(example)
            if finding["id"] not in known:
                in_segment[unit.segment_id] += 1
                new.append(row_of(replay, issue, unit, finding, shown))
    return new


def key_of(issue: Issue) -> Key:
    """Return the key of an issue's findings."""
    return Key(issue.game, issue.cause)


def _stand(rows: Sequence[Finding], replay: Replay, issue: Issue, shown: ExampleFindings) -> None:
    """Update the standing of findings, except those this replay updated before a crash."""
    alike: dict[tuple[str, int | None], list[int]] = defaultdict(list)
    rewritten = []
    for row in rows:
        if row.replay_id == replay.pk:
            continue
        found = shown.found.get(row.identity)
        if found is None:
            row.standing = Finding.Standing.GONE
            alike[row.standing, None].append(row.pk)
        elif found.key != key_of(issue):  # it has another cause and is shown there
            row.standing = Finding.Standing.CHANGED
            alike[row.standing, None].append(row.pk)
        elif _says_the_same(row, found.unit, found.finding):
            gone = row.standing == Finding.Standing.GONE
            row.standing = Finding.Standing.NEW if gone else Finding.Standing.CONFIRMED
            row.segment = found.unit.segment
            alike[row.standing, row.segment_id].append(row.pk)
        else:
            _rewrite(row, replay, found.unit, found.finding)
            rewritten.append(row)
    for (standing, segment), keys in alike.items():
        found_in = {} if segment is None else {"replay": replay, "segment": segment}
        Finding.objects.filter(pk__in=keys).update(standing=standing, **found_in)
    Finding.objects.bulk_update(rewritten, REWRITTEN, batch_size=100)


def _says_the_same(row: Finding, unit: ReplaySegment, told: dict[str, Any]) -> bool:
    """Return whether only the standing of a row needs an update."""
    was = {name: getattr(row, name) for name in SAYS}
    at_its_place = (row.log_sha256, row.source_line) == (told["log"], told["source_line"])
    return at_its_place and says_hash(was) == says_hash(told)


def _rewrite(row: Finding, replay: Replay, unit: ReplaySegment, told: dict[str, Any]) -> None:
    """Update a row to what the replay says: another line of a log, or another finding."""
    was = {name: getattr(row, name) for name in SAYS}
    if row.standing == Finding.Standing.GONE:
        row.standing = Finding.Standing.NEW
    elif says_hash(was) == says_hash(told):
        row.standing = Finding.Standing.CONFIRMED
    else:
        row.standing = Finding.Standing.CHANGED
    row.replay, row.segment = replay, unit.segment
    row.log_sha256, row.source_line = told["log"], told["source_line"]
    row.line = told["line"] or ""
    for name in SAYS:
        setattr(row, name, told[name])


def row_of(
    replay: Replay, issue: Issue, unit: ReplaySegment, told: dict[str, Any], shown: ExampleFindings
) -> Finding:
    """Build a finding to show; if another issue showed it before, it counts as changed."""
    before = shown.found.get(told["id"])
    standing = Finding.Standing.CHANGED if before else Finding.Standing.NEW
    return Finding(
        issue=issue,
        identity=told["id"],
        replay=replay,
        segment=unit.segment,
        day=shown.day.day,
        standing=standing,
        round=told["round"],
        at=instant(told["at"]),
        table=told["table"],
        code=told["code"],
        wager=told["wager"] or "",
        line=told["line"] or "",
        seat=told["seat"],
        logged=told["logged"],
        expected=told["expected"],
        delta=told["delta"],
        cites=told["cites"],
        player=told["player"] or "",
        log_sha256=told["log"],
        source_line=told["source_line"],
    )
