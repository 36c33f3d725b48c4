"""The second reading of the games with several set hands, compared with their documents."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.second_reading import judge_lines, pyramid_hands, showdown
from tests.games.second_reading.cards import as_set
from tests.games.second_reading.setup import read_setup
from tests.games.written_rounds import as_line, casino_seat, chinese_seat, dealt_from, round_of


def judged(round_: dict[str, Any], **setup: Any) -> dict[str, Any]:
    return judge_lines([as_line(round_)], setup)[0]


def totals(answer: dict[str, Any], key: str = "total") -> list[int]:
    return [seat["expected"][key] for seat in answer["seats"]]


def codes(answer: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in answer["findings"]}


# --- Chinese Poker ---------------------------------------------------------------------------

# The legal deal with the outcome of the worked example (CP-7).
FOUR_PLAYERS = [
    "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh",
    "6s 5h 4h / 2d 2h Kh Td 9d / 7s 7h 7c 7d 2c",
    "Ts 9h 6d / 8h 5c 5s Ad Jc / Kc Ks Qs Qh 8s",
    "5d 4c 3s / Js Th 9s 8c 6h / Ah As Ac Kd Qd",
]


def chinese(*seats: dict[str, Any], scoring: str = "unit", unit: int = 100) -> dict[str, Any]:
    return round_of("chinese-poker", list(seats), unit=unit, scoring=scoring)


@pytest.mark.parametrize(
    ("scoring", "units"),
    [("unit", [3, 1, 3, -7]), ("2-4", [4, 0, 6, -10]), ("1-6", [6, 4, 3, -13])],
)
def test_the_worked_example_under_three_scorings(scoring, units):
    round_ = chinese(*map(chinese_seat, FOUR_PLAYERS), scoring=scoring)
    assert totals(judged(round_)) == [100 * one for one in units]


PLAIN = "8d 6c 2s / 4s 4d Qc Tc 9c / 3d 3c 3h Jd Jh"
WEAK = "5d 4c 3s / Js Th 9s 8c 6h / Ah As Qc Kd Qd"
FOULED = "Ah As 3s / Js Th 9s 8c 6h / Ac 2d Qc Kd Qh"


@pytest.mark.parametrize(("scoring", "units"), [("unit", 3), ("2-4", 4), ("1-6", 6)])
def test_a_foul_loses_all_three_hands(scoring, units):
    round_ = chinese(chinese_seat(WEAK), chinese_seat(FOULED), scoring=scoring)
    assert totals(judged(round_)) == [100 * units, -100 * units]


def test_two_fouled_sets_are_equal():
    round_ = chinese(chinese_seat(FOULED), chinese_seat(FOULED), scoring="1-6")
    assert totals(judged(round_)) == [0, 0]


def test_equal_hands_of_one_player_foul_unless_allowed():
    equal = "4d 3c 2s / Kd Qc 9s 7c 5h / Kc Qd 9h 7s 5d"
    round_ = chinese(
        chinese_seat(equal), chinese_seat("5s 4c 3s / Jh Ts 8s 7d 6s / Js Th 9c 8c 6h")
    )
    assert totals(judged(round_)) == [-300, 300]
    allowed = judged(round_, interpretations={"CP-I1": "equal_allowed"})
    assert totals(allowed) == [100, -100]  # front lost, middle and back won


def test_bonuses_are_paid_by_all_or_by_losers_of_the_hand():
    # Quads against a royal flush in back: both have a bonus, and one of them wins the hand.
    quads = chinese_seat("5d 4c 3s / 9d 9h 4h 3h 2h / 8d 8h 8s 8c Kd")
    flush = chinese_seat("6d 4s 3c / Td Th 4d 3d 2d / As Ks Qs Js Ts")
    bonuses = {"straight_flush": 4, "four_of_a_kind": 3}
    round_ = chinese(quads, flush)
    # All three hands go to the second: 3, with 4 for the royal, less 3 for the quads.
    assert totals(judged(round_, chinese={"bonuses": bonuses})) == [-400, 400]
    only = judged(
        round_, chinese={"bonuses": bonuses}, interpretations={"CP-I6": "winning_hand_only"}
    )
    assert totals(only) == [-700, 700]


@pytest.mark.parametrize(
    ("natural", "hands"),
    [
        ("three-straights", "4d 3c 2s / 6d 5c 4s 3h 2h / 9s 8c 7d 6h 5h"),
        ("three-flushes", "4d 3d 9d / 6c Tc 4c 3c 2c / 9s 8s 2s Ks 5s"),
        ("six-pairs", "4d 4c 4s / 4h 5c 5s 3h 3d / 9s 9c 7d 7h Kh"),
        ("dragon", "4d 3c 2s / 5d 6c 7s 8h 9h / Ts Jc Qd Kh Ah"),
    ],
)
def test_natural_wins_its_units_from_each_player(natural, hands):
    round_ = chinese(chinese_seat(hands, natural=natural), chinese_seat(PLAIN), chinese_seat(WEAK))
    answer = judged(round_, chinese={"naturals": {natural: 3}})
    assert "setting.natural" not in codes(answer)
    between = totals(judged(chinese(chinese_seat(PLAIN), chinese_seat(WEAK))))
    assert totals(answer) == [600, -300 + between[0], -300 + between[1]]


def test_a_natural_that_is_none_is_played_as_set():
    round_ = chinese(chinese_seat(WEAK, natural="dragon"), chinese_seat(FOULED))
    answer = judged(round_, chinese={"naturals": {"dragon": 3}})
    assert "setting.natural" in codes(answer)
    assert totals(answer) == [300, -300]


def test_surrender_pays_each_live_player_only():
    gone = {"cards": PLAIN.replace(" / ", " "), "play": "surrender", "result": {"total": 0}}
    round_ = chinese(chinese_seat(WEAK), chinese_seat(FOULED), gone, gone)
    assert totals(judged(round_, chinese={"surrender": 2})) == [700, 100, -400, -400]
    assert judged(round_)["status"] == "irregular"


# --- Casino Version --------------------------------------------------------------------------

DEALER = ["Jh", "Qd 7s 2c", "4s 4h 4d Ts Th"]  # jack high, queen high, a house of fours


def casino(dealer: list[str], *seats: dict[str, Any]) -> dict[str, Any]:
    house = {"cards": dealt_from(dealer), "hands": dealer}
    return round_of("casino-version", list(seats), house=house)


def won(dealer: list[str], hands: list[str], **setup: Any) -> int:
    answer = judged(casino(dealer, casino_seat(hands)), **setup)
    return sum(answer["seats"][0]["expected"].values())


@pytest.mark.parametrize(
    ("hands", "cents"),
    [
        (["Ah", "7d 7h 2d", "Qs Ts 8s 5s 3s"], 1000),  # net +1
        (["Qh", "3d 3h 3s", "9s 8d 7c 6h 5d"], 1500),  # net +2
        (["Ah", "9d 9h 2d", "8s 7s 6s 5s 4s"], 5000),  # net +8 by the list of specials
    ],
)
def test_the_worked_hands(hands, cents):
    assert won(DEALER, hands) == cents


def test_third_worked_hand_counts_the_ace_once():
    third = ["Ah", "9d 9h 2d", "8s 7s 6s 5s 4s"]
    assert won(DEALER, third, interpretations={"CV-I1": "ace_one"}) == 4500  # net +7


# Against jack high, queen high, a king-high flush (one point each).
ONE_EACH = ["Jh", "Qd 7s 2c", "Ks Ts 8s 5s 3s"]
WORKED_TABLE = [
    (0, ["Jd", "Qh 7d 2d", "Kh Th 8h 5h 3h"], 0),
    (1, ["Qs", "Qh 7d 2d", "Kh Th 8h 5h 3h"], 1000),
    (2, ["Qs", "Kh 7d 2d", "Kd Td 8d 5d 3d"], 1500),
    (3, ["Qs", "Kh 7d 2d", "Ad Td 8d 5d 3d"], 2000),
    (4, ["Qs", "Kh 7d 2d", "6h 6d 6s 9h 9s"], 3000),
    (5, ["As", "2h 2d 7d", "6h 6d 6s 9h 9s"], 3500),
    (6, ["As", "7h 7d 7c", "Ad Td 8d 5d 3d"], 4000),
    (7, ["As", "7h 7d 7c", "6h 6d 6s 9h 9s"], 4500),
    (-1, ["Td", "Qh 7d 2d", "Kh Th 8h 5h 3h"], -1500),
    (-2, ["Td", "Jc 7d 2d", "Kh Th 8h 5h 3h"], -2000),
    (-3, ["Td", "Jc 7d 2d", "Qh Th 8h 5h 3h"], -2500),
]


@pytest.mark.parametrize(("net", "hands", "cents"), WORKED_TABLE)
def test_the_worked_table_for_an_ante_of_five_dollars(net, hands, cents):
    assert won(ONE_EACH, hands) == cents, net


@pytest.mark.parametrize(
    ("net", "dealer", "cents"),
    [
        (-4, ["Jh", "Qd 7s 2c", "4s 4h 4d Ts Th"], -3000),
        (-5, ["Ah", "2s 2c 7d", "4s 4h 4d Ts Th"], -3500),
    ],
)
def test_the_worked_table_below_three_points(net, dealer, cents):
    assert won(dealer, ["Td", "Jc 7d 3d", "Qh Jd 8h 5h 3h"]) == cents, net


def test_a_fold_loses_ante_and_match():
    seat = {
        "cards": "Jd Qh 7d 2d Kh Th 8h",
        "play": "fold",
        "wagers": {"ante": 500, "buy_in": 500},
        "result": {"points": 0, "ante": -500, "buy_in": -500},
    }
    assert judged(casino(DEALER, seat))["status"] == "ok"


def test_fouled_player_loses_at_dealers_values():
    fouled = ["Ad", "Jc 7d 3d", "Qh Th 8h 5h 3h"]
    assert won(DEALER, fouled) == -3000  # 1, 1 and 2 points, ante and buy-in
    assert judged(casino(fouled, casino_seat(DEALER)))["status"] == "irregular"


def test_five_of_a_kind_beats_straight_flush_for_a_point():
    five = ["Jd", "Qh 7d 2d", "3s 3h 3d Jo=3c Jo=3s"]
    dealer = ["Jh", "Qd 7s 2c", "9s 8s 7s 6s 5s"]
    for reading, cents in (("one_point", 1000), ("as_four", 3000), ("as_six", 4000)):
        assert won(dealer, five, interpretations={"CV-I3": reading}) == cents


def test_suits_decide_equal_hands_if_chosen():
    equal = ["Js", "Qs 7d 2d", "Kh Th 8h 5h 3h"]  # spades over hearts, spades over diamonds, lost
    suits = {"CV-I2": "suits"}
    assert won(ONE_EACH, equal) == 0
    assert won(ONE_EACH, equal, interpretations=suits) == 1000


# --- Showdown --------------------------------------------------------------------------------

REGULAR = ["Kc", "2s 2h 2d", "5s 5h 5d", "8s 8h 8d", "9s 9h 9d 9c Ks", "7s 6s 5s 4s 3s"]
POWER_1 = ["Kc", "4s 4h Ac", "5s 5h 3d", "8s 8h 8d 2c 2d", "9s 9h 9d 9c Ks", "7s 6s 5s 4s 3s"]
POWER_2 = ["Kc", "Ac 9h 3d", "5s 5h 5d", "8s 8h 8d", "9s 9h 9d 9c 9s", "9h 8h 7h 6h 5h 4h 3h"]
POWER_3 = [
    "Kc",
    "4s 4h Ac",
    "5s 5h 5d 5c 3d",
    "8s 8h 8d 8c 2d",
    "9s 9h 9d 9c Ks",
    "8s 7s 6s 5s 4s 3s",
]
FOULED_SET = ["Ah", *REGULAR[1:3], "4h 4c 4d", *REGULAR[4:]]  # trips of fours above trips of fives


def player(hands: list[str]) -> dict[str, Any]:
    cards = dealt_from(hands).split(" ")
    cards += ["6h"] * (25 - len(cards))
    return {
        "cards": " ".join(cards),
        "play": "showdown",
        "hands": hands,
        "result": {"showdown": 0, "surrender": 0, "pot": 0},
    }


def gone(play: str) -> dict[str, Any]:
    cards = " ".join(["6h"] * int(play[-2:]))
    return {
        "cards": cards,
        "play": play,
        "result": {"showdown": 0, "surrender": 0, "pot": 0},
    }


def show(*seats: dict[str, Any], **setup: Any) -> dict[str, Any]:
    return judged(round_of("showdown", list(seats), chip=1, dealer=1), **setup)


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        (REGULAR, 5 + 8 + 3 + 6 + 9 + 1),
        (POWER_1, 5 + 8 + 4 + 1 + 1 + 1),
        (POWER_2, 11 + 12 + 3 + 6 + 1 + 1),
        (POWER_3, 8 + 8 + 12 + 16 + 1 + 1),
    ],
)
def test_the_example_hands_score_what_the_document_adds_up(hands, points):
    """Against a foul every hand wins its own value (SD-I5)."""
    assert totals(show(player(hands), player(FOULED_SET)), "showdown") == [points, -points]


# The complete special scoring chart: (place, x of a kind or y cards in a run, points).
CHART_KIND = (
    [(6, x, points) for x, points in zip(range(4, 11), (4, 6, 10, 14, 18, 22, 26), strict=True)]
    + [(5, 4, 8), (5, 5, 12), (5, 6, 20), (5, 7, 28)]
    + [(4, 4, 12), (4, 5, 18), (4, 6, 24), (3, 4, 16), (3, 5, 24)]
)
CHART_RUN = [
    (6, y, points) for y, points in zip(range(5, 11), (5, 8, 11, 14, 17, 20), strict=True)
] + [(5, 5, 10), (5, 6, 18), (5, 7, 26), (4, 5, 15), (4, 6, 20), (3, 5, 20)]


def kind(x: int) -> str:
    return "9s 9h 9d 9c 9s 9h 9d 9c 9s 9h"[: 3 * x - 1] if x > 4 else "9s 9h 9d 9c 2s"


def run(y: int) -> str:
    return " ".join(f"{rank}s" for rank in "KQJT987654"[:y])


@pytest.mark.parametrize(("place", "x", "points"), CHART_KIND)
def test_the_chart_of_kinds(place, x, points):
    hand = showdown.read_hand(place, as_set(kind(x)))
    assert showdown.special_value(place, hand, read_setup({})) == points
    in_multiples = {(4, 6): 30}.get((place, x), points)
    multiples = read_setup({"interpretations": {"SD-I1": "multiples"}})
    assert showdown.special_value(place, hand, multiples) == in_multiples


@pytest.mark.parametrize(("place", "y", "points"), CHART_RUN)
def test_the_chart_of_straight_flushes(place, y, points):
    hand = showdown.read_hand(place, as_set(run(y)))
    assert showdown.special_value(place, hand, read_setup({})) == points
    in_multiples = {(5, 6): 16, (5, 7): 22, (4, 6): 24}.get((place, y), points)
    multiples = read_setup({"interpretations": {"SD-I1": "multiples"}})
    assert showdown.special_value(place, hand, multiples) == in_multiples


@pytest.mark.parametrize(
    ("plays", "pot"),
    [((), 180), (("surrender-20",), 160), (("surrender-20", "surrender-23"), 150)],
)
def test_the_pot_of_a_typical_game(plays, pot):
    """Six ante 60; five put in 50 more, 110; four 40 more, 150 (SD-21)."""
    staying = [player(POWER_3), *(player(FOULED_SET) for _ in range(5 - len(plays)))]
    pots = totals(show(*staying, *map(gone, plays)), "pot")
    assert pots[0] == pot - 30
    assert sum(pots) == 0


def test_surrenders_pay_those_who_play_on():
    answer = show(player(POWER_3), player(REGULAR), gone("surrender-23"), gone("surrender-20"))
    # The first who left pays 5 to each of three, the second 10 to each of two.
    assert totals(answer, "surrender") == [15, 15, 5 - 20, -15]


def test_the_last_player_takes_what_the_others_put_in():
    last = {**gone("surrender-20"), "play": "last"}
    answer = show(last, gone("surrender-20"), gone("surrender-20"))
    assert totals(answer, "pot") == [20, -10, -10]
    assert totals(answer, "surrender") == [10, -5, -5]


def test_highest_total_takes_the_pot_and_ties_split_it():
    # Three equal sets, two who left: 90 + 10 + 10 = 110 chips, odd ones from the dealer's left.
    same = [player(REGULAR) for _ in range(3)]
    answer = show(*same, gone("surrender-20"), gone("surrender-20"))
    assert totals(answer, "pot") == [36 - 30, 37 - 30, 37 - 30, -10, -10]


def test_the_worked_example_of_the_pot():
    """SD-16: the first lost to the second, but still has the highest total."""
    nets = {1: (-10, 5, 20), 2: (10, -20, 5), 3: (-5, 20, -8), 4: (-20, -5, 8)}
    added = {player: sum(net) for player, net in nets.items()}
    assert added == {1: 15, 2: -5, 3: 7, 4: -17}
    assert showdown.highest(added) == [1]


def test_fouled_set_cannot_take_the_pot():
    assert totals(show(player(FOULED_SET), player(REGULAR)), "pot") == [-30, 30]
    assert show(player(FOULED_SET), player(FOULED_SET))["status"] == "irregular"
    assert show(gone("surrender-20"), gone("surrender-20"))["status"] == "irregular"


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("Kh Qh 2d", "Ah 3d 2s"),
        ("As Ah Kd", "4s 3d 2h"),  # the lowest straight over the highest pair
        ("As Kd Qh", "4s 3s 2s"),  # a flush beats a straight
        ("As Ks Qs", "2s 2d 2h"),  # and trips beat any flush
        ("As 2d 3h", "2s 3d 4h"),  # the ace is low there
        ("Ah Kh Qh", "As Ks Qs"),  # spades over hearts
        ("As Ah Ad", "4s 3d 2h 6c 5d"),  # across sizes by the five-card names
        ("9s 9h 9d", "9s 9h 9d 3c 2d"),  # same name, same ranks: the longer
        ("9s 8s 7s 6s 5s", "2s 2h 2d 2c 2s"),
        ("2s 2h 2d 2c 2s", "7h 6h 5h 4h 3h 2h"),  # 6 below 8 points
        ("Kh Qh Jh Th 9h 8h 7h 6h", "2s 2h 2d 2c 2s 2h 2d"),  # 14 each: kind over run
    ],
)
def test_the_order_of_hands(weaker, stronger):
    one, other = (hand_of(text) for text in (weaker, stronger))
    assert one < other
    assert not other < one


def hand_of(text: str) -> pyramid_hands.Hand:
    cards = as_set(text)
    if len(cards) <= 3:
        return pyramid_hands.small_hand(cards)
    if len(cards) == 5:
        return pyramid_hands.five_cards(cards)
    hand = pyramid_hands.power_hand(cards)
    assert hand is not None
    return hand


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("As Ah Ad Ac Ks Kh", "four_of_a_kind", 12),
        ("As Ah Ad Ks Kh Kd", "full_house", 4),
        ("As Ah Ad Ks Kh 2d", "full_house", 4),
        ("9s 8s 7s 6s 5s 2d", "straight_flush", 15),
        ("As Ah Ad Ac As Kd", "five_of_a_kind", 18),
    ],
)
def test_a_six_card_hand_4_is_named_by_its_best_five(text, name, value):
    hand = showdown.read_hand(4, as_set(text))
    assert hand is not None
    assert (hand.name, hand.length) == (name, 6)
    assert showdown.special_value(4, hand, read_setup({})) == value
    assert showdown.read_hand(4, as_set("As Ks 9s 6s 4s 2s")) is None  # a flush is too low
