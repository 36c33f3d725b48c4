"""A log becomes segments: nothing lost, nothing doubled, each table in order of play."""

from __future__ import annotations

import gzip
import io
import random
from datetime import date
from typing import TYPE_CHECKING

import orjson
import pytest

from audits.intake.segments import assembly
from audits.intake.segments import id_index as taken_ids
from audits.intake.segments import sources as chunks
from audits.intake.segments.place import Place
from audits.intake.segments.rejections import BrokenLogError, EmptyLogError, NotALogError, Rejected
from games.log.form import read_line
from games.log.round import Round
from tests.audits.segments.logs import (
    Shelf,
    all_rounds,
    digest,
    disturbed,
    line,
    log_of,
    sources,
    starts,
)
from tests.bench.simulated import GAMES, rounds
from tests.games.round_log.logs import damaged, decorate, spelled

if TYPE_CHECKING:
    from pathlib import Path

EVENING = Place("pyramid-poker", date(2025, 7, 12))


def test_segment_rounds_follow_the_logs_table_and_line(
    tmp_path: Path,
) -> None:
    lines = [line(number, table=f"T{number % 3}", minute=number) for number in range(30)]
    log, shelf = log_of(lines), Shelf(tmp_path)
    result = shelf.submission(log)
    [made] = shelf.pieces[EVENING]
    expected = [one for table in range(3) for one in lines[table::3]]
    assert all_rounds(made.path) == [read_line(orjson.dumps(one)) for one in expected]
    assert sources(made.path) == [(digest(log), lines.index(one) + 1) for one in expected]
    assert (result.lines, result.good, result.rejected, result.already) == (30, 30, 0, 0)
    assert result.places == {EVENING: 30}
    assert (made.rounds, made.seats) == (30, sum(len(one["seats"]) for one in lines))
    assert [(span.table, span.first, span.end) for span in made.tables] == [
        ("T0", 0, 10),
        ("T1", 10, 20),
        ("T2", 20, 30),
    ]


def test_unordered_log_keeps_the_order_of_lines(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.submission(log_of([line(1, minute=9), line(2, minute=3), line(3, minute=6)]))
    assert shelf.ids() == {"T1": ["R-1", "R-2", "R-3"]}


def test_round_belongs_to_the_day_in_which_it_ended(tmp_path: Path) -> None:
    to_cut_off = 19 * 60  # minutes from 18:00 to 13:00, when the next gambling day begins
    shelf = Shelf(tmp_path)
    result = shelf.submission(
        log_of([line(1, minute=to_cut_off - 0.001), line(2, minute=to_cut_off)])
    )
    assert result.places == {EVENING: 1, Place("pyramid-poker", date(2025, 7, 13)): 1}


@pytest.mark.parametrize("small", [False, True])
def test_hostile_lines_are_in_one_segment_or_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: bool
) -> None:
    """Mix five games, tables and times in any order, many spellings, damaged lines, few ids."""
    if small:  # the seams between chunks, runs, batches and pieces
        monkeypatch.setattr(chunks, "ROUNDS_IN_MEMORY", 50)
        monkeypatch.setattr(taken_ids, "RUN", 64)
        monkeypatch.setattr(taken_ids, "RANGE", 32)
        monkeypatch.setattr(assembly, "AT_ONCE", 10)
        monkeypatch.setattr(assembly, "HEAVIEST", 40)
    chance = random.Random(5)
    dealt = {game: list(rounds(game, 20, 3)) for game in GAMES}
    lines = []
    for _ in range(700):
        one = decorate(chance.choice(dealt[chance.choice(list(GAMES))]), chance)
        one["round"], one["table"] = f"r{chance.randrange(600)}", f"t{chance.randrange(9)}"
        if chance.random() < 0.8:
            one["at"] = f"2025-07-{chance.randint(1, 28):02d}T20:00:{chance.randint(0, 59):02d}Z"
        text = spelled(one, chance)
        lines.append(damaged(text, chance) if chance.random() < 0.1 else text)
    log, shelf = log_of(lines), Shelf(tmp_path)
    result = shelf.submission(log)

    expected: dict[int, Round] = {}
    refused, ids = {}, set()
    for number, text in enumerate(lines, 1):
        read = read_line(text)
        if isinstance(read, Round) and read.round not in ids:
            expected[number] = read
            ids.add(read.round)
        else:
            refused[number] = "taken" if isinstance(read, Round) else "form"
    found: dict[int, Round] = {}
    for place, pieces in shelf.pieces.items():
        before = ("", 0)
        for made in pieces:
            played, lies = all_rounds(made.path), sources(made.path)
            assert (len(played), made.logs) == (made.rounds, (digest(log),))
            for one_round, (_, number) in zip(played, lies, strict=True):
                assert before < (one_round.table, number)
                before = (one_round.table, number)
                assert number not in found
                assert one_round.game == place.game
                assert (
                    starts(place.day)
                    <= one_round.at
                    < starts(date.fromordinal(place.day.toordinal() + 1))
                )
                found[number] = one_round
    assert found == expected
    rejected_lines = [
        Rejected.read(text) for text in result.rejected_file.read_bytes().splitlines()
    ]
    assert {one.line: one.cause for one in rejected_lines} == refused
    assert [one.line for one in rejected_lines] == sorted(refused)
    assert (result.good, result.rejected) == (len(expected), len(refused))


def test_repeated_id_is_rejected_from_the_second_line(tmp_path: Path) -> None:
    again = line(7, minute=2)
    result = Shelf(tmp_path).submission(log_of([line(7), line(8, minute=1), again, line(7)]))
    assert result.good == 2
    assert [(one.line, one.round, one.table, one.cause) for one in result.examples] == [
        (3, "R-7", "T1", "taken"),
        (4, "R-7", "T1", "taken"),
    ]
    assert "line 1 already" in result.examples[0].reason


def test_round_on_file_is_recognized_in_any_spelling(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    void = {**line(3, minute=3), "void": "card face up"}
    lines = [line(1), line(2, minute=1), void]
    shelf.submission(log_of(lines))
    before = shelf.identities()
    chance = random.Random(1)
    others = [
        dict(sorted({**one, "x_note": "again", "at": one["at"].replace("+00:00", "Z")}.items()))
        for one in lines
    ]
    result = shelf.submission(b"\n".join(spelled(one, chance) + b" " for one in others))
    assert (result.already, result.good, result.rejected, result.places) == (3, 0, 0, {})
    assert shelf.identities() == before


def test_id_on_file_with_other_content_rejects_only_its_line(
    tmp_path: Path,
) -> None:
    shelf = Shelf(tmp_path)
    shelf.submission(log_of([line(1), line(2, minute=1)]))
    result = shelf.submission(log_of([line(1, minute=5), line(3, minute=6)]))
    assert (result.good, dict(result.causes)) == (1, {"taken": 1})
    assert "on file already" in result.examples[0].reason
    assert "pyramid-poker of 2025-07-12" in result.examples[0].reason
    assert shelf.ids() == {"T1": ["R-1", "R-2", "R-3"]}


def test_clock_in_the_future_rejects_any_spelling(tmp_path: Path) -> None:
    latest = starts(date(2025, 7, 13))
    late = line(2, minute=19 * 60 + 1)
    lines = [line(1), late, {**late, "round": "R-3", "void": "power failure"}, line(4, minute=1)]
    result = Shelf(tmp_path).submission(log_of(lines), latest=latest)
    assert (result.good, dict(result.causes)) == (2, {"future": 2})
    assert [(one.line, one.field) for one in result.examples] == [(2, "at"), (3, "at")]
    assert "2025-07-13T13:01:00" in result.examples[0].reason


def test_fifty_rejected_lines_per_cause_are_shown_all_filed(tmp_path: Path) -> None:
    lines = [line(1), *(b"{" for _ in range(60)), *(line(1) for _ in range(70))]
    result = Shelf(tmp_path).submission(log_of(lines))
    assert dict(result.causes) == {"form": 60, "taken": 70}
    assert len(result.examples) == 100
    assert len(result.rejected_file.read_bytes().splitlines()) == 130


@pytest.mark.parametrize("log", [b"", gzip.compress(b"", mtime=0)], ids=["plain", "packed"])
def test_an_empty_log_is_refused(tmp_path: Path, log: bytes) -> None:
    with pytest.raises(EmptyLogError, match="no line in this file"):
        Shelf(tmp_path).submission(log)


def test_a_log_that_was_cut_off_is_refused_as_a_whole(tmp_path: Path) -> None:
    packed = gzip.compress(log_of(line(number, minute=number) for number in range(50)))
    with pytest.raises(BrokenLogError, match="cut off; submit the complete file") as refused:
        Shelf(tmp_path).submission(packed[:-100])
    assert refused.value.cause == "cut_off"
    assert 1 < refused.value.line <= 50


def test_a_log_that_unpacks_without_measure_is_refused(tmp_path: Path) -> None:
    packed = gzip.compress(log_of([line(1)]) + b" " * (1 << 26))
    with pytest.raises(BrokenLogError) as refused:
        Shelf(tmp_path).submission(packed)
    assert refused.value.cause == "bomb"


def test_damaged_packing_is_refused(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(log_of(line(n, minute=n) for n in range(50))))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(BrokenLogError) as refused:
        Shelf(tmp_path).submission(bytes(packed))
    assert refused.value.cause == "damaged"


def test_foreign_file_is_rejected_with_its_first_line(tmp_path: Path) -> None:
    with pytest.raises(NotALogError, match=r"of 2 lines 0 are rounds\. Line 1: this is not JSON"):
        Shelf(tmp_path).submission(b"round;table;at\nR-1;T1;20:15\n")


@pytest.mark.parametrize(
    "content",
    [
        log_of([{**line(1), "table": 7}]),
        b'{"v":1,"round":"R-1',
    ],
    ids=["of another form", "torn"],
)
def test_log_of_rejected_rounds_alone_is_evidence(tmp_path: Path, content: bytes) -> None:
    result = Shelf(tmp_path).submission(content)
    assert (result.good, result.rejected, result.places) == (0, 1, {})


def test_far_more_rejected_lines_than_rounds_are_not_borne(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audits.intake.segments.ingestion.MOST_REJECTED", 1000)
    log = io.BytesIO(log_of([line(1)]) + b"\n" * 3000)
    intake = Shelf.intake(log.getvalue(), tmp_path)
    with intake, pytest.raises(NotALogError, match="1 are rounds"):
        intake.read(log)


def test_rejected_line_affects_next_round_in_every_game(
    tmp_path: Path,
) -> None:
    wrong = {**line(90), "v": 3}
    shelf = Shelf(tmp_path)
    lines = [
        line(1, minute=1),
        line(2, minute=2, table="T2"),
        line(3, minute=3, game="chinese-poker"),
        wrong,
        line(4, minute=4),
        line(5, minute=5),
        line(6, minute=6, table="T2"),
        line(7, minute=7, game="chinese-poker"),
        b"{",  # its table is unknown
        line(8, minute=8),
        line(5, minute=9),  # repeated: rejected as well
        line(9, minute=10),
    ]
    shelf.submission(log_of(lines))
    assert disturbed(shelf.pieces[EVENING][0].path) == ["R-4", "R-9"]
    assert disturbed(shelf.pieces[Place("chinese-poker", EVENING.day)][0].path) == ["R-7"]


def test_rejected_line_affects_next_day_and_log(tmp_path: Path) -> None:
    tomorrow = 24 * 60
    shelf = Shelf(tmp_path)
    wrong = {**line(90), "v": 3}
    shelf.submission(log_of([line(1), line(2, minute=1), wrong, line(3, minute=tomorrow)]))
    next_day = Place("pyramid-poker", date(2025, 7, 13))
    assert disturbed(shelf.pieces[next_day][0].path) == ["R-3"]
    assert disturbed(shelf.pieces[EVENING][0].path) == []
    shelf.submission(log_of([line(4, minute=0.5), line(5, minute=2)]))
    assert shelf.ids()["T1"] == ["R-1", "R-4", "R-2", "R-5", "R-3"]
    assert disturbed(shelf.pieces[EVENING][0].path) == ["R-5"]
