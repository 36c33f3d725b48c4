"""The audit of one round of the family: what each hand should have won, and what is wrong.

The dealer's hand is settled as the house way sets it, whatever was logged. A player's hand that is
fouled is a legal outcome; a banker's is set again by the house way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.cards import JOKER, show
from games.definition.set_check import MAIN
from games.families.audit import (
    Audit,
    duplicates,
    fixed_relation,
    has_joker,
    lines_reached,
    nothing_owed,
    shared_findings,
    void_findings,
    void_missing,
    voiding_reasons,
    wrong_amounts,
    wrong_count,
)
from games.families.bonuses import apply_maximums
from games.families.commission import wrong_commissions
from games.families.set.hand import HouseSet, is_of, part_strengths
from games.families.set.program import SetProgram
from games.families.set.round import SetRound
from games.families.set.settle import kept_of_main, settle_round
from games.findings import BALANCE, HOUSE_WAGER, Finding, cites, ordered, wrong_amount
from games.settlement.outcomes import Outcome, Settlement
from games.settlement.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.definition.model import Bank
    from games.families.set.hand import Parts
    from games.families.set.round import SetSeat
    from games.families.set.settle import SettledRound
    from games.rule_set import RuleSet
    from games.settlement.outcomes import Capped
    from games.setup import Setup
    from games.terms import Before


@dataclass(frozen=True, slots=True)
class _Audit(Audit[SetRound, SetProgram]):
    """A round, and what it is audited against."""

    @property
    def bank(self) -> Bank | None:
        """Return how the round is banked by a player, if it is."""
        return None if self.round.banker is None else self.program.sets.bank

    @property
    def dealt(self) -> list[Cards]:
        """Return all cards on the table, by hand."""
        return [self.round.house.cards, *(seat.cards for seat in self.round.seats)]

    def is_banker(self, seat: SetSeat) -> bool:
        """Return whether a seat banks."""
        return seat.seat == self.round.banker


def audit_round(
    played: SetRound,
    program: SetProgram,
    rules: RuleSet,
    setup: Setup,
    before: Before,
    *,
    is_repeat: bool = False,
) -> Verdict:
    """Settle one round again and return the verdict; `rules` is the definition as a rule set."""
    audit = _Audit(played, program, setup)
    findings = shared_findings(audit, rules, before, is_repeat=is_repeat)
    findings += [*_missing(audit), *_relations(audit), *duplicates(audit, audit.dealt)]
    if not played.played:
        return nothing_owed(audit, [*findings, *void_findings(audit)])
    reason = next(voiding_reasons(audit), None)
    if reason is not None:
        findings += [*_counts(audit), *void_missing(audit, *reason)]
        return nothing_owed(audit, findings)
    findings += _bank_findings(audit, before)
    return _played(audit, findings)


def _missing(audit: _Audit) -> Iterator[Finding]:
    """Yield `wager.missing` for a mandatory wager of 0, but not for the banker's own main."""
    for seat in audit.round.seats:
        for key, wager in audit.definition.wagers.items():
            may_be_zero = not wager.mandatory or (key == MAIN and audit.is_banker(seat))
            if seat.wagers[key] == 0 and not may_be_zero:
                yield Finding("wager.missing", seat.seat, key, cites=cites(*wager.cites))


def _relations(audit: _Audit) -> Iterator[Finding]:
    for seat in audit.round.seats:
        for wager in audit.definition.wagers.values():
            if not audit.is_banker(seat):
                yield from fixed_relation(seat, wager)


def _counts(audit: _Audit) -> Iterator[Finding]:
    """Yield `deal.count` for each hand with a wrong number of cards."""
    wanted = audit.definition.deal.player
    hands: list[tuple[int | None, Cards]] = [(None, audit.round.house.cards)]
    hands += [(seat.seat, seat.cards) for seat in audit.round.seats]
    for number, cards in hands:
        if len(cards) != wanted:
            yield wrong_count(audit, len(cards), wanted, number)


def _bank_findings(audit: _Audit, before: Before) -> Iterator[Finding]:
    """Yield what is wrong with a player's bank: its size, its turn, the banker's own wager."""
    played, bank = audit.round, audit.bank
    if bank is None or before.after_rejection:
        return
    ids = cites(*bank.cites)
    against = played.house.wager
    for seat in played.seats:
        if not audit.is_banker(seat):
            against += seat.wagers[MAIN]
        elif seat.wagers[MAIN]:
            yield Finding("bank.wager", seat.seat, MAIN, seat.wagers[MAIN], 0, cites=ids)
    if played.bank < against:
        yield Finding("bank.cover", logged=played.bank, expected=against, cites=ids)
    if bank.takes_turns and before.played is not None and before.played.banked:
        yield Finding("bank.turn", cites=ids)


def _played(audit: _Audit, findings: list[Finding]) -> Verdict:
    played, program = audit.round, audit.program
    barred = {seat.seat: list(_bars(audit, seat)) for seat in played.seats}
    counts = [found for found in _counts(audit) if found.seat is None]
    findings += [*counts, *(found for each in barred.values() for found in each)]
    unsettled = {seat for seat, found in barred.items() if found}
    unsettled |= {seat.seat for seat in played.seats if _has_too_many_jokers(audit, seat.cards)}
    if counts or _has_too_many_jokers(audit, played.house.cards):
        return _irregular(findings, "the dealer's cards cannot be settled", audit.definition.cites)
    house = HouseSet(program, played.house.cards)
    findings += _dealers_setting(audit, house)
    theirs = house.parts
    if played.banker is not None:
        if played.banker in unsettled:
            ids = program.sets.cites
            return _irregular(findings, "the banker's hand cannot be settled", ids)
        banker = next(seat for seat in played.seats if audit.is_banker(seat))
        theirs, found = _bankers_set(audit, banker)
        findings += found
    settled = settle_round(program, played, house.parts, theirs, frozenset(unsettled))
    outcomes = tuple(
        None if each is None else Outcome(each.amounts, lines=lines_reached(audit, each))
        for each in settled.seats
    )
    after = apply_maximums(played, outcomes, audit.definition, audit.setup)
    findings += [*after.findings, *_settlements(audit, settled, after)]
    return Verdict(
        "flagged" if findings else "ok",
        ordered(findings),
        tuple(
            (seat.seat, None if outcome is None else outcome.amounts)
            for seat, outcome in zip(played.seats, after.outcomes, strict=True)
        ),
        house=None if settled.house is None else settled.house.amounts,
        settled=Settlement(after.outcomes),
    )


def _irregular(findings: list[Finding], why: str, ids: tuple[str, ...]) -> Verdict:
    found = Finding("irregular", logged=why, cites=cites(*ids))
    return Verdict("irregular", ordered([*findings, found]))


def _has_too_many_jokers(audit: _Audit, cards: Cards) -> bool:
    return has_joker(cards) and cards.count(JOKER) > audit.definition.decks.jokers


def _bars(audit: _Audit, seat: SetSeat) -> Iterator[Finding]:
    """Yield why a seat can't be settled: a wrong number of cards, or parts of other cards."""
    wanted = audit.definition.deal.player
    if len(seat.cards) != wanted:
        yield wrong_count(audit, len(seat.cards), wanted, seat.seat)
    if not is_of(audit.program, seat.parts, seat.cards):
        yield Finding(
            "setting.cards",
            seat.seat,
            logged=_in_words(seat.parts)[:140],
            expected=f"the parts of {show(seat.cards)}"[:140],
            cites=cites(*audit.program.sets.cites),
        )


def _in_words(parts: Parts) -> str:
    return " / ".join(show(part) for part in parts)


def _dealers_setting(audit: _Audit, house: HouseSet) -> Iterator[Finding]:
    """Yield `setting.dealer` if the parts aren't of these cards, or other hands than the rules'."""
    program, logged = audit.program, audit.round.house
    is_whole = is_of(program, logged.parts, logged.cards)
    if is_whole and part_strengths(program, logged.parts) == house.strengths:
        return
    yield Finding(
        "setting.dealer",
        logged=_in_words(logged.parts)[:140],
        expected=_in_words(house.parts),
        cites=cites(*program.sets.cites, *house.rule.cites, *house.rule.readings),
    )


def _bankers_set(audit: _Audit, banker: SetSeat) -> tuple[Parts, list[Finding]]:
    """Return the banker's parts as logged, or set again by the house way if they are fouled."""
    program = audit.program
    again = HouseSet.of_banker(program, banker.cards, banker.parts)
    if again is None:
        return banker.parts, []
    bank = program.sets.bank
    finding = Finding(
        "setting.banker",
        banker.seat,
        logged=_in_words(banker.parts)[:140],
        expected=_in_words(again.parts),
        cites=cites(*program.sets.cites, *again.rule.cites, *(() if bank is None else bank.cites)),
    )
    return again.parts, [finding]


def _settlements(audit: _Audit, settled: SettledRound, after: Capped) -> Iterator[Finding]:
    """Yield every wrong result, wrong commission, and a player-banked round that is no balance."""
    played, sets = audit.round, audit.program.sets
    envies = {envy.id: envy.cites for envy in sets.envies}
    for seat, each in zip(played.seats, settled.seats, strict=True):
        if each is None:
            continue
        for found in wrong_amounts(audit, seat, each, after.decided):
            ids = (*found.cites, *envies.get(found.wager or "", ()))
            if audit.bank is not None and found.wager == MAIN and audit.is_banker(seat):
                ids = (*ids, *audit.bank.cites)
            yield wrong_amount(
                found.code, seat.seat, found.wager, int(found.logged or 0),
                int(found.expected or 0), ids,
            )  # fmt: skip
        yield from wrong_commissions(audit.program, seat, each)
    if audit.bank is None or settled.house is None:
        return
    ids = audit.bank.cites
    expected = settled.house.amounts[MAIN]
    if played.house.result != expected:
        code = f"settlement.{MAIN}"
        yield wrong_amount(code, None, HOUSE_WAGER, played.house.result, expected, ids)
    total = sum(seat.result[MAIN] for seat in played.seats) + played.house.result
    total += kept_of_main(audit.program, played, settled)
    if total:
        yield wrong_amount(BALANCE, None, MAIN, total, 0, ids)
