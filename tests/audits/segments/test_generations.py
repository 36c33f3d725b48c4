"""Further logs and corrections: a place made again equals one made in one go."""

from __future__ import annotations

import io
import random
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.intake.segments import assembly, sources
from audits.intake.segments.place import Place
from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.segment_file import identity_of, read_header
from audits.intake.segments.tails import read_tails
from games.log.form import read_line
from tests.audits.segments.logs import Shelf, all_rounds, digest, line, log_of
from tests.audits.segments.logs import sources as lies

if TYPE_CHECKING:
    from pathlib import Path

EVENING = Place("pyramid-poker", date(2025, 7, 12))


def test_logs_interleave_by_the_latest_time_so_far(tmp_path: Path) -> None:
    """By hand: in the first log the times so far are 10, 30, 30, 40; in the second 20, 30, 35."""
    shelf = Shelf(tmp_path)
    shelf.submission(log_of([line(n, minute=m) for n, m in ((1, 10), (2, 30), (3, 5), (4, 40))]))
    shelf.submission(log_of([line(n, minute=m) for n, m in ((5, 20), (6, 30), (7, 35))]))
    assert shelf.ids() == {"T1": ["R-1", "R-5", "R-2", "R-3", "R-6", "R-7", "R-4"]}


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_logs_in_any_order_give_the_same_order_of_play(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random, count: int
) -> None:
    """Each log in order of time and no time twice: then the order of play is that of time."""
    numbers = list(range(40))
    tables = [f"T{chance.randrange(3)}" for _ in numbers]
    logs: list[list[int]] = [[] for _ in range(count)]
    for number in numbers:
        chance.choice(logs).append(number)
    chance.shuffle(logs)
    shelf = Shelf(tmp_path_factory.mktemp("shelf"))
    handed = [
        log_of(line(number, table=tables[number], minute=number) for number in log)
        for log in logs
        if log
    ]
    for log in handed:
        shelf.submission(log)
    assert shelf.ids() == {
        table: [f"R-{number}" for number in numbers if tables[number] == table]
        for table in sorted(set(tables))
    }
    [made] = shelf.pieces[EVENING]
    at_once = make_at_once(handed, EVENING, tmp_path_factory.mktemp("at-once"))
    assert (made.identity, made.logs) == (at_once, tuple(map(digest, handed)))


def make_at_once(logs: list[bytes], place: Place, folder: Path) -> str:
    """Return the identity of a place's one segment, made of several logs in one go."""
    intakes = [Shelf.intake(log, folder / str(number)) for number, log in enumerate(logs)]
    rounds: list[sources.Source] = []
    for intake, log in zip(intakes, logs, strict=True):
        intake.read(io.BytesIO(log))
        intake.compare([])
        rounds += intake.new_rounds(place)
    [made] = assembly.assemble(place, rounds, folder)
    for intake in intakes:
        intake.close()
    return made.identity


def test_generations_with_rejections_match_a_single_build(tmp_path: Path) -> None:
    chance = random.Random(2)
    logs = []
    for log in range(3):
        lines: list[dict[str, object] | bytes] = []
        for number in range(60):
            minute = number + chance.random()
            one = line(100 * log + number, table=f"T{chance.randrange(4)}", minute=minute)
            kind = chance.random()
            if kind < 0.2:
                one["void"] = "card face up"
            elif kind < 0.4:
                one["v"] = 2
            lines.append(one)
        logs.append(log_of(lines))
    shelf = Shelf(tmp_path)
    for one_log in logs:
        shelf.submission(one_log)
    assert shelf.identities() == [make_at_once(logs, EVENING, tmp_path / "at-once")]


def test_rebuilt_segments_have_the_same_identities(tmp_path: Path) -> None:
    logs = [
        log_of([line(1), line(2, minute=2), {**line(8), "v": 3}, line(3, minute=3, table="T2")]),
        log_of([line(4, minute=1), line(1, minute=9)]),
    ]
    shelves = [Shelf(tmp_path / "one"), Shelf(tmp_path / "two")]
    for shelf in shelves:
        for log in logs:
            shelf.submission(log)
    assert shelves[0].identities() == shelves[1].identities()
    [made] = shelves[0].pieces[EVENING]
    assert identity_of(made.path) == made.identity


def test_identity_depends_on_what_the_rows_say(tmp_path: Path) -> None:
    first, second = Shelf(tmp_path / "1"), Shelf(tmp_path / "2")
    first.submission(log_of([line(1)]))
    second.submission(log_of([line(1, x_shift="late")]))  # another log, the same round
    assert first.identities() != second.identities()


def test_correction_replaces_rounds_of_named_log(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    wrong = log_of([line(1, minute=1), line(2, minute=2), line(3, minute=3)])
    other = log_of([line(4, minute=4)])
    shelf.submission(wrong)
    shelf.submission(other)
    right = {**line(7, minute=2), "round": "R-2"}  # other cards
    correction = log_of([right, line(3, minute=3), {**line(8), "round": "R-4"}, line(5, minute=5)])
    result = shelf.submission(correction, replaced=wrong)
    assert (result.good, result.replaced, result.already) == (2, 1, 1)
    assert [(one.line, one.round, one.cause) for one in result.examples] == [(3, "R-4", "taken")]
    [made] = shelf.pieces[EVENING]
    assert shelf.ids() == {"T1": ["R-1", "R-2", "R-3", "R-4", "R-5"]}
    assert all_rounds(made.path)[1] == read_line(orjson.dumps(right))
    assert lies(made.path) == [
        (digest(wrong), 1), (digest(correction), 1), (digest(wrong), 3), (digest(other), 1),
        (digest(correction), 4),
    ]  # fmt: skip


def test_correction_may_move_a_round_to_another_day(
    tmp_path: Path,
) -> None:
    shelf = Shelf(tmp_path)
    wrong = log_of([line(1)])
    shelf.submission(wrong)
    result = shelf.submission(log_of([line(1, minute=24 * 60)]), replaced=wrong)
    next_day = Place("pyramid-poker", date(2025, 7, 13))
    assert result.places == {EVENING: 0, next_day: 1}
    assert shelf.pieces[EVENING] == []
    assert shelf.ids() == {"T1": ["R-1"]}


def test_fully_replaced_log_is_no_longer_named(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    wrong, right = log_of([line(1)]), log_of([line(1, minute=1)])
    shelf.submission(wrong)
    shelf.submission(right, replaced=wrong)
    [made] = shelf.pieces[EVENING]
    assert read_header(made.path).logs == made.logs == (digest(right),)


def test_segments_are_cut_between_and_within_heavy_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: two seats a round, six to a segment; tables of 1, 2, 7 and 2 rounds."""
    monkeypatch.setattr(assembly, "HEAVIEST", 6)
    tables = ["A", *2 * ["B"], *7 * ["C"], *2 * ["D"]]
    two = next(line(n) for n in range(40) if len(line(n)["seats"]) == 2)
    lines = [
        {**two, "round": f"R-{n}", "table": table, "at": f"2025-07-12T20:00:{n:02d}Z"}
        for n, table in enumerate(tables)
    ]
    shelf = Shelf(tmp_path)
    shelf.submission(log_of(lines[::2]))
    shelf.submission(log_of(lines[1::2]))
    pieces = shelf.pieces[EVENING]
    assert [made.piece for made in pieces] == [0, 1, 2, 3]
    assert [[(s.table, s.end - s.first) for s in made.tables] for made in pieces] == [
        [("A", 1), ("B", 2)],
        [("C", 3)],
        [("C", 3)],
        [("C", 1), ("D", 2)],
    ]
    assert list(shelf.ids()["C"]) == [f"R-{n}" for n in range(3, 10)]


def test_tails_say_how_each_table_ended(tmp_path: Path) -> None:
    void = {**line(3, minute=3), "void": "card face up"}
    lines = [
        line(1), line(2, minute=2), void, {**line(9), "v": 3},
        line(4, table="T2"), {**line(5, table="T3"), "void": ""},
    ]  # fmt: skip
    shelf = Shelf(tmp_path)
    shelf.submission(log_of(lines))
    [made] = shelf.pieces[EVENING]
    tails = read_tails(made.tails)
    assert list(tails) == ["T1", "T2", "T3"]
    rounds = {played.round: played for played in all_rounds(made.path)}
    one, two, three = tails.values()
    assert (one.last, one.last_played, one.rejected_after) == (rounds["R-3"], rounds["R-2"], True)
    assert (two.last, two.last_played, two.rejected_after) == (rounds["R-4"], rounds["R-4"], False)
    assert (three.last, three.last_played) == (rounds["R-5"], None)
    assert list(read_tails(made.tails, ["T2"])) == ["T2"]


def test_damaged_segment_stops_next_generation_by_name(
    tmp_path: Path,
) -> None:
    shelf = Shelf(tmp_path)
    shelf.submission(log_of([line(1)]))
    [made] = shelf.pieces[EVENING]
    raw = np.fromfile(made.path, np.uint8)
    raw[len(raw) // 4] ^= 0xFF
    raw.tofile(made.path)
    with pytest.raises(DamagedSegmentError, match=made.path.name):
        shelf.submission(log_of([line(2)]))
