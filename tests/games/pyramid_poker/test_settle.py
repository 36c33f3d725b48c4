"""Pyramid Poker settlement: main against the dealer, two pay tables, fouls, three of a kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import RANKS, SUITS, dealt, rank, show
from games.kernel import compiled
from games.pyramid_poker.reasons import PAY_LINES, REASONS
from games.pyramid_poker.settle import (
    fouls,
    high_hand,
    settle_main,
    settle_six_card,
    settle_three_card,
)
from games.setup import Setup
from tests.games.replayed import expected, found, replayed_alone
from tests.games.written_rounds import pyramid_seat, round_of

PAYS_3 = Setup().pays("pyramid-poker", "three_card")
PAYS_6 = Setup().pays("pyramid-poker", "six_card")

cards = st.integers(0, 51)
ranks = st.integers(0, 12)


def pyramid(*seats, dealer=("Kd Ts 8c", "Ts"), **fields):
    house = {"cards": dealer[0], "low": dealer[1]}
    return round_of("pyramid-poker", list(seats), house=house, **fields)


def main(cards_, low, dealer, setup=None):
    """Return what a main wager of 100 wins."""
    line = pyramid(pyramid_seat(cards_, low), dealer=dealer)
    return expected(replayed_alone(line, setup))["main"]


@pytest.mark.parametrize(
    ("hand", "low", "dealer", "won"),
    [
        # PP-9: both better; low equal and high better; low better and high equal
        ("As Jd 9c", "Jd", ("Kd Ts 8c", "Ts"), 100),
        ("As Td 9c", "Td", ("Kd Ts 8c", "Ts"), 100),
        ("Ks Jd 8d", "Jd", ("Kd Ts 8c", "Ts"), 100),
        # PP-10: both worse; one equal and one worse
        ("Qs 9d 2c", "9d", ("Kd Ts 8c", "Ts"), -100),
        ("Ks Td 7c", "Td", ("Kd Ts 8c", "Ts"), -100),
        ("Ks 9d 8d", "9d", ("Kd Ts 8c", "Ts"), -100),
        # PP-11: one each way
        ("As 9d 8d", "9d", ("Kd Ts 8c", "Ts"), 0),
        ("Qs Jd 8d", "Jd", ("Kd Ts 8c", "Ts"), 0),
        # PP-12: a pair of twos is above ace-king; jacks rank above tens (PP-I2)
        ("2s 2d Ac", "Ac", ("Ad Ks Qc", "Ks"), 100),
        ("Js Jd Tc", "Tc", ("Ts Th Td", "Ts"), 100),
        # PP-I3: K-9 against K-8 by the second card
        ("Ks Td 9c", "Td", ("Kd Ts 8c", "Ts"), 100),
        # PP-13: the low card by rank alone, suits never decide
        ("Ks Td 8d", "Td", ("Kd Ts 8c", "Ts"), 0),
    ],
)
def test_main_is_low_against_low_and_high_against_high(hand, low, dealer, won):
    assert main(hand, low, dealer) == won


def test_two_equal_hands_push_or_lose_by_the_reading():
    # PP-I1; `dealer_wins` is Pai Gow's copy rule (PP-31)
    equal = ("Ks Td 8d", "Td", ("Kd Ts 8c", "Ts"))
    assert main(*equal) == 0
    assert main(*equal, {"interpretations": {"PP-I1": "dealer_wins"}}) == -100


def test_a_foul_loses_main_alone():
    # PP-6: A low over K-Q; the other wagers count: A-K-Q is a straight, 5 to 1
    answer = replayed_alone(pyramid(pyramid_seat("As Kd Qc", "As"), dealer=("2c 2d 2h", "2c")))
    # six cards A K Q 2 2 2: three of a kind, 2 to 1
    assert expected(answer) == {"main": -100, "three_card": 500, "six_card": 200}


@pytest.mark.parametrize(
    ("low", "high", "fouled"),
    [
        ("A", "KQ", True),
        ("A", "AK", False),  # equal rank is no foul
        ("A", "22", False),  # a pair is never outranked by one card
        ("K", "A2", False),
        ("Q", "QQ", False),
    ],
)
def test_one_card_outranks_two_below_it_unless_a_pair(low, high, fouled):
    # PP-I4
    assert fouls(RANKS.index(low), *(RANKS.index(card) for card in high)) is fouled


def test_three_of_a_kind_wins_against_any_dealer():
    # PP-7: 3 to 1 on main against three aces; three_card 20 to 1; six_card a full house, 7 to 1
    answer = replayed_alone(pyramid(pyramid_seat("2s 2d 2c", "2d"), dealer=("As Ad Ac", "As")))
    assert expected(answer) == {"main": 300, "three_card": 2000, "six_card": 700}


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("As Ks Qs", 50),
        ("2h Ah 3h", 30),  # X-I1: A-2-3 is a straight, suited a straight flush
        ("Kc Qc Jc", 30),
        ("9s 9d 9c", 20),
        ("9s 9s 9s", 20),
        ("Qs Kd Ac", 5),
        ("As 2d 3c", 5),
        ("Ks 9s 2s", 2),
        ("9s 9s 4s", 2),  # PP-I5: a suited pair is a flush, which pays more, once
        ("2s 2d Ac", 1),
        ("7s 5d 2c", 0),  # PP-I7: seven high without an ace pushes
        ("7s 6d 4c", 0),
        ("8s 5d 2c", -1),
        ("As 5d 2c", -1),
        ("Ks As 2d", -1),  # X-I1: never round the corner
    ],
)
def test_the_three_card_wager_pays_its_table(hand, pays):
    # PP-28
    assert settle_three_card(*dealt(hand), 100, PAYS_3)[0] == 100 * pays


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("As As Ah Ad Ac Ac", 1000),
        ("As Ks Qs Js Ts 2d", 200),
        ("As Ks Qs Js Ts 9s", 200),
        ("9s 8s 7s 6s 5s 5s", 75),
        ("As 2s 3s 4s 5s Kd", 75),
        ("9s 9s 9d 9c 9c 2d", 50),
        ("9s 9s 9d 9c Ks Kd", 10),
        ("9s 9s 9d Kc Ks 2d", 7),
        ("9s 9s 9d Kc Ks Kd", 7),  # PP-I6: two threes of a kind are a full house
        ("9s 9s 4s 3s 2s Kd", 6),  # PP-I6: any five of one suit, a pair among them
        ("9s 8d 7s 6s 5c 5s", 5),
        ("As 2d 3c 4h 5s 9s", 5),
        ("9s 9s 9d Kc Qs 2d", 2),
        ("9s 9d Kc Ks 2d 3h", 1),
        ("9s 9d Kc Ks 2d 2h", 1),  # PP-I6: three pairs are two pairs
        ("9s 9d Kc Qs 2d 3h", -1),
        ("As Ks Qs Js 9d 8c", -1),
        ("Ks As 2d 3c 4h 9s", -1),
    ],
)
def test_the_six_card_wager_pays_its_table(hand, pays):
    # PP-29
    assert settle_six_card(*dealt(hand), 100, PAYS_6)[0] == 100 * pays


def test_the_rules_pay_30_where_the_layout_prints_50():
    # PP-30: the layout isn't a pay table; an approved line would replace the rules'
    paid = {"main": -100, "three_card": 5000, "six_card": -100}
    straight_flush = pyramid_seat("9s 8s 7s", "8s", result=paid)
    answer = replayed_alone(pyramid(straight_flush))
    assert found(answer) == [("settlement.three_card", 1, "three_card")]
    assert answer["findings"][0]["delta"] == 2000
    assert "PP-28" in answer["findings"][0]["cites"]
    fifty = {"pay_tables": {"pyramid-poker": {"three_card": {"straight_flush": 50}}}}
    assert found(replayed_alone(pyramid(straight_flush), fifty)) == []


def test_each_wager_has_an_amount_of_its_own():
    # PP-2
    seat = pyramid_seat("As Jd 9c", "Jd", (1, 20, 300))
    assert expected(replayed_alone(pyramid(seat))) == {
        "main": 1,
        "three_card": -20,
        "six_card": -300,
    }


def test_several_hands_of_a_player_settle_alone():
    # PP-19
    winning, losing = pyramid_seat("As Jd 9c", "Jd"), pyramid_seat("Qs 9d 2c", "9d")
    mine = {"player": "p-1"}
    answer = replayed_alone(pyramid({**winning, **mine}, {**losing, **mine}))
    assert [expected(answer, seat)["main"] for seat in (1, 2)] == [100, -100]


@pytest.mark.parametrize("decks", [6, 7, 8, 100])
def test_a_shoe_of_six_decks_or_more_is_legal(decks):
    # PP-1
    answer = replayed_alone(pyramid(pyramid_seat("As Jd 9c", "Jd"), decks=decks))
    assert "deal.shoe" not in [one["code"] for one in answer["findings"]]


@given(st.tuples(ranks, ranks, ranks), st.tuples(ranks, ranks, ranks))
def test_what_one_side_wins_on_main_the_other_would_lose(mine, theirs):
    """Without fouls, copies and threes of a kind the comparison is symmetric (PP-9 to PP-11)."""
    if fouls(*mine) or fouls(*theirs) or len(set(mine)) == 1 or len(set(theirs)) == 1:
        return
    won, _ = settle_main(*mine, *theirs, 100, both_equal=0, wins_at_once=True)
    lost, _ = settle_main(*theirs, *mine, 100, both_equal=0, wins_at_once=True)
    assert won == -lost


@given(ranks, ranks, ranks, st.tuples(ranks, ranks, ranks), ranks)
def test_a_better_low_card_never_wins_less(low, a, b, theirs, better):
    if better < low or fouls(better, a, b) or len({low, a, b}) == 1:
        return
    won, _ = settle_main(low, a, b, *theirs, 100, both_equal=0, wins_at_once=True)
    more, _ = settle_main(better, a, b, *theirs, 100, both_equal=0, wins_at_once=True)
    assert more >= won


def test_high_hands_stand_in_one_order_of_91():
    # PP-12, PP-I3: all pairs above all others; 13 pairs and 78 unpaired
    others = [(a, b) for a in range(13) for b in range(a)]
    in_order = sorted(others) + [(a, a) for a in range(13)]
    strengths = [high_hand(a, b) for a, b in in_order]
    assert strengths == sorted(set(strengths))
    assert len(strengths) == 91


@given(
    st.lists(cards, min_size=6, max_size=6), st.permutations(range(4)), st.permutations(range(6))
)
def test_relabeled_suits_and_order_change_nothing(hand, suits, order):
    other = [4 * rank(hand[place]) + suits[hand[place] % 4] for place in order]
    assert settle_six_card(*hand, 100, PAYS_6) == settle_six_card(*other, 100, PAYS_6)
    other = [4 * rank(card) + suits[card % 4] for card in hand[:3]]
    assert settle_three_card(*hand[:3], 100, PAYS_3) == settle_three_card(*other, 100, PAYS_3)


@given(st.lists(st.sampled_from(range(24)), min_size=6, max_size=6), st.integers(0, 10**12))
def test_compiled_and_plain_agree_on_rare_hands(hand, stake):
    assert compiled(settle_six_card)(*hand, stake, PAYS_6) == settle_six_card(*hand, stake, PAYS_6)
    three = hand[:3]
    assert compiled(settle_three_card)(*three, stake, PAYS_3) == settle_three_card(
        *three, stake, PAYS_3
    )
    mine, theirs = ([rank(card) for card in part] for part in (hand[:3], hand[3:]))
    for both_equal in (0, -1):
        assert compiled(settle_main)(
            *mine, *theirs, stake, both_equal=both_equal, wins_at_once=True
        ) == settle_main(*mine, *theirs, stake, both_equal=both_equal, wins_at_once=True)


def test_every_line_of_both_tables_has_a_reason_with_clauses():
    for line in (*PAY_LINES["three_card"], *PAY_LINES["six_card"]):
        assert any(line.replace("_", " ") == reason.says for reason in REASONS.values())
    assert all(suit in show(bytes(range(52))) for suit in SUITS)
