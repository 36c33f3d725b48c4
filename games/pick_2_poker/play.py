"""A logged round of Pick 2 Poker brought to the kernels: each player against the dealer alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from games.cards import show
from games.judge.deal import has_joker, miscount
from games.judge.finding import Finding, cites
from games.judge.players import distinct_players
from games.judge.settlement import Outcome, Settlement
from games.pick_2_poker.reasons import BONUS_FOLDED, FOLDED, NO_LINE, NOT_PLACED, READINGS, REASONS
from games.pick_2_poker.settle import (
    best_three,
    five,
    five_card_lines,
    settle_bonus_3_5,
    settle_bonus_5,
    settle_five,
    settle_play,
    three_card_lines,
)
from games.ranking.three_card import three_card

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from games.cards import Cards
    from games.round_log.round import House, Round, Seat
    from games.setup import Setup

__all__ = ["REASONS", "limits", "relations", "settle"]

GAME = "pick-2-poker"

TIMES_ANTE = {"three": 2, "five": 1, "fold": 0}
"""What `play` is, in antes (P2-4); on a fold there is none."""

Settled = dict[str, tuple[int, tuple[int, ...]]]
"""Cents and reason codes by result key."""


def relations(_played: Round, seat: Seat, setup: Setup) -> Iterable[Finding]:
    """`wager.relation`: the bonus that equals the ante (P2-3, P2-I10), and `play` (P2-4)."""
    ante = seat.wagers["ante"]
    equal = setup.reading("P2-I10")
    if seat.wagers[equal] != ante and not (equal == "bonus_5" and seat.wagers[equal] == 0):
        yield _relation(seat, equal, ante, "P2-3", "P2-I10")
    if seat.play is not None and seat.wagers["play"] != TIMES_ANTE[seat.play] * ante:
        yield _relation(seat, "play", TIMES_ANTE[seat.play] * ante, "P2-4")


def _relation(seat: Seat, key: str, expected: int, *ids: str) -> Finding:
    return Finding(
        "wager.relation", seat.seat, key, str(seat.wagers[key]), str(expected), cites=cites(*ids)
    )


def limits(played: Round, setup: Setup) -> Iterable[Finding]:
    """`limit.players`: as many as the set-up says."""
    return distinct_players(played, setup.players)


def settle(played: Round, setup: Setup) -> Settlement:
    """Settle a played round."""
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
    """`setting.dealer`: the three shown are no best three of the dealer's five (P2-7, P2-I7)."""
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
    """Why a seat cannot be settled. A joker is found with the deal."""
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
    """What one seat wins, whatever the other seats hold (P2-16).

    Bonuses are settled last (P2-14); no log tells the order, and no amount hangs on it (P2-I11).
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
    """A fold loses the bonus wagers too (P2-5)."""
    settled: Settled = {"bonus_3_5": (-seat.wagers["bonus_3_5"], (BONUS_FOLDED,))}
    placed = seat.wagers["bonus_5"]
    settled["bonus_5"] = (-placed, (BONUS_FOLDED if placed else NOT_PLACED,))
    return settled


def _bonuses(seat: Seat, setup: Setup) -> Settled:
    a, b, c, d, e = seat.cards
    lines = five_card_lines(a, b, c, d, e)
    judged = best_three(a, b, c, d, e)
    if seat.play == "three" and setup.reading("P2-I4") == "set_three":
        judged = three_card(*seat.three)
    amount, on_five, on_three = settle_bonus_3_5(
        lines >> 2,
        three_card_lines(judged, any_suits=setup.reading("P2-I9") == "any_suits"),
        seat.wagers["bonus_3_5"],
        setup.pays(GAME, "bonus_3_5_five"),
        setup.pays(GAME, "bonus_3_5_three"),
    )
    why = tuple(code for code in (on_five, on_three) if code != NO_LINE) or (NO_LINE,)
    extra, why_extra = settle_bonus_5(lines, seat.wagers["bonus_5"], setup.pays(GAME, "bonus_5"))
    return {"bonus_3_5": (amount, why), "bonus_5": (extra, (why_extra,))}
