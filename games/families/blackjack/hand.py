"""One hand of a seat: its facts, and what its wagers come to and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from games.definition.blackjack_form import DEALER, MAIN
from games.families.blackjack.program import COMPARED
from games.families.blackjack.round import RESCUE, SURRENDER, PlayedHand
from games.families.blackjack.values import TWENTY_ONE, fits, is_blackjack, total_of
from games.families.stud.hand import Payment
from games.families.stud.program import DIRECTION, LOST, NO_LINE, STEP, TIED, UNKNOWN, WON
from games.families.stud.program import HAND as TABLE
from games.families.stud.settle import NO_FIT, UNDECIDED, find_row
from games.rounding import rounded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.cards import Cards
    from games.families.blackjack.program import BlackjackProgram
    from games.families.blackjack.round import BlackjackSeat

BLACKJACK: Final = TWENTY_ONE + 1
"""How a blackjack compares: above every other 21."""


def rank_of(cards: Cards, *, is_natural: bool) -> int:
    """Return how a hand compares: its total, 0 above 21."""
    total, _ = total_of(cards)
    if is_natural:
        return BLACKJACK
    return total if total <= TWENTY_ONE else 0


class DealtHand:
    """A hand with the cards it is settled on."""

    def __init__(
        self,
        program: BlackjackProgram,
        seat: BlackjackSeat,
        place: int,
        dealers: Cards,
        *,
        is_final: bool = True,
    ) -> None:
        self.program = program
        self.hand = seat.played[place]
        self.opening = seat.opening
        self.dealers = dealers
        self.is_split = place > 0 or bool(seat.splits_of(place))
        self.facts = self._facts(is_final=is_final)

    @classmethod
    def of_opening(
        cls, program: BlackjackProgram, seat: BlackjackSeat, dealers: Cards
    ) -> DealtHand:
        """Return the first two cards as a hand of their own, before anything was done with them."""
        first = PlayedHand(seat.opening, seat.wagers[MAIN], None, ())
        return cls(program, replace(seat, played=(first,)), 0, dealers)

    @property
    def total(self) -> int:
        """Return the hand's best total."""
        return total_of(self.hand.cards)[0]

    @property
    def is_natural(self) -> bool:
        """Return whether the hand is a blackjack."""
        return not self.is_split and is_blackjack(self.hand.cards)

    @property
    def is_open(self) -> bool:
        """Return whether what the hand comes to depends on the dealer's further cards."""
        number = list(self.program.definition.wagers).index(MAIN)
        return self._row(number) == UNDECIDED

    def holds(self, test: str) -> bool:
        """Return whether a test holds."""
        return self.facts[self.program.tests[test]] == 1

    def allows(self, number: int) -> bool:
        """Return whether the hand wins a bonus, by its place."""
        return find_row(self.program.bonus_conditions, self.facts, number, number + 1) == number

    def payment(self, number: int, stake: int) -> Payment:
        """Return what a stake on a payout, by its place, comes to."""
        program = self.program
        row = self._row(number)
        numbers = program.rows[row]
        line = NO_FIT
        if numbers[TABLE] >= 0:
            places = range(program.line_ends[number], program.line_ends[number + 1])
            fitting = (each for each in places if self.facts[program.lines[each][0]] == 1)
            line = next(fitting, NO_FIT)
        if line == NO_FIT:
            odds = numbers[:2] if numbers[TABLE] < 0 else numbers[NO_LINE : NO_LINE + 2]
        else:
            odds = program.lines[line][1:]
        amount = rounded(stake, odds[0], odds[1], numbers[STEP], numbers[DIRECTION])
        return Payment(number, amount, row, line)

    def _row(self, number: int) -> int:
        ends = self.program.row_ends
        return find_row(self.program.conditions, self.facts, ends[number], ends[number + 1])

    def _facts(self, *, is_final: bool) -> list[int]:
        facts = [0] * self.program.facts
        facts[COMPARED] = self._compared() if is_final else UNKNOWN
        known = self._tests()
        for id_, place in self.program.tests.items():
            facts[place] = int(known[id_])
        if not is_final:
            for id_ in self._of_dealer():
                facts[self.program.tests[id_]] = UNKNOWN
        return facts

    def _of_dealer(self) -> list[str]:
        patterns = self.program.rules.patterns.values()
        return ["dealer_busted", *(each.id for each in patterns if each.of == DEALER)]

    def _compared(self) -> int:
        mine = rank_of(self.hand.cards, is_natural=self.is_natural)
        theirs = rank_of(self.dealers, is_natural=is_blackjack(self.dealers[:2]))
        if mine == 0 or mine < theirs:
            return LOST
        return TIED if mine == theirs else WON

    def _tests(self) -> Mapping[str, bool]:
        hand, dealers = self.hand, self.dealers
        return {
            "blackjack": self.is_natural,
            "busted": self.total > TWENTY_ONE,
            "surrendered": SURRENDER in hand.actions,
            "rescued": RESCUE in hand.actions,
            "doubled": hand.doubles > 0,
            "split": self.is_split,
            "dealer_blackjack": is_blackjack(dealers[:2]),
            "dealer_busted": total_of(dealers)[0] > TWENTY_ONE,
            **{
                id_: fits(pattern, self.opening, hand.cards, dealers)
                for id_, pattern in self.program.rules.patterns.items()
            },
        }
