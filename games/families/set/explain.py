"""The sections of a round's explanation: the house's hand, then every hand and its results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.definition.set_check import MAIN
from games.explanation.model import Section, Step
from games.explanation.sections import explain_result, seat_title
from games.explanation.words import name_in_words, show_cards
from games.families.bonuses import explain_envy
from games.families.commission import commission
from games.families.set.hand import HouseSet, is_of
from games.families.set.settle import settle_round
from games.families.stud.explain import describe_strength, explain_settled
from games.settlement.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.families.set.hand import Parts, SetHand
    from games.families.set.program import SetProgram
    from games.families.set.round import SetRound, SetSeat
    from games.families.set.settle import SettledRound
    from games.families.stud.hand import Settled
    from games.settlement.verdict import Verdict


def explain_seats(played: SetRound, program: SetProgram, verdict: Verdict) -> Iterator[Section]:
    """Explain how the house sets its hand, then each hand and what its wagers come to."""
    due = {seat: amounts or {} for seat, amounts in verdict.seats}
    if not played.played or verdict.status == "irregular" or not any(due.values()):
        for seat in played.seats:
            yield _section(program, played, seat, None, due.get(seat.seat, {}))
        return
    house = HouseSet(program, played.house.cards)
    yield Section("Dealer", tuple(_of_house(program, played, house)))
    theirs = house.parts
    steps: Sequence[Step] = ()
    if played.banker is not None:
        theirs, steps = _of_banker(program, played)
    unsettled = frozenset(seat for seat, amounts in due.items() if not amounts)
    settled = settle_round(program, played, house.parts, theirs, unsettled)
    for seat in played.seats:
        more = steps if seat.seat == played.banker else ()
        yield _section(program, played, seat, settled, due.get(seat.seat, {}), more)


def _of_house(program: SetProgram, played: SetRound, house: HouseSet) -> Iterator[Step]:
    yield Step(f"Cards {show_cards(played.house.cards)}.", program.definition.deal.cites)
    yield Step(f"House way: {house.rule.says}", house.rule.cites)
    yield Step(_parts(program, house.parts, house.strengths), program.sets.cites)


def _of_banker(program: SetProgram, played: SetRound) -> tuple[Parts, Sequence[Step]]:
    """Return the banker's parts as they count, and why they aren't those logged."""
    banker = next(seat for seat in played.seats if seat.seat == played.banker)
    hand = HouseSet.of_banker(program, banker.cards, banker.parts)
    if hand is None:
        return banker.parts, ()
    says = f"The banker's hand is fouled and set again: {hand.rule.says}"
    words = _parts(program, hand.parts, hand.strengths)
    return hand.parts, (Step(says, hand.rule.cites), Step(words, program.sets.cites))


def _parts(program: SetProgram, parts: Parts, strengths: Sequence[int]) -> str:
    words = (
        f"{name_in_words(part.id)} {show_cards(cards)} ({describe_strength(part.ranking, each)})"
        for part, cards, each in zip(program.sets.parts, parts, strengths, strict=True)
    )
    text = "; ".join(words)
    return f"{text[0].upper()}{text[1:]}."


def _section(
    program: SetProgram,
    played: SetRound,
    seat: SetSeat,
    settled: SettledRound | None,
    due: Mapping[str, int],
    more: Sequence[Step] = (),
) -> Section:
    steps = [Step(f"Cards {show_cards(seat.cards)}.", program.definition.deal.cites), *more]
    place = played.seats.index(seat)
    hand = None if settled is None else settled.hands[place]
    each = None if settled is None else settled.seats[place]
    if hand is not None and is_of(program, seat.parts, seat.cards):
        strengths = hand.strengths[: len(program.parts)]
        steps.append(Step(_parts(program, seat.parts, strengths), program.sets.cites))
        if hand.fouled:
            steps.append(Step("The hand is fouled: a part is higher than the next.",
                              program.sets.cites))  # fmt: skip
    found = {} if hand is None or each is None else _results(program, seat, hand, each)
    if settled is not None and seat.seat == played.banker:
        found[MAIN] = _of_bank(program, settled)
    wagers = tuple(
        explain_result(seat, key, Outcome(due), tuple(found.get(key, ())), seat.wagers.get(key))
        for key in program.definition.results
    )
    return Section(seat_title(seat), tuple(steps if seat.cards else ()), wagers, seat.seat)


def _results(
    program: SetProgram, seat: SetSeat, hand: SetHand, settled: Settled
) -> dict[str, list[Step]]:
    found = {
        key: [Step(each.says, each.cites) for each in steps]
        for key, steps in explain_settled(hand, settled).items()
    }
    for key, payments in settled.payments.items():
        for payment in payments:
            payout = program.payouts[payment.payout]
            kept = commission(program, payment, seat.wagers[payout.of or payout.id])
            if kept:
                says = f"The house keeps a commission of {in_dollars(kept)}."
                found[key].append(Step(says, program.outcomes[payment.row].cites))
    for envy in program.sets.envies:
        amount = settled.amounts.get(envy.id)
        found[envy.id] = [explain_envy(envy, seat.wagers[envy.of], amount)]
    return found


def _of_bank(program: SetProgram, settled: SettledRound) -> list[Step]:
    bank = program.sets.bank
    ids = () if bank is None else bank.cites
    steps = [Step("The bank wins what the house and all others lose, and pays what they win.", ids)]
    if settled.kept_of_bank:
        kept = in_dollars(settled.kept_of_bank)
        steps.append(Step(f"The house keeps a commission of {kept}.", ids))
    return steps
