"""One hand of a logged round: its facts, and what each of its wagers comes to and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from games.families.stud.program import ANY, HAND, condition_masks
from games.families.stud.settle import (
    NO_FIT,
    UNDECIDED,
    compare_hands,
    find_line,
    find_row,
    settle_row,
    test_hand,
)
from games.families.stud.strength import NO_CARD, hand_strength

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.cards import Cards
    from games.definition.model import Choice, Condition, Decision
    from games.families.stud.program import Program


@dataclass(frozen=True, slots=True)
class Payment:
    """What one payout comes to: the row and the line of the pay table that decide."""

    payout: int
    amount: int
    row: int
    line: int
    is_returned: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """What a hand wins, by result key; a key without an amount depends on cards not dealt."""

    amounts: Mapping[str, int]
    payments: Mapping[str, tuple[Payment, ...]]


class DealtHand:
    """A hand with the cards it is settled on, and its choices."""

    given_up: ClassVar[str] = "The player folded."
    kept: ClassVar[str] = "The player did not fold."
    has_parts: ClassVar[bool] = False
    """Whether comparisons are of parts, each by its name."""

    def __init__(
        self,
        program: Program,
        cards: Cards,
        dealer: Cards,
        community: Cards,
        choices: Mapping[str, str],
    ) -> None:
        self.program = program
        self.choices = choices
        self.table = b"".join(
            part[:size].ljust(size, bytes([NO_CARD]))
            for part, size in (
                (cards, program.player_most),
                (dealer, program.dealer_most),
                (community, sum(program.definition.deal.community)),
            )
        )
        self.strengths = [
            hand_strength(self.table, places, size, names)
            for places, size, names in zip(
                program.hand_places, program.hand_sizes, program.hand_names, strict=True
            )
        ]
        self.facts = [*self._choice_facts(), *self._card_facts()]

    @property
    def has_folded(self) -> bool:
        """Return whether the player folded."""
        return any(choice.folds for _, choice in self.made())

    def made(self) -> Iterator[tuple[Decision, Choice]]:
        """Yield the choices made, with their decisions."""
        for decision in self.program.definition.decisions:
            for choice in decision.choices:
                if self.choices.get(decision.id) == choice.id:
                    yield decision, choice

    def allows(self, when: Condition) -> bool:
        """Return whether a condition holds as far as the cards are known."""
        masks = condition_masks(self.program, when)
        return masks is not None and all(
            mask == ANY or mask >> fact & 1 for mask, fact in zip(masks, self.facts, strict=True)
        )

    def settle(self, wagers: Mapping[str, int]) -> Settled:
        """Return what the wagers come to."""
        program = self.program
        back = {choice.takes_back for _, choice in self.made()}
        amounts: dict[str, int] = {}
        payments: dict[str, tuple[Payment, ...]] = {}
        undecided = set()
        for number, payout in enumerate(program.payouts):
            key = payout.into or payout.id
            wager = payout.of or payout.id
            payment = self._payment(number, wagers[wager], is_back=wager in back)
            if payment is None:
                undecided.add(key)
                continue
            amounts[key] = amounts.get(key, 0) + payment.amount
            payments[key] = (*payments.get(key, ()), payment)
        for key in undecided:
            amounts.pop(key, None)
        return Settled(amounts, payments)

    def _payment(self, number: int, stake: int, *, is_back: bool) -> Payment | None:
        """Return what a stake comes to, or None if that depends on cards not dealt."""
        program = self.program
        first, end = program.row_ends[number], program.row_ends[number + 1]
        row = find_row(program.conditions, self.facts, first, end)
        line: int | None = NO_FIT
        if row != UNDECIDED and program.rows[row][HAND] >= 0:
            ends = program.line_ends
            line = self._line(row, ends[number], ends[number + 1])
        if line is None:
            row, line = UNDECIDED, NO_FIT
        if stake == 0 or is_back:
            return Payment(number, 0, row, line, is_back)
        if row == UNDECIDED:
            return None
        amount = settle_row(program.rows[row], line, program.lines, stake)
        return Payment(number, amount, row, line)

    def _line(self, row: int, first: int, end: int) -> int | None:
        """Return the line of a pay table that is paid; None if the hand wasn't dealt."""
        strength = self.strengths[self.program.rows[row][HAND]]
        return None if strength < 0 else find_line(self.program.lines, strength, first, end)

    def _choice_facts(self) -> list[int]:
        facts = []
        for decision in self.program.definition.decisions:
            ids = [choice.id for choice in decision.choices]
            made = self.choices.get(decision.id)
            facts.append(0 if made is None else ids.index(made) + 1)
        return [*facts, int(self.has_folded)]

    def _card_facts(self) -> list[int]:
        program, strengths = self.program, self.strengths
        compared = [compare_hands(strengths[a], strengths[b]) for a, b in program.compared]
        tested = [test_hand(strengths[each], low, high) for each, low, high in program.tested]
        return [*compared, *tested]
