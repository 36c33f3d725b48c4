"""A log handed in and judged day by day: the same is found as by the filter over all of it."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from audits.judging.findings_file import read_findings
from audits.judging.segment import judge_segment
from audits.segments.intake import Intake
from audits.segments.place import Days
from audits.segments.tails import Tail, read_tails, write_tails
from games.round_log.form import read_line
from games.round_log.round import Round
from games.rule_set import SLUGS
from tests.audits.judging.segments import EVER, LOG, terms_under
from tests.audits.judging.test_segment import OF_THE_CONTRACT, of_the_filter, without_repeats
from tests.audits.segments.logs import Shelf, log_of, starts
from tests.audits.segments.logs import line as played
from tests.games.rounds.batches import deal_batch

if TYPE_CHECKING:
    from pathlib import Path

    from audits.judging.terms import Terms
    from audits.segments.place import Made

BY_THE_DAY = "deal.alternation"
"""Which decks are in use is a matter of a log in the filter, of a day here (P2-I8)."""


def handed_in(folder: Path, log: bytes) -> list[Made]:
    intake = Intake(log=LOG, folder=folder / "work", days=Days(starts))
    intake.read(io.BytesIO(log))
    taken = intake.compare([])
    made = [each for place in sorted(taken.places) for each in intake.segments(place, folder)]
    intake.close()
    return made


def without_falling_back(lines: list[bytes]) -> list[bytes]:
    """The lines but those whose clock falls back to a day before: they are judged with that day."""
    latest: dict[str, int] = {}
    kept = []
    for line in lines:
        read = read_line(line.removesuffix(b"\n").removesuffix(b"\r"))
        if isinstance(read, Round):
            (day,) = Days(starts).of(np.array([read.at])).tolist()
            if day < latest.get(read.table, day):
                continue
            latest[read.table] = day
        kept.append(line)
    return kept


def sequence_found(shelf: Shelf) -> list[int]:
    """The lines of which `log.sequence` is found, judged day by day."""
    terms = terms_under({}, "pyramid-poker")
    lines = []
    for made in (made for place in shelf.pieces.values() for made in place):
        out = shelf.folder / f"findings {made.place.day} {shelf.number}"
        judge_segment(segment=made.path, terms=day_of(terms, made), out=out)
        lines += [
            each["source_line"] for each in read_findings(out) if each["code"] == "log.sequence"
        ]
    return sorted(lines)


def test_a_log_that_falls_back_over_the_border_of_days_is_found_where_the_filter_finds_it(
    tmp_path: Path,
) -> None:
    day = 24 * 60
    minutes = [0, day, 60, 61, day + 1, 62, 50]
    lines = [played(number, minute=minute) for number, minute in enumerate(minutes)]
    lines += [played(10, minute=5, table="T2"), played(11, minute=day, table="T2")]
    log = log_of(lines)
    wanted = of_the_filter(log.splitlines(keepends=True), "pyramid-poker", {})
    backwards = sorted(each["line"] for each in wanted if each["code"] == "log.sequence")
    # Line 3 ends a day before line 2, line 6 before line 5; line 7 twelve minutes before line 6.
    assert backwards == [3, 6, 7]
    shelf = Shelf(tmp_path)
    shelf.hand_in(log)
    assert sequence_found(shelf) == backwards
    # Rounds of another log at the table make new segments of both days: the same is found.
    shelf.hand_in(log_of([played(20, minute=70), played(21, minute=day + 70)]))
    assert sequence_found(shelf) == backwards


def day_of(terms: Terms, made: Made) -> Terms:
    (span,) = terms.spans
    return replace(terms, spans=(replace(span, begin=starts(made.place.day), end=EVER),))


@pytest.mark.parametrize("game", SLUGS)
def test_days_judged_in_turn_find_what_the_filter_finds(game: str, tmp_path: Path) -> None:
    batch = deal_batch(game, "days 8", 200, 0.2)
    lines = without_falling_back(without_repeats(batch.lines))
    terms = terms_under(batch.setup, game)
    tails: dict[str, Tail] = {}
    found: list[dict[str, Any]] = []
    days = [made for made in handed_in(tmp_path, b"".join(lines)) if made.place.game == game]
    for number, made in enumerate(days):
        before, out = tmp_path / f"before {number}", tmp_path / f"findings {number}"
        write_tails(before, [tails[table] for table in sorted(tails)])
        judge_segment(segment=made.path, terms=day_of(terms, made), out=out, carried=before)
        found += read_findings(out)
        tails |= read_tails(made.tails)
    assert len({made.place.day for made in days}) > 1
    wanted = of_the_filter(lines, game, batch.setup)
    assert sorted(
        (one["source_line"], *map(repr, (one[key] for key in OF_THE_CONTRACT)))
        for one in found
        if one["code"] != BY_THE_DAY
    ) == sorted(
        (one["line"], *map(repr, (one[key] for key in OF_THE_CONTRACT)))
        for one in wanted
        if one["code"] != BY_THE_DAY
    )
