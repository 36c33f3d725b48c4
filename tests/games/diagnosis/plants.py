"""Every cause that is planted: those that a diagnosis knows, and those that it can't."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from games.settlement.verdict import settle_round
from games.setup import Setup
from games.terms import NOTHING
from tests.games.diagnosis.planter import (
    CHINESE,
    PICK_2,
    PYRAMID,
    SETUPS,
    Group,
    Right,
    by_seat,
    capped_at,
    commission,
    dealer_set,
    for_one,
    for_one_on,
    group,
    lines_exchanged,
    low_straight_lost,
    not_collected,
    not_paid,
    odds,
    only_six_card_flush,
    pay_line,
    pool,
    returned_on_fold,
    rounded_down,
    seats_exchanged,
    settled_by,
    wagers_exchanged,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

LAYOUT = {"three_card": {"straight_flush": 50, "flush": 3}}
OLDER = {"three_card": {"straight": 6, "one_pair": 2}}


def _odds(chance: Random) -> Group:
    line = chance.choice(("one pair", "flush", "straight"))
    due = pay_line(PYRAMID, "three_card", line.replace(" ", "_"))
    pays = chance.choice([Fraction(due + 2), Fraction(due + 5), Fraction(2 * due + 1, 2)])
    return group("odds", PYRAMID, by_seat(odds("three_card", line, pays)), chance)


def _with_tables(tables: dict[str, dict[str, int]]) -> Setup:
    return Setup(pay_tables={PYRAMID: tables})


def _on_file(cause: str, tables: dict[str, dict[str, int]]) -> Callable[[Random], Group]:
    def made(chance: Random) -> Group:
        plant = settled_by(_with_tables(tables))
        return group(cause, PYRAMID, plant, chance,
                     other_tables={"layout": LAYOUT, "version": OLDER})  # fmt: skip

    return made


def _limit(chance: Random) -> Group:
    """Pay in full under a maximum of $100 a hand: each line of 20 to 1 and more passes it."""
    setup = replace(Setup(), max_aggregate=10_000)
    dealt = tuple(
        replace(each, round=_settled(each.round, setup)) for each in _stretch(chance, PYRAMID)
    )
    return group("limit", PYRAMID, settled_by(Setup()), chance, wanted=8, setup=setup, rounds=dealt)


def _settled(round_: Any, setup: Setup) -> Any:
    due = dict(settle_round(round_, setup, NOTHING).seats)
    seats = tuple(replace(seat, result=dict(due[seat.seat] or {})) for seat in round_.seats)
    return replace(round_, seats=seats)


def _stretch(chance: Random, slug: str, rounds: int = 600) -> tuple[Right, ...]:
    dealt = pool(slug)
    begin = chance.randrange(len(dealt) - rounds)
    return dealt[begin : begin + rounds]


def _window(chance: Random) -> Group:
    """Pay three times what a pair is due, from one round to another, at one table."""
    dealt = _stretch(chance, PYRAMID)
    begin, end = dealt[200].round.at, dealt[400].round.at
    paid = by_seat(odds("three_card", "one pair", Fraction(3)))
    return group(
        "odds", PYRAMID,
        lambda right: paid(right) if begin <= right.round.at < end else {},
        chance, wanted=10_000, rounds=dealt,
    )  # fmt: skip


def _of_dealer(chance: Random) -> Group:
    """Let one of six dealers pay amounts that follow no rule."""
    dealt = _stretch(chance, PYRAMID, 300)
    dealers = {right.round.round: f"d-{number // 25 % 6}" for number, right in enumerate(dealt)}

    def plant(right: Right) -> dict[int, dict[str, int]]:
        if dealers[right.round.round] != "d-3" or chance.random() < 0.3:
            return {}
        seat = chance.choice(right.round.seats)
        cents = chance.choice((-1, 1)) * chance.randrange(100, 900)
        return {seat.seat: {"main": seat.result["main"] + cents}}

    return group("concentration", PYRAMID, plant, chance, wanted=10_000, rounds=dealt,
                 dealers=dealers)  # fmt: skip


KNOWN: dict[str, Callable[[Random], Group]] = {
    "odds": _odds,
    "low_straight": lambda c: group(
        "misrecognized", PYRAMID, by_seat(low_straight_lost), c, wanted=8
    ),
    "six_card_flush": lambda c: group(
        "misrecognized", PYRAMID, by_seat(only_six_card_flush), c, wanted=20
    ),
    "for_one": lambda c: group("for_one", PYRAMID, by_seat(for_one), c, wanted=40),
    "for_one_on_a_wager": lambda c: group(
        "for_one", PYRAMID, by_seat(for_one_on("six_card")), c, wanted=40
    ),
    "not_paid": lambda c: group("odds", PYRAMID, by_seat(not_paid), c, wanted=40),
    "commission": lambda c: group("commission", PYRAMID, by_seat(commission), c),
    "rounding": lambda c: group("rounding", PYRAMID, by_seat(rounded_down), c),
    "swapped_lines": lambda c: group(
        "swapped_lines", PYRAMID, by_seat(lines_exchanged), c, wanted=30
    ),
    "swapped_seats": lambda c: group("swapped_seats", PYRAMID, seats_exchanged, c),
    "swapped_wagers": lambda c: group("swapped_wagers", PYRAMID, by_seat(wagers_exchanged), c),
    "interpretation": lambda c: group(
        "interpretation", PYRAMID,
        settled_by(Setup(interpretations={"PP-I1": "dealer_wins"})), c,
    ),
    "unqualified": lambda c: group(
        "interpretation", PICK_2, settled_by(Setup(interpretations={"P2-I1": "both_push"})), c,
    ),
    "scoring": lambda c: group(
        "scoring", CHINESE, settled_by(SETUPS[CHINESE], scoring="2-4"), c
    ),
    "layout": _on_file("layout", LAYOUT),
    "version": _on_file("version", OLDER),
    "dealer_as_set": lambda c: group("dealer_as_set", PYRAMID, dealer_set, c, wanted=20),
    "limit": _limit,
    "not_collected": lambda c: group(
        "not_collected", PYRAMID,
        by_seat(not_collected(c.choice(("main", "three_card", "six_card")))), c, wanted=30,
    ),
    "returned_on_fold": lambda c: group(
        "returned_on_fold", PICK_2, by_seat(returned_on_fold), c, wanted=30
    ),
    "window": _window,
    "dealer": _of_dealer,
}  # fmt: skip


# Causes that a diagnosis can't know: slips, and rules that nobody wrote.


def _slips(slug: str, keys: tuple[str, ...], rate: float) -> Callable[[Random], Group]:
    def made(chance: Random) -> Group:
        def plant(right: Right) -> dict[int, dict[str, int]]:
            if chance.random() > rate:
                return {}
            seat, key = chance.choice(right.round.seats), chance.choice(keys)
            stake, won = seat.wagers[key], seat.result[key]
            delta = stake if won < 0 else chance.choice((-stake, stake))
            return {seat.seat: {key: won + delta}}

        return group("", slug, plant, chance, wanted=chance.randrange(5, 30))

    return made


def _unknown(
    slug: str, change: Callable[[Random, Right, Any], dict[str, int]], rate: float = 1.0
) -> Callable[[Random], Group]:
    def made(chance: Random) -> Group:
        def plant(right: Right) -> dict[int, dict[str, int]]:
            if chance.random() > rate:
                return {}
            return {seat.seat: change(chance, right, seat) for seat in right.round.seats}

        return group("", slug, plant, chance, wanted=chance.randrange(8, 40))

    return made


def _line_at_random(chance: Random, right: Right, seat: Any) -> dict[str, int]:
    """Pay pairs at odds that the dealer makes up each time."""
    if right.line(seat, "three_card") != "one pair":
        return {}
    return {"three_card": chance.choice((0, 2, 3, 4)) * seat.wagers["three_card"]}


def _slip_on_a_line(chance: Random, right: Right, seat: Any) -> dict[str, int]:
    if right.line(seat, "six_card") != "two pairs" or chance.random() < 0.5:
        return {}
    return {"six_card": seat.wagers["six_card"] * chance.choice((0, 2))}


def _some_dollars(chance: Random, right: Right, seat: Any) -> dict[str, int]:
    won = seat.result["main"]
    return {"main": won + 100 * chance.randrange(-9, 10)} if won > 0 else {}


def _by_the_wager(chance: Random, right: Right, seat: Any) -> dict[str, int]:
    """Pay big wagers on a flush one stake less, and small ones two more."""
    if right.line(seat, "three_card") != "flush":
        return {}
    stake = seat.wagers["three_card"]
    return {"three_card": stake if stake > 300 else 4 * stake}


def _signs(chance: Random, right: Right, seat: Any) -> dict[str, int]:
    return {"main": -seat.result["main"]} if chance.random() < 0.3 else {}


def _digits(chance: Random, right: Right, seat: Any) -> dict[str, int]:
    """Write two digits of an amount in the wrong order."""
    won = seat.result["six_card"]
    text = str(won)
    if won < 1000 or "0" in text[:2]:  # 10 to 1 would become 1 to 1 whatever the stake
        return {}
    return {"six_card": int(text[1] + text[0] + text[2:])}


def _a_third(chance: Random, right: Right, seat: Any) -> dict[str, int]:
    won = seat.result["three_card"]
    return {"three_card": won - chance.randrange(1, won)} if won > 100 else {}


def _capped(chance: Random, right: Right, seat: Any) -> dict[str, int]:
    """Pay no wager more than an amount that changes with the dealer's mood."""
    won = seat.result["three_card"]
    return {"three_card": min(won, chance.choice((700, 900, 1100, 1300)))} if won > 700 else {}


def _rotated(chance: Random) -> Group:
    """Give each of three seats the result of the next."""

    def plant(right: Right) -> dict[int, dict[str, int]]:
        seats = right.round.seats[:3]
        if len(seats) < 3 or chance.random() < 0.5:
            return {}
        after = (*seats[1:], seats[0])
        return {one.seat: {"main": other.result["main"]}
                for one, other in zip(seats, after, strict=True)}  # fmt: skip

    return group("", PYRAMID, plant, chance, wanted=chance.randrange(8, 30))


def _stale(chance: Random) -> Group:
    """Pay the results of the round before."""
    before: list[Right] = []

    def plant(right: Right) -> dict[int, dict[str, int]]:
        last = before[-1] if before else right
        before.append(right)
        if chance.random() < 0.7:
            return {}
        then = {seat.seat: seat for seat in last.round.seats}
        return {
            seat.seat: {"main": then[seat.seat].result["main"]}
            for seat in right.round.seats
            if seat.seat in then
        }

    return group("", PYRAMID, plant, chance, wanted=chance.randrange(8, 30))


KEYS = ("main", "three_card", "six_card")
UNKNOWN: dict[str, Callable[[Random], Group]] = {
    "slips": _slips(PYRAMID, KEYS, 0.1),
    "rare slips": _slips(PYRAMID, KEYS, 0.02),
    "slips on one wager": _slips(PYRAMID, ("three_card",), 0.2),
    "slips at pick 2": _slips(PICK_2, ("ante", "bonus_3_5"), 0.1),
    "odds made up": _unknown(PYRAMID, _line_at_random),
    "slips on a line": _unknown(PYRAMID, _slip_on_a_line),
    "some dollars": _unknown(PYRAMID, _some_dollars, 0.5),
    "by the wager": _unknown(PYRAMID, _by_the_wager),
    "signs": _unknown(PYRAMID, _signs, 0.5),
    "digits": _unknown(PYRAMID, _digits),
    "a part": _unknown(PYRAMID, _a_third),
    "capped": _unknown(PYRAMID, _capped),
    "one cap": lambda c: group("", PYRAMID, by_seat(capped_at(5000)), c, wanted=40),
    "rotated": _rotated,
    "stale": _stale,
}
