"""The sections of a round's explanation: the two hands, then each seat and its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.explanation.model import Section, Step
from games.explanation.sections import explain_result, seat_title
from games.explanation.words import name_in_words, show_cards
from games.families.baccarat.hand import FEWEST, CommonHands, total_of
from games.families.baccarat.runs import (
    LOST,
    OPEN,
    OVER,
    SKIPPED,
    UNKNOWN,
    WON,
    Progress,
    earlier_of,
    follow,
    settle_seat,
)
from games.families.commission import commission
from games.families.stud.explain import describe_odds
from games.families.stud.settle import NO_FIT, UNDECIDED
from games.findings import cites
from games.settlement.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.definition.model import Condition
    from games.families.baccarat.program import BaccaratProgram
    from games.families.baccarat.round import BaccaratRound, BaccaratSeat
    from games.families.stud.hand import Payment, Settled
    from games.settlement.verdict import Verdict

RUN_WORDS: Final = {
    OPEN: "This round does not decide it.",
    SKIPPED: "This round does not count.",
    LOST: "Its choice did not win this round, so it loses.",
    WON: "It has won all {all} rounds.",
    OVER: "An earlier round decided it.",
    UNKNOWN: "The round in which it was placed is not on record here, so it is not settled.",
}


def explain_seats(
    played: BaccaratRound, program: BaccaratProgram, verdict: Verdict
) -> Iterator[Section]:
    """Explain how the hands were drawn, then what each seat's wagers come to."""
    due = {seat: amounts or {} for seat, amounts in verdict.seats}
    is_settled = played.played and verdict.status != "irregular"
    if not is_settled:
        for seat in played.seats:
            yield _section(program, seat, due.get(seat.seat, {}), {})
        return
    hands = CommonHands(program, played.hands.player, played.hands.banker)
    yield Section("Hands", tuple(_of_hands(hands)))
    for seat in played.seats:
        progress = {
            key: _progress(program, played, seat, hands, key, due.get(seat.seat, {}))
            for key in seat.carried
        }
        settled = settle_seat(hands, seat, progress)
        steps = {
            key: tuple(_steps(hands, seat, key, settled, progress.get(key)))
            for key in settled.payments
        }
        yield _section(program, seat, due.get(seat.seat, {}), steps)


def _progress(
    program: BaccaratProgram,
    played: BaccaratRound,
    seat: BaccaratSeat,
    hands: CommonHands,
    key: str,
    due: Mapping[str, int],
) -> Progress:
    """Return how far a wager has run, as the verdict, which knows the earlier rounds, has it."""
    run, carried = program.own.runs[key], seat.carried[key]
    alone = follow(program, run, carried, hands, earlier_of(carried, played.round, ()))
    if alone.state != UNKNOWN or key not in due:
        return alone
    return Progress(WON if due[key] else OPEN)


def _of_hands(hands: CommonHands) -> Iterator[Step]:
    definition, drawing = hands.program.definition, hands.program.own.drawing
    for name, cards, draws in (
        ("Player", hands.player, hands.draws[0]),
        ("Banker", hands.banker, hands.draws[1]),
    ):
        first, third = cards[:FEWEST], cards[FEWEST:]
        says = f"{name} hand: {show_cards(first)}, total {total_of(first)}."
        yield Step(says, definition.deal.cites)
        rule = "draws a third card" if draws else "stands"
        did = f"draws {show_cards(third)}, total {total_of(cards)}" if third else "stands"
        says = f"By the drawing rules, the {name.lower()} hand {rule}; as dealt, it {did}."
        yield Step(says, drawing.cites)
    player, banker = total_of(hands.player), total_of(hands.banker)
    result = "It is a tie." if player == banker else (
        f"The {'player' if player > banker else 'banker'} hand wins."
    )  # fmt: skip
    yield Step(f"Player {player}, banker {banker}. {result}", definition.deal.cites)


def _section(
    program: BaccaratProgram,
    seat: BaccaratSeat,
    due: Mapping[str, int],
    steps: Mapping[str, tuple[Step, ...]],
) -> Section:
    wagers = tuple(
        explain_result(
            seat,
            key,
            Outcome(due),
            steps.get(key, ()),
            seat.carried[key].amount if key in seat.carried else seat.wagers.get(key),
        )
        for key in program.definition.results
    )
    return Section(seat_title(seat), (), wagers, seat.seat)


def _steps(
    hands: CommonHands,
    seat: BaccaratSeat,
    key: str,
    settled: Settled,
    progress: Progress | None,
) -> Iterator[Step]:
    program = hands.program
    if progress is not None:
        run, carried = program.own.runs[key], seat.carried[key]
        words = RUN_WORDS[progress.state].format(all=run.rounds)
        says = f"Placed in round {carried.since} on {name_in_words(carried.choice)}. {words}"
        yield Step(says, run.cites)
    for payment in settled.payments[key]:
        if payment.row != UNDECIDED:
            yield from _of_payment(hands, seat, payment)


def _of_payment(hands: CommonHands, seat: BaccaratSeat, payment: Payment) -> Iterator[Step]:
    """Yield the tests that decided, the odds or the line, the commission and the amount."""
    program = hands.program
    outcome, payout = program.outcomes[payment.row], program.payouts[payment.payout]
    yield from _conditions(hands, outcome.when)
    if outcome.odds is None:
        yield _line(hands, payment)
    else:
        yield Step(describe_odds(outcome.odds), outcome.cites)
    carried = seat.carried.get(payout.id)
    stake = seat.wagers[payout.id] if carried is None else carried.amount
    kept = commission(program, payment, stake)
    if kept:
        says = f"The house keeps a commission of {in_dollars(kept)}."
        yield Step(says, cites(*outcome.cites))
    if payment.amount:
        result = "wins" if payment.amount > 0 else "loses"
        yield Step(f"It {result} {in_dollars(abs(payment.amount))}.", ())


def _conditions(hands: CommonHands, when: Condition) -> Iterator[Step]:
    definition = hands.program.definition
    for id_ in when.tests:
        answer = "yes" if hands.passes(id_) else "no"
        yield Step(f"{name_in_words(id_)}: {answer}.", definition.tests[id_].cites)
    for id_ in when.readings:
        asked = definition.interpretations[id_]
        reading = hands.program.terms.readings.get(id_, asked.default)
        yield Step(f"{id_} is read so: {asked.readings[reading]}", (id_,))


def _line(hands: CommonHands, payment: Payment) -> Step:
    program = hands.program
    payout, outcome = program.payouts[payment.payout], program.outcomes[payment.row]
    table = program.tables[payout.table]
    ids = cites(*outcome.cites, *table.cites)
    of = f"of the pay table {name_in_words(table.name)}"
    if payment.line == NO_FIT:
        return Step(f"The round fits no line {of}. {describe_odds(outcome.no_line)}", ids)
    line = program.pay_lines[payment.line]
    return Step(f"Paid by the line {name_in_words(line.id)} {of}: {line.pays} to 1.", ids)
