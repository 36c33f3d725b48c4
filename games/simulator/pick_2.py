"""Pick 2 Poker simulator: one deck per round; each player plays three cards, five or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.kernel import compiled, jit
from games.pick_2_poker.reasons import READINGS
from games.pick_2_poker.settle import ACE_KING_HIGH, five
from games.ranking.names import NAME_SHIFT, ONE_PAIR, name_of
from games.ranking.three_card import THREE_ONE_PAIR, three_card
from games.screens.pick_2 import settle_bonuses, settle_hand
from games.simulator.hands import below, chance_of, deal_hand, shoe_of, spelled
from games.simulator.players import bounds, ladder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from games.planting import Line
    from games.setup import Setup
    from games.simulator.plan import Plan
    from games.simulator.rounds import Call


GAME: Final = "pick-2-poker"
SEATS: Final = 6
FEWEST: Final = 1
KEYS: Final = ("ante", "bonus_3_5", "bonus_5", "play")
PLAYS: Final = ("", "three", "five", "fold")
THREE, FIVE, FOLD = 1, 2, 3

_five: Any = compiled(five)
_three_card: Any = compiled(three_card)
_name_of: Any = compiled(name_of)


@jit
def show_best_three(cards, three):  # type: ignore[no-untyped-def]
    """Pick the best three of five cards; return their strength."""
    best = -1
    for i in range(3):
        for j in range(i + 1, 4):
            for k in range(j + 1, 5):
                strength = _three_card(np.int64(cards[i]), np.int64(cards[j]), np.int64(cards[k]))
                if strength > best:
                    best = strength
                    three[0], three[1], three[2] = cards[i], cards[j], cards[k]
    return best


@jit
def strength_of_five(cards):  # type: ignore[no-untyped-def]
    """Return the strength of five cards."""
    return _five(
        np.int64(cards[0]), np.int64(cards[1]), np.int64(cards[2]), np.int64(cards[3]),
        np.int64(cards[4]),
    )  # fmt: skip


@jit
def choose(shown, strength, chance):  # type: ignore[no-untyped-def]
    """Choose a player's play: three from a pair up, five from ace-king up, else mostly a fold."""
    if _name_of(shown) >= THREE_ONE_PAIR:
        return FIVE if below(chance, 12) == 0 else THREE
    if strength >= ACE_KING_HIGH or strength >= ONE_PAIR << NAME_SHIFT:
        return FIVE
    return FIVE if below(chance, 5) == 0 else FOLD


@jit
def play(  # type: ignore[no-untyped-def]
    shoe, chance, first_seat, stakes, terms, pays, house, house_three, cards, threes, plays, results
):
    """Deal, play and settle rounds, each from the whole deck."""
    for row in range(house.shape[0]):
        at = 0
        for seat in range(first_seat[row], first_seat[row + 1]):
            at = deal_hand(shoe, at, chance, cards[seat], 5)
        deal_hand(shoe, at, chance, house[row], 5)
        best = show_best_three(house[row], house_three[row])
        dealers = strength_of_five(house[row])
        for seat in range(first_seat[row], first_seat[row + 1]):
            shown = show_best_three(cards[seat], threes[seat])
            strength = strength_of_five(cards[seat])
            choice = choose(shown, strength, chance)
            ante = stakes[seat, 0]
            stakes[seat, 3] = 2 * ante if choice == THREE else (ante if choice == FIVE else 0)
            plays[seat] = choice
            results[seat, 0], results[seat, 3] = settle_hand(
                choice, shown, strength, best, dealers, ante, stakes[seat, 3], terms
            )
            a, b, c, d, e = cards[seat]
            results[seat, 1], results[seat, 2] = settle_bonuses(
                choice, shown, np.int64(a), np.int64(b), np.int64(c), np.int64(d), np.int64(e),
                stakes[seat, 1], stakes[seat, 2], terms, pays,
            )  # fmt: skip


class Dealer:
    """A table's deck, or two with a shuffling machine."""

    def __init__(self, plan: Plan, table: str) -> None:
        self._table = table
        self._shoe = shoe_of(1)
        self._chance = chance_of(plan.seed, GAME, table)

    def stakes(self, setup: Setup, chance: Random) -> tuple[int, ...]:
        """Return a player's stakes before the deal: an ante that can be doubled, and bonuses."""
        least, most = bounds(setup, self._table, "ante")
        play_least, play_most = bounds(setup, self._table, "play")
        low, high = bounds(setup, self._table, "bonus_5")
        antes = ladder(max(least, play_least), min(most, play_most // 2)).amounts
        ante = chance.choice(antes)
        bonus = chance.choice(ladder(*bounds(setup, self._table, "bonus_3_5")).amounts)
        if setup.reading("P2-I10") == "bonus_3_5":
            bonus = ante
        extra = ante if low <= ante <= high and chance.random() < 0.4 else 0
        return ante, bonus, extra, 0

    def play(self, calls: Sequence[Call], setup: Setup) -> list[Line]:
        """Deal the rounds and return the part of each line after its time."""
        first_seat = np.cumsum([0, *(len(call.seats) for call in calls)])
        seats, rounds = int(first_seat[-1]), len(calls)
        stakes = np.array([seat.stakes for call in calls for seat in call.seats], np.int64)
        house, cards = np.empty((rounds, 5), np.uint8), np.empty((seats, 5), np.uint8)
        house_three, threes = np.empty((rounds, 3), np.uint8), np.empty((seats, 3), np.uint8)
        plays, results = np.empty(seats, np.int64), np.zeros((seats, 4), np.int64)
        terms = np.array(
            [
                READINGS["P2-I1"].index(setup.reading("P2-I1")),
                int(setup.reading("P2-I5") == "bonus_stands"),
                int(setup.reading("P2-I4") == "set_three"),
                int(setup.reading("P2-I9") == "any_suits"),
            ],
            np.int64,
        )
        pays = tuple(
            setup.pays(GAME, table) for table in ("bonus_3_5_five", "bonus_3_5_three", "bonus_5")
        )
        play(
            self._shoe, self._chance, first_seat, stakes, terms, pays,
            house, house_three, cards, threes, plays, results,
        )  # fmt: skip
        hands, three, choices = cards.tolist(), threes.tolist(), plays.tolist()
        wagers, won = stakes.tolist(), results.tolist()
        dealers, dealers_three = house.tolist(), house_three.tolist()
        lines: list[Line] = []
        seat = 0
        for row, call in enumerate(calls):
            played = []
            for number, player, _ in call.seats:
                hand: Line = {
                    "seat": number,
                    "player": player,
                    "cards": spelled(hands[seat]),
                    "play": PLAYS[choices[seat]],
                }
                if choices[seat] == THREE:
                    hand["three"] = spelled(three[seat])
                hand["wagers"] = dict(zip(KEYS, wagers[seat], strict=True))
                hand["result"] = dict(zip(KEYS, won[seat], strict=True))
                played.append(hand)
                seat += 1
            lines.append(
                {
                    "house": {"cards": spelled(dealers[row]), "three": spelled(dealers_three[row])},
                    "seats": played,
                }
            )
        return lines
