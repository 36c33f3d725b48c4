"""Settles a round of the family: each hand against the dealer or banker, then envy and the bank.

Every wager comes to the first outcome whose condition holds (`games.families.stud.settle`). The
bank pays and takes whole winnings; commissions are the house's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from games.definition.set_check import MAIN
from games.families.bonuses import with_envy
from games.families.commission import commission
from games.families.set.hand import SetHand, part_strengths
from games.families.stud.hand import Settled
from games.rounding import DIRECTIONS, rounded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.families.set.hand import Parts
    from games.families.set.program import SetProgram
    from games.families.set.round import SetRound, SetSeat


@dataclass(frozen=True)
class SettledRound:
    """What every hand wins, or None for a hand that can't be settled; parallel to the seats."""

    hands: tuple[SetHand | None, ...]
    seats: tuple[Settled | None, ...]
    house: Settled | None = None
    """The house's own wager against a player's bank."""
    kept_of_bank: int = 0
    """The commission on what the bank won."""


def settle_round(
    program: SetProgram,
    played: SetRound,
    house: Parts,
    theirs: Parts,
    unsettled: frozenset[int] = frozenset(),
) -> SettledRound:
    """Settle every hand against `theirs`: the dealer's parts as the house sets them, or a banker's.

    `unsettled` are seats whose cards or parts are wrong.
    """
    against = b"".join(theirs)
    strengths = part_strengths(program, theirs)
    hands = tuple(
        None
        if seat.seat in unsettled
        else SetHand(program, seat.cards, part_strengths(program, seat.parts), against, strengths)
        for seat in played.seats
    )
    seats = [
        None if hand is None else hand.settle(seat.wagers)
        for hand, seat in zip(hands, played.seats, strict=True)
    ]
    wagers = [seat.wagers for seat in played.seats]
    for envy in program.sets.envies:
        seats = list(with_envy(program, envy, wagers, seats))
    settled = SettledRound(hands, tuple(seats))
    if played.banker is None or program.sets.bank is None:
        return settled
    hand = SetHand(program, b"".join(house), part_strengths(program, house), against, strengths)
    against_bank = {**dict.fromkeys(program.definition.wagers, 0), MAIN: played.house.wager}
    own = _whole(program, hand, against_bank)
    return _with_bank(program, played, replace(settled, house=own))


def _whole(program: SetProgram, hand: SetHand, wagers: Mapping[str, int]) -> Settled:
    """Return what the house's own wager comes to; the house pays itself no commission."""
    settled = hand.settle(wagers)
    kept = sum(commission(program, each, wagers[MAIN]) for each in settled.payments[MAIN])
    return Settled({MAIN: settled.amounts[MAIN] + kept}, {MAIN: settled.payments[MAIN]})


def _with_bank(program: SetProgram, played: SetRound, settled: SettledRound) -> SettledRound:
    """Settle the banker's main wager: what the house and all others did not win.

    For a hand that can't be settled, the logged amount is used.
    """
    bank = program.sets.bank
    assert bank is not None  # noqa: S101  the round has a banker
    won = 0 if settled.house is None else -settled.house.amounts[MAIN]
    for seat, each in zip(played.seats, settled.seats, strict=True):
        if seat.seat != played.banker:
            won -= seat.result[MAIN] if each is None else _gross(program, seat, each)
    net = won
    if won > 0 and bank.commission:
        rounding = bank.rounding or program.definition.rounding
        assert rounding is not None  # noqa: S101  the definition was checked
        rest = 1 - bank.commission
        direction = DIRECTIONS[rounding.direction]
        net = rounded(won, rest.numerator, rest.denominator, rounding.step, direction)
    seats = tuple(
        Settled({**each.amounts, MAIN: net}, {**each.payments, MAIN: ()})
        if each is not None and seat.seat == played.banker
        else each
        for seat, each in zip(played.seats, settled.seats, strict=True)
    )
    return replace(settled, seats=seats, kept_of_bank=won - net)


def _gross(program: SetProgram, seat: SetSeat, settled: Settled) -> int:
    kept = sum(commission(program, each, seat.wagers[MAIN]) for each in settled.payments[MAIN])
    return settled.amounts[MAIN] + kept


def kept_of_main(program: SetProgram, played: SetRound, settled: SettledRound) -> int:
    """Return all commissions on the wagers against a player's bank and on what the bank won."""
    return settled.kept_of_bank + sum(
        commission(program, payment, seat.wagers[MAIN])
        for seat, each in zip(played.seats, settled.seats, strict=True)
        if each is not None
        for payment in each.payments[MAIN]
    )
