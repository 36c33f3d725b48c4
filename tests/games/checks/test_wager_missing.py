from tests.games.checks.lines import HOUSE, NO_HAND, found_of, hand, limits, pick_2, pyramid
from tests.games.written_rounds import pick_2_seat


def test_each_of_pyramids_three_wagers_is_mandatory():
    # PP-2
    assert found_of(pyramid(hand(0, 100, 0)), "wager") == [
        ("wager.missing", 1, "main"),
        ("wager.missing", 1, "six_card"),
    ]


def test_missing_wager_is_not_below_the_minimum():
    line = pyramid(hand(0, 100, 100))
    assert found_of(line, "limit", limits(main=[100, 500])) == []


def test_pick_2s_ante_and_3_5_bonus_are_mandatory():
    # P2-2: the other bonus is optional
    seat = pick_2_seat(NO_HAND, "fold")
    seat["wagers"] = {"ante": 0, "bonus_3_5": 0, "bonus_5": 0, "play": 0}
    setup = limits(bonus_5=[100, 500], play=[100, 500])
    assert found_of(pick_2(seat), ("wager", "limit"), setup) == [
        ("wager.missing", 1, "ante"),
        ("wager.missing", 1, "bonus_3_5"),
    ]


def test_play_may_be_0_only_on_a_fold():
    seat = pick_2_seat(NO_HAND, "five")
    seat["wagers"]["play"] = 0
    assert found_of(pick_2(seat), "wager") == [
        ("wager.missing", 1, "play"),
        ("wager.relation", 1, "play"),
    ]


def test_bankers_odds_wager_is_missing_without_a_minimum():
    house = {**HOUSE, "wager": 0, "result": 0}
    line = pyramid(hand(0, 0, 99), hand(), house=house, banker=1, bank=100)
    assert found_of(line, ("wager", "bank")) == [("wager.missing", 1, "three_card")]
