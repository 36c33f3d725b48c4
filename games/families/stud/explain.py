"""What a hand's wagers come to, step by step, with the clauses of each step.

The steps are read from the settlement itself: the row and the line that decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.families.stud.program import HAND, TIED, UNKNOWN, WON
from games.families.stud.settle import NO_FIT, UNDECIDED
from games.families.stud.strength import MOST_RANKS, PLACE_SHIFT
from games.settlement.outcomes import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from games.definition.model import Condition, Ranking
    from games.families.stud.hand import DealtHand, Payment, Settled

RESULTS: Final = {WON: "beats", TIED: "equals"}


def explain_settled(hand: DealtHand, settled: Settled) -> dict[str, tuple[Reason, ...]]:
    """Return the steps that lead to each result of a hand."""
    return {
        key: tuple(step for payment in payments for step in _steps(hand, payment))
        for key, payments in settled.payments.items()
    }


def describe_strength(ranking: Ranking, strength: int) -> str:
    """Return a hand as text: its name, and its ranks in order of importance."""
    place = strength >> PLACE_SHIFT
    if not 1 <= place <= len(ranking.order):
        return "no hand"
    ranks = [(strength >> 4 * (MOST_RANKS - 1 - n)) & 15 for n in range(MOST_RANKS)]
    shown = "-".join("23456789TJQKA"[rank - 1] for rank in ranks if rank)
    return f"{ranking.order[len(ranking.order) - place].replace('_', ' ')}, {shown}"


def _steps(hand: DealtHand, payment: Payment) -> Iterator[Reason]:
    program = hand.program
    payout = program.payouts[payment.payout]
    name = f"{payout.id}: " if payout.into else ""
    if payment.is_returned:
        yield Reason(f"{name}The wager was taken back.", payout.cites)
        return
    if payment.row == UNDECIDED:
        yield Reason(f"{name}No wager was placed.", payout.cites)
        return
    outcome = program.outcomes[payment.row]
    yield from _facts(hand, outcome.when)
    if outcome.odds is not None:
        yield Reason(f"{name}{_odds(outcome.odds)}", outcome.cites)
    else:
        yield _line(hand, payment, name)
    if payment.amount:
        result = "wins" if payment.amount > 0 else "loses"
        yield Reason(f"{name}It {result} {in_dollars(abs(payment.amount))}.", ())


def _facts(hand: DealtHand, when: Condition) -> Iterator[Reason]:
    """Yield a step for each part of the condition that decided."""
    definition, program = hand.program.definition, hand.program
    hands = tuple(definition.hands.values())
    if when.folded is not None:
        yield Reason("The player folded." if when.folded else "The player did not fold.", ())
    for decision, choice in hand.made():
        if decision.id in when.choices:
            yield Reason(f"At `{decision.id}`, the player chose `{choice.id}`.", decision.cites)
    first = program.folded + 1
    for number, (id_, comparison) in enumerate(definition.comparisons.items()):
        if id_ in when.compares:
            mine, dealers = program.compared[number]
            ranking = hands[mine].ranking
            result = RESULTS.get(hand.facts[first + number], "is below")
            yield Reason(
                f"The player's hand ({describe_strength(ranking, hand.strengths[mine])}) {result}"
                f" the dealer's ({describe_strength(ranking, hand.strengths[dealers])}).",
                comparison.cites,
            )
    first += len(definition.comparisons)
    for number, (id_, test) in enumerate(definition.tests.items()):
        fact = hand.facts[first + number]
        if id_ in when.tests and fact != UNKNOWN:
            tested = program.tested[number][0]
            words = describe_strength(hands[tested].ranking, hand.strengths[tested])
            answer = "yes" if fact else "no"
            yield Reason(f"{id_.replace('_', ' ')}: {answer} ({words}).", test.cites)
    for id_ in when.readings:
        asked = definition.interpretations[id_]
        reading = program.terms.readings.get(id_, asked.default)
        yield Reason(f"{id_} is read as `{reading}`: {asked.readings[reading]}", (id_,))


def _line(hand: DealtHand, payment: Payment, name: str) -> Reason:
    """Return the step of a pay table."""
    program = hand.program
    payout = program.payouts[payment.payout]
    outcome, table = program.outcomes[payment.row], program.tables[payout.table]
    paid = program.rows[payment.row][HAND]
    ranking = tuple(program.definition.hands.values())[paid].ranking
    words = describe_strength(ranking, hand.strengths[paid])
    cites = (*outcome.cites, *table.cites)
    if payment.line == NO_FIT:
        result = _odds(outcome.no_line)
        return Reason(f"{name}{words} fits no line of the table `{table.name}`. {result}", cites)
    line = program.pay_lines[payment.line]
    pays = f"{line.pays} to 1"
    return Reason(
        f"{name}{words} is paid by the line `{line.id}` of `{table.name}`: {pays}.", cites
    )


def _odds(odds: Fraction) -> str:
    if odds == 0:
        return "The wager is returned."
    if odds == -1:
        return "The wager loses."
    return f"The wager wins {odds} to 1." if odds > 0 else f"The wager loses {-odds} of itself."
