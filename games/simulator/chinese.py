"""Chinese Poker simulator: thirteen cards set, naturals declared, weak hands surrendered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.checks.limit_unit import LARGEST_UNIT
from games.chinese_poker.naturals import makes_natural
from games.chinese_poker.play import terms_of
from games.chinese_poker.reasons import NATURALS
from games.chinese_poker.settle import (
    FIRST_NATURAL,
    NOT_APPROVED,
    SURRENDERED,
    settle_table,
    take_seat,
)
from games.kernel import compiled, jit
from games.log.schema import V1_SCORINGS
from games.ranking.names import NAME_SHIFT, STRAIGHT
from games.simulator.hands import below, best_five_first, chance_of, deal_hand, shoe_of, spelled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from games.planting import Line
    from games.setup import Setup
    from games.simulator.plan import Plan
    from games.simulator.rounds import Call


GAME: Final = "chinese-poker"
SEATS: Final = 4
FEWEST: Final = 2
UNITS: Final = (100, 200, 500, 500, LARGEST_UNIT)
SURRENDER: Final = -2
NOTHING: Final = -1

_take_seat: Any = compiled(take_seat)
_settle_table: Any = compiled(settle_table)
_makes_natural: Any = compiled(makes_natural)


@jit
def set_thirteen(cards):  # type: ignore[no-untyped-def]
    """Order thirteen cards as front, middle, back; return the back's strength."""
    laid = cards.copy()
    back = best_five_first(laid, 0, 13)
    best_five_first(laid, 5, 8)
    for place in range(3):
        cards[place] = laid[10 + place]
    for place in range(5):
        cards[3 + place] = laid[5 + place]
        cards[8 + place] = laid[place]
    return back


@jit
def declare(cards, back, terms, may_surrender, may_be_weak, chance):  # type: ignore[no-untyped-def]
    """Return an approved natural that the cards make, a surrender of a weak hand, or nothing."""
    for natural in range(4):
        if terms[FIRST_NATURAL + natural] != NOT_APPROVED and _makes_natural(natural, cards, 0):
            return natural
    if may_surrender and may_be_weak and back < STRAIGHT << NAME_SHIFT and below(chance, 3) > 0:
        return SURRENDER
    return NOTHING


@jit
def play(shoe, chance, first_seat, terms, may_surrender, unit, cards, declared, totals):  # type: ignore[no-untyped-def]
    """Deal, set and settle rounds, each from the whole deck."""
    for row in range(first_seat.size - 1):
        first, last = first_seat[row], first_seat[row + 1]
        table, units = np.zeros(4 * (last - first), np.int64), np.zeros(last - first, np.int64)
        at, standing = 0, last - first
        for seat in range(first, last):
            at = deal_hand(shoe, at, chance, cards[seat], 13)
            back = set_thirteen(cards[seat])
            declared[seat] = declare(cards[seat], back, terms, may_surrender, standing > 1, chance)
            place = 4 * (seat - first)
            if declared[seat] == SURRENDER:
                table[place + 3] = SURRENDERED
                standing -= 1
            else:
                _take_seat(table, place, cards[seat], 0, declared[seat], terms)
        _settle_table(table, last - first, terms, units)
        for seat in range(first, last):
            totals[seat] = unit * units[seat - first]


class Dealer:
    """A table's deck, and the unit and scoring that its players agreed on."""

    def __init__(self, plan: Plan, table: str) -> None:
        self._shoe = shoe_of(1)
        self._chance = chance_of(plan.seed, GAME, table)
        self._unit = UNITS[int(self._chance[0] % np.uint64(len(UNITS)))]
        scorings = tuple(plan.setup.rules(GAME).scorings)
        self._scoring = int(self._chance[0] // np.uint64(len(UNITS)) % np.uint64(len(scorings)))

    def stakes(self, _setup: Setup, _chance: Random) -> tuple[int, ...]:
        """Return nothing, because only units are staked."""
        return ()

    def play(self, calls: Sequence[Call], setup: Setup) -> list[Line]:
        """Deal the rounds and return the part of each line after its time."""
        approved = setup.chinese.scoring
        scorings = [
            name for name in setup.rules(GAME).scorings if approved is None or name in approved
        ]
        scoring = scorings[self._scoring % len(scorings)]
        terms = np.array(terms_of(scoring, setup), np.int64)
        first_seat = np.cumsum([0, *(len(call.seats) for call in calls)])
        seats = int(first_seat[-1])
        cards = np.empty((seats, 13), np.uint8)
        declared, totals = np.empty(seats, np.int64), np.empty(seats, np.int64)
        play(
            self._shoe, self._chance, first_seat, terms, setup.chinese.surrender is not None,
            self._unit, cards, declared, totals,
        )  # fmt: skip
        hands, says, won = cards.tolist(), declared.tolist(), totals.tolist()
        lines: list[Line] = []
        seat = 0
        for call in calls:
            played = []
            for number, player, _ in call.seats:
                hand: Line = {"seat": number, "player": player}
                if says[seat] == SURRENDER:
                    hand |= {"cards": spelled(hands[seat]), "play": "surrender"}
                else:
                    hand |= {
                        "front": spelled(hands[seat][:3]),
                        "middle": spelled(hands[seat][3:8]),
                        "back": spelled(hands[seat][8:]),
                    }
                if says[seat] >= 0:
                    hand["natural"] = NATURALS[says[seat]]
                hand["result"] = {"total": won[seat]}
                played.append(hand)
                seat += 1
            version = {} if scoring in V1_SCORINGS else {"v": 2}
            lines.append({**version, "unit": self._unit, "scoring": scoring, "seats": played})
        return lines
