"""Settles a round of the family: pots from what was put in, and each to its best hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.families.versus.pots import divide, make_pots, not_called, take_fees

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.cards import Cards
    from games.families.versus.betting import Betting
    from games.families.versus.pots import Pot
    from games.families.versus.program import VersusProgram
    from games.families.versus.round import VersusRound


@dataclass(frozen=True)
class SettledPot:
    """A pot and who wins it."""

    amount: int
    left: int
    """After fees."""
    seats: tuple[int, ...]
    won: Mapping[int, int]
    """By winner, from the left of the button."""
    is_odd: bool
    """Whether it can't be divided equally among the winners."""


@dataclass(frozen=True)
class SettledRound:
    """What every seat wins or loses, and how."""

    back_to: int
    back: int
    """What `back_to` gets back because nobody called it; 0 if nothing."""
    pots: tuple[SettledPot, ...]
    put_in: Mapping[int, int]
    net: Mapping[int, int]
    strengths: Mapping[int, int]
    """Of the hands compared."""


class UndecidedError(Exception):
    """Who wins a pot can't be told; the message says why."""


def returned(betting: Betting) -> tuple[int, int]:
    """Return the seat that gets back what nobody called, and how much; 0 if nobody does."""
    last = next((wagers for wagers in reversed(betting.wagers) if wagers), {})
    return not_called(last)


def pots_of(betting: Betting) -> list[Pot]:
    """Return the pots; one player's ante alone is dead money in the main pot."""
    seat, back = returned(betting)
    paid: Counter[int] = Counter(dict.fromkeys(betting.order, 0))
    for wagers in betting.wagers:
        paid.update(wagers)
    paid[seat] -= back
    dead = 0
    if len(betting.antes) == 1:
        dead = sum(betting.antes.values())
    else:
        paid.update(betting.antes)
    return make_pots({each: paid[each] for each in betting.order}, betting.live, dead)


def settle_round(program: VersusProgram, played: VersusRound, betting: Betting) -> SettledRound:
    """Settle a round on its actions, cards and fees as logged.

    Raises:
        UndecidedError: two or more players could win a pot, and no hand of theirs was shown.
    """
    cards = {seat.seat: seat.cards for seat in played.seats}
    pots = pots_of(betting)
    strengths: dict[int, int] = {}
    settled = []
    for pot, left in zip(pots, take_fees(pots, played.fees.total), strict=True):
        winners = _winners(program, played, betting, pot, strengths)
        won = divide(left, winners, chip=program.chip, odd=program.odd, cards=cards)
        is_odd = len(winners) > 1 and len(set(won.values())) > 1
        settled.append(SettledPot(pot.amount, left, pot.seats, won, is_odd))
    back_to, back = returned(betting)
    put_in = {seat: betting.total(seat) for seat in betting.order}
    net: Counter[int] = Counter({seat: -amount for seat, amount in put_in.items()})
    net[back_to] += back
    for each in settled:
        net.update(each.won)
    net_of = {seat: net[seat] for seat in betting.order}
    return SettledRound(back_to, back, tuple(settled), put_in, net_of, strengths)


def _winners(
    program: VersusProgram,
    played: VersusRound,
    betting: Betting,
    pot: Pot,
    strengths: dict[int, int],
) -> tuple[int, ...]:
    """Return who wins a pot: the last player in it, or the best of the hands shown."""
    live = tuple(seat for seat in pot.seats if seat not in betting.mucked) or pot.seats
    if len(live) == 1:
        return live
    cards: dict[int, Cards] = {seat.seat: seat.cards for seat in played.seats if seat.cards}
    shown = tuple(seat for seat in live if seat in cards)
    if not shown:
        message = "no hand was shown that could win the pot"
        raise UndecidedError(message)
    if len(shown) == 1:
        return shown
    for seat in shown:
        if seat not in strengths:
            strengths[seat] = program.strength(cards[seat], played.community)
    best = max(strengths[seat] for seat in shown)
    return tuple(seat for seat in shown if strengths[seat] == best)
