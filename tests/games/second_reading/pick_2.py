"""Pick 2 Poker: settlement and findings of one played round (P2)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from .aggregate import apply_per_deal
from .cards import ACE, JOKER, KING, QUEEN, Card, as_set, dealt, is_part_of
from .findings import Expected, Judgment, Round, Seat, compare_results
from .ranking import PICK_THREE, POKER, Strength, name_of, names_of, strength

if TYPE_CHECKING:
    from .setup import Setup

PAIR_FROM = 6


def best_threes(cards: list[Card]) -> list[list[Card]]:
    """Return all choices of three that no other three outranks (P2-7, P2-I7)."""
    threes = [(strength(three, PICK_THREE), list(three)) for three in combinations(cards, 3)]
    best = max(how_strong for how_strong, _ in threes)
    return [three for how_strong, three in threes if how_strong == best]


def best_three(cards: list[Card]) -> Strength:
    return strength(best_threes(cards)[0], PICK_THREE)


def qualifies(cards: list[Card]) -> bool:
    """P2-8, P2-I6."""
    return name_of(cards, POKER) != "high_card" or {ACE, KING} <= {card.rank for card in cards}


def lines_of_three(cards: list[Card], setup: Setup) -> set[str]:
    lines = names_of(cards)
    suits_are_right = setup.readings["P2-I9"] == "any_suits" or "flush" in lines
    if {card.rank for card in cards} == {ACE, KING, QUEEN} and suits_are_right:
        lines.add("ace_king_queen_suited")
    return lines


def lines_of_five(cards: list[Card]) -> set[str]:
    lines = names_of(cards)
    ranks = [card.rank for card in cards]
    if any(ranks.count(rank) >= 2 and rank >= PAIR_FROM for rank in ranks):
        lines.add("pair_of_sixes_or_better")
    return lines


def paid_by(table: str, lines: set[str], setup: Setup) -> list[int]:
    """Return what the table's matching lines pay."""
    return [pay for line, pay in setup.pay_tables["pick-2-poker"][table].items() if line in lines]


def bonus_3_5_won(stake: int, seat: Seat, cards: list[Card], setup: Setup) -> int:
    """P2-17, P2-I2, P2-I3, P2-I4."""
    as_played = setup.readings["P2-I4"] == "set_three" and seat["play"] == "three"
    if as_played:
        threes = [as_set(seat["three"])]
    elif setup.readings["P2-I9"] == "any_suits":  # any three of the cards judged
        threes = [list(three) for three in combinations(cards, 3)]
    else:
        threes = best_threes(cards)[:1]
    lines = set().union(*(lines_of_three(three, setup) for three in threes))
    of_three = paid_by("bonus_3_5_three", lines, setup)
    of_five = paid_by("bonus_3_5_five", lines_of_five(cards), setup)
    if not of_three and not of_five:
        return -stake
    return stake * (max(of_three, default=0) + max(of_five, default=0))


def bonus_5_won(stake: int, cards: list[Card], setup: Setup) -> int:
    """P2-18."""
    lines = paid_by("bonus_5", lines_of_five(cards), setup)
    return stake * max(lines) if lines else -stake


def against_dealer(
    seat: Seat, cards: list[Card], dealer: list[Card], setup: Setup
) -> tuple[int, int]:
    """Return how `ante` and `play` end, each +1, 0 or -1 (P2-5, P2-8, P2-9)."""
    if seat["play"] == "fold":
        return -1, 0
    own: Strength
    other: Strength
    if seat["play"] == "three":
        own, other = strength(as_set(seat["three"]), PICK_THREE), best_three(dealer)
    elif not qualifies(dealer):
        return {"ante_wins": (1, 0), "both_win": (1, 1), "both_push": (0, 0)}[
            setup.readings["P2-I1"]
        ]
    else:
        own, other = strength(cards, POKER), strength(dealer, POKER)
    outcome = (own > other) - (own < other)
    return outcome, outcome


def settle_seat(seat: Seat, cards: list[Card], dealer: list[Card], setup: Setup) -> Expected:
    stakes = seat["wagers"]
    ante, play = against_dealer(seat, cards, dealer, setup)
    expected = {"ante": ante * stakes["ante"], "play": play * stakes["play"]}
    if seat["play"] == "fold" and setup.readings["P2-I5"] == "bonus_lost":
        return {**expected, "bonus_3_5": -stakes["bonus_3_5"], "bonus_5": -stakes["bonus_5"]}
    expected["bonus_3_5"] = bonus_3_5_won(stakes["bonus_3_5"], seat, cards, setup)
    expected["bonus_5"] = bonus_5_won(stakes["bonus_5"], cards, setup)
    return expected


def judge(round_: Round, setup: Setup) -> Judgment:
    judged = Judgment()
    house = round_["house"]
    dealer = dealt(house["cards"])
    if len(dealer) != 5:
        judged.add("deal.count", None, None, "P2-4")
    dealer_is_known = len(dealer) == 5 and JOKER not in dealer
    if dealer_is_known and "three" in house:
        shown = as_set(house["three"])
        is_own = len(shown) == 3 and is_part_of(shown, dealer)
        if not is_own or strength(shown, PICK_THREE) != best_three(dealer):
            judged.add("setting.dealer", None, None, "P2-7", "P2-I7")
    for seat in round_["seats"]:
        hand = dealt(seat["cards"])
        settled = not is_broken(seat, hand, judged) and dealer_is_known
        judged.expected[seat["seat"]] = settle_seat(seat, hand, dealer, setup) if settled else None
    if not dealer_is_known:
        judged.cannot_settle("P2-7")
        return judged
    compare_results(round_, judged, apply_per_deal(round_, setup, judged))
    return judged


def is_broken(seat: Seat, hand: list[Card], judged: Judgment) -> bool:
    wrong_count = len(hand) != 5
    if wrong_count:
        judged.add("deal.count", seat["seat"], None, "P2-4")
    wrong_set = False
    if seat["play"] == "three":
        three = as_set(seat["three"])
        wrong_set = len(three) != 3 or not is_part_of(three, hand)
    if wrong_set:
        judged.add("setting.cards", seat["seat"], None, "P2-6")
    return wrong_count or wrong_set or JOKER in hand
