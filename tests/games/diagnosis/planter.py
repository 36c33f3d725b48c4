"""Groups of rounds with one cause planted, by a planter that knows nothing of the diagnosis.

Each plant changes logged results by a rule of its own, written down here from the rules of play.
The rounds come from the simulator, settled right.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from games.cards import RANKS, rank, suit
from games.log.form import read_line
from games.log.round import Round, Seat
from games.rule_set import rule_set
from games.settlement.outcomes import game
from games.settlement.verdict import settle_round
from games.setup import Chinese, Setup
from games.simulator.night import deal_night
from games.simulator.plan import Plan
from games.terms import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from random import Random

PYRAMID, PICK_2, CHINESE = "pyramid-poker", "pick-2-poker", "chinese-poker"
POOL = 3000

Results = dict[int, dict[str, int]]
"""New results by seat and wager; what is left out stays right."""


@dataclass(frozen=True)
class Group:
    """Rounds of one operator and game, as a diagnosis is given them, and what was planted."""

    cause: str
    """The planted cause; empty if it is none that a diagnosis could know."""
    rounds: tuple[Round, ...]
    setup: Setup
    planted: frozenset[tuple[str, int, str]]
    """Round, seat and wager of each result that the cause changed."""
    delta: int
    other_tables: dict[str, dict[str, dict[str, int]]]
    """Pay tables on file that were not in effect: the layout's, and an older version's."""
    dealers: dict[str, str]


@dataclass(frozen=True)
class Right:
    """A round settled right, with the line that each wager reached."""

    round: Round
    lines: dict[tuple[int, str], str]

    def line(self, seat: Seat, key: str) -> str:
        return self.lines.get((seat.seat, key), "")


SETUPS = {
    PYRAMID: Setup(),
    PICK_2: Setup(),
    CHINESE: Setup(chinese=Chinese(scoring=frozenset({"unit"}))),
}


@cache
def pool(slug: str) -> tuple[Right, ...]:
    """Return simulated rounds of three tables, without voids, banks and fouled dealers."""
    opening = datetime(2025, 7, 12, 17, tzinfo=UTC)
    plan = Plan(game=slug, tables=("T1", "T2", "T3"), opening=opening, setup=SETUPS[slug], pace=20)
    read = (read_line(dealt.line) for dealt in islice(deal_night(plan), POOL))
    rounds = (each for each in read if isinstance(each, Round))
    played = [each for each in rounds if each.played and each.banker is None]
    return tuple(Right(each, _lines(each)) for each in played)


def _lines(round_: Round) -> dict[tuple[int, str], str]:
    module = game(round_.game)
    settled = module.settle(round_, SETUPS[round_.game]).seats
    return {
        (seat.seat, key): " + ".join(module.REASONS[code].says for code in codes)
        for seat, outcome in zip(round_.seats, settled, strict=True)
        if outcome is not None
        for key, codes in outcome.reasons.items()
    }


Plant = Any
"""What changes a seat's results: a function of the round and the seat."""

# Causes that a diagnosis knows.


def odds(wager: str, line: str, pays: Fraction) -> Plant:
    def plant(right: Right, seat: Seat) -> dict[str, int]:
        if right.line(seat, wager) != line:
            return {}
        return {wager: int(pays * seat.wagers[wager])}

    return plant


def for_one(right: Right, seat: Seat) -> dict[str, int]:
    keys = (key for key in ("three_card", "six_card") if seat.result.get(key, 0) > 0)
    return {key: seat.result[key] - seat.wagers[key] for key in keys}


def for_one_on(wager: str) -> Plant:
    return lambda right, seat: {
        key: amount for key, amount in for_one(right, seat).items() if key == wager
    }


def not_paid(right: Right, seat: Seat) -> dict[str, int]:
    """Push what wins on main: rounding down to a large chip would give the same."""
    return {"main": 0} if seat.result["main"] > 0 else {}


def capped_at(most: int) -> Plant:
    """Pay no wager more than an amount, which a player who bets the same makes look like odds."""
    return lambda right, seat: {key: most for key, won in seat.result.items() if won > most}


def commission(right: Right, seat: Seat) -> dict[str, int]:
    return {key: won - won * 5 // 100 for key, won in seat.result.items() if won > 0}


def rounded_down(right: Right, seat: Seat) -> dict[str, int]:
    return {key: won // 2500 * 2500 for key, won in seat.result.items() if won > 0}


def low_straight_lost(right: Right, seat: Seat) -> dict[str, int]:
    """Take A-2-3 for nothing; suited, it is still a flush, which pays 2 to 1."""
    if {RANKS[rank(card)] for card in seat.cards} != set("A23"):
        return {}
    stake = seat.wagers["three_card"]
    suited = len({suit(card) for card in seat.cards}) == 1
    return {"three_card": 2 * stake if suited else -stake}


def only_six_card_flush(right: Right, seat: Seat) -> dict[str, int]:
    """Take a flush of five cards for what else the six cards are (PP-29)."""
    cards = seat.cards + right.round.house.cards
    line = right.line(seat, "six_card")
    if line != "flush" or max(Counter(map(suit, cards)).values()) != 5:
        return {}
    times = sorted(Counter(map(rank, cards)).values())
    ranks = {rank(card) for card in cards} | ({-1} if 12 in map(rank, cards) else set())
    straight = any(set(range(low, low + 5)) <= ranks for low in range(-1, 9))
    pays = 5 if straight else 2 if times[-1] == 3 else 1 if times[-2:] == [2, 2] else -1
    return {"six_card": pays * seat.wagers["six_card"]}


def not_collected(wager: str) -> Plant:
    def plant(right: Right, seat: Seat) -> dict[str, int]:
        return {wager: 0} if seat.result[wager] < 0 else {}

    return plant


def returned_on_fold(right: Right, seat: Seat) -> dict[str, int]:
    if seat.play != "fold":
        return {}
    return {key: 0 for key in ("bonus_3_5", "bonus_5") if seat.wagers[key]}


def wagers_exchanged(right: Right, seat: Seat) -> dict[str, int]:
    return {"three_card": seat.result["six_card"], "six_card": seat.result["three_card"]}


def lines_exchanged(right: Right, seat: Seat) -> dict[str, int]:
    pays = {"straight": 2, "flush": 5}.get(right.line(seat, "three_card"))
    return {} if pays is None else {"three_card": pays * seat.wagers["three_card"]}


def by_seat(plant: Plant) -> Callable[[Right], Results]:
    return lambda right: {seat.seat: plant(right, seat) for seat in right.round.seats}


def seats_exchanged(right: Right) -> Results:
    if len(right.round.seats) < 2:
        return {}
    one, other = right.round.seats[:2]
    return {one.seat: dict(other.result), other.seat: dict(one.result)}


def settled_by(setup: Setup, **changed: Any) -> Callable[[Right], Results]:
    """Return the results that the engine gives under another set-up, or with other fields."""

    def plant(right: Right) -> Results:
        verdict = settle_round(replace(right.round, **changed), setup, NOTHING)
        return {seat: dict(amounts) for seat, amounts in verdict.seats if amounts is not None}

    return plant


def dealer_set(right: Right) -> tuple[Results, Round]:
    """Set the dealer's highest card low, and settle main against that by hand (PP-9 to PP-12)."""
    cards = sorted(right.round.house.cards, key=rank)
    low, high = cards[-1], (cards[0], cards[1])
    house = replace(right.round.house, low=bytes([low]))
    theirs = rank(low), _high(rank(high[0]), rank(high[1]))
    results: Results = {}
    for seat in right.round.seats:
        one, other = (rank(card) for card in seat.cards.replace(seat.low, b"", 1))
        mine = rank(seat.low[0]), _high(one, other)
        stake = seat.wagers["main"]
        if mine[0] == one == other:
            amount = 3 * stake
        elif one != other and mine[0] > max(one, other):
            amount = -stake
        else:
            better = sum(a > b for a, b in zip(mine, theirs, strict=True))
            worse = sum(a < b for a, b in zip(mine, theirs, strict=True))
            amount = 0 if (better > 0) == (worse > 0) else stake if better else -stake
        results[seat.seat] = {"main": amount}
    return results, replace(right.round, house=house)


def _high(one: int, other: int) -> tuple[int, int, int]:
    return int(one == other), max(one, other), min(one, other)


def group(
    cause: str,
    slug: str,
    plant: Callable[[Right], Any],
    chance: Random,
    *,
    wanted: int = 28,
    setup: Setup | None = None,
    rounds: tuple[Right, ...] | None = None,
    **more: Any,
) -> Group:
    """Plant a cause in a stretch of rounds until so many of them are wrong."""
    dealt = pool(slug) if rounds is None else rounds
    begin = chance.randrange(len(dealt)) if rounds is None else 0
    kept: list[Round] = []
    planted: set[tuple[str, int, str]] = set()
    delta = wrong = 0
    for right in (*dealt[begin:], *dealt[:begin]):
        made = plant(right)
        results, round_ = made if isinstance(made, tuple) else (made, right.round)
        new = {
            (seat.seat, key): amount
            for seat in round_.seats
            for key, amount in results.get(seat.seat, {}).items()
            if amount != seat.result[key]
        }
        old = {seat.seat: seat.result for seat in round_.seats}
        delta += sum(amount - old[seat][key] for (seat, key), amount in new.items())
        planted |= {(round_.round, *place) for place in new}
        kept.append(_with(round_, new))
        wrong += bool(new)
        if wrong == wanted:
            break
    settings = {"other_tables": {}, "dealers": {}} | more
    return Group(cause, tuple(kept), setup or SETUPS[slug], frozenset(planted), delta, **settings)


def _with(round_: Round, new: dict[tuple[int, str], int]) -> Round:
    seats = tuple(
        replace(seat, result={key: new.get((seat.seat, key), amount)
                              for key, amount in seat.result.items()})
        for seat in round_.seats
    )  # fmt: skip
    return replace(round_, seats=seats)


def pay_line(slug: str, table: str, line: str) -> int:
    return rule_set(slug).pay_tables[table].lines[line]
