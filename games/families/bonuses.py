"""What is settled after each hand by itself: envy bonuses, jackpots, and maximum payouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from games.cents import in_dollars
from games.definition.model import Bonuses
from games.explanation.model import Step
from games.families.stud.hand import Settled
from games.families.stud.settle import NO_FIT
from games.findings import wrong_amount
from games.settlement.outcomes import Capped, capped, split_maximum

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.definition.model import Definition, Envy, Jackpot, Maximum
    from games.families.stud.program import Program
    from games.log.round import Round, Seat
    from games.settlement.outcomes import Outcome
    from games.setup import Setup

SettledSeats = list[Settled | None]
Amounts = Mapping[str, int]


def bonuses_of(definition: Definition) -> Bonuses:
    """Return the bonuses of a definition of the family `stud`."""
    own = definition.own
    return own if isinstance(own, Bonuses) else Bonuses((), (), ())


def with_bonuses(
    program: Program, wagers: Sequence[Amounts], meters: Amounts | None, settled: SettledSeats
) -> SettledSeats:
    """Return each hand's settlement with its envy bonuses and jackpots."""
    bonuses = bonuses_of(program.definition)
    for envy in bonuses.envies:
        settled = list(with_envy(program, envy, wagers, settled))
    for jackpot in bonuses.jackpots:
        shown = (meters or {}).get(jackpot.meter)
        settled = list(_with_jackpot(program, jackpot, wagers, shown, settled))
    return settled


def with_envy(
    program: Program, envy: Envy, wagers: Sequence[Amounts], settled: SettledSeats
) -> Iterator[Settled | None]:
    """Yield each hand's settlement with what the hands of the others pay it."""
    pays = [
        None if each is None else envy.pays.get(_line_of(program, envy.of, each), 0)
        for each in settled
    ]
    for place, (placed, each) in enumerate(zip(wagers, settled, strict=True)):
        others = [pay for other, pay in enumerate(pays) if other != place]
        if each is None:
            yield None
            continue
        amounts = dict(each.amounts)
        if placed[envy.of] < envy.least:
            amounts[envy.id] = 0
        elif all(pay is not None for pay in others):
            amounts[envy.id] = sum(pay or 0 for pay in others)
        yield Settled(amounts, {**each.payments, envy.id: ()})


def _line_of(program: Program, wager: str, settled: Settled) -> str:
    """Return the line of its pay table that a hand fits for a wager; without one, nothing."""
    for payments in settled.payments.values():
        for payment in payments:
            is_of = program.payouts[payment.payout].id == wager and not payment.is_returned
            if is_of and payment.line != NO_FIT:
                return program.pay_lines[payment.line].id
    return ""


def _with_jackpot(
    program: Program,
    jackpot: Jackpot,
    wagers: Sequence[Amounts],
    shown: int | None,
    settled: SettledSeats,
) -> Iterator[Settled | None]:
    """Yield each hand's settlement with its part of the meter.

    How several hands of one round share a meter is not in a definition: then their parts are open.
    """
    hands = list(zip(wagers, settled, strict=True))
    parts = [
        jackpot.pays.get(_line_of(program, jackpot.of, each), 0)
        if each is not None and placed[jackpot.of]
        else 0
        for placed, each in hands
    ]
    is_shared = sum(part > 0 for part in parts) > 1
    is_open = any(each is None and placed[jackpot.of] for placed, each in hands)
    for part, each in zip(parts, settled, strict=True):
        if each is None:
            yield None
            continue
        amounts = dict(each.amounts)
        if not part:
            amounts[jackpot.id] = 0
        elif shown is not None and not is_shared and not is_open:
            amounts[jackpot.id] = int(shown * part)
        yield Settled(amounts, {**each.payments, jackpot.id: ()})


def apply_maximums(
    played: Round, outcomes: tuple[Outcome | None, ...], definition: Definition, setup: Setup
) -> Capped:
    """Apply the maximums of the controls, then those of the definition."""
    after = capped(played, outcomes, setup)
    for maximum in bonuses_of(definition).maximums:
        for places in _groups(maximum, played):
            after = _with_maximum(maximum, played, after, places)
    return after


def _groups(maximum: Maximum, played: Round) -> list[tuple[int, ...]]:
    places = tuple(range(len(played.seats)))
    return [(place,) for place in places] if maximum.per == "hand" else [places]


def _with_maximum(
    maximum: Maximum, played: Round, after: Capped, places: tuple[int, ...]
) -> Capped:
    won = [
        (place, key, amount)
        for place in places
        for key, amount in _amounts(after.outcomes[place], maximum)
        if amount > 0
    ]
    total = sum(amount for _, _, amount in won)
    if total <= maximum.most:
        return after
    outcomes = list(after.outcomes)
    cut = split_maximum([amount for _, _, amount in won], maximum.most)
    for (place, key, _), left in zip(won, cut, strict=True):
        outcome = outcomes[place]
        if outcome is not None:
            outcomes[place] = replace(outcome, amounts={**outcome.amounts, key: left})
    logged = sum(played.seats[place].result[key] for place, key, _ in won)
    findings = after.findings
    if logged != maximum.most:
        seat = played.seats[places[0]].seat if maximum.per == "hand" else None
        wager = maximum.results[0] if len(maximum.results) == 1 else None
        found = wrong_amount(
            "settlement.aggregate", seat, wager, logged, maximum.most, maximum.cites
        )
        findings = (*findings, found)
    by_sum = after.decided | {(played.seats[place].seat, key) for place, key, _ in won}
    return Capped(tuple(outcomes), findings, by_sum)


def _amounts(outcome: Outcome | None, maximum: Maximum) -> Iterator[tuple[str, int]]:
    if outcome is not None:
        for key, amount in outcome.amounts.items():
            if not maximum.results or key in maximum.results:
                yield key, amount


def explain_envy(envy: Envy, wagered: int, amount: int | None) -> Step:
    """Explain what the hands of others pay a hand; without an amount, one of them is unreadable."""
    says = "A hand of another player can't be read."
    if wagered < envy.least:
        says = f"Only wagers of {in_dollars(envy.least)} or more have it."
    elif amount is not None:
        says = f"The hands of other players pay it {in_dollars(amount)}."
    return Step(says, envy.cites)


def explain_bonuses(
    program: Program,
    played: Round,
    seat: Seat,
    settled: Settled,
    due: Mapping[str, int],
) -> dict[str, tuple[Step, ...]]:
    """Explain the envy bonuses, jackpots and maximums of one hand, by result."""
    bonuses = bonuses_of(program.definition)
    found: dict[str, tuple[Step, ...]] = {}
    for envy in bonuses.envies:
        found[envy.id] = (explain_envy(envy, seat.wagers[envy.of], due.get(envy.id)),)
    for jackpot in bonuses.jackpots:
        line = _line_of(program, jackpot.of, settled)
        found[jackpot.id] = (_explain_jackpot(jackpot, played, seat, line, due.get(jackpot.id)),)
    for maximum in bonuses.maximums:
        step = Step(
            f"Winnings of one {maximum.per} are at most {in_dollars(maximum.most)}.", maximum.cites
        )
        for key, amount in due.items():
            if amount < settled.amounts.get(key, amount):
                found[key] = (*found.get(key, ()), step)
    return found


def _explain_jackpot(
    jackpot: Jackpot, played: Round, seat: Seat, line: str, amount: int | None
) -> Step:
    part = jackpot.pays.get(line, 0)
    if not seat.wagers[jackpot.of]:
        says = "No wager was placed."
    elif not part:
        says = "The hand wins no part of the meter."
    elif amount is None:
        says = "It is not known how the hands that won from the meter share it."
    else:
        shown = in_dollars((played.meters or {})[jackpot.meter])
        whole = "all" if part == 1 else str(part)
        says = f"The line {line.replace('_', ' ')} wins {whole} of the meter, which was at {shown}."
    return Step(says, jackpot.cites)
