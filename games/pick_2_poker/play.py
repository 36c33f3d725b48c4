"""Settle a logged round of Pick 2 Poker with the kernels: each player against the dealer alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from games.cards import has_joker, show
from games.findings import Finding, cites
from games.pick_2_poker.reasons import BONUS_FOLDED, FOLDED, NO_LINE, NOT_PLACED, READINGS, REASONS
from games.pick_2_poker.settle import (
    best_three,
    five,
    five_card_lines,
    lines_among_five,
    settle_bonus_3_5,
    settle_bonus_5,
    settle_five,
    settle_play,
    three_card_lines,
)
from games.ranking.three_card import three_card
from games.settlement.outcomes import Outcome, Settlement, miscount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.log.round import House, Round, Seat
    from games.setup import Setup

__all__ = ["REASONS", "settle"]

GAME = "pick-2-poker"

Settled = dict[str, tuple[int, tuple[int, ...]]]
"""Cents and reason codes by result key."""


def _relation(seat: Seat, key: str, expected: int, *ids: str) -> Finding:
    return Finding(
        "wager.relation", seat.seat, key, str(seat.wagers[key]), str(expected), cites=cites(*ids)
    )


def settle(played: Round, setup: Setup) -> Settlement:
    """Settle a round that was played."""
    house = played.house
    dealers = list(miscount(house.cards, 5, None, "P2-4"))
    wrong = {seat.seat: list(_bars(seat)) for seat in played.seats}
    seats = [each for found in wrong.values() for each in found]
    if dealers or has_joker(house.cards):
        return Settlement(
            findings=(*dealers, *seats),
            irregular="the dealer's cards cannot be settled",
            irregular_cites=("P2-4",) if dealers else ("P2-1",),
        )
    outcomes = [
        None if wrong[seat.seat] or has_joker(seat.cards) else _outcome(seat, house.cards, setup)
        for seat in played.seats
    ]
    return Settlement(tuple(outcomes), (*_dealers_three(house), *seats))


def _is_part(part: Cards, whole: Cards) -> bool:
    return not Counter(part) - Counter(whole)


def _dealers_three(house: House) -> Iterator[Finding]:
    """Yield `setting.dealer` if the three shown aren't a best three of the five (P2-7, P2-I7)."""
    three = house.three
    if three is None:
        return
    if len(three) == 3 and _is_part(three, house.cards):
        a, b, c, d, e = house.cards
        if three_card(*three) == best_three(a, b, c, d, e):
            return
    yield Finding(
        "setting.dealer",
        logged=show(three[:9]),
        expected="a best three of " + show(house.cards),
        cites=cites("P2-7", "P2-I7"),
    )


def _bars(seat: Seat) -> Iterator[Finding]:
    """Yield why a seat can't be settled. Jokers are found by the checks of the deal."""
    yield from miscount(seat.cards, 5, seat.seat, "P2-4")
    if seat.play == "three" and not (len(seat.three) == 3 and _is_part(seat.three, seat.cards)):
        yield Finding(
            "setting.cards",
            seat.seat,
            logged=show(seat.three[:9]),
            expected="three of " + show(seat.cards[:9]),
            cites=cites("P2-6"),
        )


def _outcome(seat: Seat, dealers: Cards, setup: Setup) -> Outcome:
    """Return what one seat wins, regardless of the other seats (P2-16).

    Bonuses are settled last (P2-14); no log shows the order, and no amount depends on it (P2-I11).
    """
    settled = _folded(seat) if seat.play == "fold" else _against_dealer(seat, dealers, setup)
    if seat.play == "fold" and setup.reading("P2-I5") == "bonus_lost":
        settled |= _bonuses_folded(seat)
    else:
        settled |= _bonuses(seat, setup)
    return Outcome(
        {key: amount for key, (amount, _) in settled.items()},
        {key: why for key, (_, why) in settled.items()},
    )


def _folded(seat: Seat) -> Settled:
    return {"ante": (-seat.wagers["ante"], (FOLDED,)), "play": (0, (FOLDED,))}


def _against_dealer(seat: Seat, dealers: Cards, setup: Setup) -> Settled:
    ante, play = seat.wagers["ante"], seat.wagers["play"]
    a, b, c, d, e = seat.cards
    v, w, x, y, z = dealers
    if seat.play == "three":
        on_ante, on_play, why = settle_play(
            three_card(*seat.three), best_three(v, w, x, y, z), ante, play
        )
    else:
        not_qualified = READINGS["P2-I1"].index(setup.reading("P2-I1"))
        on_ante, on_play, why = settle_five(
            five(a, b, c, d, e), five(v, w, x, y, z), ante, play, not_qualified
        )
    return {"ante": (on_ante, (why,)), "play": (on_play, (why,))}


def _bonuses_folded(seat: Seat) -> Settled:
    """Settle the bonus wagers of a fold, which loses them too (P2-5)."""
    settled: Settled = {"bonus_3_5": (-seat.wagers["bonus_3_5"], (BONUS_FOLDED,))}
    placed = seat.wagers["bonus_5"]
    settled["bonus_5"] = (-placed, (BONUS_FOLDED if placed else NOT_PLACED,))
    return settled


def _bonuses(seat: Seat, setup: Setup) -> Settled:
    a, b, c, d, e = seat.cards
    lines = five_card_lines(a, b, c, d, e)
    any_suits = setup.reading("P2-I9") == "any_suits"
    if seat.play == "three" and setup.reading("P2-I4") == "set_three":
        lines_of_three = three_card_lines(three_card(*seat.three), any_suits=any_suits)
    else:
        lines_of_three = lines_among_five(a, b, c, d, e, any_suits=any_suits)
    amount, on_five, on_three = settle_bonus_3_5(
        lines,
        lines_of_three,
        seat.wagers["bonus_3_5"],
        setup.pays(GAME, "bonus_3_5_five"),
        setup.pays(GAME, "bonus_3_5_three"),
    )
    why = tuple(code for code in (on_five, on_three) if code != NO_LINE) or (NO_LINE,)
    extra, why_extra = settle_bonus_5(lines, seat.wagers["bonus_5"], setup.pays(GAME, "bonus_5"))
    return {"bonus_3_5": (amount, why), "bonus_5": (extra, (why_extra,))}
