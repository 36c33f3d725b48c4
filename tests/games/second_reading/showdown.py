"""Pyramid Poker, Showdown Version: settlement and findings of one played round (SD)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from .cards import Card, as_set, dealt, is_part_of
from .findings import Expected, Judgment, Round, Seat, compare_balance, compare_results
from .pyramid_hands import (
    FULL_HOUSE_OR_MORE,
    KIND_VALUE,
    RUN_VALUE,
    Hand,
    five_cards,
    power_hand,
    six_with_a_kicker,
    small_hand,
)

if TYPE_CHECKING:
    from .setup import Setup

RESULTS = ("showdown", "surrender", "pot")
CARDS = {"surrender-20": (20,), "surrender-23": (23,), "showdown": (25,), "last": (20, 23, 25)}
ANTE = 10  # SD-3; the same amount again after each declaration (SD-4, SD-5)
PAYS_AT_20, PAYS_AT_23 = 5, 10  # SD-4, SD-5
LEAST_USED = 20  # SD-6

# SD-17: the chart, place by place (hands 6 to 2).
CHART_KIND = {
    6: KIND_VALUE,
    5: {4: 8, 5: 12, 6: 20, 7: 28},
    4: {4: 12, 5: 18, 6: 24},
    3: {4: 16, 5: 24},
}
CHART_RUN = {6: RUN_VALUE, 5: {5: 10, 6: 18, 7: 26}, 4: {5: 15, 6: 20}, 3: {5: 20}}
TIMES = {6: 1, 5: 2, 4: 3, 3: 4}  # SD-I1, `multiples`
FULL_HOUSES = {5: 2, 4: 4, 3: 6}
TRIPS = {4: 3, 3: 6, 2: 9}


def special_value(place: int, hand: Hand, setup: Setup) -> int:
    """Return what winning with this hand scores (SD-14, SD-17, SD-I1)."""
    if hand.kind or hand.run:
        if setup.readings["SD-I1"] == "multiples":
            return TIMES[place] * (KIND_VALUE[hand.kind] if hand.kind else RUN_VALUE[hand.run])
        return CHART_KIND[place][hand.kind] if hand.kind else CHART_RUN[place][hand.run]
    if hand.name == "full_house":
        return FULL_HOUSES.get(place, 1)
    if hand.name == "three_of_a_kind" and hand.length == 3:
        return TRIPS[place]
    return 1


def read_set(texts: list[str]) -> list[Hand] | None:
    """Return six hands, or None if one has a size or name not allowed in its place (SD-I10)."""
    cards = [as_set(text) for text in texts]
    sizes = [len(hand) for hand in cards]
    if sizes[0] != 1 or sizes[1] != 3 or sizes[2] not in (3, 5) or sizes[3] not in (3, 5, 6):
        return None
    if not 5 <= sizes[4] <= 7 or not 5 <= sizes[5] <= 10:
        return None
    if sizes[2] == 5 and sizes[3] == 3:
        return None  # SD-13
    hands: list[Hand] = []
    for place, hand in enumerate(cards, start=1):
        read = read_hand(place, hand)
        if read is None:
            return None
        hands.append(read)
    return hands


def read_hand(place: int, cards: list[Card]) -> Hand | None:
    if len(cards) <= 3:
        return small_hand(cards)
    read = five_cards(cards) if len(cards) == 5 else power_hand(cards)
    if read is None and place == 4:
        read = six_with_a_kicker(cards)  # SD-I11
    if place <= 4 and read is not None and read.name not in FULL_HOUSE_OR_MORE:
        return None  # SD-12, SD-13
    return read


def proper_set(seat: Seat) -> list[Hand] | None:
    """Return the six hands as set, or None for a foul (SD-7, SD-I4, SD-I15)."""
    hands = read_set(seat["hands"])
    if hands is None or not all(hands[place] < hands[place + 1] for place in range(5)):
        return None
    return hands


def points_between(own: list[Hand] | None, other: list[Hand] | None, setup: Setup) -> int:
    """Return the net score of two players (SD-14, SD-I5)."""
    if own is None or other is None:
        return all_points(own, setup) - all_points(other, setup)
    net = 0
    for place, (mine, theirs) in enumerate(zip(own, other, strict=True), start=1):
        if theirs < mine:
            net += special_value(place, mine, setup)
        elif mine < theirs:
            net -= special_value(place, theirs, setup)
    return net


def all_points(hands: list[Hand] | None, setup: Setup) -> int:
    return sum(special_value(place, hand, setup) for place, hand in enumerate(hands or [], start=1))


def judge(round_: Round, setup: Setup) -> Judgment:
    judged = Judgment()
    seats = round_["seats"]
    broken = [seat["seat"] for seat in seats if is_broken(seat, judged)]
    if broken or len(seats) < 2 or not is_a_course(seats):
        judged.cannot_settle("SD-I8")
        return judged
    chips = {seat["seat"]: dict.fromkeys(RESULTS, 0) for seat in seats}
    pay_surrenders(seats, chips)
    staying = [seat for seat in seats if not seat["play"].startswith("surrender")]
    if len(staying) == 1:
        takers = [staying[0]["seat"]]  # SD-I7
    else:
        takers = show(staying, chips, setup)
        if not takers:
            judged.cannot_settle("SD-I14")
            return judged
    pay_pot(round_, chips, takers)
    for number, won in chips.items():
        expected: Expected = {key: amount * round_["chip"] for key, amount in won.items()}
        judged.expected[number] = expected
    compare_results(round_, judged)
    for key in RESULTS:
        compare_balance(judged, key, [seat["result"][key] for seat in seats], "SD-15", "SD-16")
    return judged


def is_a_course(seats: list[Seat]) -> bool:
    """Return whether the declarations are consistent: someone stays, and `last` only alone."""
    staying = [seat["play"] for seat in seats if not seat["play"].startswith("surrender")]
    return bool(staying) and (staying == ["last"] or "last" not in staying)


def pay_surrenders(seats: list[Seat], chips: dict[int, dict[str, int]]) -> None:
    """SD-4, SD-5, SD-I13."""
    for payer in seats:
        if not payer["play"].startswith("surrender"):
            continue
        at_first = payer["play"] == "surrender-20"
        for other in seats:
            left_then = other["play"] == "surrender-20" or (
                not at_first and other["play"] == "surrender-23"
            )
            if not left_then:
                amount = PAYS_AT_20 if at_first else PAYS_AT_23
                chips[payer["seat"]]["surrender"] -= amount
                chips[other["seat"]]["surrender"] += amount


def show(staying: list[Seat], chips: dict[int, dict[str, int]], setup: Setup) -> list[int]:
    """Compare every two sets; return who wins the pot, in dealing order."""
    sets = {seat["seat"]: proper_set(seat) for seat in staying}
    for one, other in combinations(sets, 2):
        net = points_between(sets[one], sets[other], setup)
        chips[one]["showdown"] += net
        chips[other]["showdown"] -= net
    proper = [number for number, hands in sets.items() if hands is not None]  # SD-I5
    return highest({number: chips[number]["showdown"] for number in proper})


def highest(totals: dict[int, int]) -> list[int]:
    """Return who shares the highest total of net scores (SD-16, SD-I6)."""
    return [number for number, total in totals.items() if total == max(totals.values())]


def pay_pot(round_: Round, chips: dict[int, dict[str, int]], takers: list[int]) -> None:
    """SD-16, SD-I6, SD-I7."""
    put_in = {
        "surrender-20": ANTE,
        "surrender-23": 2 * ANTE,
        "showdown": 3 * ANTE,
        "last": 3 * ANTE,
    }
    pot = sum(put_in[seat["play"]] for seat in round_["seats"])
    for seat in round_["seats"]:
        chips[seat["seat"]]["pot"] -= put_in[seat["play"]]
    order = [seat["seat"] for seat in round_["seats"]]
    after_dealer = order.index(round_["dealer"]) + 1
    from_dealers_left = order[after_dealer:] + order[:after_dealer]
    share, odd = divmod(pot, len(takers))
    for place, number in enumerate(one for one in from_dealers_left if one in takers):
        chips[number]["pot"] += share + (1 if place < odd else 0)


def is_broken(seat: Seat, judged: Judgment) -> bool:
    cards = dealt(seat["cards"])
    wrong_count = len(cards) not in CARDS[seat["play"]]
    if wrong_count:
        judged.add("deal.count", seat["seat"], None, "SD-3", "SD-4", "SD-5")
    wrong_set = False
    if seat["play"] == "showdown":
        used = [card for text in seat["hands"] for card in as_set(text)]
        wrong_set = len(used) < LEAST_USED or not is_part_of(used, cards)
    if wrong_set:
        judged.add("setting.cards", seat["seat"], None, "SD-6")
    return wrong_count or wrong_set
