"""A player banks: who plays whom for main, what the bank must cover, whose turn it is."""

from __future__ import annotations

import pytest

from tests.games.replayed import codes, expected, found, replayed, replayed_alone, the
from tests.games.written_rounds import pyramid_seat, round_of

HOUSE = ("Kd Ts 8c", "Ts")
NINES = pyramid_seat("9s 9d Jc", "Jc")
"""Beats the bank of BANKER: low J over 4, nines over sixes."""
BANKER = pyramid_seat("6s 6d 4c", "4c", (0, 100, 100), player="p-bank")


def banked(*seats, bank=1000, wager=0, result=0, house=HOUSE, banker=1, **fields):
    dealer = {"cards": house[0], "low": house[1], "wager": wager, "result": result}
    return round_of("pyramid-poker", list(seats), house=dealer, banker=banker, bank=bank, **fields)


def house_banked(*seats, **fields):
    dealer = {"cards": HOUSE[0], "low": HOUSE[1]}
    return round_of("pyramid-poker", list(seats), house=dealer, **fields)


def staking(main, **fields):
    return pyramid_seat("2s 7d Jc", "7d", (main, 100, 100), **fields)


def test_players_and_house_play_main_against_the_banker():
    # PP-20, PP-23: seat 2 wins 100 from the bank, the house's K-8 over T beats 6-6 over 4 on the
    # low card only: a push; so the bank lost 100
    answer = replayed_alone(banked(BANKER, NINES, wager=100))
    assert expected(answer, 2)["main"] == 100
    assert answer["house"] == {"expected": {"main": 0}}
    assert expected(answer, 1)["main"] == -100


def test_house_banked_answer_has_no_house():
    assert "house" not in replayed_alone(house_banked(NINES))


def test_six_card_wager_uses_houses_three_cards():
    # PP-21: 9 9 J with K T 8 has 8-9-T-J, a pair and no straight: lost; 6 6 4 likewise. With a
    # house of 7 8 T it is 7-8-9-T-J: a straight, 5 to 1.
    straight = banked(BANKER, NINES, house=("7d Ts 8c", "8c"))
    assert expected(replayed_alone(straight), 2)["six_card"] == 500
    assert expected(replayed_alone(banked(BANKER, NINES)), 2)["six_card"] == -100


def test_the_bankers_other_wagers_are_against_the_house():
    # PP-20, PP-26: a pair of sixes is paid 1 to 1 by the house
    assert expected(replayed_alone(banked(BANKER, NINES)))["three_card"] == 100


def test_the_sum_of_main_is_zero_whatever_is_dealt():
    trips = pyramid_seat("2s 2d 2c", "2s", (500, 100, 100))
    answer = replayed_alone(banked(BANKER, NINES, trips, wager=300, house=("Ad As Tc", "Tc")))
    total = sum(seat["expected"]["main"] for seat in answer["seats"])
    assert total + answer["house"]["expected"]["main"] == 0


def test_other_players_trips_take_three_to_one_from_bank():
    # PP-7, PP-I14: also from a banker who has three aces
    aces = pyramid_seat("As Ad Ac", "As", (0, 100, 100))
    twos = pyramid_seat("2s 2d 2c", "2s")
    answer = replayed_alone(banked(aces, twos))
    assert expected(answer, 2)["main"] == 300
    assert expected(answer, 1)["main"] == -300


def test_the_bankers_own_three_of_a_kind_is_only_compared():
    # PP-I14: three twos, 2 low and 2-2 high, against K low and A-A high: both lost, 1 to 1
    twos = pyramid_seat("2s 2d 2c", "2s", (0, 100, 100))
    answer = replayed_alone(banked(twos, pyramid_seat("As Ad Kc", "Kc")))
    assert expected(answer, 1)["main"] == -100


@pytest.mark.parametrize(("reading", "won"), [("yes", 300), ("no", 0)])
def test_houses_three_of_a_kind_wins_by_interpretation(reading, won):
    # PP-I11: 2 low and 2-2 high against 4 low and 6-6: as set it loses both, so `no` loses 100
    setup = {"interpretations": {"PP-I11": reading}}
    line = banked(BANKER, NINES, wager=100, house=("2s 2d 2c", "2s"))
    house = replayed_alone(line, setup)["house"]["expected"]["main"]
    assert house == (won or -100)


@pytest.mark.parametrize(("reading", "won"), [("push", 0), ("dealer_wins", -100)])
def test_copy_of_bankers_hand_loses_by_interpretation(reading, won):
    # PP-I1
    setup = {"interpretations": {"PP-I1": reading}}
    answer = replayed_alone(banked(BANKER, pyramid_seat("6c 6h 4d", "4d")), setup)
    assert expected(answer, 2)["main"] == won
    assert expected(answer, 1)["main"] == -won


def test_a_bankers_second_hand_is_settled_like_any_players():
    # PP-I17
    answer = replayed_alone(banked(BANKER, {**NINES, "player": "p-bank"}))
    assert expected(answer, 2)["main"] == 100


def test_a_fouled_banker_is_found_and_settled_the_house_way():
    # PP-27: A low over K-Q fouls; the House Way plays K low, A-Q high, which beats J low, 9-9 on
    # the low card only: a push. As fouled it would have lost to everyone.
    fouled = pyramid_seat("As Kd Qc", "As", (0, 100, 100))
    answer = replayed_alone(banked(fouled, NINES))
    assert ("setting.banker", 1, None) in found(answer)
    assert expected(answer, 2)["main"] == 0


def test_a_players_foul_loses_to_the_bank_and_is_no_finding():
    # PP-6
    answer = replayed_alone(banked(BANKER, pyramid_seat("As Kd Qc", "As")))
    assert expected(answer, 2)["main"] == -100
    assert not [code for code, *_ in found(answer) if code.startswith("setting")]


def test_a_bank_smaller_than_what_it_owes_settles_in_full():
    # PP-I15
    answer = replayed_alone(banked(BANKER, NINES, bank=1))
    assert expected(answer, 2)["main"] == 100
    assert the(answer, "bank.cover")["expected"] == 100


@pytest.mark.parametrize(
    ("reading", "bank", "covered"),
    [("stakes", 150, True), ("stakes", 149, False), ("max_payout", 450, True),
     ("max_payout", 449, False)],
)  # fmt: skip
def test_the_bank_covers_every_main_wager_against_it(reading, bank, covered):
    # PP-24, PP-I10: 100 of seat 2 and 50 of the house
    setup = {"interpretations": {"PP-I10": reading}}
    answer = replayed_alone(banked(BANKER, NINES, bank=bank, wager=50), setup)
    assert (("bank.cover", None, None) not in found(answer)) is covered


def test_two_player_banked_rounds_never_follow_each_other():
    # PP-22
    answers = replayed(
        banked(BANKER, NINES, round="a"),
        banked(BANKER, NINES, round="b"),
        house_banked(NINES, round="c"),
        banked(BANKER, NINES, round="d"),
        banked(BANKER, NINES, round="e", table="T2"),
    )
    assert [("bank.turn" in line) for line in codes(answers)] == [False, True, False, False, False]


def test_house_bets_at_most_bankers_previous_wager():
    # PP-25, PP-I16: 300 and 200 on two hands the round before, all hands together
    before = house_banked(
        staking(300, player="p-bank"), staking(200, player="p-bank"), staking(900, player="p-x")
    )
    for wager, too_much in ((500, False), (501, True)):
        _, answer = replayed(before, banked(BANKER, NINES, wager=wager, bank=9999, round="b"))
        assert (("bank.house_wager", None, None) in found(answer)) is too_much
    assert the(answer, "bank.house_wager")["expected"] == 500


def test_banker_without_previous_wager_gets_no_house_wager():
    # PP-I12
    before = house_banked(staking(300, player="p-x"))
    _, answer = replayed(before, banked(BANKER, NINES, wager=1, bank=9999, round="b"))
    assert ("bank.house_wager", None, None) in found(answer)


def test_house_wager_is_not_audited_without_player():
    # PP-I16
    nameless = {key: value for key, value in BANKER.items() if key != "player"}
    first = banked(BANKER, NINES, wager=400, bank=9999)
    answers = replayed(
        first,
        house_banked(NINES, round="b"),
        banked(nameless, NINES, wager=400, bank=9999, round="c"),
        banked(BANKER, NINES, wager=400, bank=9999, round="d"),
    )
    assert "bank.house_wager" not in str(codes(answers))


def test_the_banker_has_no_main_wager():
    # PP-26
    line = banked({**BANKER, "wagers": {"main": 5, "three_card": 100, "six_card": 100}}, NINES)
    assert ("bank.wager", 1, "main") in found(replayed_alone(line))


def test_banker_bets_its_own_minimum_on_side_wagers():
    # PP-26
    tables = {"limits": {"T1": {"three_card": [101, 500], "six_card": [100, 500]}}}
    answer = replayed_alone(banked(BANKER, NINES), tables)
    assert [one for one in found(answer) if one[1] == 1 and one[0] != "settlement.main"] == [
        ("settlement.six_card", 1, "six_card"),
        ("bank.wager", 1, "three_card"),
        ("settlement.three_card", 1, "three_card"),
    ]
    own = {**tables, "banker": {"min": {"three_card": 100, "six_card": 101}}}
    answer = replayed_alone(banked(BANKER, NINES), own)
    assert ("bank.wager", 1, "six_card") in found(answer)
    assert ("bank.wager", 1, "three_card") not in found(answer)


def test_wrong_house_result_is_settlement_main_of_house():
    answer = replayed_alone(banked(BANKER, NINES, wager=100, result=100))
    assert ("settlement.main", None, "house") in found(answer)


def test_unbalanced_bank_is_reported_with_seats():
    balanced = {**BANKER, "result": {"main": -100, "three_card": 100, "six_card": -100}}
    paid = {**NINES, "result": {"main": 100, "three_card": 100, "six_card": -100}}
    assert found(replayed_alone(banked(balanced, paid))) == []
    overpaid = {**paid, "result": {**paid["result"], "main": 130}}
    answer = replayed_alone(banked(balanced, overpaid))
    assert found(answer) == [
        ("settlement.balance", None, "main"),
        ("settlement.main", 2, "main"),
    ]
    assert the(answer, "settlement.balance")["delta"] == 30


def test_the_houses_own_result_counts_in_the_sum():
    # the house beats 4 low and 6-6 with K low and A-A: it wins 50, the bank loses 150
    paid = {**NINES, "result": {"main": 100, "three_card": 100, "six_card": -100}}
    lost = {**BANKER, "result": {"main": -150, "three_card": 100, "six_card": -100}}
    house = ("Ad As Kc", "Kc")
    # six cards 6 6 4 A A K: two pairs, paid 1 to 1; 9 9 J A A K likewise
    lost["result"]["six_card"] = paid["result"]["six_card"] = 100
    assert found(replayed_alone(banked(lost, paid, wager=50, result=50, house=house))) == []


def test_unsettled_seat_counts_at_its_logged_amount_for_bank():
    wrong = {**NINES, "cards": "9s 9d", "low": "9d"}
    wrong["result"] = {"main": 70, "three_card": 0, "six_card": 0}
    answer = replayed_alone(banked(BANKER, NINES, wrong))
    assert expected(answer, 3) is None
    assert expected(answer, 1)["main"] == -170
