"""What the explanations of all games share: a seat's wagers, reasons, and what players win.

A game's explainer goes through the hands as a dealer does. Where players play each other, it shows
who wins what from whom.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, Protocol

from games.cents import in_dollars
from games.definition.named_games import pay_lines
from games.explanation.model import Section, Step, WagerExplanation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from games.log.round import Round, Seat
    from games.settlement.outcomes import Meeting, Outcome, Reason, Settlement
    from games.setup import Setup


class Explainer(Protocol):
    """What explains the rounds of one game: the module `games/explanation/<game>.py`."""

    @staticmethod
    def sections(played: Round, setup: Setup, settlement: Settlement) -> Iterator[Section]:
        """Yield the round's hands and comparisons in the order a dealer goes through them."""


def seat_title(seat: Seat) -> str:
    """Return the title of a seat's section."""
    return f"Seat {seat.seat}" + (f", player {seat.player}" if seat.player else "")


def explain_wager(
    seat: Seat,
    key: str,
    outcome: Outcome | None,
    known: Mapping[int, Reason],
    steps: Iterable[Step] = (),
    pays: Step | None = None,
) -> WagerExplanation:
    """Explain a seat's wager: the given steps, then the reasons from the game and what it pays."""
    wagered = seat.wagers[key]
    reasons = explain_reasons(outcome, key, known, 0 if pays else wagered)
    reasons += () if pays is None else (pays,)
    return explain_result(seat, key, outcome, (*steps, *reasons), wagered)


def explain_result(
    seat: Seat,
    key: str,
    outcome: Outcome | None,
    steps: tuple[Step, ...],
    wagered: int | None = None,
) -> WagerExplanation:
    """Explain one result of a seat, which need not be that of a wager."""
    return WagerExplanation(
        f"Seat {seat.seat}", key, wagered, steps, seat.result[key], expected_amount(outcome, key)
    )


def explain_reasons(
    outcome: Outcome | None,
    key: str,
    known: Mapping[int, Reason],
    wagered: int = 0,
) -> tuple[Step, ...]:
    """Explain why a wager ended as it did, in the game's own words, and what it pays to one."""
    if outcome is None:
        return ()
    steps = [explain_reason(known[code]) for code in outcome.reasons.get(key, ())]
    result = outcome.amounts.get(key, 0)
    if wagered and result > 0 and result % wagered == 0:
        steps.append(Step(f"Pays {result // wagered} to 1 on {in_dollars(wagered)}."))
    return tuple(steps)


def explain_odds(
    setup: Setup, game: str, tables: Mapping[str, int], codes: Iterable[int], wagered: int
) -> Step | None:
    """Explain at which odds pay tables pay a wager, and how that is rounded; nothing if they don't.

    `tables` has the code of each table's first line.
    """
    odds = Fraction()
    for code in codes:
        for table, first in tables.items():
            lines = pay_lines(game)[table]
            if first <= code < first + len(lines):
                odds += setup.lines(game, table)[lines[code - first]]
    if not odds:
        return None
    says = f"Pays {odds.numerator} to {odds.denominator} on {in_dollars(wagered)}"
    rounding = setup.rules(game).rounding
    if odds.denominator == 1 or rounding is None:
        return Step(f"{says}.")
    return Step(f"{says}, rounded {_WAYS[rounding.direction]} {in_dollars(rounding.step)}.",
                rounding.cites)  # fmt: skip


_WAYS: Final = {
    "down": "down to a multiple of",
    "up": "up to a multiple of",
    "nearest": "to the nearest multiple of",
}


def explain_reason(reason: Reason) -> Step:
    """Return a reason as a sentence."""
    return Step(f"{reason.says[0].upper()}{reason.says[1:]}.", reason.cites)


def expected_amount(outcome: Outcome | None, key: str) -> int | None:
    """Return what a wager should have won, or None if that is unknown."""
    return outcome.amounts.get(key) if outcome is not None else None


def explain_meeting(meeting: Meeting, worth: int, unit: str) -> str:
    """Describe the amount owed between two players, in units or chips of so many cents."""
    number = abs(meeting.amount) // worth
    if not number:
        return "Neither player wins anything from the other."
    winner, payer = meeting.seat, meeting.other
    if meeting.amount < 0:
        winner, payer = payer, winner
    amount = f"{number} {unit}{'s' if number > 1 else ''}, {in_dollars(abs(meeting.amount))}"
    return f"Seat {winner} wins {amount}, from seat {payer}."


def explain_opponents(seat: Seat, key: str, settlement: Settlement) -> str:
    """Describe what a seat wins from each other seat on one key; empty if it plays none."""
    parts = []
    for meeting in settlement.meetings:
        if meeting.key == key and seat.seat == meeting.seat:
            parts.append(_from_seat(meeting.amount, meeting.other))
        elif meeting.key == key and seat.seat == meeting.other:
            parts.append(_from_seat(-meeting.amount, meeting.seat))
    sentence = ", ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


def _from_seat(cents: int, seat: int) -> str:
    if not cents:
        return f"even with seat {seat}"
    won = "wins" if cents > 0 else "loses"
    return f"{won} {in_dollars(abs(cents))} {'from' if cents > 0 else 'to'} seat {seat}"
