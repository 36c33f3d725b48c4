"""Wagers and limits: what may not be left out, the table's limits, the legal cap, the players."""

from __future__ import annotations

import pytest

from tests.games.replayed import found, replayed_alone, the
from tests.games.written_rounds import (
    casino_seat,
    chinese_seat,
    dealt_from,
    pick_2_seat,
    pyramid_seat,
    round_of,
)

HOUSE = {"cards": "Kd Ts 8c", "low": "Ts"}
NOTHING = "Kd Jh 8c 5s 2d"


def pyramid(*seats, **fields):
    return round_of("pyramid-poker", list(seats), **{"house": HOUSE, **fields})


def pick_2(*seats, **fields):
    return round_of("pick-2-poker", list(seats), house={"cards": "As Kd 9c 5h 3s"}, **fields)


def of_wagers(answer):
    return [one for one in found(answer) if one[0].startswith(("wager", "limit", "bank"))]


def hand(stakes, **fields):
    return pyramid_seat("As Jd 9c", "Jd", stakes, **fields)


def limits(**by_wager):
    return {"limits": {"T1": by_wager}}


def test_each_of_pyramids_three_wagers_is_mandatory():
    # PP-2
    assert of_wagers(replayed_alone(pyramid(hand((0, 100, 0))))) == [
        ("wager.missing", 1, "main"),
        ("wager.missing", 1, "six_card"),
    ]


def test_beside_a_missing_wager_there_is_no_minimum():
    setup = limits(main=[100, 500])
    assert of_wagers(replayed_alone(pyramid(hand((0, 100, 100))), setup)) == [
        ("wager.missing", 1, "main")
    ]


@pytest.mark.parametrize(
    ("amount", "code"),
    [(99, "limit.table_min"), (100, None), (500, None), (501, "limit.table_max")],
)
def test_a_tables_limits_hold_from_the_minimum_to_the_maximum(amount, code):
    # PP-3, P2-13
    answer = replayed_alone(pyramid(hand((amount, 100, 100))), limits(main=[100, 500]))
    assert of_wagers(answer) == ([(code, 1, "main")] if code else [])
    if code:
        one = the(answer, code)
        assert (one["logged"], one["delta"]) == (amount, 0)
        assert one["expected"] == (100 if amount < 100 else 500)


def test_another_tables_limits_are_not_this_ones():
    setup = {"limits": {"T2": {"main": [100, 500]}}}
    assert of_wagers(replayed_alone(pyramid(hand((1, 100, 100))), setup)) == []


def test_the_cap_holds_for_every_single_wager_of_house_banked_games():
    answer = replayed_alone(pyramid(hand((40_000, 40_001, 100))), {"cap": 40_000})
    assert of_wagers(answer) == [("limit.wac", 1, "three_card")]
    assert "WAC 230-15-140(1)" in the(answer, "limit.wac")["cites"]


def test_units_and_chips_and_the_houses_own_wager_are_no_wagers_of_a_seat():
    hands = "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"
    chinese = round_of(
        "chinese-poker", [chinese_seat(hands), chinese_seat(hands)], unit=900, scoring="unit"
    )
    assert of_wagers(replayed_alone(chinese, {"cap": 1})) == []
    banker = hand((0, 100, 100))
    house = {**HOUSE, "wager": 900, "result": 0}
    banked = pyramid(banker, hand((100, 100, 100)), house=house, banker=1, bank=9999)
    assert of_wagers(replayed_alone(banked, {"cap": 800})) == []


def test_on_a_bankers_odds_wagers_only_the_banks_code_speaks_of_the_minimum():
    # PP-26
    house = {**HOUSE, "wager": 0, "result": 0}
    setup = limits(main=[100, 500], three_card=[100, 500], six_card=[100, 500])
    line = pyramid(hand((0, 0, 99)), hand((100, 100, 100)), house=house, banker=1, bank=100)
    assert of_wagers(replayed_alone(line, setup)) == [
        ("bank.wager", 1, "six_card"),
        ("bank.wager", 1, "three_card"),
    ]


def test_a_bankers_odds_wager_left_out_is_missing_where_no_minimum_is_known():
    house = {**HOUSE, "wager": 0, "result": 0}
    line = pyramid(hand((0, 0, 99)), hand((100, 100, 100)), house=house, banker=1, bank=100)
    assert of_wagers(replayed_alone(line)) == [("wager.missing", 1, "three_card")]


def test_a_bankers_wagers_have_the_tables_maximum_and_the_cap_like_any():
    house = {**HOUSE, "wager": 0, "result": 0}
    line = pyramid(hand((0, 600, 100)), hand((100, 100, 100)), house=house, banker=1, bank=100)
    assert of_wagers(replayed_alone(line, {**limits(three_card=[1, 500]), "cap": 550})) == [
        ("limit.table_max", 1, "three_card"),
        ("limit.wac", 1, "three_card"),
    ]


def test_pick_2s_ante_and_3_5_bonus_are_mandatory_and_the_other_bonus_is_not():
    # P2-2
    seat = pick_2_seat(NOTHING, "fold")
    seat["wagers"] = {"ante": 0, "bonus_3_5": 0, "bonus_5": 0, "play": 0}
    assert of_wagers(replayed_alone(pick_2(seat), limits(bonus_5=[100, 500], play=[100, 500]))) == [
        ("wager.missing", 1, "ante"),
        ("wager.missing", 1, "bonus_3_5"),
    ]


def test_a_bonus_that_was_placed_has_its_minimum():
    seat = pick_2_seat(NOTHING, "fold", bonus_5=100)
    assert of_wagers(replayed_alone(pick_2(seat), limits(bonus_5=[101, 500]))) == [
        ("limit.table_min", 1, "bonus_5")
    ]


def test_play_may_be_0_on_a_fold_alone():
    seat = pick_2_seat(NOTHING, "five")
    seat["wagers"]["play"] = 0
    assert of_wagers(replayed_alone(pick_2(seat))) == [
        ("wager.missing", 1, "play"),
        ("wager.relation", 1, "play"),
    ]


def test_wagers_of_casino_version_have_limits_and_the_cap_too():
    dealer = ["Jc", "Qd 9s 2h", "4s 4h 4d 9c 9h"]
    house = {"cards": dealt_from(dealer), "hands": dealer}
    seat = casino_seat(["As", "7d 7c Kh", "Qh Th 8h 5h 3h"], ante=500)
    line = round_of("casino-version", [seat], house=house)
    setup = {**limits(ante=[600, 900], buy_in=[1, 400]), "cap": 499}
    assert of_wagers(replayed_alone(line, setup)) == [
        ("limit.table_min", 1, "ante"),
        ("limit.wac", 1, "ante"),
        ("limit.table_max", 1, "buy_in"),
        ("limit.wac", 1, "buy_in"),
    ]


def test_players_are_counted_once_and_a_hand_without_a_player_counts_as_one():
    seats = [hand((100, 100, 100), player="p-1"), hand((100, 100, 100), player="p-1"),
             hand((100, 100, 100)), hand((100, 100, 100))]  # fmt: skip
    assert of_wagers(replayed_alone(pyramid(*seats), {"players": 3})) == []
    assert of_wagers(replayed_alone(pyramid(*seats), {"players": 2})) == [
        ("limit.players", None, None)
    ]
    assert of_wagers(replayed_alone(pyramid(*seats))) == []


def test_pick_2_counts_players_alike():
    seats = [pick_2_seat(NOTHING, "fold"), pick_2_seat(NOTHING, "fold")]
    assert ("limit.players", None, None) in found(replayed_alone(pick_2(*seats), {"players": 1}))
