"""What a hand's wagers come to, step by step, with the clauses of each step.

The steps are read from the settlement itself: the row and the line that decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cards import RANKS
from games.cents import in_dollars
from games.explanation.model import Section, Step
from games.explanation.sections import explain_result, seat_title
from games.explanation.words import name_in_words, show_cards
from games.families.bonuses import explain_bonuses
from games.families.stud.hand import DealtHand
from games.families.stud.program import HAND, TIED, UNKNOWN, WON
from games.families.stud.settle import NO_FIT, UNDECIDED
from games.families.stud.strength import MOST_RANKS, PLACE_SHIFT
from games.findings import cites
from games.settlement.outcomes import Outcome, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from games.definition.model import Condition, Ranking
    from games.families.stud.hand import Payment, Settled
    from games.families.stud.program import Program
    from games.families.stud.round import StudRound, StudSeat
    from games.settlement.verdict import Verdict

RESULTS: Final = {WON: "beats", TIED: "equals"}


def explain_settled(hand: DealtHand, settled: Settled) -> dict[str, tuple[Reason, ...]]:
    """Return the steps that lead to each result of a hand."""
    return {
        key: tuple(step for payment in payments for step in _steps(hand, payment))
        for key, payments in settled.payments.items()
    }


def explain_seats(played: StudRound, program: Program, verdict: Verdict) -> Iterator[Section]:
    """Explain the cards on the table, then each hand and what its wagers come to."""
    common = [
        Step(f"{label}: {show_cards(cards)}.", program.definition.deal.cites)
        for label, cards in (("Cards", played.house.cards), ("Community", played.community))
        if cards
    ]
    if common:
        yield Section("Dealer" if played.house.cards else "Community cards", tuple(common))
    due = {seat: amounts or {} for seat, amounts in verdict.seats}
    for seat in played.seats:
        yield _section(played, seat, program, due.get(seat.seat, {}))


def _section(
    played: StudRound, seat: StudSeat, program: Program, due: Mapping[str, int]
) -> Section:
    hand = DealtHand(program, seat.cards, played.house.cards, played.community, seat.choices)
    steps = [Step(f"Cards {show_cards(seat.cards)}.", program.definition.deal.cites)]
    steps += [
        Step(f"{name_in_words(decision.id).capitalize()}: {name_in_words(choice.id)}.",
             cites(*decision.cites, *choice.cites))
        for decision, choice in hand.made()
    ]  # fmt: skip
    settled = _explain_results(hand, played, seat, due) if due and played.played else {}
    wagers = tuple(
        explain_result(
            seat,
            key,
            Outcome(due),
            settled.get(key, ()),
            seat.wagers.get(key),
        )
        for key in program.definition.results
    )
    return Section(seat_title(seat), tuple(steps if seat.cards else ()), wagers, seat.seat)


def _explain_results(
    hand: DealtHand, played: StudRound, seat: StudSeat, due: Mapping[str, int]
) -> dict[str, tuple[Step, ...]]:
    settled = hand.settle(seat.wagers)
    steps = {
        key: tuple(Step(each.says, each.cites) for each in reasons)
        for key, reasons in explain_settled(hand, settled).items()
    }
    for key, more in explain_bonuses(hand.program, played, seat, settled, due).items():
        steps[key] = (*steps.get(key, ()), *more)
    return steps


def describe_strength(ranking: Ranking, strength: int) -> str:
    """Return a hand as text: its name, and its ranks in order of importance."""
    place = strength >> PLACE_SHIFT
    if not 1 <= place <= len(ranking.order):
        return "no hand"
    ranks = [(strength >> 4 * (MOST_RANKS - 1 - n)) & 15 for n in range(MOST_RANKS)]
    if ranks[1] > len(RANKS):  # how the family `set` marks it; see its `strength.SECOND`
        ranks = [ranking.cards - 1]
    shown = "-".join(RANKS[rank - 1] for rank in ranks if rank)
    return f"{ranking.order[len(ranking.order) - place].replace('_', ' ')}, {shown}"


def _steps(hand: DealtHand, payment: Payment) -> Iterator[Reason]:
    program = hand.program
    payout = program.payouts[payment.payout]
    name = f"{name_in_words(payout.id).capitalize()}: " if payout.into else ""
    if payment.is_returned:
        yield Reason(f"{name}The wager was taken back.", payout.cites)
        return
    if payment.row == UNDECIDED:
        yield Reason(f"{name}No wager was placed.", payout.cites)
        return
    outcome = program.outcomes[payment.row]
    yield from _facts(hand, outcome.when)
    if outcome.odds is not None:
        yield Reason(f"{name}{describe_odds(outcome.odds)}", outcome.cites)
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
        yield Reason(hand.given_up if when.folded else hand.kept, ())
    for decision, choice in hand.made():
        if decision.id in when.choices:
            chosen = f"{name_in_words(decision.id)}: {name_in_words(choice.id)}"
            yield Reason(f"The player’s choice, {chosen}.", decision.cites)
    first = program.folded + 1
    for number, (id_, comparison) in enumerate(definition.comparisons.items()):
        if id_ in when.compares:
            mine, dealers = program.compared[number]
            ranking = hands[mine].ranking
            result = RESULTS.get(hand.facts[first + number], "is below")
            which = f"{name_in_words(id_)} hand" if hand.has_parts else "hand"
            yield Reason(
                f"The player's {which} ({describe_strength(ranking, hand.strengths[mine])})"
                f" {result} the dealer's ({describe_strength(ranking, hand.strengths[dealers])}).",
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
        yield Reason(f"{id_} is read so: {asked.readings[reading]}", (id_,))


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
        result = describe_odds(outcome.no_line)
        says = f"{name}{words} fits no line of the pay table {name_in_words(table.name)}. {result}"
        return Reason(says, cites)
    line = program.pay_lines[payment.line]
    of = f"the line {name_in_words(line.id)} of the pay table {name_in_words(table.name)}"
    return Reason(f"{name}{words} is paid by {of}: {line.pays} to 1.", cites)


def describe_odds(odds: Fraction) -> str:
    """Return what a wager comes to at odds, as a sentence."""
    if odds == 0:
        return "The wager is returned."
    if odds == -1:
        return "The wager loses."
    return f"The wager wins {odds} to 1." if odds > 0 else f"The wager loses {-odds} of itself."
