"""Showdown simulator: three decks with jokers, two declarations, six hands in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.kernel import compiled, jit
from games.ranking.long_hand import compare_strengths
from games.ranking.three_card import three_of_showdown
from games.showdown.play import values_of
from games.showdown.settle import (
    FOULED_AT,
    HANDS,
    PLAYED,
    SEAT,
    SURRENDERED_20,
    SURRENDERED_23,
    settle_table,
    take_seat,
)
from games.simulator.hands import (
    below,
    best_five_first,
    chance_of,
    deal_hand,
    heaviest_first,
    name_jokers,
    shoe_of,
    spelled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from games.planting import Line
    from games.setup import Setup
    from games.simulator.plan import Plan
    from games.simulator.rounds import Call


GAME: Final = "showdown"
DECKS, JOKERS = 3, 4
SEATS: Final = 6
FEWEST: Final = 4
CARDS, LAID = 25, 20
DEALT: Final = (20, 23, 25)
PLAYS: Final = ("surrender-20", "surrender-23", "showdown")
CHIPS: Final = (100, 100, 200, 500)
SIZES: Final = (1, 3, 3, 3, 5, 5)
STARTS: Final = (0, 1, 4, 7, 10, 15, 20)

_compare_strengths: Any = compiled(compare_strengths)
_take_seat: Any = compiled(take_seat)
_three: Any = compiled(three_of_showdown)
_settle_table: Any = compiled(settle_table)


@jit
def order_threes(laid):  # type: ignore[no-untyped-def]
    """Put hands 2, 3 and 4 in the order of their strength."""
    for _ in range(2):
        for hand in range(2):
            one, two = laid[1 + 3 * hand : 4 + 3 * hand], laid[4 + 3 * hand : 7 + 3 * hand]
            weaker = _three(np.int64(one[0]), np.int64(one[1]), np.int64(one[2]))
            stronger = _three(np.int64(two[0]), np.int64(two[1]), np.int64(two[2]))
            if _compare_strengths(weaker, 3, stronger, 3) > 0:
                kept = one.copy()
                one[:] = two
                two[:] = kept


@jit
def set_six(cards, laid, sizes, table, place):  # type: ignore[no-untyped-def]
    """Set 25 cards as six hands, five cards left over, in a seat's numbers; return if valid.

    The best five are hand 6, the best five of the others hand 5; of the rest the heaviest make up
    hands 4, 3 and 2, and hand 1 is one of those left. If that fouls, only groups are set.
    """
    pool = cards.copy()
    name_jokers(pool, CARDS)
    best_five_first(pool, 0, CARDS)
    best_five_first(pool, 5, CARDS - 5)
    heaviest_first(pool[10:], CARDS - 10)
    for order in range(2):
        if order == 1:
            heaviest_first(pool, CARDS)
        laid[15:20] = pool[0:5]
        laid[10:15] = pool[5:10]
        laid[1:10] = pool[10:19]
        order_threes(laid)
        for left in range(19, CARDS):
            laid[0] = pool[left]
            _take_seat(table, place, laid, 0, sizes, 0)
            if table[place + FOULED_AT] == 0:
                return True
    return False


@jit
def stays(cards, chance):  # type: ignore[no-untyped-def]
    """Return how long a player stays: the fewer groups of three, the sooner some surrender."""
    counts, groups = np.zeros(13, np.int64), 0
    for place in range(20):
        if cards[place] == 52:
            groups += 1
        else:
            counts[cards[place] >> 2] += 1
    for rank in range(13):
        groups += counts[rank] >= 3
    if groups < 2 and below(chance, 4) == 0:
        return SURRENDERED_20
    if groups < 3 and below(chance, 8) == 0:
        return SURRENDERED_23
    return PLAYED


@jit
def deal_round(shoe, chance, first, last, sizes, table, laid, cards, sets, played):  # type: ignore[no-untyped-def]
    """Deal a round and set the hands; return if at least one set is proper (SD-I14)."""
    at, left, proper = 0, last - first, 0
    for seat in range(first, last):
        place = seat - first
        at = deal_hand(shoe, at, chance, cards[seat], CARDS)
        played[seat] = stays(cards[seat], chance) if left > 2 else PLAYED
        left -= played[seat] != PLAYED
        if played[seat] == PLAYED:
            proper += set_six(cards[seat], sets[seat], sizes, table, SEAT * place)
            laid[LAID * place : LAID * place + LAID] = sets[seat]
            # The kernels find the cards through the positions stored in the table's hands.
            _take_seat(table, SEAT * place, laid, LAID * place, sizes, 0)
    return proper > 0


@jit
def play(shoe, chance, first_seat, dealers, values, sizes, cards, sets, played, results):  # type: ignore[no-untyped-def]
    """Deal, set and settle rounds, each from the whole shoe."""
    for row in range(first_seat.size - 1):
        first, last = first_seat[row], first_seat[row + 1]
        seats = last - first
        table, laid = np.zeros(SEAT * seats, np.int64), np.zeros(LAID * seats, np.uint8)
        won = np.zeros((3, seats), np.int64)
        while not deal_round(shoe, chance, first, last, sizes, table, laid, cards, sets, played):
            pass
        _settle_table(
            laid, table, played[first:last], seats, dealers[row], values, won[0], won[1], won[2]
        )
        for seat in range(first, last):
            for key in range(3):
                results[seat, key] = won[key, seat - first]


class Dealer:
    """A table's three decks, and the chip that its players agreed on."""

    def __init__(self, plan: Plan, table: str) -> None:
        self._shoe = shoe_of(DECKS, JOKERS)
        self._chance = chance_of(plan.seed, GAME, table)
        self._chip = CHIPS[int(self._chance[0] % np.uint64(len(CHIPS)))]
        self._round = 0

    def stakes(self, _setup: Setup, _chance: Random) -> tuple[int, ...]:
        """Return nothing, because only chips are staked."""
        return ()

    def play(self, calls: Sequence[Call], setup: Setup) -> list[Line]:
        """Deal the rounds and return the part of each line after its time."""
        first_seat = np.cumsum([0, *(len(call.seats) for call in calls)])
        seats = int(first_seat[-1])
        cards, sets = np.empty((seats, CARDS), np.uint8), np.empty((seats, LAID), np.uint8)
        played, results = np.empty(seats, np.int64), np.empty((seats, 3), np.int64)
        dealers = [(self._round + row) % len(call.seats) for row, call in enumerate(calls)]
        self._round += len(calls)
        values = np.array(values_of(setup.rules(GAME), setup.reading("SD-I1")), np.int64)
        play(
            self._shoe, self._chance, first_seat, np.array(dealers, np.int64), values,
            np.array(SIZES, np.int64), cards, sets, played, results,
        )  # fmt: skip
        hands, laid, stayed = cards.tolist(), sets.tolist(), played.tolist()
        won = (results * self._chip).tolist()
        lines: list[Line] = []
        seat = 0
        for row, call in enumerate(calls):
            shown = []
            for number, player, _ in call.seats:
                stay = stayed[seat]
                hand: Line = {
                    "seat": number,
                    "player": player,
                    "cards": spelled(hands[seat][: DEALT[stay]]),
                    "play": PLAYS[stay],
                }
                if stay == PLAYED:
                    hand["hands"] = [
                        spelled(laid[seat][STARTS[i] : STARTS[i + 1]]) for i in range(HANDS)
                    ]
                on_showdown, on_surrender, on_pot = won[seat]
                hand["result"] = {"showdown": on_showdown, "surrender": on_surrender, "pot": on_pot}
                shown.append(hand)
                seat += 1
            dealer = call.seats[dealers[row]].seat
            lines.append({"chip": self._chip, "dealer": dealer, "seats": shown})
        return lines
