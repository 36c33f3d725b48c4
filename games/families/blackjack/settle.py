"""Settles a seat: each of its hands against the dealer, then the wagers on its first cards.

The dealer's cards are those dealt; whether they should have been is the audit's question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.definition.blackjack_form import MAIN
from games.families.blackjack.hand import DealtHand
from games.families.stud.hand import Payment, Settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.cards import Cards
    from games.definition.blackjack_model import HandBonus
    from games.families.blackjack.program import BlackjackProgram
    from games.families.blackjack.round import BlackjackSeat


def hands_of(
    program: BlackjackProgram, seat: BlackjackSeat, dealers: Cards, *, is_final: bool = True
) -> list[DealtHand]:
    """Return a seat's hands; without `is_final`, before the dealer draws."""
    return [
        DealtHand(program, seat, place, dealers, is_final=is_final)
        for place in range(len(seat.played))
    ]


def settle_seats(
    program: BlackjackProgram,
    seats: Sequence[BlackjackSeat],
    dealers: Cards,
    unsettled: frozenset[int] = frozenset(),
) -> list[Settled | None]:
    """Settle every seat; None for a seat whose cards are wrong."""
    settled = [
        None if seat.seat in unsettled else settle_seat(program, seat, dealers) for seat in seats
    ]
    return list(_with_envy(program, settled))


def settle_seat(program: BlackjackProgram, seat: BlackjackSeat, dealers: Cards) -> Settled:
    """Return what a seat's wagers and bonuses come to, before what other seats' hands pay it."""
    hands = hands_of(program, seat, dealers)
    first = DealtHand.of_opening(program, seat, dealers)
    amounts: dict[str, int] = {}
    payments: dict[str, tuple[Payment, ...]] = {}
    for number, payout in enumerate(program.payouts):
        if payout.id == MAIN:
            found = tuple(each.payment(number, each.hand.wager) for each in hands)
        else:
            stake = seat.wagers[payout.id]
            found = (first.payment(number, stake),)
        amounts[payout.id] = sum(each.amount for each in found)
        payments[payout.id] = found
    for place, bonus in enumerate(program.bonuses):
        won = sum(pays_of(bonus, seat.wagers[MAIN]) for each in hands if each.allows(place))
        amounts[bonus.id] = won
        payments[bonus.id] = ()
    for key in program.definition.results:
        amounts.setdefault(key, 0)
        payments.setdefault(key, ())
    return Settled(amounts, payments)


def pays_of(bonus: HandBonus, wager: int) -> int:
    """Return what a bonus pays a hand with this opening wager."""
    return max((step.pays for step in bonus.steps if wager >= step.least), default=0)


def _with_envy(
    program: BlackjackProgram, settled: Sequence[Settled | None]
) -> Iterator[Settled | None]:
    """Yield each seat's settlement with what other seats' bonuses pay it."""
    for place, each in enumerate(settled):
        if each is None:
            yield None
            continue
        others = [other for number, other in enumerate(settled) if number != place]
        amounts = dict(each.amounts)
        for bonus in program.bonuses:
            if bonus.envy is None:
                continue
            if any(other is None for other in others):
                del amounts[bonus.envy]  # whether a hand that can't be read has it is not known
            else:
                won = sum(other is not None and other.amounts[bonus.id] > 0 for other in others)
                amounts[bonus.envy] = won * bonus.envy_pays
        yield Settled(amounts, each.payments)
