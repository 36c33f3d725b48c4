"""Pots: what goes back, which pots there are, and how each is divided. Amounts are in cents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.cards import Cards

FIRST: Final = "first"
EACH: Final = "each"
HIGH_CARD: Final = "high_card"


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot, and the seats that can win it, in order from the left of the button."""

    amount: int
    seats: tuple[int, ...]


def not_called(wagers: Mapping[int, int]) -> tuple[int, int]:
    """Return the seat whose wagers on a street exceed all others', and by how much; 0 if none."""
    ordered = sorted(wagers, key=lambda seat: -wagers[seat])
    if not ordered:
        return 0, 0
    second = wagers[ordered[1]] if len(ordered) > 1 else 0
    return ordered[0], wagers[ordered[0]] - second


def make_pots(paid: Mapping[int, int], live: Sequence[int], dead: int = 0) -> list[Pot]:
    """Return the pots, main pot first.

    `paid` is what each seat has in the pots, and `live` are the seats that did not fold. Every
    live seat can win from each other seat as much as it paid itself. `dead` belongs to the main
    pot no matter who paid it.
    """
    pots: list[Pot] = []
    below = 0
    levels = sorted({paid[seat] for seat in live if paid[seat]})
    for level in levels:
        top = level if level != levels[-1] else max(paid.values())
        amount = sum(max(0, min(each, top) - below) for each in paid.values())
        pots.append(Pot(amount, tuple(seat for seat in live if paid[seat] >= level)))
        below = level
    if not pots:
        pots = [Pot(sum(paid.values()), tuple(live))]
    if dead:
        pots[0] = Pot(pots[0].amount + dead, pots[0].seats)
    return pots


def take_fees(pots: Iterable[Pot], fees: int) -> Iterator[int]:
    """Yield what is left of each pot: fees come from the main pot first."""
    for pot in pots:
        fee_of_pot = min(fees, pot.amount)
        fees -= fee_of_pot
        yield pot.amount - fee_of_pot


def divide(
    amount: int,
    winners: Sequence[int],
    *,
    chip: int,
    odd: str,
    cards: Mapping[int, Cards],
) -> dict[int, int]:
    """Return what each winner gets of a pot; `winners` begin left of the button."""
    portion = amount // len(winners) // chip * chip
    won = dict.fromkeys(winners, portion)
    rest = amount - portion * len(winners)
    if odd == HIGH_CARD:
        won[max(winners, key=lambda seat: max(cards[seat]))] += rest
        return won
    if odd == EACH:
        for seat in winners:
            if rest < chip:
                break
            won[seat] += chip
            rest -= chip
    won[winners[0]] += rest
    return won
