"""Games in which players play each other: who wins what from whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cents import in_dollars

if TYPE_CHECKING:
    from games.judge.settlement import Meeting, Settlement
    from games.round_log.round import Seat


def moved(meeting: Meeting, worth: int, called: str) -> str:
    """What moves between two players, counted in units or chips of so many cents."""
    number = abs(meeting.amount) // worth
    if not number:
        return "Nothing moves."
    winner, payer = meeting.seat, meeting.other
    if meeting.amount < 0:
        winner, payer = payer, winner
    what = f"{number} {called}{'s' if number > 1 else ''}, {in_dollars(abs(meeting.amount))}"
    return f"Seat {winner} wins {what}, from seat {payer}."


def from_each(seat: Seat, key: str, settlement: Settlement) -> str:
    """What a seat wins from each other seat on one key; empty where it meets nobody."""
    parts = []
    for met in settlement.meetings:
        if met.key == key and seat.seat == met.seat:
            parts.append(f"{in_dollars(met.amount)} from seat {met.other}")
        elif met.key == key and seat.seat == met.other:
            parts.append(f"{in_dollars(-met.amount)} from seat {met.seat}")
    return f"{', '.join(parts)}." if parts else ""
