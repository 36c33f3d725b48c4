"""The findings file, its counts, and what comes before and around a segment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest

from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.tails import Tail, write_tails
from audits.replay.auditing.findings import digest_of, read_findings, read_lines
from audits.replay.auditing.segment import audit_segment
from audits.replay.auditing.tally import MOST_EXAMPLES, Hour, Part
from audits.replay.auditing.terms import Span, read_terms
from audits.replay.findings.files import count_issues
from games.log.form import Rejection, read_line
from games.log.round import Round
from tests.audits.auditing.nights import (
    ahead,
    given,
    local,
    micros,
    pick_2,
    pyramid,
    straight_flush,
)
from tests.audits.auditing.segments import EVER, LOG, audited, made_segment, terms_under
from tests.audits.auditing.test_segment import of_the_filter, without_repeats
from tests.games.rounds.batches import deal_batch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PYRAMID = "pyramid-poker"
TERMS = terms_under({}, PYRAMID)


def tails_of(path: Path, lines: Sequence[bytes]) -> Path:
    """Write the tails of a log's lines."""
    found: dict[str, Tail] = {}
    for line in lines:
        read = read_line(line.removesuffix(b"\n").removesuffix(b"\r"))
        if isinstance(read, Round):
            before = found.get(read.table)
            played = read if read.played else before and before.last_played
            found[read.table] = Tail(read.table, read, played, rejected_after=False)
        elif isinstance(read, Rejection) and read.table in found:
            tail = found[read.table]
            found[read.table] = Tail(tail.table, tail.last, tail.last_played, rejected_after=True)
    write_tails(path, [found[table] for table in sorted(found)])
    return path


def test_a_line_says_all_that_an_agent_asks_of_a_finding(tmp_path: Path) -> None:
    line = pyramid("R-7", local(2025, 7, 12, 21, 5), ahead(), straight_flush(50, seat=2))
    outcome, (one,) = audited(tmp_path, [line], TERMS)
    id_ = one.pop("id")
    assert len(bytes.fromhex(id_)) == 16
    assert one == {
        "code": "settlement.three_card",
        "seat": 2,
        "wager": "three_card",
        "logged": 50_000,
        "expected": 30_000,
        "delta": 20_000,
        "cites": ["PP-28", "PP-I5"],
        "game": PYRAMID,
        "table": "T1",
        "round": "R-7",
        "at": micros(2025, 7, 12, 21, 5),
        "log": LOG,
        "source_line": 1,
        "player": "p-3",
        "line": "straight_flush",
        "carried_since": None,
        "weight": "money",
    }
    (text,) = read_lines(outcome.file)
    assert text == orjson.dumps(orjson.loads(text), option=orjson.OPT_SORT_KEYS)


def test_findings_of_one_cause_are_counted_as_one_issue(tmp_path: Path) -> None:
    lines = [
        pyramid(
            f"R-{number}", local(2025, 7, 12, 20 + number // 60, number % 60),
            straight_flush(50), straight_flush(20 if number == 7 else 50, seat=2),
        )
        for number in range(MOST_EXAMPLES + 10)
    ]  # fmt: skip
    outcome, found = audited(tmp_path, lines, TERMS)
    counts, _ = count_issues(outcome)
    ((cause, count),) = counts.items()
    findings = 2 * (MOST_EXAMPLES + 10)
    assert cause == "odds three_card straight_flush 50"
    assert list(count.parts) == [
        Part("T1", "settlement.three_card", "three_card", "straight_flush")
    ]
    assert (count.tested, count.explained, len(count.exceptions)) == (
        MOST_EXAMPLES + 10, MOST_EXAMPLES + 9, 1,
    )  # fmt: skip
    assert (count.findings, count.rounds) == (findings, MOST_EXAMPLES + 10)
    assert (count.over, count.under) == (20_000 * (findings - 1), 10_000)
    assert (outcome.over, outcome.under) == (count.over, count.under)
    assert (count.first, count.last) == (found[0]["at"], found[-1]["at"])
    lines = [line.decode() for line in read_lines(outcome.file)]
    assert count.examples == lines[:200]
    assert count.shown is not None
    assert count.shown[0] in lines
    assert isinstance(read_line(count.shown[1].encode()), Round)
    assert outcome.rounds_by_hour[Hour("T1", micros(2025, 7, 12, 21))] == 60
    assert outcome.findings_by_hour[Hour("T1", micros(2025, 7, 12, 20))] == 120


def test_same_segment_and_terms_give_the_same_bytes(tmp_path: Path) -> None:
    batch = deal_batch(PYRAMID, "twice", 100, 0.3)
    terms = terms_under(batch.setup, PYRAMID)
    one, _ = audited(tmp_path, without_repeats(batch.lines), terms)
    first = one.file.read_bytes()
    again, _ = audited(tmp_path, without_repeats(batch.lines), read_terms(terms.canonical()))
    assert again.file.read_bytes() == first
    assert again.digest == one.digest == digest_of(one.file)
    assert read_terms(terms.canonical()).digest == terms.digest


def test_finding_keeps_its_id_after_other_submissions(tmp_path: Path) -> None:
    line = pyramid("R-7", local(2025, 7, 12, 21, 5), straight_flush(50))
    other = pyramid("R-6", local(2025, 7, 12, 21, 0), straight_flush(50))
    _, (alone,) = audited(tmp_path, [line], TERMS)
    _, found = audited(tmp_path, [other, line], TERMS)
    assert found[1]["id"] == alone["id"] != found[0]["id"]
    corrected = pyramid("R-7", local(2025, 7, 12, 21, 5), straight_flush(40))
    _, (one,) = audited(tmp_path, [corrected], TERMS)
    assert one["id"] != alone["id"]


def test_a_segment_without_a_round_has_no_findings(tmp_path: Path) -> None:
    outcome, found = audited(tmp_path, [], TERMS)
    assert found == []
    assert (outcome.rounds, outcome.seats, outcome.findings) == (0, 0, 0)
    assert outcome.digest == digest_of(outcome.file)


def test_a_segment_of_void_rounds_alone(tmp_path: Path) -> None:
    nothing = ahead(result={"main": 0, "three_card": 0, "six_card": 0})
    line = pyramid("R-1", local(2025, 7, 12, 21, 5), nothing, void="")
    outcome, found = audited(tmp_path, [line], TERMS)
    assert given(found) == [("R-1", "void.reason", None, None)]
    assert (outcome.rounds, outcome.void, outcome.seats) == (1, 1, 1)


@pytest.mark.parametrize("cut", [0.3, 0.9])
def test_a_damaged_segment_is_named(tmp_path: Path, cut: float) -> None:
    lines = [pyramid(f"R-{n}", local(2025, 7, 12, 21, n)) for n in range(50)]
    segment = made_segment(tmp_path / "s.parquet", lines, PYRAMID)
    whole = segment.read_bytes()
    segment.write_bytes(whole[: int(len(whole) * cut)])
    with pytest.raises(DamagedSegmentError, match=r"s\.parquet"):
        audit_segment(segment=segment, terms=TERMS, out=tmp_path / "out")


@pytest.mark.parametrize("game", [PYRAMID, "pick-2-poker", "showdown"])
@pytest.mark.parametrize("unit", [0.2, 0.5, 0.8])
def test_what_came_before_a_piece_is_carried_into_it(
    game: str, unit: float, tmp_path: Path
) -> None:
    batch = deal_batch(game, f"cut {unit}", 150, 0.3)
    setup = {key: value for key, value in batch.setup.items() if key != "interpretations"}
    lines = without_repeats(batch.lines)
    cut = int(len(lines) * unit)
    wanted = [one for one in of_the_filter(lines, game, setup) if one["line"] > cut]
    tails = tails_of(tmp_path / "tails", lines[:cut])
    _, found = audited(tmp_path, lines[cut:], terms_under(setup, game), tails)
    # a segment decides for itself which decks are in use
    assert [
        (one["code"], one["seat"], one["wager"])
        for one in found
        if one["code"] != "deal.alternation"
    ] == [
        (one["code"], one["seat"], one["wager"])
        for one in wanted
        if one["code"] != "deal.alternation"
    ]


def test_two_decks_are_a_matter_of_a_table_and_a_log(tmp_path: Path) -> None:
    yesterday = [pick_2("y", local(2025, 7, 12, 5, 50), "red")]
    tails = tails_of(tmp_path / "tails", yesterday)
    begin = micros(2025, 7, 12, 6)
    terms = terms_under({}, "pick-2-poker", spans=(Span(begin=begin, end=EVER),))
    today = [pick_2(str(n), local(2025, 7, 12, 7, n), "red") for n in range(3)]
    _, found = audited(tmp_path, today, terms, tails)
    assert found == []  # one deck in the whole log: nothing alternates
    _, found = audited(
        tmp_path, [*today, pick_2("3", local(2025, 7, 12, 7, 3), "blue")], terms, tails
    )
    assert given(found) == [  # a second one appeared: each round after one with the same deck
        (str(n), "deal.alternation", None, None) for n in range(3)
    ]


def test_piece_continues_with_earlier_decks(tmp_path: Path) -> None:
    first = [
        pick_2(str(n), local(2025, 7, 12, 7, n), deck) for n, deck in enumerate(("red", "blue"))
    ]
    tails = tails_of(tmp_path / "tails", first)
    span = Span(begin=micros(2025, 7, 12, 6), end=EVER)
    terms = terms_under({}, "pick-2-poker", spans=(span,))
    lines = [
        pick_2("a", local(2025, 7, 12, 8), "blue"),
        pick_2("b", local(2025, 7, 12, 8, 1), "red"),
    ]
    _, found = audited(tmp_path, lines, terms, tails)
    assert given(found) == [("a", "deal.alternation", None, None)]


def test_single_deck_table_is_not_explained_per_round(tmp_path: Path) -> None:
    lines = [pick_2(f"R-{n}", local(2025, 7, 12, 7, n // 60, n % 60), "red") for n in range(3_000)]
    segment = made_segment(tmp_path / "s.parquet", lines, "pick-2-poker")
    by_system: list[int] = []
    outcome = audit_segment(
        segment=segment, terms=terms_under({}, "pick-2-poker"), out=tmp_path / "o",
        progress=by_system.append,
    )  # fmt: skip
    assert (outcome.rounds, outcome.findings) == (3_000, 0)
    assert by_system == [3_000]


def test_rejected_line_suspends_the_bank_audit(tmp_path: Path) -> None:
    banker = {**ahead(), "wagers": {"main": 0, "three_card": 1000, "six_card": 1000}}
    banker["result"] = {"main": 0, "three_card": -1000, "six_card": -1000}
    house = {"cards": "Kd Ts 8c", "low": "Ts", "wager": 0, "result": 0}

    def banked(name: str, minute: int) -> bytes:
        at = local(2025, 7, 12, 21, minute)
        return pyramid(name, at, banker, banker=1, bank=0, house=house)

    rejected = pyramid("x", local(2025, 7, 12, 21, 2), v=2)
    lines = [banked("a", 0), banked("b", 1), rejected, banked("c", 3)]
    _, found = audited(tmp_path, lines, TERMS)
    assert given(found) == [("b", "bank.turn", None, None)]


def test_waiting_person_sees_the_progress(tmp_path: Path) -> None:
    lines = [
        pyramid(f"R-{n}", local(2025, 7, 12, 20, n // 60, n % 60), straight_flush(50))
        for n in range(2_500)
    ]
    segment = made_segment(tmp_path / "s.parquet", lines, PYRAMID)
    by_system: list[int] = []
    audit_segment(segment=segment, terms=TERMS, out=tmp_path / "out", progress=by_system.append)
    assert len(by_system) >= 3
    assert by_system[-1] == 2_500
    assert sum(1 for _ in read_findings(tmp_path / "out")) == 2_500
