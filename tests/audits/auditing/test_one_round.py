"""A round audited alone gets the same findings as with all of its segment and the days before."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.segment_file import read_rows
from audits.intake.segments.tails import Tail, read_tails, write_tails
from audits.replay.auditing.findings import read_lines
from audits.replay.auditing.one_round import audit_round
from audits.replay.auditing.segment import audit_segment
from games.rule_set import SLUGS
from tests.audits.auditing.segments import EVER, made_segment, terms_under
from tests.audits.auditing.test_days_in_turn import build_segments, day_of, without_falling_back
from tests.audits.auditing.test_segment import without_repeats
from tests.games.rounds.batches import deal_batch

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("game", SLUGS)
def test_rounds_of_consecutive_days_are_found_alone(game, tmp_path: Path):
    batch = deal_batch(game, "days 8", 120, 0.3)
    lines = without_falling_back(without_repeats(batch.lines))
    terms = terms_under(batch.setup, game)
    tails: dict[str, Tail] = {}
    codes = set()
    for number, made in enumerate(build_segments(tmp_path, b"".join(lines))):
        if made.place.game != game:
            continue
        before, out = tmp_path / f"before {number}", tmp_path / f"findings {number}"
        write_tails(before, [tails[table] for table in sorted(tails)])
        of_day = day_of(terms, made)
        audit_segment(segment=made.path, terms=of_day, out=out, carried=before)
        wanted = defaultdict(list)
        for line in read_lines(out):
            wanted[_place(line)].append(line)
        rows = read_rows(made.path)[1]
        for row in range(len(rows)):
            alone = audit_round(segment=made.path, row=row, terms=of_day, carried=before)
            source = int(rows.line[row])
            assert list(alone.lines) == wanted[source], (row, source)
            codes |= {each.code for each in alone.findings}
        tails |= read_tails(made.tails)
    assert len(codes) > 5, "too little was wrong for this to prove anything"


def _place(line: bytes) -> int:
    return int(line.split(b'"source_line":')[1].split(b",")[0].rstrip(b"}"))


def test_a_row_that_the_segment_does_not_have_is_refused(tmp_path: Path):
    batch = deal_batch("showdown", "short", 12, 0)
    segment = made_segment(tmp_path / "segment.parquet", batch.lines, "showdown")
    terms = terms_under(batch.setup, "showdown")
    with pytest.raises(DamagedSegmentError, match=f"no row {EVER}"):
        audit_round(segment=segment, row=EVER, terms=terms)
