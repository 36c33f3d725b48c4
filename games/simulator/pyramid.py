"""Pyramid Poker simulator: a six-deck shoe, House Way, players' own ways, turns of the bank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.checks.bank_wager import bankers_minimum
from games.kernel import compiled, jit
from games.pyramid_poker.house_way import house_way
from games.pyramid_poker.settle import fouls, settle_main, settle_six_card, settle_three_card
from games.simulator.hands import below, chance_of, deal_hand, shoe_of, spelled
from games.simulator.players import bounds, ladder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from games.planting import Line
    from games.setup import Setup
    from games.simulator.plan import Plan
    from games.simulator.rounds import Call


GAME: Final = "pyramid-poker"
DECKS: Final = 6
SEATS: Final = 6
FEWEST: Final = 2
KEYS: Final = ("main", "three_card", "six_card")

AT_ONCE = True
"""A player's three of a kind wins at once, with any banker (PP-7, PP-I14)."""

_house_way: Any = compiled(house_way)
_fouls: Any = compiled(fouls)
_settle_main: Any = compiled(settle_main)
_settle_three_card: Any = compiled(settle_three_card)
_settle_six_card: Any = compiled(settle_six_card)


@jit
def place_of(cards, rank):  # type: ignore[no-untyped-def]
    """Return which of three cards has a rank."""
    if cards[0] >> 2 == rank:
        return 0
    return 1 if cards[1] >> 2 == rank else 2


@jit
def set_house_way(cards, split):  # type: ignore[no-untyped-def]
    """Return which of three cards the House Way plays low."""
    a, b, c = np.int64(cards[0]) >> 2, np.int64(cards[1]) >> 2, np.int64(cards[2]) >> 2
    return place_of(cards, _house_way(a, b, c, split))


@jit
def set_own_way(cards, split, chance, may_foul):  # type: ignore[no-untyped-def]
    """Return the card a player sets low: mostly the House Way's, at times another, rarely foul."""
    low = set_house_way(cards, split)
    if below(chance, 8) == 0:
        other = below(chance, 3)
        rank, a, b = ranks_of(cards, other)
        if not _fouls(rank, a, b) or (may_foul and below(chance, 40) == 0):
            low = other
    return low


@jit
def ranks_of(cards, low):  # type: ignore[no-untyped-def]
    """Return the rank played low and the two of the high hand."""
    rank = np.int64(cards[low]) >> 2
    a = np.int64(cards[1 if low == 0 else 0]) >> 2
    b = np.int64(cards[1 if low == 2 else 2]) >> 2
    return rank, a, b


@jit
def play(  # type: ignore[no-untyped-def]
    shoe, course, chance, first_seat, stakes, bankers, house_wagers, terms, three_pays, six_pays,
    house, house_low, house_result, cards, lows, results,
):  # fmt: skip
    """Deal, set and settle rounds one after another from a shoe."""
    both_equal, split, house_at_once = terms[0], terms[1] != 0, terms[2] != 0
    for row in range(house.shape[0]):
        first, last = first_seat[row], first_seat[row + 1]
        if course[0] + 3 * (last - first + 1) > shoe.size * 3 // 4:  # the cut card
            course[0] = 0
        at = course[0]
        for seat in range(first, last):
            at = deal_hand(shoe, at, chance, cards[seat], 3)
        course[0] = deal_hand(shoe, at, chance, house[row], 3)
        dealers = set_house_way(house[row], split)
        house_low[row] = house[row, dealers]
        low, a, b = ranks_of(house[row], dealers)
        banker = -1 if bankers[row] < 0 else first + bankers[row]
        for seat in range(first, last):
            lows[seat] = set_own_way(cards[seat], split, chance, seat != banker)
        owed = 0
        if banker >= 0:
            own, own_a, own_b = low, a, b
            low, a, b = ranks_of(cards[banker], lows[banker])
            house_result[row] = _settle_main(
                own, own_a, own_b, low, a, b, house_wagers[row], both_equal, house_at_once
            )[0]
            owed = house_result[row]
        x, y, z = house[row]
        for seat in range(first, last):
            u, v, w = cards[seat]
            if seat != banker:
                mine, my_a, my_b = ranks_of(cards[seat], lows[seat])
                results[seat, 0] = _settle_main(
                    mine, my_a, my_b, low, a, b, stakes[seat, 0], both_equal, AT_ONCE
                )[0]
                owed += results[seat, 0]
            results[seat, 1] = _settle_three_card(u, v, w, stakes[seat, 1], three_pays)[0]
            results[seat, 2] = _settle_six_card(u, v, w, x, y, z, stakes[seat, 2], six_pays)[0]
        if banker >= 0:
            results[banker, 0] = -owed


class Dealer:
    """A table's shoe."""

    def __init__(self, plan: Plan, table: str) -> None:
        self._table = table
        self._shoe = shoe_of(DECKS, lacking=plan.lacking.get(table, ""))
        self._course = np.zeros(1, np.int64)
        self._chance = chance_of(plan.seed, GAME, table)

    def stakes(self, setup: Setup, chance: Random) -> tuple[int, ...]:
        """Return a player's stakes on main, three_card and six_card."""
        return tuple(
            chance.choice(ladder(*bounds(setup, self._table, key)).amounts) for key in KEYS
        )

    def pass_bank(self, call: Call, before: Call | None, setup: Setup, chance: Random) -> None:
        """Let a player bank at times: never two rounds in a row, nor a table's first (PP-22)."""
        if before is None or before.banker >= 0 or len(call.seats) < 2 or chance.random() > 0.12:
            return
        place = chance.randrange(len(call.seats))
        banker = call.seats[place]
        least = {key: bankers_minimum(self._table, key, setup) or 1 for key in KEYS[1:]}
        odds = [
            max(stake, least[key]) for key, stake in zip(KEYS[1:], banker.stakes[1:], strict=True)
        ]
        call.seats[place] = banker._replace(stakes=(0, *odds))
        most = sum(seat.stakes[0] for seat in before.seats if seat.player == banker.player)
        call.house_wager = chance.choice((0, most, most // 200 * 100))
        call.banker = place
        against = call.house_wager + sum(seat.stakes[0] for seat in call.seats)
        times = 3 if setup.reading("PP-I10") == "max_payout" else 1
        call.bank = times * against + 10_000 * chance.randrange(6)

    def play(self, calls: Sequence[Call], setup: Setup) -> list[Line]:
        """Deal the rounds and return the part of each line after its time."""
        first_seat = np.cumsum([0, *(len(call.seats) for call in calls)])
        seats, rounds = int(first_seat[-1]), len(calls)
        stakes = np.array([seat.stakes for call in calls for seat in call.seats], np.int64)
        house, cards = np.empty((rounds, 3), np.uint8), np.empty((seats, 3), np.uint8)
        house_low, lows = np.empty(rounds, np.uint8), np.empty(seats, np.int64)
        house_result, results = np.zeros(rounds, np.int64), np.zeros((seats, 3), np.int64)
        terms = np.array(
            [
                -1 if setup.reading("PP-I1") == "dealer_wins" else 0,
                int(setup.reading("PP-I13") == "split_at_four"),
                int(setup.reading("PP-I11") == "yes"),
            ],
            np.int64,
        )
        play(
            self._shoe, self._course, self._chance, first_seat, stakes,
            np.array([call.banker for call in calls], np.int64),
            np.array([call.house_wager for call in calls], np.int64),
            terms, setup.pays(GAME, "three_card"), setup.pays(GAME, "six_card"),
            house, house_low, house_result, cards, lows, results,
        )  # fmt: skip
        hands, low, won = cards.tolist(), lows.tolist(), results.tolist()
        dealers, dealers_low, houses = house.tolist(), house_low.tolist(), house_result.tolist()
        lines: list[Line] = []
        seat = 0
        for row, call in enumerate(calls):
            line: Line = {
                "decks": DECKS,
                "house": {
                    "cards": spelled(dealers[row]),
                    "low": spelled(dealers_low[row : row + 1]),
                },
            }
            if call.banker >= 0:
                line["house"] |= {"wager": call.house_wager, "result": houses[row]}
                line |= {"banker": call.seats[call.banker].seat, "bank": call.bank}
            played = []
            for number, player, (main, three, six) in call.seats:
                hand, (on_main, on_three, on_six) = hands[seat], won[seat]
                played.append(
                    {
                        "seat": number,
                        "player": player,
                        "cards": spelled(hand),
                        "low": spelled((hand[low[seat]],)),
                        "wagers": {"main": main, "three_card": three, "six_card": six},
                        "result": {"main": on_main, "three_card": on_three, "six_card": on_six},
                    }
                )
                seat += 1
            line["seats"] = played
            lines.append(line)
        return lines
