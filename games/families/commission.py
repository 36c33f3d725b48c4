"""What the house keeps of a win, and wins that were paid with another commission."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.findings import Finding, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.families.stud.hand import Payment, Settled
    from games.families.stud.program import Program
    from games.log.round import Seat


def commission(program: Program, payment: Payment, stake: int) -> int:
    """Return what the house keeps of a win."""
    outcome = None if payment.row < 0 else program.outcomes[payment.row]
    if outcome is None or not outcome.commission or outcome.odds is None or not payment.amount:
        return 0
    return int(stake * outcome.odds / (1 - outcome.commission)) - payment.amount


def wrong_commissions(program: Program, seat: Seat, settled: Settled) -> Iterator[Finding]:
    """Yield `fee.commission` where a win was paid with another commission than the rules'.

    The amount is part of the wrong result that is reported beside it.
    """
    for key, payments in settled.payments.items():
        for payment in payments:
            payout = program.payouts[payment.payout]
            kept = commission(program, payment, seat.wagers[payout.of or payout.id])
            logged, gross = seat.result[key], payment.amount + kept
            if kept and logged != payment.amount and 0 < logged <= gross:
                ids = cites(*program.outcomes[payment.row].cites, *payout.cites)
                yield Finding("fee.commission", seat.seat, key, gross - logged, kept, cites=ids)
