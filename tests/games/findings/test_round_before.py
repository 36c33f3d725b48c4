"""The round before: order of times, ids, turns of the bank and of the decks."""

from __future__ import annotations

import pytest

from tests.games.replayed import codes, replayed
from tests.games.written_rounds import as_line, pick_2_seat, pyramid_seat, round_of

HOUSE = {"cards": "Kd Ts 8c", "low": "Ts"}
BANKER = pyramid_seat("6s 6d 4c", "4c", (0, 100, 100), player="p-bank")
SEAT = pyramid_seat("As Jd 9c", "Jd")
FOLDED = pick_2_seat("Kd Jh 8c 5s 2d", "fold")
REJECTED = as_line(round_of("pyramid-poker", [SEAT], house=HOUSE, v=3))[:-1]


def at(clock, name, **fields):
    day = "2026-11-17T" + clock + "-08:00"
    return round_of("pyramid-poker", [SEAT], **{"house": HOUSE, "at": day, "round": name, **fields})


def banked(name, **fields):
    house = {**HOUSE, "wager": 0, "result": 0}
    return round_of(
        "pyramid-poker", [BANKER, SEAT], **{"house": house, "banker": 1, "bank": 999,
                                           "round": name, **fields}
    )  # fmt: skip


def house_banked(name, **fields):
    return round_of("pyramid-poker", [SEAT], **{"house": HOUSE, "round": name, **fields})


def pick_2(name, deck="red", **fields):
    return round_of(
        "pick-2-poker", [FOLDED],
        **{"house": {"cards": "As Kd 9c 5h 3s"}, "round": name, "deck": deck, "shuffler": True,
           **fields},
    )  # fmt: skip


def with_code(answers, code):
    return [code in line for line in codes(answers)]


def test_earlier_round_at_table_is_out_of_sequence():
    answers = replayed(
        at("20:00:00", "a"),
        at("20:00:00", "b"),  # equal is not backward
        at("19:59:59", "c"),
        at("19:59:59.5", "d"),  # the one before is the last, not the latest
        at("04:00:00", "e", table="T2"),
    )
    assert with_code(answers, "log.sequence") == [False, False, True, False, False]


def test_times_are_compared_as_instants_whatever_their_zone():
    answers = replayed(
        at("20:00:00", "a"), at("20:00:00", "b", at="2026-11-18T05:00:01+01:00"),
        at("20:00:00", "c", at="2026-11-18T05:00:00+01:00"),
    )  # fmt: skip
    assert with_code(answers, "log.sequence") == [False, False, True]


def test_another_game_at_the_table_is_another_sequence():
    other = pick_2("b", at="2026-11-17T19:00:00-08:00")
    assert with_code(replayed(at("20:00:00", "a"), other), "log.sequence") == [False, False]


def test_repeated_id_is_found_on_any_table():
    answers = replayed(at("20:00:00", "a"), at("20:00:01", "a", table="T2"))
    assert with_code(answers, "log.sequence") == [False, True]


def test_repeated_and_backward_is_one_finding():
    answers = replayed(at("20:00:00", "a"), at("19:00:00", "a"))
    assert codes(answers)[1].count("log.sequence") == 1


def test_a_rejected_lines_id_and_time_count_for_nothing():
    bad = at("23:00:00", "b", v=3)
    answers = replayed(at("20:00:00", "a"), bad, at("20:00:01", "b"))
    assert with_code(answers, "log.sequence") == [False, False, False]


def test_void_round_counts_for_sequence_not_bank():
    void = {"void": "fire"}
    answers = replayed(
        banked("a", at="2026-11-17T20:00:00-08:00"),
        house_banked("b", at="2026-11-17T21:00:00-08:00", **void),
        banked("c", at="2026-11-17T20:30:00-08:00"),
    )
    assert with_code(answers, "log.sequence") == [False, False, True]
    assert with_code(answers, "bank.turn") == [False, False, True]


def test_a_void_banked_round_takes_no_turn():
    answers = replayed(banked("a", void="fire"), banked("b"))
    assert with_code(answers, "bank.turn") == [False, False]


def test_bank_is_not_audited_once_after_rejected_line():
    answers = replayed(banked("a"), REJECTED, banked("b", bank=1), banked("c"))
    assert with_code(answers, "bank.turn") == [False, False, False, True]
    assert with_code(answers, "bank.cover") == [False, False, False, False]


def test_rejected_line_of_other_table_changes_nothing():
    other = as_line(house_banked("x", table="T9", v=3))[:-1]
    answers = replayed(banked("a"), other, b"{", banked("b"))
    assert with_code(answers, "bank.turn") == [False, False, False, True]


def test_same_deck_twice_in_a_row_is_found():
    # P2-1, P2-I8
    names = ["red", "blue", "red", "red", "blue", "blue"]
    answers = replayed(*(pick_2(str(place), deck) for place, deck in enumerate(names)))
    assert with_code(answers, "deal.alternation") == [False, False, False, True, False, True]


def test_second_deck_may_follow_a_repeated_deck():
    # P2-I8: which rounds are affected is known only when the other name appears
    answers = replayed(pick_2("a"), pick_2("b"), pick_2("c", "blue"))
    assert with_code(answers, "deal.alternation") == [False, True, False]


def test_one_deck_alone_is_not_bound_to_alternate():
    # P2-I8
    answers = replayed(pick_2("a"), pick_2("b"), pick_2("c", "blue", table="T2"))
    assert with_code(answers, "deal.alternation") == [False, False, False]


def test_a_third_deck_is_found_each_time_it_is_used():
    names = ["red", "blue", "green", "red", "green"]
    answers = replayed(*(pick_2(str(place), deck) for place, deck in enumerate(names)))
    assert with_code(answers, "deal.alternation") == [False, False, True, False, True]


def test_rounds_without_a_shuffler_or_a_deck_are_not_audited():
    # P2-I8
    nameless = {key: value for key, value in pick_2("b").items() if key != "deck"}
    answers = replayed(
        pick_2("a"), nameless, pick_2("c"), pick_2("d", "blue"), pick_2("e", "blue", shuffler=False)
    )
    assert with_code(answers, "deal.alternation") == [False] * 5


def test_a_void_round_used_its_deck():
    # P2-I8
    void = {"void": "shuffler fault"}
    answers = replayed(pick_2("a"), pick_2("b", "blue", **void), pick_2("c", "blue"))
    assert with_code(answers, "deal.alternation") == [False, False, True]


@pytest.mark.parametrize("deck", ["blue", "green"])
def test_rejected_line_suspends_the_deck_audit_once(deck):
    rejected = as_line(pick_2("x", v=3))[:-1]
    answers = replayed(pick_2("a"), pick_2("b", "blue"), rejected, pick_2("c", deck),
                       pick_2("d", deck))  # fmt: skip
    assert with_code(answers, "deal.alternation") == [False, False, False, False, True]
