"""Void rounds: for a reason that is named somewhere, and with nothing won or lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.judge.finding import Finding, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.round_log.round import Round
    from games.setup import Setup

WITH_A_SHUFFLER: Final = {
    "pick-2-poker": frozenset(
        {
            "card face up",
            "wrong number of cards",
            "dealer card exposed",
            "shuffler fault",
        }
    )
}
"""Reasons that the rules themselves name, where a shuffling machine is used (P2-15)."""


def void(round_: Round, setup: Setup) -> Iterator[Finding]:
    """`void.reason` and `void.result` of a void round."""
    named = round_.shuffler and round_.void in WITH_A_SHUFFLER.get(round_.game, ())
    if not named and round_.void not in setup.void_reasons:
        ids = cites("P2-15") if round_.game in WITH_A_SHUFFLER else ()
        yield Finding("void.reason", logged=(round_.void or "")[:140], cites=ids)
    if round_.house.result:
        yield _moved(None, "house", round_.house.result)
    for seat in round_.seats:
        for key, amount in seat.result.items():
            if amount:
                yield _moved(seat.seat, key, amount)


def _moved(seat: int | None, key: str, amount: int) -> Finding:
    return Finding("void.result", seat, key, str(amount), "0", amount)
