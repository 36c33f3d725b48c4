"""Pick 2 Poker settlement: three or five cards, qualification of the dealer, bonuses, folds."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import as_set, dealt, rank
from games.kernel import compiled
from games.pick_2_poker import settle as kernels
from games.pick_2_poker.settle import (
    best_three,
    five,
    five_card_lines,
    settle_bonus_3_5,
    settle_bonus_5,
    settle_five,
    three_card_lines,
)
from games.ranking.three_card import three_card
from games.setup import Setup
from tests.games.replayed import expected, found, replayed_alone
from tests.games.written_rounds import pick_2_seat, round_of

SETUP = Setup()
FIVE, THREE, FIVE_ONLY = (
    SETUP.pays("pick-2-poker", table) for table in ("bonus_3_5_five", "bonus_3_5_three", "bonus_5")
)

# No pair, no straight, nothing on three cards: a hand that pays nowhere.
NOTHING = "Kd Jh 8c 5s 2d"
QUALIFIED = "As Kd 9c 5h 3s"
NOT_QUALIFIED = "As Qd 9c 5h 3s"

five_cards = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)


def pick_2(*seats, dealer=QUALIFIED, **fields):
    house = {"cards": dealer, **fields.pop("house", {})}
    return round_of("pick-2-poker", list(seats), house=house, **fields)


def won(seat, dealer=QUALIFIED, **readings):
    setup = {"interpretations": {key.replace("_", "-"): name for key, name in readings.items()}}
    return expected(replayed_alone(pick_2(seat, dealer=dealer), setup))


@pytest.mark.parametrize(
    ("hand", "dealer", "times"),
    [
        ("2s 2d 9h 5c 3d", QUALIFIED, 1),
        (NOTHING, QUALIFIED, -1),
        ("Ad Ks 9d 5c 3h", QUALIFIED, 0),
        ("As Kd 9c 6h 3s", "Ad Ks 9d 5c 3h", 1),
        # P2-11: a flush over a straight, the wheel the lowest straight
        ("9h 8h 5h 3h 2h", "Ts 9s 8d 7c 6c", 1),
        ("6s 5d 4c 3h 2s", "As 2d 3c 4d 5c", 1),
        ("Kh Kd Kc 2s 2d", "9h 8h 5h 3h 2h", 1),
    ],
)
def test_five_cards_win_lose_or_push_against_qualified_dealer(hand, dealer, times):
    # P2-8, P2-9: ante and play even money; play is one ante
    outcome = won(pick_2_seat(hand, "five"), dealer)
    assert (outcome["ante"], outcome["play"]) == (100 * times, 100 * times)


@pytest.mark.parametrize(
    ("reading", "ante", "play"),
    [("ante_wins", 100, 0), ("both_win", 100, 100), ("both_push", 0, 0)],
)
@pytest.mark.parametrize("hand", [NOTHING, "2s 2d 9h 5c 4d"])
def test_unqualified_dealer_is_settled_by_interpretation(reading, ante, play, hand):
    # P2-8, P2-I1: whatever the player holds
    outcome = won(pick_2_seat(hand, "five"), NOT_QUALIFIED, P2_I1=reading)
    assert (outcome["ante"], outcome["play"]) == (ante, play)


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        ("Ad Ks 4d 3c 2h", True),
        ("Ad Qs Jd Tc 8h", False),
        ("2d 2s 5d 4c 3h", True),
        ("Kd Qs Jd 9c 8h", False),
    ],
)
def test_ace_king_or_better_includes_higher_hands(dealer, qualifies):
    # P2-I6
    theirs = five(*dealt(dealer))
    mine = five(*dealt(NOTHING))
    _, _, why = settle_five(mine, theirs, 100, 100, kernels.ANTE_WINS)
    assert (why != kernels.NOT_QUALIFIED) is qualifies


@pytest.mark.parametrize(
    ("hand", "three", "dealer", "times"),
    [
        # a dealer who wouldn't qualify on five cards plays anyway (P2-8)
        ("Kd Jh 8c 5s 2d", "Kd Jh 8c", "As Qd 9c 5h 3s", -1),
        ("Ks Kh 8c 5s 2d", "Ks Kh 8c", "As Qd 9c 5h 3s", 1),
        # P2-12: a straight over a flush
        ("9s 8h 7c 2d 2h", "9s 8h 7c", "Ks 9c 4c 2c Jd", 1),
        ("As 2h 3c Kd Jh", "As 2h 3c", "2d 3d 4s Kc Jc", -1),
        ("As Kd 9h 5s 2d", "As Kd 9h", "Ah Kc 9d 4c 3h", 0),
    ],
)
def test_three_cards_meet_the_dealers_best_three_always(hand, three, dealer, times):
    # P2-6, P2-7, P2-8, P2-9: play is two antes
    outcome = won(pick_2_seat(hand, "three", three), dealer)
    assert (outcome["ante"], outcome["play"]) == (100 * times, 200 * times)


def test_own_three_cards_play_even_if_better_ones_existed():
    # P2-6: K-K set aside, J-8-5 in play against A-Q-9
    hand = "Ks Kh Jc 8s 5d"
    assert won(pick_2_seat(hand, "three", "Jc 8s 5d"), NOT_QUALIFIED)["ante"] == -100


def test_fold_loses_ante_and_bonuses_by_interpretation():
    # P2-5, P2-10, P2-I5: four of a kind folded
    folded = pick_2_seat("9s 9d 9c 9h 2d", "fold", bonus_5=100)
    assert won(folded) == {"ante": -100, "play": 0, "bonus_3_5": -100, "bonus_5": -100}
    # five cards 25, three of a kind among three 1; bonus_5 pays 40
    stands = {"ante": -100, "play": 0, "bonus_3_5": 2600, "bonus_5": 4000}
    assert won(folded, P2_I5="bonus_stands") == stands


def test_bonus_wagers_stand_whatever_the_dealer_holds():
    # P2-10: a flush that loses to a full house: 10 on five cards, three suited lose on three
    outcome = won(pick_2_seat("9h 7h 5h 3h 2h", "five", bonus_5=100), "Ks Kd Kc 2d 2s")
    assert outcome == {"ante": -100, "play": -100, "bonus_3_5": 1000, "bonus_5": 800}


@pytest.mark.parametrize(
    ("hand", "five_pays", "three_pays", "five_only"),
    [
        ("As Ks Qs Js Ts", 500, 10, 500),
        ("9s 8s 7s 6s 5s", 100, 3, 100),
        ("5s 4s 3s 2s As", 100, 3, 100),
        ("9s 9d 9c 9h 2d", 25, 1, 40),
        ("9s 9d 9c 2h 2d", 12, 1, 15),
        ("Ks 9s 7s 5s 2s", 10, None, 8),
        ("9s 8s 7s 5s 2s", 10, 3, 8),
        ("9s 8d 7s 6s 5s", 4, 3, 6),
        ("9s 8d 7c 6s 5s", 4, None, 6),
        ("As 2d 3c 4h 5s", 4, None, 6),
        ("9s 9d 9c Kh 2d", 1, 1, 4),
        ("9s 9d Kc Kh 2d", None, None, 3),
        ("6s 6d Kc Qh 2d", None, None, 1),
        ("5s 5d Kc Qh 2d", None, None, None),
        ("As Ks Qs 9d 2c", None, 10, None),
        ("As Kd Qs 9d 2c", None, None, None),
        ("As Ks Kc Qh Jd", None, None, 1),
    ],
)
def test_both_bonus_wagers_pay_their_tables(hand, five_pays, three_pays, five_only):
    # P2-17, P2-18, P2-I2, P2-I3: both tables of bonus_3_5 add up; it loses if neither has a line
    cards = dealt(hand)
    lines = five_card_lines(*cards)
    threes = three_card_lines(best_three(*cards), any_suits=False)
    paid = [pays for pays in (five_pays, three_pays) if pays is not None]
    both = sum(paid) if paid else -1
    assert settle_bonus_3_5(lines, threes, 100, FIVE, THREE)[0] == 100 * both
    only = -1 if five_only is None else five_only
    assert settle_bonus_5(lines, 100, FIVE_ONLY)[0] == 100 * only


def test_the_layouts_other_odds_pay_nothing_here():
    # P2-19: the drawing has 4 for three of a kind and 3 for ace-king-queen suited; the rules do not
    rules = SETUP.rules("pick-2-poker")
    assert rules.layouts["bonus_3_5_five"].lines == {"three_of_a_kind": 4}
    assert rules.pay_tables["bonus_3_5_five"].lines["three_of_a_kind"] == 1
    assert rules.layouts["bonus_3_5_three"].lines == {"ace_king_queen_suited": 3}
    assert rules.pay_tables["bonus_3_5_three"].lines["ace_king_queen_suited"] == 10


@pytest.mark.parametrize(("reading", "pays"), [("best_three", 1), ("set_three", -1)])
def test_three_card_table_settles_best_three_or_those_set(reading, pays):
    # P2-I4: 9-9-2 in play of 9 9 9 K 2; the five-card table has three of a kind either way
    seat = pick_2_seat("9s 9d 9c Kh 2d", "three", "9s 9d 2d")
    expected_ = 200 if pays == 1 else 100
    assert won(seat, P2_I4=reading)["bonus_3_5"] == expected_


@pytest.mark.parametrize(("reading", "pays"), [("suited", -100), ("any_suits", 1000)])
def test_ace_king_queen_pays_suited_or_in_any_suits(reading, pays):
    # P2-I9
    assert won(pick_2_seat("As Kd Qs 9d 2c", "five"), P2_I9=reading)["bonus_3_5"] == pays


def test_an_optional_bonus_that_was_not_placed_wins_nothing():
    # P2-2
    assert won(pick_2_seat("As Ks Qs Js Ts", "five"))["bonus_5"] == 0


@pytest.mark.parametrize("bonus_5", [0, 100])
def test_the_optional_bonus_equals_the_ante_or_is_not_placed(bonus_5):
    # P2-3, P2-I10
    seat = pick_2_seat(NOTHING, "five", bonus_5=bonus_5)
    optional = {"interpretations": {"P2-I10": "bonus_5"}}
    assert ("wager.relation", 1, "bonus_5") not in found(replayed_alone(pick_2(seat), optional))


def test_the_wager_that_must_equal_the_ante_is_the_readings():
    # P2-3, P2-I10
    seat = pick_2_seat(NOTHING, "five", bonus_5=50)
    seat["wagers"]["bonus_3_5"] = 70
    relation = [one for one in found(replayed_alone(pick_2(seat))) if one[0] == "wager.relation"]
    assert relation == [("wager.relation", 1, "bonus_3_5")]
    other = {"interpretations": {"P2-I10": "bonus_5"}}
    answer = replayed_alone(pick_2(seat), other)
    assert [one for one in found(answer) if one[0] == "wager.relation"] == [
        ("wager.relation", 1, "bonus_5")
    ]


@pytest.mark.parametrize(
    ("cards", "play", "suited", "any_suits"),
    [
        # trips of queens are the best three (1 to 1, and 1 to 1 in five cards); A-K-Q pays 10
        ("As Kd Qs Qh Qc", "five", 200, 1100),
        # K-Q-J of hearts outranks A-K-Q of two suits: 3 to 1, or 10
        ("As Kh Qh Jh 2c", "five", 300, 1000),
        ("As Kd Qh 7c 2c", "fold", -100, -100),
        ("Ah Kd 9s 7c 2c", "five", -100, -100),
    ],
)
def test_ace_king_queen_counts_among_any_three_cards(cards, play, suited, any_suits):
    # P2-I9, P2-I2, P2-17
    chosen = {"interpretations": {"P2-I9": "any_suits"}}
    for setup, amount in (({}, suited), (chosen, any_suits)):
        answer = replayed_alone(pick_2(pick_2_seat(cards, play)), setup)
        assert expected(answer)["bonus_3_5"] == amount


def test_bonus_by_set_three_counts_the_three_set():
    # P2-I4, P2-I9: queens are set; the ace and the king lie aside
    chosen = {"interpretations": {"P2-I4": "set_three", "P2-I9": "any_suits"}}
    seat = pick_2_seat("As Kd Qs Qh Qc", "three", three="Qs Qh Qc")
    assert expected(replayed_alone(pick_2(seat), chosen))["bonus_3_5"] == 200


@pytest.mark.parametrize(
    ("play", "amount", "right"),
    [("three", 200, True), ("three", 100, False), ("five", 100, True), ("five", 200, False),
     ("fold", 0, True), ("fold", 100, False)],
)  # fmt: skip
def test_play_is_two_antes_one_ante_or_nothing(play, amount, right):
    # P2-4
    seat = pick_2_seat(NOTHING, play, "Kd Jh 8c" if play == "three" else None)
    seat["wagers"]["play"] = amount
    assert (("wager.relation", 1, "play") not in found(replayed_alone(pick_2(seat)))) is right


def test_a_play_wager_logged_on_a_fold_is_not_at_stake():
    seat = pick_2_seat(NOTHING, "fold")
    seat["wagers"]["play"] = 100
    assert expected(replayed_alone(pick_2(seat)))["play"] == 0


@pytest.mark.parametrize(
    ("three", "best"),
    [
        ("Ks Kd 9c", True),
        ("9c Kd Ks", True),
        ("Ks Kd 8h", False),  # the kicker is part of the best hand
        ("Ks Kd", False),
        ("Ks Kd 9d", False),  # not one of the dealer's cards
    ],
)
def test_the_dealers_three_are_a_best_three_of_the_five(three, best):
    # P2-7, P2-I7
    answer = replayed_alone(
        pick_2(pick_2_seat(NOTHING, "fold"), dealer="Ks Kd 9c 8h 2s", house={"three": three})
    )
    assert (("setting.dealer", None, None) not in found(answer)) is best


@pytest.mark.parametrize("three", ["Kd Jh", "Kd Jh 8c 5s", "Kd Jh 9c", "Kd Kd 8c", "Kd Jh Jo=As"])
def test_set_of_other_cards_is_not_settled(three):
    answer = replayed_alone(pick_2(pick_2_seat(NOTHING, "three", three)))
    assert ("setting.cards", 1, None) in found(answer)
    assert expected(answer) is None


def test_three_with_another_play_is_ignored():
    answer = replayed_alone(pick_2(pick_2_seat(NOTHING, "five", "2c 2d")))
    assert expected(answer)["ante"] == -100


@given(five_cards)
def test_the_best_three_is_the_strongest_of_all_ten(cards):
    # P2-I7
    assert best_three(*cards) == max(three_card(*three) for three in combinations(cards, 3))


@given(five_cards, st.permutations(range(5)), st.permutations(range(4)))
def test_order_and_suits_relabeled_change_nothing(cards, order, suits):
    other = [4 * rank(cards[place]) + suits[cards[place] % 4] for place in order]
    assert five(*cards) == five(*other)
    assert best_three(*cards) == best_three(*other)
    assert five_card_lines(*cards) == five_card_lines(*other)


@given(five_cards, five_cards, st.integers(0, 10**12), st.integers(0, 2))
def test_compiled_and_plain_agree(mine, theirs, stake, reading):
    strengths = compiled(five)(*mine), compiled(five)(*theirs)
    assert strengths == (five(*mine), five(*theirs))
    assert compiled(best_three)(*mine) == best_three(*mine)
    assert compiled(settle_five)(*strengths, stake, stake, reading) == settle_five(
        *strengths, stake, stake, reading
    )
    lines = five_card_lines(*mine)
    assert compiled(five_card_lines)(*mine) == lines
    threes = three_card_lines(best_three(*mine), any_suits=reading == 1)
    assert compiled(three_card_lines)(best_three(*mine), any_suits=reading == 1) == threes
    assert compiled(settle_bonus_3_5)(lines, threes, stake, FIVE, THREE) == settle_bonus_3_5(
        lines, threes, stake, FIVE, THREE
    )
    assert compiled(settle_bonus_5)(lines, stake, FIVE_ONLY) == settle_bonus_5(
        lines, stake, FIVE_ONLY
    )


def test_players_are_settled_alone_whatever_the_order():
    # P2-16, P2-14, P2-I11: another seat's cards change nothing, and no order is logged
    mine = pick_2_seat("2s 2d 9h 5c 3d", "five")
    alone = replayed_alone(pick_2(mine))
    others = replayed_alone(pick_2(mine, pick_2_seat("7s 7d 7h 6c 6d", "five")))
    assert expected(others) == expected(alone)


def test_one_deck_is_dealt():
    # P2-1
    two = replayed_alone(pick_2(pick_2_seat(NOTHING, "fold"), decks=2))
    assert ("deal.shoe", None, None) in found(two)
    same = replayed_alone(pick_2(pick_2_seat(NOTHING, "fold"), dealer="Kd 9s 8d 7c 3h"))
    assert ("deal.duplicate", None, None) in found(same)


def test_a_joker_named_or_not_is_no_card_of_this_game():
    assert as_set("Jo=As") != dealt("Jo")
    answer = replayed_alone(pick_2(pick_2_seat("Jo Kd 9c 5h 3s", "five"), dealer="2c 2d 9h 8h 7s"))
    assert found(answer)[0] == ("deal.duplicate", None, None)
    assert expected(answer) is None
