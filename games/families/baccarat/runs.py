"""Wagers that run over several rounds: how far each one is, and what a seat's wagers come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.cards import dealt
from games.families.baccarat.hand import FEWEST, MOST, CommonHands
from games.families.stud.hand import Payment, Settled
from games.families.stud.settle import NO_FIT, UNDECIDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.families.baccarat.model import Run
    from games.families.baccarat.program import BaccaratProgram
    from games.families.baccarat.round import BaccaratSeat, Carried
    from games.terms import Earlier

OPEN: Final = "open"
SKIPPED: Final = "skipped"
LOST: Final = "lost"
WON: Final = "won"
OVER: Final = "over"
"""It was decided by an earlier round."""
UNKNOWN: Final = "unknown"
"""It was placed in a round that isn't on record, so nobody knows how many it has run."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a wager has run."""

    state: str


def follow(
    program: BaccaratProgram,
    run: Run,
    carried: Carried,
    hands: CommonHands,
    earlier: Sequence[Earlier] | None,
) -> Progress:
    """Return how far a wager has run with this round.

    `earlier` are the rounds from the one in which it was placed; None if that isn't on record.
    """
    test = run.choices[carried.choice]
    won: int | None = None if earlier is None else 0
    for _, player, banker in earlier or ():
        cards = dealt(player), dealt(banker)
        if not all(FEWEST <= len(each) <= MOST for each in cards):
            continue  # void, or without a settlement
        before = CommonHands(program, *cards)
        if any(map(before.passes, run.skips)):
            continue
        won = None if won is None else won + 1
        if not before.passes(test) or won == run.rounds:
            return Progress(OVER)
    if any(map(hands.passes, run.skips)):
        return Progress(SKIPPED)
    if not hands.passes(test):
        return Progress(LOST)
    if won is None:
        return Progress(UNKNOWN)
    return Progress(WON if won + 1 == run.rounds else OPEN)


def earlier_of(
    carried: Carried, played: str, earlier: Sequence[Earlier]
) -> Sequence[Earlier] | None:
    """Return the rounds since a wager was placed, without this one; None if it isn't on record."""
    if carried.since == played:
        return ()
    for place, (id_, _, _) in enumerate(earlier):
        if id_ == carried.since:
            return earlier[place:]
    return None


def settle_seat(
    hands: CommonHands,
    seat: BaccaratSeat,
    progress: Mapping[str, Progress],
) -> Settled:
    """Return what a seat's wagers come to; one that runs comes to nothing until it is decided."""
    stakes = {key: each.amount for key, each in seat.carried.items()}
    settled = hands.settle({**seat.wagers, **stakes})
    amounts, payments = dict(settled.amounts), dict(settled.payments)
    for key, each in progress.items():
        if each.state == UNKNOWN:
            del amounts[key]
        elif each.state != WON:
            amounts[key] = -stakes[key] if each.state == LOST else 0
        if each.state != WON:
            number = list(hands.program.definition.payouts).index(key)
            payments[key] = (Payment(number, amounts.get(key, 0), UNDECIDED, NO_FIT),)
    return Settled(amounts, payments)
