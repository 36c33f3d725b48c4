"""The sections of a round's explanation: the betting, the pots and their winners, every seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.definition.betting_model import POT
from games.explanation.model import Section, Step
from games.explanation.sections import explain_result, seat_title
from games.explanation.words import show_cards
from games.families.stud.explain import describe_strength
from games.families.versus.betting import replay
from games.families.versus.round import WITHOUT_MONEY
from games.families.versus.settle import UndecidedError, settle_round
from games.settlement.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.families.versus.program import VersusProgram
    from games.families.versus.round import VersusRound, VersusSeat
    from games.families.versus.settle import SettledPot, SettledRound
    from games.settlement.verdict import Verdict


def explain_seats(
    played: VersusRound, program: VersusProgram, verdict: Verdict
) -> Iterator[Section]:
    """Explain the betting street by street, then each pot, then what each seat wins."""
    due = {seat: amounts or {} for seat, amounts in verdict.seats}
    settled = None
    if played.played and verdict.status != "irregular" and any(due.values()):
        try:
            settled = settle_round(program, played, replay(program, played))
        except UndecidedError:
            settled = None
    if played.actions:
        yield Section("Betting", tuple(_betting(program, played)))
    if settled is not None:
        yield Section("Pots", tuple(_pots(program, played, settled)))
    for seat in played.seats:
        yield _section(program, seat, settled, due.get(seat.seat, {}))


def _betting(program: VersusProgram, played: VersusRound) -> Iterator[Step]:
    for street in program.streets:
        words = [
            f"seat {each.seat} {_act(each.act, each.to)}"
            for each in played.actions
            if each.street == street
        ]
        cards = played.community[: program.community_by(street)]
        shown = f" ({show_cards(cards)})" if cards else ""
        if words:
            says = f"{street.replace('_', ' ').capitalize()}{shown}: {', '.join(words)}."
            yield Step(says, program.betting.cites)


_WORDS = {"post": "posts", "ante": "puts in an ante,"}


def _act(act: str, to: int) -> str:
    words = _WORDS.get(act, f"{act}s")
    if act in WITHOUT_MONEY:
        return words
    return f"{words} {in_dollars(to)}" if act in _WORDS else f"{words} to {in_dollars(to)}"


def _pots(program: VersusProgram, played: VersusRound, settled: SettledRound) -> Iterator[Step]:
    rules = program.betting
    if settled.back:
        amount = in_dollars(settled.back)
        yield Step(
            f"Nobody called {amount} of seat {settled.back_to}: it is returned.", rules.pot_cites
        )
    for number, pot in enumerate(settled.pots):
        yield Step(_pot(program, pot, number, settled), rules.pot_cites + rules.hand_cites)
        if pot.is_odd:
            yield Step("It can't be divided equally.", rules.odd_cites + program.cites("odd"))
    for name, charged, fee in (
        ("rake", played.fees.rake, rules.rake),
        ("jackpot fee", played.fees.jackpot, rules.jackpot),
    ):
        if charged:
            ids = rules.pot_cites if fee is None else fee.cites
            yield Step(f"The house takes a {name} of {in_dollars(charged)}.", ids)


def _pot(program: VersusProgram, pot: SettledPot, number: int, settled: SettledRound) -> str:
    name = "Main pot" if number == 0 else f"Side pot {number}"
    seats = ", ".join(map(str, pot.seats))
    won = ", ".join(_won(program, seat, amount, settled) for seat, amount in pot.won.items())
    fees = f", {in_dollars(pot.left)} after fees" if pot.left != pot.amount else ""
    return f"{name} of {in_dollars(pot.amount)}{fees}, for seats {seats}: {won}."


def _won(program: VersusProgram, seat: int, amount: int, settled: SettledRound) -> str:
    words = f"seat {seat} wins {in_dollars(amount)}"
    if seat not in settled.strengths:
        return words
    hand = describe_strength(program.hand.ranking, settled.strengths[seat])
    return f"{words} with {hand}"


def _section(
    program: VersusProgram,
    seat: VersusSeat,
    settled: SettledRound | None,
    due: Mapping[str, int],
) -> Section:
    rules = program.betting
    shown = show_cards(seat.cards) if seat.cards else "not shown"
    steps = [Step(f"Cards {shown}.", program.definition.deal.cites)]
    why: list[Step] = []
    if settled is not None:
        put_in = in_dollars(settled.put_in[seat.seat])
        won = sum(pot.won.get(seat.seat, 0) for pot in settled.pots)
        if seat.seat in settled.strengths:
            hand = describe_strength(program.hand.ranking, settled.strengths[seat.seat])
            steps.append(Step(f"Best hand: {hand}.", rules.hand_cites))
        why.append(Step(f"Put in {put_in} and wins {in_dollars(won)}.", rules.pot_cites))
        if settled.back and settled.back_to == seat.seat:
            why.append(Step(f"Gets back {in_dollars(settled.back)}.", rules.pot_cites))
    wager = explain_result(
        seat,
        POT,
        Outcome(due),
        tuple(why),
        None if settled is None else settled.put_in[seat.seat],
    )
    return Section(seat_title(seat), tuple(steps), (wager,), seat.seat)
