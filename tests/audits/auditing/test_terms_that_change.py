"""A night's rounds, each audited by the terms in effect at its instant and the law of its date."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from audits.replay.auditing.segment import audit_segment
from audits.replay.auditing.terms import Cap, Players, Refusal, Span, TermsError, read_terms
from games.log.form import Rejection, read_line
from games.rule_set import SLUGS
from tests.audits.auditing.nights import (
    ahead,
    given,
    level,
    local,
    micros,
    pyramid,
    straight_flush,
)
from tests.audits.auditing.segments import EVER, audited, made_segment, terms_under
from tests.audits.auditing.test_segment import of_the_filter, without_repeats
from tests.games.rounds.batches import deal_batch
from tests.games.written_rounds import as_line, chinese_seat, round_of

if TYPE_CHECKING:
    from pathlib import Path

PYRAMID = "pyramid-poker"
MIDNIGHT = micros(2023, 9, 25)
CAPS = (  # $300 until the amendment took effect, $400 since (WSR 08-20-025, WSR 23-18-019)
    Cap(begin=micros(2009, 1, 1), kind="wac", amount=30_000, cites=("WAC 230-15-140(1)",)),
    Cap(begin=MIDNIGHT, kind="wac", amount=40_000, cites=("WAC 230-15-140(1)",)),
)


def two_spans(first: dict[str, Any], second: dict[str, Any], change: int) -> tuple[Span, Span]:
    return (
        Span(begin=-EVER, end=change, setup=json.dumps(first)),
        Span(begin=change, end=EVER, setup=json.dumps(second)),
    )


def test_midnight_changes_cap_by_first_wagers_date(tmp_path: Path) -> None:
    lines = [
        pyramid("a", local(2023, 9, 24, 23, 58), ahead(35_000)),
        pyramid(
            "b",
            local(2023, 9, 25, 0, 0, 30),
            ahead(35_000),
            **{"from": local(2023, 9, 24, 23, 59, 50)},
        ),
        pyramid("c", local(2023, 9, 25, 0, 2), ahead(35_000)),
        pyramid("d", local(2023, 9, 25, 0, 3), ahead(40_001)),
    ]
    _, found = audited(tmp_path, lines, terms_under({}, PYRAMID, caps=CAPS))
    assert [(one["round"], one["code"], one["wager"], one["expected"]) for one in found] == [
        ("a", "limit.wac", "main", 30_000),
        ("b", "limit.wac", "main", 30_000),
        ("d", "limit.wac", "main", 40_000),
    ]


def test_the_cap_is_cited_as_it_was_numbered_that_day(tmp_path: Path) -> None:
    cap = Cap(begin=-EVER, kind="wac", amount=20_000, cites=("WAC 230-40-120",))
    line = pyramid("a", local(2007, 5, 21, 20), ahead(20_001))
    _, (one,) = audited(tmp_path, [line], terms_under({}, PYRAMID, caps=(cap,)))
    assert one["cites"] == ["PP-3", "WAC 230-40-120"]


def test_carried_forward_cap_names_its_last_verification(tmp_path: Path) -> None:
    sure = Cap(begin=-EVER, kind="wac", amount=40_000)
    carried = Cap(begin=micros(2025, 8, 2), kind="wac", amount=40_000, carried_since="2025-08-01")
    lines = [
        pyramid("a", local(2025, 8, 1, 20), ahead(40_001)),
        pyramid("b", local(2025, 8, 2, 20), ahead(40_001)),
    ]
    _, found = audited(tmp_path, lines, terms_under({}, PYRAMID, caps=(sure, carried)))
    assert [(one["code"], one["carried_since"]) for one in found] == [
        ("limit.wac", None), ("limit.wac", "2025-08-01"),
    ]  # fmt: skip


def test_tribal_table_is_audited_by_its_compact(tmp_path: Path) -> None:
    cap = Cap(begin=-EVER, kind="compact", amount=50_000, cites=("Compact, appendix A, 3",))
    lines = [
        pyramid("a", local(2025, 7, 12, 20), ahead(50_000)),
        pyramid("b", local(2025, 7, 12, 21), ahead(50_001)),
    ]
    _, found = audited(tmp_path, lines, terms_under({}, PYRAMID, caps=(cap,)))
    assert given(found) == [("b", "limit.compact", 1, "main")]
    assert found[0]["cites"] == ["Compact, appendix A, 3", "PP-3"]


def test_unread_cap_leaves_each_wager_unverified(tmp_path: Path) -> None:
    unknown = Cap(begin=-EVER, kind="wac", amount=None, cites=("WAC 230-40-120",))
    banker = {**ahead(), "wagers": {"main": 0, "three_card": 1000, "six_card": 1000}}
    banker["result"] = {"main": 0, "three_card": -1000, "six_card": -1000}
    lines = [
        pyramid("a", local(2005, 1, 1, 20), ahead(999_999)),
        pyramid("v", local(2005, 1, 1, 20, 30), void="power failure"),
        pyramid(
            "b", local(2005, 1, 1, 21), banker, banker=1, bank=0,
            house={"cards": "Kd Ts 8c", "low": "Ts", "wager": 0, "result": 0},
        ),
    ]  # fmt: skip
    terms = terms_under({}, PYRAMID, caps=(unknown, CAPS[0]))
    _, found = audited(tmp_path, lines, terms)
    unverified = [one for one in found if one["code"] == "limit.unverified"]
    assert given(unverified) == [
        (name, "limit.unverified", 1, key)
        for name, keys in (
            ("a", ("main", "six_card", "three_card")),
            ("v", ("main", "six_card", "three_card")),
            ("b", ("six_card", "three_card")),  # the banker has no main wager
        )
        for key in keys
    ]
    assert {one["weight"] for one in unverified} == {"notice"}
    assert {one["delta"] for one in unverified} == {0}
    assert not [one for one in found if one["code"] == "limit.wac"]


def test_unloggable_condition_is_neither_pass_nor_fail(
    tmp_path: Path,
) -> None:
    # WSR 00-09-052: $25, and $100 in Phase II, which the commission approved room by room.
    cap = Cap(begin=-EVER, kind="wac", amount=10_000, sure=2_500, cites=("WAC 230-40-120",))
    wagers = {"sure": 2_500, "perhaps": 2_501, "at most": 10_000, "never": 10_001}
    lines = [
        pyramid(name.replace(" ", "-"), local(2001, 7, 12, 20), ahead(amount))
        for name, amount in wagers.items()
    ]
    _, found = audited(tmp_path, lines, terms_under({}, PYRAMID, caps=(cap,)))
    assert [one[:2] for one in given(found)] == [
        ("perhaps", "limit.unverified"), ("at-most", "limit.unverified"), ("never", "limit.wac"),
    ]  # fmt: skip


def test_controls_that_change_at_midnight_apply_from_then(tmp_path: Path) -> None:
    spans = two_spans(
        {"limits": {"T1": {"main": [500, 20_000]}}},
        {"limits": {"T1": {"main": [500, 10_000]}}, "interpretations": {"PP-I1": "dealer_wins"}},
        micros(2025, 7, 13),
    )
    lines = [
        pyramid("a", local(2025, 7, 12, 23, 50), ahead(15_000), level(seat=2)),
        pyramid("b", local(2025, 7, 13, 0, 0), ahead(15_000), level(seat=2)),
    ]
    outcome, found = audited(tmp_path, lines, terms_under({}, PYRAMID, spans=spans))
    assert given(found) == [
        ("b", "limit.table_max", 1, "main"),
        ("b", "settlement.main", 2, "main"),
    ]
    assert (found[1]["expected"], found[1]["delta"], found[1]["line"]) == (
        -1000, 1000, "equal_on_both_hands",
    )  # fmt: skip
    assert (outcome.flagged, outcome.over, outcome.under) == (1, 1000, 0)


@pytest.mark.parametrize("game", SLUGS)
def test_each_part_of_a_night_has_its_own_terms(game: str, tmp_path: Path) -> None:
    batch = deal_batch(game, "changing", 150, 0.25)
    other = deal_batch(game, "changed", 2, 0).setup
    setups = [
        {key: value for key, value in setup.items() if key not in {"cap", "players"}}
        for setup in (batch.setup, other)
    ]
    lines = without_repeats(batch.lines)
    read = [read_line(line.removesuffix(b"\n").removesuffix(b"\r")) for line in lines]
    times = [each.at for each in read if not isinstance(each, Rejection)]
    change = sorted(times)[len(times) // 2]
    late = {each.round for each in read if not isinstance(each, Rejection) and each.at >= change}
    named = {
        number: each.round for number, each in enumerate(read, 1) if not isinstance(each, Rejection)
    }
    parts = [of_the_filter(lines, game, setup) for setup in setups]
    wanted = [
        one
        for part, findings in enumerate(parts)
        for one in findings
        if (named[one["line"]] in late) == bool(part)
    ]
    terms = terms_under({}, game, spans=two_spans(*setups, change))
    _, found = audited(tmp_path, lines, terms)
    keys = ("code", "seat", "wager", "logged", "expected", "delta", "cites")
    order = {number: place for place, number in enumerate(dict.fromkeys(
        one["source_line"] for one in found))}  # fmt: skip
    assert [(one["source_line"], *(one[key] for key in keys)) for one in found] == sorted(
        ((one["line"], *(one[key] for key in keys)) for one in wanted),
        key=lambda one: order.get(one[0], -1),
    )


def test_unauthorized_play_is_found_with_other_findings(tmp_path: Path) -> None:
    closed = Refusal("approval.hours", "The approved hours do not cover this instant.", ("x",))
    spans = (
        Span(begin=-EVER, end=micros(2025, 7, 13, 4), tables=("T1",)),
        Span(begin=micros(2025, 7, 13, 4), end=EVER, tables=("T1",), refused=(closed,)),
    )
    nothing = ahead(result={"main": 0, "three_card": 0, "six_card": 0})
    lines = [
        pyramid("a", local(2025, 7, 13, 3, 59)),
        pyramid("b", local(2025, 7, 13, 4, 0)),
        pyramid("c", local(2025, 7, 13, 4, 1), straight_flush(50)),
        pyramid("v", local(2025, 7, 13, 4, 2), nothing, void="power failure"),
        pyramid("t", local(2025, 7, 13, 3, 0), table="T9"),
    ]
    outcome, found = audited(tmp_path, lines, terms_under({}, PYRAMID, spans=spans))
    assert given(found) == [
        ("b", "approval.hours", None, None),
        ("c", "approval.hours", None, None),
        ("c", "settlement.three_card", 1, "three_card"),
        ("v", "approval.hours", None, None),
        ("v", "void.reason", None, None),
        ("t", "approval.controls", None, None),
    ]
    assert (outcome.rounds, outcome.void, outcome.flagged) == (5, 1, 4)


def test_one_finding_lists_all_that_controls_do_not_approve(tmp_path: Path) -> None:
    set_hands = (
        "2c 3d 4h / 5c 5d 6h 7c 8s / 9c 9d Th Jh Qs",
        "2d 3h 4s / 5h 5s 6s 7d 8c / 9h 9s Tc Jc Qd",
    )
    line = as_line(
        round_of(
            "chinese-poker", [chinese_seat(hands) for hands in set_hands],
            unit=500, scoring="2-4", at=local(2025, 7, 12, 20), table="T9",
        )
    )  # fmt: skip
    setup = json.dumps({"chinese": {"scoring": ["unit"]}})
    span = Span(begin=-EVER, end=EVER, tables=("T6",), setup=setup)
    _, found = audited(tmp_path, [line], terms_under({}, "chinese-poker", spans=(span,)))
    (one,) = [one for one in found if one["code"] == "approval.controls"]
    assert "T9" in one["logged"]
    assert "scoring 2-4" in one["logged"]
    assert {"CP-14", "WAC 230-15-425"} == set(one["cites"])


def test_the_number_of_players_is_the_laws_on_that_date(tmp_path: Path) -> None:
    players = (
        Players(begin=micros(2008, 1, 1), most=7, cites=("WAC 230-15-055(1)",)),
        Players(begin=micros(2009, 1, 1), most=9, cites=("WAC 230-15-055(1)",)),
    )
    eight = [ahead(player=f"p-{number}") for number in range(8)]
    lines = [
        pyramid("a", local(2007, 12, 31, 23), *eight, decks=8),
        pyramid("b", local(2008, 12, 31, 23), *eight, decks=8),
        pyramid("c", local(2009, 1, 1, 1), *eight, decks=8),
    ]
    _, found = audited(tmp_path, lines, terms_under({}, PYRAMID, players=players))
    assert given(found) == [("b", "limit.players", None, None)]


def test_unusable_terms_are_named(tmp_path: Path) -> None:
    span = Span(begin=-EVER, end=EVER, setup='{"interpretations": {"PP-I1": "nobody_wins"}}')
    with pytest.raises(TermsError, match="nobody_wins"):
        audited(
            tmp_path,
            [pyramid("a", local(2025, 7, 12, 20))],
            terms_under({}, PYRAMID, spans=(span,)),
        )


def test_terms_of_another_game_are_refused(tmp_path: Path) -> None:
    segment = made_segment(tmp_path / "s", [pyramid("a", local(2025, 7, 12, 20))], PYRAMID)
    with pytest.raises(TermsError, match="the terms are of showdown"):
        audit_segment(segment=segment, terms=terms_under({}, "showdown"), out=tmp_path / "out")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": "showdown"}'])
def test_what_is_no_terms_is_refused(text: str) -> None:
    with pytest.raises(TermsError, match="no terms of a day"):
        read_terms(text)


def test_terms_without_a_span_are_refused() -> None:
    terms = terms_under({}, PYRAMID, spans=())
    with pytest.raises(TermsError, match="no span"):
        read_terms(terms.canonical())
