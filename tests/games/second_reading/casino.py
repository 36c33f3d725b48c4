"""Pyramid Poker, Casino Version: settlement and findings of one played round (CV)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import ACE, Card, as_dealt, as_set, dealt
from .findings import Expected, Judgment, Round, Seat, compare_results
from .pyramid_hands import Hand, five_cards, small_hand

if TYPE_CHECKING:
    from .setup import Setup

SIZES = (1, 3, 5)
CARDS_IF_FOLDED, CARDS = 7, 9


def read_hands(texts: list[str]) -> list[Hand]:
    one, three, five = (as_set(text) for text in texts)
    return [small_hand(one), small_hand(three), five_cards(five)]


def fouls(hands: list[Hand]) -> bool:
    """CV-4: each hand is stronger than the one before; as sizes differ, none are equal (CV-I4)."""
    return not hands[0] < hands[1] < hands[2]


def points_of(place: int, hand: Hand, setup: Setup) -> int:
    """Return what a hand scores when it wins (CV-6, CV-I1, CV-I3)."""
    if place == 0:
        return 2 if hand.weight[0] == ACE and setup.readings["CV-I1"] == "ace_two" else 1
    if place == 1:
        return 3 if hand.name == "three_of_a_kind" else 1
    of_five = {"one_point": 1, "as_four": 4, "as_six": 6}[setup.readings["CV-I3"]]
    special = {"full_house": 2, "four_of_a_kind": 4, "straight_flush": 5, "five_of_a_kind": of_five}
    return special.get(hand.name, 1)


def weaker(one: Hand, other: Hand, setup: Setup) -> bool:
    """CV-I2."""
    return one < other if setup.readings["CV-I2"] == "suits" else one.is_weaker_by_rank_than(other)


def net_points(own: list[Hand], dealers: list[Hand], setup: Setup) -> int:
    if fouls(own):
        return -sum(points_of(place, hand, setup) for place, hand in enumerate(dealers))  # CV-I6
    net = 0
    for place, (mine, theirs) in enumerate(zip(own, dealers, strict=True)):
        if weaker(theirs, mine, setup):
            net += points_of(place, mine, setup)
        elif weaker(mine, theirs, setup):
            net -= points_of(place, theirs, setup)
    return net


def settle_seat(seat: Seat, dealers: list[Hand] | None, setup: Setup) -> Expected:
    ante, buy_in = seat["wagers"]["ante"], seat["wagers"]["buy_in"]
    if seat["play"] == "fold":
        return {"points": 0, "ante": -ante, "buy_in": -buy_in}  # CV-3
    assert dealers is not None
    net = net_points(read_hands(seat["hands"]), dealers, setup)
    return {
        "points": net * ante,  # CV-7
        "ante": -ante if net < 0 else ante if net >= 4 else 0,  # CV-9
        "buy_in": buy_in if net > 0 else -buy_in if net < 0 else 0,  # CV-8
    }


def judge(round_: Round, setup: Setup) -> Judgment:
    judged = Judgment()
    house, seats = round_["house"], round_["seats"]
    no_need = "hands" not in house  # in that case every seat folded, and the dealer need not buy
    counts = (CARDS_IF_FOLDED, CARDS) if no_need else (CARDS,)
    unsettled = is_broken(None, dealt(house["cards"]), counts, house.get("hands"), judged)
    broken = set()
    for seat in seats:
        folded = seat["play"] == "fold"
        counts = (CARDS_IF_FOLDED,) if folded else (CARDS,)
        hands = None if folded else seat["hands"]
        if is_broken(seat["seat"], dealt(seat["cards"]), counts, hands, judged):
            broken.add(seat["seat"])
    dealers = None
    if not unsettled and "hands" in house:
        dealers = read_hands(house["hands"])
        unsettled = fouls(dealers)  # CV-I7
    if unsettled:
        judged.cannot_settle("CV-I7")
        return judged
    for seat in seats:
        settled = seat["seat"] not in broken
        judged.expected[seat["seat"]] = settle_seat(seat, dealers, setup) if settled else None
    compare_results(round_, judged)
    return judged


def is_broken(
    seat: int | None,
    cards: list[Card],
    counts: tuple[int, ...],
    hands: list[str] | None,
    judged: Judgment,
) -> bool:
    """Find a hand with the wrong number of cards, or a set that isn't exactly the cards dealt."""
    wrong_count = len(cards) not in counts
    if wrong_count:
        judged.add("deal.count", seat, None, "CV-2", "CV-3")
    wrong_set = False
    if hands is not None:
        as_hands = [as_set(text) for text in hands]
        wrong_set = as_dealt(card for hand in as_hands for card in hand) != as_dealt(cards)
        if not wrong_count:
            wrong_set = wrong_set or tuple(map(len, as_hands)) != SIZES
    if wrong_set:
        judged.add("setting.cards", seat, None, "CV-4")
    return wrong_count or wrong_set
