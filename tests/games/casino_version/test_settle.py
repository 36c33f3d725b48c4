"""Casino Version settlement: the document's table and hands, specials, fouls, folds, jokers."""

from __future__ import annotations

import pytest

from games.casino_version.play import settle
from games.setup import Setup
from tests.games.as_round import as_round
from tests.games.written_rounds import casino_seat, dealt_from, round_of

DEALER = ["Jc", "Qd 9s 2h", "4s 4h 4d 9c 9h"]
PLAYER_1 = ["As", "7d 7c Kh", "Qh Th 8h 5h 3h"]
PLAYER_2 = ["Qs", "3d 3c 3s", "9d 8c 7h 6s 5c"]
PLAYER_3 = ["Ad", "9d 9s Kd", "5s 6s 7s 8s 9s"]

BY_THE_DOCUMENT = Setup()
ACE_ONE = Setup(interpretations={"CV-I1": "ace_one"})
SUITS = Setup(interpretations={"CV-I2": "suits"})


def casino(sets, dealer=DEALER, ante=500, **fields):
    seats = [hands if isinstance(hands, dict) else casino_seat(hands, ante) for hands in sets]
    house = {"cards": dealt_from(dealer), "hands": dealer}
    return as_round(round_of("casino-version", seats, **{"house": house, **fields}))


def folded(ante=500, cards="As Ks Qs Js Ts 9s Jo"):
    wagers = {"ante": ante, "buy_in": ante}
    return {
        "cards": cards,
        "play": "fold",
        "wagers": wagers,
        "result": {"points": 0, "ante": 0, "buy_in": 0},
    }


def amounts(hands, setup=BY_THE_DOCUMENT, dealer=DEALER, ante=500):
    (outcome,) = settle(casino([hands], dealer, ante), setup).seats
    return outcome.amounts


def net(hands, setup=BY_THE_DOCUMENT, dealer=DEALER):
    """Return the points, for an ante of one cent."""
    return amounts(hands, setup, dealer, ante=1)["points"]


def codes(found):
    return {(item.code, item.seat, item.wager) for item in found}


@pytest.mark.parametrize(
    ("hands", "setup", "points"),
    [
        (PLAYER_1, BY_THE_DOCUMENT, 2 + 1 - 2),
        (PLAYER_2, BY_THE_DOCUMENT, 1 + 3 - 2),
        (PLAYER_3, BY_THE_DOCUMENT, 2 + 1 + 5),
        # the document prints 7 for the third hand: it counts the ace as 1 there, but as 2 in the
        # first
        (PLAYER_3, ACE_ONE, 1 + 1 + 5),
        (PLAYER_1, ACE_ONE, 1 + 1 - 2),
    ],
)
def test_worked_hands_add_up_to_their_values_cv_11_cv_i1(hands, setup, points):
    assert net(hands, setup) == points


LOW_DEALER = ["2c", "7d 4c 3h", "9c 9d 3s 4d 5h"]
SCORES = [
    (["2d", "7c 4d 3d", "9h 9s 3c 4c 5s"], 0, 0),
    (["2d", "7c 4d 3d", "Th Ts 3c 4c 5s"], 1, 1_000),
    (["2d", "8c 6d 3d", "Th Ts 3c 4c 5s"], 2, 1_500),
    (["3c", "8c 6d 4s", "Th Ts 3d 4s 5s"], 3, 2_000),
    (["2d", "7c 4d 3d", "Th Ts Tc Td 5s"], 4, 3_000),
    (["2d", "6c 6d 6h", "8h 7c 6s 5d 4c"], 3 + 1, 3_000),
    (["2d", "8c 6d 3d", "Th Ts Tc Td 5s"], 5, 3_500),
    (["3c", "8c 6d 3d", "Th Ts Tc Td 5s"], 6, 4_000),
    (["Ac", "6c 6d 3d", "Th Ts Tc Td 5s"], 7, 4_500),
    (["Ac", "6c 6d 3d", "Tc 9c 8c 7c 6c"], 8, 5_000),  # beyond the document's table
]


@pytest.mark.parametrize(("hands", "points", "won"), SCORES)
def test_scores_above_pay_as_listed_for_five_dollars_cv_10(hands, points, won):
    assert net(hands, dealer=LOW_DEALER) == points
    assert sum(amounts(hands, dealer=LOW_DEALER).values()) == won


HIGH_DEALER = ["Ks", "Qh Qd 4c", "Jc Js Jd Jh 2d"]


@pytest.mark.parametrize(
    ("hands", "points", "lost"),
    [
        (["Kd", "Qs Qc 4d", "Jc Js Jd 2c 3d"], -4, 3_000),
        (["Kd", "Qs Qc 3d", "Jc Js Jd 2c 3c"], -5, 3_500),
        (["Ad", "Qs Qc 3d", "Jc Js Jd 2c 3c"], 2 - 1 - 4, 2_500),
        (["Ad", "Qs Qc 4s", "Jc Js Jd 2c 3c"], 2 - 4, 2_000),
        (["Ad", "Ac As Ah", "2h 2c 2d 3c 3h"], 2 + 3 - 4, None),
        (["Ad", "Kc Kh 4h", "2h 2c 2d 3c 3h"], 2 + 1 - 4, 1_500),
    ],
)
def test_scores_below_pay_as_listed_cv_10(hands, points, lost):
    assert net(hands, dealer=HIGH_DEALER) == points
    if lost is not None:
        assert sum(amounts(hands, dealer=HIGH_DEALER).values()) == -lost


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (-1, {"points": -500, "ante": -500, "buy_in": -500}),
        (0, {"points": 0, "ante": 0, "buy_in": 0}),
        (3, {"points": 1_500, "ante": 0, "buy_in": 500}),
        (4, {"points": 2_000, "ante": 500, "buy_in": 500}),
    ],
)
def test_points_ante_and_buy_in_settle_alone_cv_7_cv_8_cv_9(points, expected):
    hands = {
        -1: (["Ad", "Kc Kh 4h", "2h 2c 2d 3c 3h"], HIGH_DEALER),
        0: (SCORES[0][0], LOW_DEALER),
        3: (SCORES[3][0], LOW_DEALER),
        4: (SCORES[4][0], LOW_DEALER),
    }[points]
    assert amounts(hands[0], dealer=hands[1]) == expected


def test_a_fold_loses_ante_and_match_cv_3():
    (outcome,) = settle(casino([folded()]), BY_THE_DOCUMENT).seats
    assert outcome.amounts == {"points": 0, "ante": -500, "buy_in": -500}


@pytest.mark.parametrize(
    ("mine", "theirs", "points"),
    [
        # hand 3: specials of the hand that wins
        ("2s 2h 2d 3c 3d", "Ac Kc Qc Jc 9c", 2),
        ("2s 2h 2d 2c 3d", "As Ah Ad Kc Kd", 4),
        ("5s 6s 7s 8s 9s", "As Ah Ad Ac Kd", 5),
        ("Ac Kc Qc Jc 9c", "Ad Kd Qc Js Th", 1),
        ("Ad Kd Qc Js Th", "As Ah Ad Kc Qd", 1),
        ("As 2s 3s 4s 5s", "As Ah Ad Ac Kd", 5),
    ],
)
def test_specials_score_for_the_winning_hand_cv_5_cv_6(mine, theirs, points):
    my_hands, dealer = ["3h", "4h 5d 7h", mine], ["3d", "4d 5c 7s", theirs]
    assert net(my_hands, dealer=dealer) == points
    assert net(dealer, dealer=my_hands) == -points


@pytest.mark.parametrize(("reading", "points"), [("one_point", 1), ("as_four", 4), ("as_six", 6)])
def test_five_of_a_kind_scores_by_interpretation_cv_i3(reading, points):
    setup = Setup(interpretations={"CV-I3": reading})
    fives = ["3h", "4h 5d 7h", "6s 6h 6d Jo=6c 6s"]
    royal = ["3d", "4d 5c 7s", "As Ks Qs Js Ts"]
    assert net(fives, setup, dealer=royal) == points
    assert net(royal, setup, dealer=fives) == -points


@pytest.mark.parametrize(
    ("mine", "theirs", "points"),
    [
        ("2s 2h 2d", "As Ks 9s", 3),  # trips over a flush
        ("As Ks 9s", "Qd Kd Ac", 1),  # a flush over a straight
        ("9s Ts Js", "Qd Kd Ac", 1),  # suited in sequence is a flush
        ("4d 3s 2c", "As Ah Kd", 1),
        ("As Ah Kd", "As Kh Qd", -1),  # A-K-Q is a straight
        ("As Ah Kd", "As Kh Jd", 1),
    ],
)
def test_three_cards_rank_as_in_showdown_cv_i5(mine, theirs, points):
    high = "9c 8c 7c 6c 5c"
    assert net(["2h", mine, high], dealer=["2d", theirs, "9d 8d 7d 6d 5d"]) == points


@pytest.mark.parametrize(
    "hands",
    [
        ["Ks", "Qd Jc 9h", "As Ah Kd Kc 3s"],  # hand 1 over hand 2
        ["2s", "Qd Jc Th", "As Ah Kd Kc 3s"],  # a three-card straight over two pairs (CV-I4)
        ["2s", "3d 3c 3h", "As Ah Kd Kc 3s"],
        ["2s", "Ad Ac Kh", "As Ah Qd Jc Ts"],  # same pair, lower kicker
        ["2s", "Kd 8d 3d", "9s 8h 7d 6c 5s"],
    ],
)
def test_fouled_set_loses_three_hands_to_dealer_cv_i6(hands):
    aces = ["Ah", "3s 3c 3d", "Kh Kd Kc Ks 2h"]
    assert net(hands, dealer=DEALER) == -(1 + 1 + 2)
    assert net(hands, dealer=aces) == -(2 + 3 + 4)
    assert amounts(hands)["ante"] == -500


def test_longer_hand_is_higher_when_ranks_match_cv_i4():
    legal = ["As", "Ad Kc Qh", "Ac Kd Qs Jh Td"]
    assert net(legal) == 2 + 1 - 2
    same_pair = ["Ks", "Ad Ac Kh", "As Ah Kd 3c 2s"]
    assert net(same_pair) == 1 + 1 - 2


EQUAL = ["Jd", "Qh 9h 2s", "4c 4d 4s 9s 9d"]  # the dealer has 4s 4h 4d: the club is lower


def test_equal_hands_score_by_suits_only_if_chosen_cv_i2():
    assert net(EQUAL) == 0
    assert net(EQUAL, SUITS) == 1 + 1 - 2
    assert net(["Jd", *DEALER[1:]], SUITS) == 1
    assert net([DEALER[0], "Qs 9c 2c", DEALER[2]], SUITS) == 1
    assert net([*DEALER[:2], "4s 4h 4d 9s 9c"], SUITS) == 2
    assert net([*DEALER[:2], "4s 4h 4c 9s 9c"], SUITS) == -2
    assert net(DEALER, SUITS) == 0


def test_a_fouled_dealer_makes_the_round_irregular_cv_i7():
    outcome = settle(
        casino([PLAYER_1], dealer=["Ks", "Qd Jc 9h", "As Ah Kd Kc 3s"]), BY_THE_DOCUMENT
    )
    assert outcome.irregular
    assert "CV-I7" in outcome.irregular_cites
    assert outcome.seats == ()


def test_a_dealer_sets_freely_cv_i8():
    poor = ["2c", "Ah Kd 3c", "As Ac 5d 7h 9s"]
    assert settle(casino([PLAYER_1], dealer=poor), BY_THE_DOCUMENT).findings == ()


def test_a_joker_is_the_card_that_its_holder_names_cv_1():
    hands = ["Jo=As", "7d 7c Kh", "Qh Th Jo=8h 5h 3h"]
    assert net(hands) == net(PLAYER_1)
    assert settle(casino([hands]), BY_THE_DOCUMENT).findings == ()


def test_order_of_cards_in_a_hand_changes_nothing():
    turned = [" ".join(reversed(hand.split())) for hand in PLAYER_3]
    assert net(turned) == net(PLAYER_3)


@pytest.mark.parametrize(
    ("seat", "found"),
    [
        (
            {**casino_seat(PLAYER_1), "cards": "As 7d 7c Kh Qh Th 8h 5h"},
            {"deal.count", "setting.cards"},
        ),
        ({**casino_seat(PLAYER_1), "cards": "As 7d 7c Kh Qh Th 8h 5h 3d"}, {"setting.cards"}),
        (casino_seat(["As Kh", "7d 7c", "Qh Th 8h 5h 3h"]), {"setting.cards"}),
        ({**casino_seat(PLAYER_1), "cards": "Jo 7d 7c Kh Qh Th 8h 5h 3h"}, {"setting.cards"}),
        (folded(cards="As Ks Qs Js Ts 9s"), {"deal.count"}),
        (folded(cards="As Ks Qs Js Ts 9s 8s 7s 6s"), {"deal.count"}),
    ],
)
def test_wrong_seat_is_not_settled_others_are_cv_2_cv_4(seat, found):
    outcome = settle(casino([seat, PLAYER_2]), BY_THE_DOCUMENT)
    assert {(item.code, item.seat) for item in outcome.findings} == {(code, 1) for code in found}
    assert outcome.seats[0] is None
    assert outcome.seats[1].amounts["points"] == 2 * 500


@pytest.mark.parametrize(
    ("house", "code"),
    [
        ({"cards": "Jc Qd 9s 2h 4s 4h 4d 9c", "hands": DEALER}, "deal.count"),
        ({"cards": "Jc Qd 9s 2h 4s 4h 4d 9c 9d", "hands": DEALER}, "setting.cards"),
    ],
)
def test_wrong_cards_of_the_dealer_make_the_round_irregular(house, code):
    outcome = settle(casino([PLAYER_1], house=house), BY_THE_DOCUMENT)
    assert outcome.irregular
    assert (code, None, None) in codes(outcome.findings)


@pytest.mark.parametrize("cards", ["Jc Qd 9s 2h 4s 4h 4d", "Jc Qd 9s 2h 4s 4h 4d 9c 9h"])
def test_when_everyone_folds_the_dealer_need_not_set(cards):
    outcome = settle(casino([folded(), folded()], house={"cards": cards}), BY_THE_DOCUMENT)
    assert outcome.irregular is None
    assert outcome.findings == ()
    assert [seat.amounts["ante"] for seat in outcome.seats] == [-500, -500]
