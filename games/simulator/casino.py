"""Casino Version simulator: two decks with jokers; seven cards, fold or buy two; three hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.casino_version.play import terms_of
from games.casino_version.settle import fouls, net_points, settle_fold, settle_points, strengths
from games.kernel import compiled, jit
from games.simulator.hands import (
    below,
    best_five_first,
    chance_of,
    deal_hand,
    name_jokers,
    shoe_of,
    spelled,
)
from games.simulator.players import bounds, ladder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from games.planting import Line
    from games.setup import Setup
    from games.simulator.plan import Plan
    from games.simulator.rounds import Call


GAME: Final = "casino-version"
DECKS, JOKERS = 2, 2
SEATS: Final = 6
FEWEST: Final = 1
RESULTS: Final = ("points", "ante", "buy_in")
ACE, NINE_OF_HEARTS = 12, 30

_fouls: Any = compiled(fouls)
_net_points: Any = compiled(net_points)
_settle_points: Any = compiled(settle_points)
_settle_fold: Any = compiled(settle_fold)
_strengths: Any = compiled(strengths)


@jit
def is_weak(cards):  # type: ignore[no-untyped-def]
    """Return whether seven cards have no ace, no joker and no pair."""
    ranks = np.int64(0)
    for place in range(7):
        card = np.int64(cards[place])
        if card == 52 or card >> 2 == ACE or ranks & (1 << (card >> 2)):
            return False
        ranks |= 1 << (card >> 2)
    return True


@jit
def set_nine(cards, laid):  # type: ignore[no-untyped-def]
    """Set nine cards as one, three and five: the best five, then the best three allowed."""
    pool = cards.copy()
    name_jokers(pool, 9)
    best_five_first(pool, 0, 9)
    found = False
    best: Any = np.int64(0)
    best_one: Any = np.int64(0)
    tried = np.empty(9, np.uint8)
    for single in range(5, 9):
        tried[0] = pool[single]
        at = 1
        for place in range(5, 9):
            if place != single:
                tried[at] = pool[place]
                at += 1
        tried[4:9] = pool[0:5]
        one, two, three = _strengths(tried, 0)
        if not _fouls(one, two, three) and (not found or (two, one) > (best, best_one)):
            found, best, best_one = True, two, one
            laid[:] = tried
    if not found:  # strength isn't transitive across sizes: no order of these hands is valid
        laid[:] = tried
    return found


@jit
def play(  # type: ignore[no-untyped-def]
    shoe, chance, first_seat, antes, terms, house, house_set, cards, sets, folds, results
):
    """Deal, set and settle rounds, each from the whole shoe."""
    for row in range(house.shape[0]):
        first, last = first_seat[row], first_seat[row + 1]
        at = deal_hand(shoe, 0, chance, house[row], 9)
        while not set_nine(house[row], house_set[row]):  # if the dealer must foul: deal anew
            at = deal_hand(shoe, 0, chance, house[row], 9)
        others = _strengths(house_set[row], 0)
        for seat in range(first, last):
            at = deal_hand(shoe, at, chance, cards[seat], 9)
            folds[seat] = is_weak(cards[seat]) and below(chance, 3) > 0
            ante = antes[seat]
            if folds[seat]:
                won = _settle_fold(ante, ante)
            else:
                set_nine(cards[seat], sets[seat])
                mine = _strengths(sets[seat], 0)
                net = _net_points(mine, others, sets[seat], 0, house_set[row], 0, terms)
                won = _settle_points(net, ante, ante)
            results[seat, 0], results[seat, 1], results[seat, 2] = won[0], won[1], won[2]


class Dealer:
    """A table's two decks."""

    def __init__(self, plan: Plan, table: str) -> None:
        self._table = table
        self._shoe = shoe_of(DECKS, JOKERS)
        self._chance = chance_of(plan.seed, GAME, table)

    def stakes(self, setup: Setup, chance: Random) -> tuple[int, ...]:
        """Return the ante, which the buy-in equals."""
        low, high = bounds(setup, self._table, "ante")
        least, most = bounds(setup, self._table, "buy_in")
        return (chance.choice(ladder(max(low, least), min(high, most)).amounts),)

    def play(self, calls: Sequence[Call], setup: Setup) -> list[Line]:
        """Deal the rounds and return the part of each line after its time."""
        first_seat = np.cumsum([0, *(len(call.seats) for call in calls)])
        seats, rounds = int(first_seat[-1]), len(calls)
        antes = np.array([seat.stakes[0] for call in calls for seat in call.seats], np.int64)
        house, cards = np.empty((rounds, 9), np.uint8), np.empty((seats, 9), np.uint8)
        house_set, sets = np.empty((rounds, 9), np.uint8), np.empty((seats, 9), np.uint8)
        folds, results = np.zeros(seats, np.bool_), np.zeros((seats, 3), np.int64)
        terms = np.array(terms_of(setup), np.int64)
        play(
            self._shoe, self._chance, first_seat, antes, terms, house, house_set, cards, sets,
            folds, results,
        )  # fmt: skip
        hands, laid, folded = cards.tolist(), sets.tolist(), folds.tolist()
        won = results.tolist()
        lines: list[Line] = []
        seat = 0
        for row, call in enumerate(calls):
            played = []
            for number, player, (ante,) in call.seats:
                hand: Line = {"seat": number, "player": player}
                if folded[seat]:
                    hand |= {"cards": spelled(hands[seat][:7]), "play": "fold"}
                else:
                    hand |= {
                        "cards": spelled(hands[seat]),
                        "play": "play",
                        "hands": three_hands(laid[seat]),
                    }
                hand["wagers"] = {"ante": ante, "buy_in": ante}
                hand["result"] = dict(zip(RESULTS, won[seat], strict=True))
                played.append(hand)
                seat += 1
            dealers = {
                "cards": spelled(house[row].tolist()),
                "hands": three_hands(house_set[row].tolist()),
            }
            lines.append({"house": dealers, "seats": played})
        return lines


def three_hands(laid: list[int]) -> list[str]:
    """Return nine cards as set: one, three and five."""
    return [spelled(laid[:1]), spelled(laid[1:4]), spelled(laid[4:])]
