"""Void rounds: what is audited, what they may omit, which reasons are valid."""

from __future__ import annotations

import pytest

from tests.games.replayed import expected, found, replayed_alone, the
from tests.games.written_rounds import pick_2_seat, pyramid_seat, round_of

BARE = {"wagers": {"main": 100, "three_card": 100, "six_card": 100},
        "result": {"main": 0, "three_card": 0, "six_card": 0}}  # fmt: skip
APPROVED = {"void_reasons": ["power failure"]}


def pyramid(*seats, void="power failure", **fields):
    return round_of("pyramid-poker", list(seats), void=void, **fields)


def pick_2(void, **fields):
    seat = {key: value for key, value in pick_2_seat("Kd Jh 8c 5s 2d", "fold").items()
            if key in ("wagers", "result")}  # fmt: skip
    return round_of("pick-2-poker", [seat], void=void, **fields)


def test_void_round_for_approved_reason_expects_zero():
    answer = replayed_alone(pyramid(BARE), APPROVED)
    assert answer["status"] == "ok"
    assert expected(answer) == {"main": 0, "three_card": 0, "six_card": 0}


@pytest.mark.parametrize("void", ["", "fire", "Power failure", "shuffler fault"])
def test_unknown_void_reason_voids_and_is_found(void):
    assert found(replayed_alone(pyramid(BARE, void=void), APPROVED)) == [
        ("void.reason", None, None)
    ]


def test_null_is_no_void_round():
    played = round_of(
        "pyramid-poker",
        [pyramid_seat("As Jd 9c", "Jd")],
        void=None,
        house={"cards": "Kd Ts 8c", "low": "Ts"},
    )
    assert expected(replayed_alone(played))["main"] == 100


@pytest.mark.parametrize(
    "reason",
    ["card face up", "wrong number of cards", "dealer card exposed", "shuffler fault"],
)
def test_pick_2_names_four_void_reasons_with_shuffler(reason):
    # P2-15
    assert found(replayed_alone(pick_2(reason, shuffler=True))) == []
    assert found(replayed_alone(pick_2(reason))) == [("void.reason", None, None)]


def test_void_result_is_found_by_seat_and_wager():
    won = {**BARE, "result": {"main": 100, "three_card": 0, "six_card": -100}}
    answer = replayed_alone(pyramid(BARE, won), APPROVED)
    assert found(answer) == [("void.result", 2, "main"), ("void.result", 2, "six_card")]
    assert [one["delta"] for one in answer["findings"]] == [100, -100]
    assert expected(answer, 2) == {"main": 0, "three_card": 0, "six_card": 0}


def test_the_houses_own_wager_is_void_too():
    house = {"wager": 50, "result": 50}
    answer = replayed_alone(pyramid(BARE, house=house, banker=1, bank=0), APPROVED)
    assert ("void.result", None, "house") in found(answer)
    assert answer["house"] == {"expected": {"main": 0}}


def test_a_void_banked_round_may_leave_the_house_out():
    banker = {**BARE, "wagers": {"main": 0, "three_card": 100, "six_card": 100}}
    answer = replayed_alone(pyramid(banker, banker=1, bank=0), APPROVED)
    assert answer["status"] == "ok"
    assert answer["house"] == {"expected": {"main": 0}}


def test_void_round_audits_wagers_limits_and_duplicates():
    setup = {**APPROVED, "limits": {"T1": {"main": [500, 600], "six_card": [1, 50]}}, "cap": 90}
    seat = {**BARE, "cards": "As As As As As As As", "player": "p"}
    seat["wagers"] = {"main": 100, "three_card": 0, "six_card": 100}
    answer = replayed_alone(pyramid(seat), {**setup, "players": 0})
    assert found(answer) == [
        ("deal.duplicate", None, None),
        ("limit.players", None, None),
        ("limit.table_min", 1, "main"),
        ("limit.wac", 1, "main"),
        ("limit.table_max", 1, "six_card"),
        ("limit.wac", 1, "six_card"),
        ("wager.missing", 1, "three_card"),
    ]


def test_void_round_skips_counts_sets_shoes_and_banks():
    seat = {**BARE, "cards": "As", "low": "2c"}
    house = {"cards": "Kd Ks", "low": "7c", "wager": 900, "result": 0}
    answer = replayed_alone(pyramid(seat, BARE, house=house, banker=1, bank=0, decks=2), APPROVED)
    assert found(answer) == []


def test_void_round_needs_no_play_and_its_wager_may_be_0():
    setup = {"limits": {"T1": {"play": [100, 200]}}}
    assert found(replayed_alone(pick_2("shuffler fault", shuffler=True), setup)) == []


def test_void_chinese_single_player_is_over_limit_only():
    line = round_of("chinese-poker", [{"result": {"total": 0}}], unit=100, scoring="unit",
                    void="power failure")  # fmt: skip
    answer = replayed_alone(line, APPROVED)
    assert found(answer) == [("limit.players", None, None)]
    assert the(answer, "limit.players")["delta"] == 0


MISSING = {"shuffler": True, "house": {"cards": "As Kd 9c 5h 3s"}}


def lost(cards):
    """Return a fold, which loses ante and bonus as settled."""
    seat = pick_2_seat(cards, "fold")
    return {**seat, "result": {"ante": -100, "bonus_3_5": -100, "bonus_5": 0, "play": 0}}


@pytest.mark.parametrize(
    ("house", "cards", "short"),
    [("As Kd 9c 5h 3s", "Kh Jh 8c 5s", 1), ("As Kd 9c 5h", "Kh Jh 8c 5s 2d", None)],
)
def test_miscounted_round_from_a_machine_expects_nothing_won(house, cards, short):
    # P2-15: takes the place of `irregular`, and of a seat without an expectation
    fields = {**MISSING, "house": {"cards": house}, "decks": 4}
    answer = replayed_alone(round_of("pick-2-poker", [lost(cards)], **fields))
    assert answer["status"] == "flagged"
    assert expected(answer) == {"ante": 0, "bonus_3_5": 0, "bonus_5": 0, "play": 0}
    assert the(answer, "void.missing")["cites"] == ["P2-15"]
    assert sorted(found(answer), key=str) == sorted(
        [
            ("void.missing", None, None),
            ("deal.count", short, None),
            ("settlement.ante", 1, "ante"),
            ("settlement.bonus_3_5", 1, "bonus_3_5"),
        ],
        key=str,
    )


def test_miscounted_round_dealt_by_hand_is_not_void():
    # P2-15 names the four for a shuffling machine only
    by_hand = {"house": MISSING["house"]}
    answer = replayed_alone(round_of("pick-2-poker", [lost("Kh Jh 8c 5s")], **by_hand))
    assert found(answer) == [("deal.count", 1, None)]
    assert expected(answer) is None


@pytest.mark.parametrize(
    ("happened", "shuffler", "voids"),
    [
        ("card face up", True, True),
        ("card face up", False, False),
        ("power failure", False, True),
        ("a player left", True, False),
    ],
)
def test_logged_irregularity_voids_like_the_reason_of_a_void(happened, shuffler, voids):
    # P2-15, and what the controls name; an irregularity that voids nothing is only kept
    fields = {**MISSING, "shuffler": shuffler, "v": 2, "irregularities": [happened]}
    answer = replayed_alone(round_of("pick-2-poker", [lost("Qh Jh 8c 5s 2d")], **fields), APPROVED)
    assert (("void.missing", None, None) in found(answer)) is voids
    assert expected(answer)["ante"] == (0 if voids else -100)


def test_banked_round_to_be_void_returns_house_wager():
    banker = pyramid_seat("6s 6d 2c", "2c", (100, 100, 100))
    house = {"cards": "Kd Ts 8c", "low": "8c", "wager": 500, "result": 500}
    answer = replayed_alone(
        pyramid(banker, BARE | {"cards": "As Jd 9c", "low": "Jd"}, house=house, banker=1, bank=0,
                void=None, v=2, irregularities=["power failure"], decks=2),
        APPROVED,
    )  # fmt: skip
    assert answer["house"] == {"expected": {"main": 0}}
    assert found(answer) == [("void.missing", None, None), ("settlement.main", None, "house")]
