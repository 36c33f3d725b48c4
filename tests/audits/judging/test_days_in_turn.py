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
from tests.audits.segments.logs import starts
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
