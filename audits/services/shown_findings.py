"""Findings shown in full: the first ones of a pattern in each segment, and how each stands.

What was shown stays: a later replay says of it confirmed, changed or gone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from audits.instants import instant
from audits.judging.judgement import MOST_EXAMPLES
from audits.marks import SAYS, Key, halves, says_hash
from audits.models import Finding
from audits.selectors.share_files import findings_at, marks_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audits.models import GamblingDay, Pattern, Replay, ReplaySegment
    from audits.selectors.share_files import Occurred

REWRITTEN = ("standing", "replay", "segment", "log_sha256", "source_line", *SAYS)


@dataclass(frozen=True)
class Shown:
    """What is shown of a day, and what the replay that speaks of it now says of each."""

    day: GamblingDay
    rows: dict[int, list[Finding]]
    """By pattern: those that an earlier replay left."""
    found: dict[str, tuple[ReplaySegment, dict[str, Any]]]
    """By identity: those of them that were found again, with their share."""

    @classmethod
    def of(cls, day: GamblingDay, replay: Replay, shares: Sequence[ReplaySegment]) -> Shown:
        """Look up what is shown of a day in the findings of a replay."""
        rows: dict[int, list[Finding]] = defaultdict(list)
        left = Finding.objects.filter(
            pattern__party=day.party, day=day.day, replay__isnull=False
        ).order_by("pk")
        for row in left:
            rows[row.pattern_id].append(row)
        wanted = {row.identity for each in rows.values() for row in each}
        return cls(day, rows, _found(wanted, shares))


def _found(
    wanted: set[str], shares: Sequence[ReplaySegment]
) -> dict[str, tuple[ReplaySegment, dict[str, Any]]]:
    """Find findings by identity, reading no more than the rows in which they stand."""
    found: dict[str, tuple[ReplaySegment, dict[str, Any]]] = {}
    if not wanted:
        return found
    high = np.array([halves(identity)[0] for identity in wanted], np.uint64)
    for share in shares:
        rows = np.flatnonzero(np.isin(marks_of(share).rows["high"], high))
        for _, finding in findings_at(share, set(rows.tolist())):
            if finding["id"] in wanted:
                found[finding["id"]] = share, finding
    return found


def show_findings(
    *,
    replay: Replay,
    pattern: Pattern,
    night: Sequence[tuple[ReplaySegment, Occurred]],
    shown: Shown,
) -> None:
    """Say how each finding of a pattern stands that is shown, and show the first new ones."""
    rows = shown.rows.get(pattern.pk, [])
    known = {row.identity for row in rows}
    _stand(rows, replay, pattern, shown)
    in_segment = Counter(row.segment_id for row in rows if row.standing != Finding.Standing.GONE)
    new = []
    for share, occurred in night:
        for example in occurred.examples:
            if in_segment[share.segment_id] >= MOST_EXAMPLES:
                break
            told = orjson.loads(example.finding)
            if told["id"] not in known:
                in_segment[share.segment_id] += 1
                new.append(_row(replay, pattern, share, told, shown))
    Finding.objects.bulk_create(new)


def key_of(pattern: Pattern) -> Key:
    """The key of a pattern's findings."""
    return Key(pattern.game, pattern.table, pattern.code, pattern.wager, pattern.line)


def _stand(rows: Sequence[Finding], replay: Replay, pattern: Pattern, shown: Shown) -> None:
    """Set how findings stand; those that this replay spoke of, before a crash, stand so."""
    alike: dict[tuple[str, int | None], list[int]] = defaultdict(list)
    rewritten = []
    for row in rows:
        if row.replay_id == replay.pk:
            continue
        found = shown.found.get(row.identity)
        if found is None:
            row.standing = Finding.Standing.GONE
            alike[row.standing, None].append(row.pk)
        elif Key.of(found[1]) != key_of(pattern):  # it reaches another line: it is shown there
            row.standing = Finding.Standing.CHANGED
            alike[row.standing, None].append(row.pk)
        elif _says_the_same(row, *found):
            gone = row.standing == Finding.Standing.GONE
            row.standing = Finding.Standing.NEW if gone else Finding.Standing.CONFIRMED
            row.segment = found[0].segment
            alike[row.standing, row.segment_id].append(row.pk)
        else:
            _rewrite(row, replay, *found)
            rewritten.append(row)
    for (standing, segment), keys in alike.items():
        found_in = {} if segment is None else {"replay": replay, "segment": segment}
        Finding.objects.filter(pk__in=keys).update(standing=standing, **found_in)
    Finding.objects.bulk_update(rewritten, REWRITTEN, batch_size=100)


def _says_the_same(row: Finding, share: ReplaySegment, told: dict[str, Any]) -> bool:
    """Whether nothing of a row has to be written anew but how it stands."""
    was = {name: getattr(row, name) for name in SAYS}
    at_its_place = (row.log_sha256, row.source_line) == (told["log"], told["source_line"])
    return at_its_place and says_hash(was) == says_hash(told)


def _rewrite(row: Finding, replay: Replay, share: ReplaySegment, told: dict[str, Any]) -> None:
    """Let a row say what the replay says: of another line of a log, or something else."""
    was = {name: getattr(row, name) for name in SAYS}
    if row.standing == Finding.Standing.GONE:
        row.standing = Finding.Standing.NEW
    elif says_hash(was) == says_hash(told):
        row.standing = Finding.Standing.CONFIRMED
    else:
        row.standing = Finding.Standing.CHANGED
    row.replay, row.segment = replay, share.segment
    row.log_sha256, row.source_line = told["log"], told["source_line"]
    for name in SAYS:
        setattr(row, name, told[name])


def _row(
    replay: Replay, pattern: Pattern, share: ReplaySegment, told: dict[str, Any], shown: Shown
) -> Finding:
    """A finding to be shown; one that was shown with another pattern is a changed one."""
    before = shown.found.get(told["id"])
    standing = Finding.Standing.CHANGED if before else Finding.Standing.NEW
    return Finding(
        pattern=pattern,
        identity=told["id"],
        replay=replay,
        segment=share.segment,
        day=shown.day.day,
        standing=standing,
        round=told["round"],
        at=instant(told["at"]),
        seat=told["seat"],
        logged=told["logged"],
        expected=told["expected"],
        delta=told["delta"],
        cites=told["cites"],
        player=told["player"] or "",
        log_sha256=told["log"],
        source_line=told["source_line"],
    )
