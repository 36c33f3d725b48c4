"""A log submitted and audited day by day gets the filter's findings on all of it."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from audits.intake.segments.ingestion import Intake
from audits.intake.segments.place import Days
from audits.intake.segments.tails import Tail, read_tails, write_tails
from audits.replay.auditing.findings import read_findings
from audits.replay.auditing.segment import audit_segment
from games.log.form import read_line
from games.log.round import Round
from games.rule_set import SLUGS
from tests.audits.auditing.nights import local, pick_2
from tests.audits.auditing.segments import EVER, LOG, terms_under
from tests.audits.auditing.test_segment import OF_THE_CONTRACT, of_the_filter, without_repeats
from tests.audits.segments.logs import Shelf, log_of, starts
from tests.audits.segments.logs import line as played
from tests.games.rounds.batches import deal_batch
from tests.games.written_rounds import as_line

if TYPE_CHECKING:
    from pathlib import Path

    from audits.intake.segments.place import BuiltSegment
    from audits.replay.auditing.terms import Terms


def build_segments(folder: Path, log: bytes) -> list[BuiltSegment]:
    intake = Intake(log=LOG, folder=folder / "work", days=Days(starts))
    intake.read(io.BytesIO(log))
    chosen = intake.compare([])
    made = [each for place in sorted(chosen.places) for each in intake.segments(place, folder)]
    intake.close()
    return made


def without_falling_back(lines: list[bytes]) -> list[bytes]:
    """Return the lines, except those whose clock falls back a day and are audited with that day."""
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


def found_day_by_day(shelf: Shelf, code: str, game: str = "pyramid-poker") -> list[tuple[str, int]]:
    """Return the round and line of a code's findings, each day audited after the day before."""
    terms, tails, found = terms_under({}, game), {}, []
    for number, place in enumerate(sorted(shelf.pieces)):
        for made in shelf.pieces[place]:
            before, out = (shelf.folder / f"{kind} {number} {shelf.number}" for kind in ("t", "f"))
            write_tails(before, [tails[table] for table in sorted(tails)])
            audit_segment(segment=made.path, terms=day_of(terms, made), out=out, carried=before)
            found += [
                (each["round"], each["source_line"])
                for each in read_findings(out)
                if each["code"] == code
            ]
            tails |= read_tails(made.tails)
    return sorted(found)


def sequence_found(shelf: Shelf) -> list[int]:
    """Return the lines with a `log.sequence` finding, audited day by day."""
    return sorted(line for _, line in found_day_by_day(shelf, "log.sequence"))


def alternation_found(shelf: Shelf) -> list[str]:
    """Return the rounds with a `deal.alternation` finding, audited day by day."""
    return [name for name, _ in found_day_by_day(shelf, "deal.alternation", "pick-2-poker")]


def test_backward_time_across_days_is_found_as_by_filter(
    tmp_path: Path,
) -> None:
    day = 24 * 60
    minutes = [0, day, 60, 61, day + 1, 62, 50]
    lines = [played(number, minute=minute) for number, minute in enumerate(minutes)]
    lines += [played(10, minute=5, table="T2"), played(11, minute=day, table="T2")]
    log = log_of(lines)
    wanted = of_the_filter(log.splitlines(keepends=True), "pyramid-poker", {})
    backward = sorted(each["line"] for each in wanted if each["code"] == "log.sequence")
    # Line 3 ends a day before line 2, line 6 before line 5; line 7 twelve minutes before line 6.
    assert backward == [3, 6, 7]
    shelf = Shelf(tmp_path)
    shelf.submission(log)
    assert sequence_found(shelf) == backward
    # Rounds of another log at the table make new segments of both days, with the same findings.
    shelf.submission(log_of([played(20, minute=70), played(21, minute=day + 70)]))
    assert sequence_found(shelf) == backward


BEFORE_SIX, AFTER_SIX = local(2025, 7, 12, 5, 50), local(2025, 7, 12, 6, 10)
"""On both sides of the cut-off of these days."""


def test_deck_dealt_by_hand_counts_for_its_gambling_day(tmp_path: Path) -> None:
    # P2-1: red comes back after midnight on the same gambling day; at six another one begins
    by_hand = {"shuffler": False}
    shelf = Shelf(tmp_path)
    shelf.submission(
        b"".join(
            [
                pick_2("a", local(2025, 7, 12, 23, 0), "red", **by_hand),
                pick_2("b", local(2025, 7, 12, 23, 30), "blue", **by_hand),
                pick_2("c", local(2025, 7, 13, 1, 0), "red", **by_hand),
                pick_2("d", local(2025, 7, 13, 6, 10), "blue", **by_hand),
            ]
        )
    )
    found = found_day_by_day(shelf, "deal.second_deck", "pick-2-poker")
    assert [name for name, _ in found] == ["c"]


def test_records_are_counted_and_disturb_no_round(tmp_path: Path) -> None:
    # P2-1: red follows red whether or not the table's cash stands between
    cash = {
        "v": 2, "record": "table_cash", "table": "T1", "from": local(2025, 7, 12, 6, 0),
        "to": local(2025, 7, 12, 14, 0), "opener": 1, "fills": 0, "credits": 0, "closer": 1,
        "drop": 0,
    }  # fmt: skip
    lines = [
        pick_2("a", local(2025, 7, 12, 23, 0), "red"),
        pick_2("b", local(2025, 7, 12, 23, 1), "blue"),
        as_line(cash),
        pick_2("c", local(2025, 7, 12, 23, 2), "blue"),
    ]
    intake = Intake(log="0" * 64, folder=tmp_path / "counted", days=Days(starts))
    with intake:
        intake.read(io.BytesIO(b"".join(lines)))
        result = intake.compare([])
    assert (result.lines, result.good, result.rejected, result.records) == (4, 3, 0, 1)
    shelf = Shelf(tmp_path)
    shelf.submission(b"".join(lines))
    assert alternation_found(shelf) == ["c"]


def test_deck_used_twice_in_a_row_across_days_is_found(tmp_path: Path) -> None:
    # P2-1, P2-I8: the log names two decks, one per day, and red follows red at six
    shelf = Shelf(tmp_path)
    shelf.submission(
        b"".join(
            [
                pick_2("a", local(2025, 7, 12, 5, 40), "blue"),
                pick_2("b", BEFORE_SIX, "red"),
                pick_2("c", AFTER_SIX, "red"),
            ]
        )
    )
    assert len(shelf.pieces) == 2
    assert alternation_found(shelf) == ["c"]


def test_the_first_two_decks_of_a_log_bind_its_next_day(tmp_path: Path) -> None:
    # P2-I8: green is the third name of the log, although it is the first of its second day
    shelf = Shelf(tmp_path)
    shelf.submission(
        b"".join(
            [
                pick_2("a", local(2025, 7, 12, 5, 40), "blue"),
                pick_2("b", BEFORE_SIX, "red"),
                pick_2("c", AFTER_SIX, "green"),
                pick_2("d", local(2025, 7, 12, 6, 11), "red", void="shuffler fault"),
                pick_2("e", local(2025, 7, 12, 6, 12), "green", void="shuffler fault"),
            ]
        )
    )
    assert alternation_found(shelf) == ["c", "e"]


def test_another_logs_deck_has_no_effect(tmp_path: Path) -> None:
    # P2-I8: in the same log; two logs of one day each name only one deck
    shelf = Shelf(tmp_path)
    minutes = [local(2025, 7, 12, 20, minute) for minute in range(4)]
    shelf.submission(b"".join([pick_2("a", minutes[0], "red"), pick_2("b", minutes[1], "red")]))
    shelf.submission(b"".join([pick_2("c", minutes[2], "blue"), pick_2("d", minutes[3], "blue")]))
    assert alternation_found(shelf) == []


def test_correction_is_bound_to_the_log_it_replaces(tmp_path: Path) -> None:
    # its rounds replace that log's: a single one of them names one deck
    shelf = Shelf(tmp_path)
    minutes = [local(2025, 7, 12, 20, minute) for minute in range(4)]
    decks = ("red", "blue", "blue", "red")
    log = b"".join(pick_2(n, at, deck) for n, at, deck in zip("abcd", minutes, decks, strict=True))
    shelf.submission(log)
    assert alternation_found(shelf) == ["c"]
    right = pick_2("c", local(2025, 7, 12, 20, 2, 30), "blue")  # half a minute later
    shelf.submission(right, replaced=log)
    assert alternation_found(shelf) == ["c"]
    shelf.submission(pick_2("c", minutes[2], "red"), replaced=right)  # corrects the correction
    assert alternation_found(shelf) == ["d"]


def day_of(terms: Terms, made: BuiltSegment) -> Terms:
    (span,) = terms.spans
    return replace(terms, spans=(replace(span, begin=starts(made.place.day), end=EVER),))


@pytest.mark.parametrize("game", SLUGS)
def test_consecutive_days_match_the_filter(game: str, tmp_path: Path) -> None:
    batch = deal_batch(game, "days 8", 200, 0.2)
    lines = without_falling_back(without_repeats(batch.lines))
    terms = terms_under(batch.setup, game)
    tails: dict[str, Tail] = {}
    found: list[dict[str, Any]] = []
    days = [made for made in build_segments(tmp_path, b"".join(lines)) if made.place.game == game]
    for number, made in enumerate(days):
        before, out = tmp_path / f"before {number}", tmp_path / f"findings {number}"
        write_tails(before, [tails[table] for table in sorted(tails)])
        audit_segment(segment=made.path, terms=day_of(terms, made), out=out, carried=before)
        found += read_findings(out)
        tails |= read_tails(made.tails)
    assert len({made.place.day for made in days}) > 1
    wanted = of_the_filter(lines, game, batch.setup)
    assert sorted(
        (one["source_line"], *map(repr, (one[key] for key in OF_THE_CONTRACT))) for one in found
    ) == sorted((one["line"], *map(repr, (one[key] for key in OF_THE_CONTRACT))) for one in wanted)
