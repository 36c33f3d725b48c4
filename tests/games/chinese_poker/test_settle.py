"""Chinese Poker settlement: document's example, scorings, fouls, naturals, bonuses, surrender."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from games.chinese_poker.play import settle
from games.definition.model import Scoring
from games.rule_set import rule_set
from games.settlement.verdict import settle_round
from games.setup import Chinese, Setup
from games.terms import NOTHING
from tests.games.as_round import as_round
from tests.games.written_rounds import chinese_seat, round_of

TYPICAL = Chinese(
    bonuses={"straight_flush": 4, "four_of_a_kind": 3, "full_house_middle": 1, "trips_front": 2},
    naturals={"three-straights": 3, "three-flushes": 3, "six-pairs": 3, "dragon": 3},
    surrender=2,
)
NOTHING_MORE = Setup()
ALL_TERMS = Setup(chinese=TYPICAL)

# A legal deal with the outcome of the document's example (CP-7).
EXAMPLE = [
    "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh",
    "6s 5h 4h / 2d 2h Kh Td 9d / 7s 7h 7c 7d 2c",
    "Ts 9h 6d / 8h 5c 5s Ad Jc / Kc Ks Qs Qh 8s",
    "5d 4c 3s / Js Th 9s 8c 6h / Ah As Ac Kd Qd",
]


def chinese(sets, scoring="unit", unit=100, **fields):
    seats = [seat if isinstance(seat, dict) else chinese_seat(seat) for seat in sets]
    return as_round(round_of("chinese-poker", seats, scoring=scoring, unit=unit, **fields))


def settled(sets, setup=NOTHING_MORE, scoring="unit", unit=1):
    """Return totals in units, seat by seat."""
    outcome = settle(chinese(sets, scoring, unit), setup)
    assert outcome.irregular is None
    return [seat.amounts["total"] for seat in outcome.seats]


def surrendered(cards="As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s"):
    return {"play": "surrender", "cards": cards, "result": {"total": 0}}


def approvals(played, setup):
    """Return the findings of the verdict that say what isn't approved."""
    findings = settle_round(played, setup, NOTHING).findings
    return [found.code for found in findings if found.code.startswith("approval.")]


def codes(outcome):
    return {(found.code, found.seat) for found in outcome.findings}


@pytest.mark.parametrize(
    ("scoring", "totals"),
    [("unit", [3, 1, 3, -7]), ("2-4", [4, 0, 6, -10]), ("1-6", [6, 4, 3, -13])],
)
def test_worked_deal_ends_as_documented_per_scoring_cp_7(scoring, totals):
    assert settled(EXAMPLE, scoring=scoring) == totals


def test_worked_example_has_its_six_meetings_cp_6_cp_7():
    outcome = settle(chinese(EXAMPLE, unit=1), NOTHING_MORE)
    assert {(met.seat, met.other): met.amount for met in outcome.meetings} == {
        (1, 2): 1,
        (1, 3): -1,
        (1, 4): 3,
        (2, 3): -1,
        (2, 4): 3,
        (3, 4): 1,
    }


def test_a_unit_is_worth_what_the_log_says_cp_3():
    assert settled(EXAMPLE, unit=250) == [750, 250, 750, -1750]


# Two players; the second is always the same: pair of 5s in front is beaten by 6s, and so on.
LOW = "2c 3d 5h / 2d 2h 7c 8c Td / 3c 3h 3s 9d Jc"
HIGH = "Ah Kh Qd / 4c 4d 9h Jd Ac / 5c 5d 5s 8d Ks"


@pytest.mark.parametrize(
    ("mine", "theirs", "scoring", "units"),
    [
        # all three
        (HIGH, LOW, "unit", 3),
        (HIGH, LOW, "2-4", 4),
        (HIGH, LOW, "1-6", 6),
        # front and back of three, the middle lost
        ("Ah Kh Qd / 2s 2c 7d 8d 9s / 4c 4d 4h 4s 6d", LOW, "unit", 1),
        ("Ah Kh Qd / 2s 2c 7d 8d 9s / 4c 4d 4h 4s 6d", LOW, "2-4", 2),
        ("Ah Kh Qd / 2s 2c 7d 8d 9s / 4c 4d 4h 4s 6d", LOW, "1-6", 1),
        # two won, one equal (CP-I5)
        ("Ah Kh Qd / 2s 2c 7d 8d Ts / 4c 4d 4h 4s 6d", LOW, "unit", 2),
        ("Ah Kh Qd / 2s 2c 7d 8d Ts / 4c 4d 4h 4s 6d", LOW, "2-4", 2),
        ("Ah Kh Qd / 2s 2c 7d 8d Ts / 4c 4d 4h 4s 6d", LOW, "1-6", 1),
        # one won, two equal (CP-I4)
        ("2h 3s 5c / 2s 2c 7d 8d Ts / 4c 4d 4h 9s Jd", LOW, "unit", 1),
        ("2h 3s 5c / 2s 2c 7d 8d Ts / 4c 4d 4h 9s Jd", LOW, "2-4", 0),
        ("2h 3s 5c / 2s 2c 7d 8d Ts / 4c 4d 4h 9s Jd", LOW, "1-6", 0),
        # one won, one lost, one equal
        ("2h 3s 5c / 2s 2c 7d 8d 9s / 4c 4d 4h 9c Jd", LOW, "unit", 0),
        ("2h 3s 5c / 2s 2c 7d 8d 9s / 4c 4d 4h 9c Jd", LOW, "2-4", 0),
    ],
)
def test_hands_won_lost_and_equal_are_scored_cp_6_cp_8_cp_9(mine, theirs, scoring, units):
    assert settled([mine, theirs], scoring=scoring) == [units, -units]
    assert settled([theirs, mine], scoring=scoring) == [-units, units]


@pytest.mark.parametrize("scoring", ["2-4", "1-6"])
def test_one_hand_won_and_two_lost_is_two_of_three(scoring):
    mine = "Ah Kh Qd / 2s 2c 6c 6d 9s / 3d 2d 7s 9h Jh"
    wins = {"2-4": 2, "1-6": 1}[scoring]
    fouled_back = settled([mine, LOW], scoring=scoring)  # jack high behind two pairs: a foul
    assert fouled_back == {"2-4": [-4, 4], "1-6": [-6, 6]}[scoring]
    legal = "6h 7h 8c / As Js 9s 7d 4c / 6c 6d 2c Jd 9h"
    assert settled([legal, LOW], scoring=scoring) == [-wins, wins]


FOULED = "Ah Ad Qd / Ks Qs 9c 7h 2c / 4c 4d 4h 4s 6d"  # front pair over a high-card middle


@pytest.mark.parametrize(("scoring", "units"), [("unit", 3), ("2-4", 4), ("1-6", 6)])
def test_fouled_set_loses_to_every_proper_set_cp_i3(scoring, units):
    assert settled([FOULED, LOW], scoring=scoring) == [-units, units]


def test_two_fouled_sets_are_equal_cp_i3():
    other = "Kd Kc Qc / As Js 9s 7s 2h / 5c 5d 5h 5s 6h"
    assert settled([FOULED, other]) == [0, 0]
    assert settled([FOULED, other], ALL_TERMS) == [0, 0]


@pytest.mark.parametrize(
    "hands",
    [
        "2c 2d 3h / 2h 2s 4c 5c 6d / Ac Kc Qd Jd 9h",  # the back below the middle
        "9c 9d 3h / 8h 8s 4c 5c 6d / 3s 3d 3c 2d 2h",  # the middle below the front
        "9c 9d 9h / 8h 8s 4c 4d 6d / 3s 3d 3c 2d 2h",  # two pairs below three nines
    ],
)
def test_middle_above_back_or_front_fouls_cp_5(hands):
    assert settled([hands, LOW]) == [-3, 3]


@pytest.mark.parametrize(
    ("hands", "fouls"),
    [
        ("9c 9d 3h / 9h 9s 3c 2c 2d / Ac Ad Ah Kd 4h", False),  # two pairs over the pair
        ("9c 9d Kh / 9h 9s Qc 7c 2d / Ac Ad Ah Kd 4h", True),  # same pair, lower kicker
        ("9c 9d Kh / 9h 9s Kc 3c 2d / Ac Ad Ah Kd 4h", False),  # all matched: the longer is higher
        ("Ac Kd Qh / Ah Ks Qc 3c 2d / 9c 9d 9h 4d 4h", False),
        ("Ac Kd Qh / Ah Ks Jc Tc 9d / 7c 7d 7h 4d 4h", True),
        ("Qc Kc Ac / 2h 2s 5c 7c 8d / 9c 9d 9h 4d 4h", False),  # no flush, no straight in front
    ],
)
def test_front_compares_with_middle_cp_i2(hands, fouls):
    assert (settled([hands, "2c 3d 5h / 2d 3h 7c 8c Td / 4c 5c 6h 9d Jc"])[0] == -3) is fouls


def test_equal_middle_and_back_foul_by_default_cp_i1():
    equal = "2c 3d 5h / 9c 9d Kh 8s 7s / 9h 9s Kd 8c 7c"
    weak = "2d 3h 4c / 2h 3c 5s 6s 8d / Th Js Qc Ad 6d"
    assert settled([equal, weak]) == [-3, 3]
    allowed = Setup(interpretations={"CP-I1": "equal_allowed"})
    assert settled([equal, weak], allowed) == [3, -3]


BEATEN = "2c 3d 4h / 2d 2s 6c 8c Td / 3c 3h 3s 9d Jc"


@pytest.mark.parametrize(
    ("hands", "bonus"),
    [
        ("2h 3s 5c / 4c 4d 9h Jh Ac / 5h 6h 7h 8h Th", 0),  # a flush alone
        ("2h 3s 5c / 4c 4d 9h Jh Ac / 5d 6d 7d 8d 9d", 4),
        ("2h 3s 5c / 4c 4d 9h Jh Ac / Td Jd Qd Kd Ad", 4),  # a royal flush is one (CP-I11)
        ("2h 3s 5c / 4c 4d 9h Jh Ac / 7c 7d 7h 7s Kd", 3),
        ("2h 3s 5c / 4c 4d 9h Jh Ac / 7c 7d 7h Ks Kd", 0),  # a full house only in the middle
        ("2h 3s 5c / 4c 4d 4s Jh Jd / 7c 7d 7h Ks Kd", 1),
        ("2h 3s 5c / 4c 4d 4s 4h Jd / 7c 7d 7h 7s Kd", 6),
        ("5h 5s 5c / 6c 6d 6s 9h Td / 7c 7d 7h 7s Kd", 5),
        ("2h 3s 5c / 4s 5s 6s 7s 8s / 5d 6d 7d 8d 9d", 8),
    ],
)
def test_bonuses_are_paid_by_the_other_player_cp_10(hands, bonus):
    assert settled([hands, BEATEN])[0] == 3
    assert settled([hands, BEATEN], ALL_TERMS) == [3 + bonus, -3 - bonus]


def test_bonuses_are_off_unless_the_controls_name_them_cp_10():
    some = Setup(chinese=Chinese(bonuses={"trips_front": 2}))
    assert settled(["5h 5s 5c / 6c 6d 6s 9h Td / 7c 7d 7h 7s Kd", BEATEN], some) == [5, -5]


def test_bonus_is_owed_on_losing_hand_cp_i6():
    fours = "2h 3s 5c / 4c 4d 9h Jh Ac / 7c 7d 7h 7s Kd"
    better = "2c 3d 4h / 2d 2s 6c 8c Ts / 5d 6d 7d 8d 9d"  # wins the back alone
    assert settled([fours, better], ALL_TERMS) == [2 - 1 + 3 - 4, 4 - 3 - 1]
    winning = Setup(chinese=TYPICAL, interpretations={"CP-I6": "winning_hand_only"})
    assert settled([fours, better], winning) == [2 - 1 - 4, 4 + 1 - 2]


def test_an_equal_hand_is_not_a_winning_hand_cp_i6():
    royal = "2h 3s 5c / 4c 4d 9h Jh 8c / Td Jd Qd Kd Ad"
    other = "2d 3c 5h / 4s 4h 9c Jc 8s / Ts Js Qs Ks As"
    winning = Setup(chinese=TYPICAL, interpretations={"CP-I6": "winning_hand_only"})
    both = settle(chinese([royal, other]), winning)
    assert [seat.amounts["total"] for seat in both.seats] == [0, 0]
    third = BEATEN
    assert settled([royal, other, third], winning) == [7, 7, -14]


def test_fouled_player_pays_bonuses_earns_none_cp_i3_cp_i13():
    fours = "2h 3s 5c / 4c 4d 9h Jh Ac / 7c 7d 7h 7s Kd"
    fouled = "Qh Qs Qc / 2d 3d 5d 8c Th / 6c 6d 6h 6s Jd"
    for reading in ("any_hand", "winning_hand_only"):
        setup = Setup(chinese=TYPICAL, interpretations={"CP-I6": reading})
        assert settled([fours, fouled], setup) == [3 + 3, -3 - 3]


STRAIGHTS = {
    **chinese_seat("3h 4s 5c / 6c 7d 8h 9s Tc / 2h 3d 4c 5s 6d"),
    "natural": "three-straights",
}
FLUSHES = {**chinese_seat("3h 4h 9h / 2c 7c 8c 9c Tc / Ad Qd 4d 5d 6d"), "natural": "three-flushes"}
PAIRS = {**chinese_seat("2h 2s 3c / 3h 4s 4c 5h 5s / 7h 7s 7c 7d Kd"), "natural": "six-pairs"}
DRAGON = {**chinese_seat("2h 3s 4c / 5h 6s 7c 8h Ts / 9h Js Qc Kd Ad"), "natural": "dragon"}


@pytest.mark.parametrize("natural", [STRAIGHTS, FLUSHES, PAIRS, DRAGON])
def test_natural_wins_from_every_live_player_cp_11(natural):
    seats = [natural, HIGH, FOULED, LOW]
    without = settled(seats[1:], ALL_TERMS)
    assert settled(seats, ALL_TERMS) == [9, *(total - 3 for total in without)]


def test_natural_cannot_foul_cp_i3_cp_i7():
    backward = {
        **chinese_seat("Qh Ks Ac / 6c 7d 8h 9s Tc / 2h 3d 4c 5s 6d"),
        "natural": "three-straights",
    }
    assert settled([backward, LOW], ALL_TERMS) == [3, -3]


def test_no_bonus_between_natural_and_other_player_cp_i7():
    fours = "2h 3s 5c / 4c 4d 9h Jh Ac / 8c 8d 8h 8s Kd"
    assert settled([PAIRS, fours], ALL_TERMS) == [3, -3]


def test_two_naturals_move_nothing_cp_i8():
    assert settled([PAIRS, DRAGON], ALL_TERMS) == [0, 0]


@pytest.mark.parametrize(
    ("hands", "natural", "made"),
    [
        ("2h 2s 3c / 3h 4s 4c 5h 5s / 7h 7s 7c 7d Kd", "six-pairs", True),  # four are two pairs
        (
            "2h 2s 3c / 3h 4s 4c 5h 5s / 7h 7s 8c 8d 8h",
            "six-pairs",
            True,
        ),  # three: a pair and a card
        ("2h 2s 3c / 3h 4s 4c 5h 5s / 7h 7s 7c 8d Kh", "six-pairs", False),
        ("2h 3s 4c / 5h 6s 7c 8h Ts / 9h Js Qc Kd Ad", "dragon", True),
        ("2h 3s 4c / 5h 6s 7c 8h Ts / 9h Js Qc Kd Kc", "dragon", False),
        ("Ah 2s 3c / Ad 2c 3h 4s 5c / Ts Jc Qd Kh As", "three-straights", True),
        ("Kh As 2c / Ad 2d 3h 4s 5c / Ts Jc Qd Kc Ac", "three-straights", False),
        ("3h 4h 5h / 6c 7c 8c 9c Tc / 2d 3d 4d 5d 6d", "three-straights", True),  # CP-I11
        ("3h 4h 5h / 6c 7c 8c 9c Tc / 2d 3d 4d 5d 6d", "three-flushes", True),
        ("3h 4h 5h / 6c 7c 8c 9c Tc / 2d 3d 4d 5d 7d", "three-straights", False),
        ("3h 4h 5s / 6c 7c 8c 9c Tc / 2d 3d 4d 5d 6d", "three-flushes", False),  # CP-I10
    ],
)
def test_natural_needs_its_cards_cp_11_cp_i9_cp_i10_cp_i11(hands, natural, made):
    outcome = settle(chinese([chinese_seat(hands, natural=natural), LOW]), ALL_TERMS)
    assert codes(outcome) == (set() if made else {("setting.natural", 1)})


@pytest.mark.parametrize("place", range(13))
@pytest.mark.parametrize(
    ("natural", "other"),
    [
        (STRAIGHTS, lambda card: "K" + card[1]),
        (FLUSHES, lambda card: card[0] + "s"),
        (DRAGON, lambda card: ("3" if card[0] == "2" else "2") + card[1]),
    ],
)
def test_every_one_of_the_thirteen_cards_is_needed_cp_11(natural, other, place):
    sizes = (0, 3, 8, 13)
    words = [word for key in ("front", "middle", "back") for word in natural[key].split()]
    words[place] = other(words[place])
    hands = " / ".join(" ".join(words[a:b]) for a, b in pairwise(sizes))
    broken = chinese_seat(hands, natural=natural["natural"])
    assert ("setting.natural", 1) in codes(settle(chinese([broken, LOW]), ALL_TERMS))


def test_a_natural_that_is_none_is_played_as_set():
    claimed = chinese_seat(HIGH, natural="dragon")
    assert settled([claimed, LOW], ALL_TERMS) == [3, -3]


def test_unnamed_natural_is_played_as_set_cp_i14():
    played = chinese([DRAGON, LOW], unit=1)
    outcome = settle(played, NOTHING_MORE)
    assert approvals(played, NOTHING_MORE) == ["approval.controls"]
    undeclared = {key: value for key, value in DRAGON.items() if key != "natural"}
    as_set = settle(chinese([undeclared, LOW], unit=1), NOTHING_MORE)
    assert [s.amounts for s in outcome.seats] == [s.amounts for s in as_set.seats]


def test_a_natural_not_declared_is_played_as_it_is_set():
    undeclared = {key: value for key, value in PAIRS.items() if key != "natural"}
    assert settled([undeclared, LOW], ALL_TERMS) == [3 + 3, -6]  # all three hands, four sevens


def test_surrender_pays_each_live_player_only_cp_12_cp_i16():
    seats = [surrendered(), PAIRS, FOULED, LOW]
    without = settled(seats[1:], ALL_TERMS)
    assert settled(seats, ALL_TERMS) == [-6, *(total + 2 for total in without)]


def test_simultaneous_surrenders_owe_nothing_cp_i12():
    assert settled([surrendered(), LOW, surrendered()], ALL_TERMS) == [-2, 4, -2]
    assert settled([surrendered(), surrendered()], ALL_TERMS) == [0, 0]


def test_surrender_without_amount_is_irregular_cp_i15():
    outcome = settle(chinese([surrendered(), LOW]), NOTHING_MORE)
    assert outcome.irregular
    assert "CP-I15" in outcome.irregular_cites
    assert outcome.seats == ()


def test_other_scoring_is_found_and_settled_as_logged_cp_14():
    only = Setup(chinese=Chinese(scoring=frozenset({"unit", "2-4"})))
    outcome = settle(chinese(EXAMPLE, "1-6", unit=1), only)
    assert approvals(chinese(EXAMPLE, "1-6"), only) == ["approval.controls"]
    assert [seat.amounts["total"] for seat in outcome.seats] == [6, 4, 3, -13]
    assert approvals(chinese(EXAMPLE, "2-4"), only) == []
    assert approvals(chinese(EXAMPLE, "1-6", void="fire"), only) == ["approval.controls"]


def test_documented_scoring_is_settled_by_its_units_cp_14():
    # A unit for each hand and 3 more for all three, as some rooms score.
    rules = rule_set("chinese-poker")
    own = Scoring("1-6-each", "A unit a hand, 3 more for all three.", "CP-14", 1, 0, 3)
    other = replace(rules, scorings={**rules.scorings, own.name: own})
    setup = Setup(rule_sets={"chinese-poker": other})
    played = replace(chinese(EXAMPLE, unit=1), scoring=own.name)
    # By CP-7 the pairs are +1, -1, +3; -1, +3; +1, and +3 is a sweep: 3 more.
    assert [seat.amounts["total"] for seat in settle(played, setup).seats] == [6, 4, 3, -13]


def test_what_is_unapproved_in_one_round_is_one_finding():
    only = Setup(chinese=Chinese(scoring=frozenset({"2-4"})))
    assert approvals(chinese([DRAGON, PAIRS, LOW]), only) == ["approval.controls"]


def test_unbalanced_results_are_found_cp_7():
    seats = [{**chinese_seat(text), "result": {"total": 40}} for text in (HIGH, LOW)]
    (found,) = settle(chinese(seats), NOTHING_MORE).findings
    assert (found.code, found.seat, found.wager) == ("settlement.balance", None, "total")
    assert (found.logged, found.expected, found.delta) == (80, 0, 80)


@pytest.mark.parametrize(
    ("seat", "code"),
    [
        (chinese_seat("Ah Kh / 4c 4d 9h Jd Ac / 5c 5d 5s 8d Ks"), "deal.count"),
        (chinese_seat("Ah Kh Qd 2c / 4c 4d 9h Jd Ac / 5c 5d 5s 8d Ks"), "deal.count"),
        (chinese_seat("Ah Kh Qd 2c / 4c 4d 9h Jd / 5c 5d 5s 8d Ks"), "setting.cards"),
        (surrendered("As Ks"), "deal.count"),
    ],
)
def test_wrong_card_count_is_irregular_cp_2_cp_4_cp_13(seat, code):
    outcome = settle(chinese([LOW, seat]), ALL_TERMS)
    assert outcome.irregular
    assert codes(outcome) == {(code, 2)}


def test_a_joker_makes_the_round_irregular_cp_1():
    joker = chinese_seat("Ah Kh Qd / 4c 4d 9h Jd Ac / 5c 5d 5s 8d Jo=Ks")
    assert settle(chinese([LOW, joker]), ALL_TERMS).irregular
    assert settle(chinese([LOW, surrendered("Jo" + " As" * 12)]), ALL_TERMS).irregular


def test_five_players_are_settled_all_the_same():
    assert settled([*EXAMPLE, EXAMPLE[0]]) == [3 + 0, 1 - 1, 3 + 1, -7 - 3, 3]


def test_crowded_round_is_settled_like_any_table_cp_6():
    kinds = [HIGH, LOW, FOULED, PAIRS, DRAGON, surrendered(), *EXAMPLE]
    sets = [kinds[i % len(kinds)] for i in range(60)]
    three = [sets[i : i + 30] for i in (0, 30)]
    # each player plays every other: the totals are those of the two halves and of the pairs between
    whole = settled(sets, ALL_TERMS)
    halves = [*settled(three[0], ALL_TERMS), *settled(three[1], ALL_TERMS)]
    assert sum(whole) == 0
    # the second half has the same sets, so against it a player wins what it wins at home
    assert whole == [2 * total for total in halves]
