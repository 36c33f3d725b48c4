"""Laws that every round of Chinese Poker, Showdown and Casino Version obeys, whatever was dealt.

The rounds are rich in rare cases: equal hands, naturals, power hands, jokers, fouls, split pots.
"""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import permutations, product
from random import Random

import pytest

from games.casino_version import settle as casino_kernels
from games.chinese_poker import settle as chinese_kernels
from games.ranking import names
from games.rule_set import rule_set
from games.settlement.outcomes import game
from games.setup import Setup, read_setup
from games.showdown.play import values_of
from tests.games.as_round import as_round
from tests.games.rounds.setups import random_setup
from tests.games.rounds.table import deal_table

GAMES = ("chinese-poker", "showdown", "casino-version")
BETWEEN_PLAYERS = ("chinese-poker", "showdown")
ROUNDS = 120
SETS = ("front", "middle", "back")


def dealt(slug, seed, rounds=ROUNDS, **readings):
    """Return rounds as written in a log, with the set-up to settle them under."""
    rng = Random(f"{slug} {seed}")
    setup = random_setup(rng, slug, ["T1"])
    setup["interpretations"] |= readings
    return deal_table(rng, slug, "T1", rounds, setup), read_setup(json.dumps(setup))


def settled(round_, setup):
    """Return amounts by seat, or None if the round is irregular."""
    outcome = game(round_["game"]).settle(as_round(round_), setup)
    if outcome.irregular is not None:
        return None
    return {
        seat["seat"]: dict(won.amounts)
        for seat, won in zip(round_["seats"], outcome.seats, strict=True)
    }


def turned(text, rng):
    """Return the same cards in another order."""
    cards = text.split(" ")
    rng.shuffle(cards)
    return " ".join(cards)


@pytest.mark.parametrize("slug", BETWEEN_PLAYERS)
def test_what_some_win_others_lose_cp_7_sd_14_sd_16(slug):
    rounds, setup = dealt(slug, "sums")
    seen = 0
    for round_ in rounds:
        amounts = settled(round_, setup)
        if amounts is None:
            continue
        for key in rule_set(slug).results:
            assert sum(won[key] for won in amounts.values()) == 0
            seen += any(won[key] for won in amounts.values())
    assert seen > ROUNDS // 2


@pytest.mark.parametrize("slug", GAMES)
def test_the_order_of_cards_within_a_hand_changes_nothing(slug):
    rng = Random(1)
    rounds, setup = dealt(slug, "cards")
    for round_ in rounds:
        other = deepcopy(round_)
        for seat in [*other["seats"], other.get("house", {})]:
            for key in ("cards", *SETS):
                if key in seat:
                    seat[key] = turned(seat[key], rng)
            if "hands" in seat:
                seat["hands"] = [turned(hand, rng) for hand in seat["hands"]]
        assert settled(other, setup) == settled(round_, setup)


def without_odd_chips(amounts):
    """Return amounts without the pot, whose odd chips depend on the dealing order (SD-I6)."""
    if amounts is None:
        return None
    return {seat: {k: v for k, v in won.items() if k != "pot"} for seat, won in amounts.items()}


@pytest.mark.parametrize("slug", GAMES)
def test_seat_order_changes_only_odd_chips_sd_i6(slug):
    rng = Random(2)
    rounds, setup = dealt(slug, "seats")
    for round_ in rounds:
        other = deepcopy(round_)
        rng.shuffle(other["seats"])
        before, after = settled(round_, setup), settled(other, setup)
        assert without_odd_chips(after) == without_odd_chips(before)
        if slug == "showdown" and before is not None:
            moved = [abs(after[seat]["pot"] - before[seat]["pot"]) for seat in before]
            assert all(chips in (0, round_["chip"]) for chips in moved)


def test_start_of_the_deal_changes_no_odd_chips():
    rounds, setup = dealt("showdown", "turns")
    for round_ in rounds:
        seats = round_["seats"]
        for turn in range(1, len(seats)):
            assert settled(round_ | {"seats": seats[turn:] + seats[:turn]}, setup) == settled(
                round_, setup
            )


def relabeled(round_, suits):
    """Return the same round with the four suits' names exchanged."""
    table = str.maketrans("cdhs", suits)

    def over(text):
        return " ".join(
            word if word == "Jo" else word[:-1] + word[-1].translate(table)
            for word in text.split(" ")
        )

    other = deepcopy(round_)
    for seat in [*other["seats"], other.get("house", {})]:
        for key in ("cards", *SETS):
            if key in seat:
                seat[key] = over(seat[key])
        if "hands" in seat:
            seat["hands"] = [over(hand) for hand in seat["hands"]]
    return other


@pytest.mark.parametrize("slug", ["chinese-poker", "casino-version"])
def test_suits_change_nothing_where_they_decide_nothing(slug):
    readings = {"CV-I2": "no_suits"} if slug == "casino-version" else {}
    rounds, setup = dealt(slug, "suits", rounds=40, **readings)
    for round_ in rounds:
        wanted = settled(round_, setup)
        for suits in permutations("cdhs"):
            assert settled(relabeled(round_, "".join(suits)), setup) == wanted


# A better hand never wins less.


@pytest.mark.parametrize(
    ("scoring", "each_hand"),
    [
        ((chinese_kernels.BY_THE_HAND, 0, 0), 1),
        ((chinese_kernels.TWO_FOUR, 2, 4), 0),
        ((chinese_kernels.ONE_SIX, 1, 6), 0),
        ((chinese_kernels.OTHER, 0, 3), 1),
    ],
    ids=["CP-6", "CP-8", "CP-9", "CP-14"],
)
def test_no_chinese_player_wins_less_by_a_better_hand(scoring, each_hand):
    """Try every way in which three hands compare with three, standings included."""
    terms = (*scoring, *(0,) * 6, 2, *(chinese_kernels.NOT_APPROVED,) * 4, each_hand)
    assert len(terms) == chinese_kernels.TERMS
    standings = (chinese_kernels.PROPER, chinese_kernels.FOULED)
    for theirs, standing in product(product((1,), repeat=3), standings):
        for mine in product((0, 1, 2), repeat=3):
            for better in product((0, 1, 2), repeat=3):
                if any(b < a for a, b in zip(mine, better, strict=True)):
                    continue
                units = [
                    chinese_kernels.meeting(
                        (*hands, chinese_kernels.PROPER, *theirs, standing), 0, 4, terms
                    )[0]
                    for hands in (mine, better)
                ]
                assert units[1] >= units[0]


def test_typical_bonuses_grow_with_better_hands_cp_10():
    typical = (0, 0, 0, 4, 3, 1, 2, 0, 0, 2, *(chinese_kernels.NOT_APPROVED,) * 4)
    one_deck = range(names.HIGH_CARD, names.STRAIGHT_FLUSH + 1)
    fronts = (names.HIGH_CARD, names.ONE_PAIR, names.THREE_OF_A_KIND)

    def bonus(front, middle, back):
        hands = (name << names.NAME_SHIFT for name in (front, middle, back))
        return chinese_kernels.bonus_units(chinese_kernels.bonus_hands(*hands), typical)

    for front, middle, back in product(fronts, one_deck, one_deck):
        here = bonus(front, middle, back)
        assert all(bonus(better, middle, back) >= here for better in fronts if better > front)
        assert all(bonus(front, better, back) >= here for better in one_deck if better > middle)
        assert all(bonus(front, middle, better) >= here for better in one_deck if better > back)


@pytest.mark.parametrize("reading", ["chart", "multiples"])
def test_better_showdown_hand_never_scores_less_sd_17_sd_i1(reading):
    values = values_of(rule_set("showdown"), reading)
    # what is allowed in each place, in order of strength (SD-6, SD-9 to SD-13)
    three = [names.HIGH_CARD, names.ONE_PAIR, names.STRAIGHT, names.FLUSH, names.THREE_OF_A_KIND]
    five = list(range(names.HIGH_CARD, names.FIVE_OF_A_KIND + 1))
    expanded = list(range(names.FULL_HOUSE, names.FIVE_OF_A_KIND + 1))
    seven = [*five, names.RUN_6, names.KIND_6, names.RUN_7, names.KIND_7]
    places = {
        0: [[names.HIGH_CARD]],
        1: [three],
        2: [three, expanded],
        3: [three, [*expanded, names.RUN_6, names.KIND_6]],
        4: [seven],
        5: [list(range(names.NAMES))],
    }
    for hand, ladders in places.items():
        for ladder in ladders:
            worth = [values[hand * names.NAMES + name] for name in ladder]
            assert worth == sorted(worth)


@pytest.mark.parametrize(
    ("reading", "less_for_more"), [("one_point", True), ("as_four", True), ("as_six", False)]
)
def test_only_five_of_a_kind_may_win_less_cv_i3(reading, less_for_more):
    terms = game("casino-version").terms_of(Setup(interpretations={"CV-I3": reading}))
    worth = [
        casino_kernels.worth(2, name << names.NAME_SHIFT, terms)
        for name in range(names.HIGH_CARD, names.FIVE_OF_A_KIND + 1)
    ]
    assert worth[:-1] == sorted(worth[:-1])
    assert (worth[-1] < worth[-2]) is less_for_more


def test_more_points_never_pay_less_cv_7_cv_8_cv_9():
    won = [sum(casino_kernels.settle_points(net, 100, 100)[:3]) for net in range(-12, 13)]
    assert won == sorted(won)
