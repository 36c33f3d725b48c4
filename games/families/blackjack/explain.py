"""The sections of a round's explanation: the dealer's cards, then every seat, hand by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.definition.blackjack_form import MAIN
from games.explanation.model import Section, Step
from games.explanation.sections import explain_result, seat_title
from games.explanation.words import name_in_words, show_cards
from games.families.blackjack.hand import DealtHand
from games.families.blackjack.play import in_words
from games.families.blackjack.settle import hands_of, pays_of, settle_seat
from games.families.blackjack.values import is_blackjack
from games.families.stud.explain import describe_odds
from games.families.stud.program import LOST, TIED, WON
from games.families.stud.settle import NO_FIT
from games.settlement.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.cards import Cards
    from games.families.blackjack.program import BlackjackProgram
    from games.families.blackjack.round import BlackjackRound, BlackjackSeat
    from games.families.stud.hand import Payment
    from games.settlement.verdict import Verdict

COMPARED: Final = {WON: "is above", TIED: "equals", LOST: "is below"}
TESTS: Final = {
    "blackjack": "a blackjack",
    "busted": "above 21",
    "surrendered": "surrendered",
    "rescued": "given up after a double",
    "doubled": "doubled",
    "split": "of a split",
}


def explain_seats(
    played: BlackjackRound, program: BlackjackProgram, verdict: Verdict
) -> Iterator[Section]:
    """Explain the dealer's cards, then each seat and what its wagers come to."""
    due = {seat: amounts or {} for seat, amounts in verdict.seats}
    dealers = played.house.cards
    if dealers:
        yield Section("Dealer", (Step(_cards(dealers), program.rules.cites["dealer"]),))
    for seat in played.seats:
        yield _section(played, seat, program, due.get(seat.seat, {}))


def _cards(cards: Cards) -> str:
    total = "a blackjack" if is_blackjack(cards) else in_words(cards)
    return f"Cards {show_cards(cards)}: {total}."


def _section(
    played: BlackjackRound,
    seat: BlackjackSeat,
    program: BlackjackProgram,
    due: Mapping[str, int],
) -> Section:
    steps = [
        Step(f"{_name(place)}: {_played(hand.cards, hand.actions)}", program.definition.deal.cites)
        for place, hand in enumerate(seat.played)
    ]
    is_settled = bool(due) and played.played and len(played.house.cards) > 1
    found = _results(program, seat, played.house.cards) if is_settled else {}
    wagers = tuple(
        explain_result(seat, key, Outcome(due), tuple(found.get(key, ())), seat.wagers.get(key))
        for key in program.definition.results
    )
    return Section(seat_title(seat), tuple(steps), wagers, seat.seat)


def _name(place: int) -> str:
    return f"Hand {place + 1}"


def _played(cards: Cards, actions: tuple[str, ...]) -> str:
    done = f" Played: {', '.join(actions)}." if actions else ""
    return f"{show_cards(cards)}, {in_words(cards)}.{done}" if cards else "no cards."


def _results(
    program: BlackjackProgram, seat: BlackjackSeat, dealers: Cards
) -> dict[str, list[Step]]:
    settled = settle_seat(program, seat, dealers)
    hands = hands_of(program, seat, dealers)
    first = DealtHand.of_opening(program, seat, dealers)
    found: dict[str, list[Step]] = {}
    for key, payments in settled.payments.items():
        found[key] = []
        for place, payment in enumerate(payments):
            if key == MAIN:
                name = f"{_name(place)}, {in_dollars(seat.played[place].wager)}: "
                found[key] += _steps(hands[place], payment, name if len(hands) > 1 else "")
            else:
                found[key] += _steps(first, payment, "")
    for number, bonus in enumerate(program.bonuses):
        won = any(hand.allows(number) for hand in hands)
        pays = in_dollars(pays_of(bonus, seat.wagers[MAIN]))
        says = f"A hand wins it: it pays {pays}." if won else "No hand of the seat wins it."
        found[bonus.id] = [Step(says, bonus.cites)]
        if bonus.envy is not None:
            says = (
                f"Each other seat's {name_in_words(bonus.id)} pays {in_dollars(bonus.envy_pays)}."
            )
            found[bonus.envy] = [Step(says, bonus.cites)]
    return found


def _steps(hand: DealtHand, payment: Payment, name: str) -> Iterator[Step]:
    """Yield the facts that decided, then what they come to."""
    program = hand.program
    outcome = program.outcomes[payment.row]
    when = outcome.when
    if when.compares or (when.is_always and program.payouts[payment.payout].id == MAIN):
        mine, theirs = (in_words(cards) for cards in (hand.hand.cards, hand.dealers))
        mine = "a blackjack" if hand.is_natural else mine
        theirs = "a blackjack" if is_blackjack(hand.dealers) else theirs
        compared = COMPARED[hand.facts[1]]
        if hand.holds("dealer_busted"):
            yield Step(f"{name}The dealer has {theirs}, above 21.", program.rules.cites["dealer"])
        else:
            says = f"{name}The hand ({mine}) {compared} the dealer's ({theirs})."
            yield Step(says, program.rules.cites["dealer"])
    for test, holds in when.tests.items():
        yield Step(f"{name}{_says(test, holds=holds)}", program.definition.tests[test].cites)
    for id_ in when.readings:
        asked = program.definition.interpretations[id_]
        reading = program.terms.readings.get(id_, asked.default)
        yield Step(f"{name}{id_} is read so: {asked.readings[reading]}", (id_,))
    if outcome.odds is not None:
        yield Step(f"{name}{describe_odds(outcome.odds)}", outcome.cites)
    else:
        yield _of_table(program, payment, name)
    if payment.amount:
        result = "wins" if payment.amount > 0 else "loses"
        yield Step(f"{name}It {result} {in_dollars(abs(payment.amount))}.")


def _says(test: str, *, holds: bool) -> str:
    """Return the result of a test as a sentence."""
    if test == "dealer_blackjack":
        return f"The dealer has {'a' if holds else 'no'} blackjack."
    if test == "dealer_busted":
        return f"The dealer's cards are {'' if holds else 'not '}above 21."
    if test in TESTS:
        return f"The hand is {'' if holds else 'not '}{TESTS[test]}."
    return f"{name_in_words(test).capitalize()}: {'yes' if holds else 'no'}."


def _of_table(program: BlackjackProgram, payment: Payment, name: str) -> Step:
    payout, outcome = program.payouts[payment.payout], program.outcomes[payment.row]
    table = program.tables[payout.table]
    ids = (*outcome.cites, *table.cites)
    words = name_in_words(table.name)
    if payment.line == NO_FIT:
        result = describe_odds(outcome.no_line)
        return Step(f"{name}The cards fit no line of the pay table {words}. {result}", ids)
    line = program.pay_lines[payment.line]
    paid = f"the line {name_in_words(line.id)} of the pay table {words}"
    return Step(f"{name}It is paid by {paid}: {line.pays} to 1.", ids)
