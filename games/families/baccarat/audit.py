"""The audit of one round of the family: what each seat should have won, and what is wrong.

A round in which a third card was drawn, or wasn't, against the rules is settled as dealt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.cards import JOKER
from games.families.audit import (
    Audit,
    duplicates,
    fixed_relation,
    lines_reached,
    nothing_owed,
    relation,
    shared_findings,
    void_findings,
    void_missing,
    voiding_reasons,
    wrong_amounts,
)
from games.families.baccarat.hand import FEWEST, MOST, CommonHands, total_of
from games.families.baccarat.program import BaccaratProgram
from games.families.baccarat.round import BaccaratRound
from games.families.baccarat.runs import OVER, earlier_of, follow, settle_seat
from games.families.commission import wrong_commissions
from games.findings import Finding, cites, ordered, wrong_amount
from games.settlement.outcomes import Outcome, Settlement
from games.settlement.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.families.baccarat.round import BaccaratSeat
    from games.families.baccarat.runs import Progress
    from games.families.stud.hand import Settled
    from games.rule_set import RuleSet
    from games.setup import Setup
    from games.terms import Before


@dataclass(frozen=True, slots=True)
class _Audit(Audit[BaccaratRound, BaccaratProgram]):
    """A round, and what it is audited against."""


def audit_round(
    played: BaccaratRound,
    program: BaccaratProgram,
    rules: RuleSet,
    setup: Setup,
    before: Before,
    *,
    is_repeat: bool = False,
) -> Verdict:
    """Settle one round again and return the verdict; `rules` is the definition as a rule set."""
    audit = _Audit(played, program, setup)
    findings = shared_findings(audit, rules, before, is_repeat=is_repeat)
    findings += [*_missing(audit), *_relations(audit)]
    findings += duplicates(audit, (played.hands.player, played.hands.banker))
    if not played.played:
        return nothing_owed(audit, [*findings, *void_findings(audit)])
    counts = list(_counts(audit))
    findings += counts
    reason = next(voiding_reasons(audit), None)
    if reason is not None:
        findings += void_missing(audit, *reason)
        return nothing_owed(audit, findings)
    if counts or JOKER in played.hands.player + played.hands.banker:
        why = "the hands cannot be settled: a wrong number of cards, or a joker"
        findings.append(Finding("irregular", logged=why, cites=cites(*audit.definition.deal.cites)))
        return Verdict("irregular", ordered(findings))
    return _played(audit, findings, before)


def _missing(audit: _Audit) -> Iterator[Finding]:
    """Yield `wager.missing` for a mandatory wager of 0."""
    for seat in audit.round.seats:
        for key in audit.definition.mandatory_wagers:
            if seat.wagers[key] == 0:
                ids = cites(*audit.definition.wagers[key].cites)
                yield Finding("wager.missing", seat.seat, key, cites=ids)


def _relations(audit: _Audit) -> Iterator[Finding]:
    """Yield `wager.relation`; a wager that runs is in `wagers` only when it is placed."""
    for seat in audit.round.seats:
        for wager in audit.definition.wagers.values():
            carried = seat.carried.get(wager.id)
            if carried is None:
                yield from fixed_relation(seat, wager)
                continue
            amount = seat.wagers[wager.id]
            if amount != carried.amount and (amount or carried.since == audit.round.round):
                run = audit.program.own.runs[wager.id]
                yield relation(seat, wager, str(carried.amount), cites(*wager.cites, *run.cites))


def _counts(audit: _Audit) -> Iterator[Finding]:
    """Yield `deal.count` if a hand hasn't two or three cards; a round has one of that code."""
    hands = audit.round.hands
    sizes = len(hands.player), len(hands.banker)
    if not all(FEWEST <= each <= MOST for each in sizes):
        yield Finding(
            "deal.count",
            logged=f"player {sizes[0]} cards, banker {sizes[1]} cards",
            expected=f"{FEWEST} or {MOST} cards each",
            cites=cites(*audit.definition.deal.cites),
        )


def _played(audit: _Audit, findings: list[Finding], before: Before) -> Verdict:
    played, program = audit.round, audit.program
    hands = CommonHands(program, played.hands.player, played.hands.banker)
    findings += _draws(audit, hands)
    seats, outcomes = [], []
    for seat in played.seats:
        progress = progress_of(program, played, seat, hands, before)
        settled = settle_seat(hands, seat, progress)
        findings += [*_decided(audit, seat, progress), *_wrong(audit, seat, settled, progress)]
        findings += wrong_commissions(program, seat, settled)
        seats.append((seat.seat, settled.amounts))
        outcomes.append(Outcome(settled.amounts, lines=lines_reached(audit, settled)))
    return Verdict(
        "flagged" if findings else "ok",
        ordered(findings),
        tuple(seats),
        settled=Settlement(tuple(outcomes)),
    )


def progress_of(
    program: BaccaratProgram,
    played: BaccaratRound,
    seat: BaccaratSeat,
    hands: CommonHands,
    before: Before,
) -> dict[str, Progress]:
    """Return how far each of a seat's running wagers has run with this round.

    After a rejected line nobody knows which rounds were dealt in between.
    """
    known = () if before.after_rejection else before.earlier
    return {
        key: follow(
            program,
            program.own.runs[key],
            carried,
            hands,
            earlier_of(carried, played.round, known),
        )
        for key, carried in seat.carried.items()
    }


def _draws(audit: _Audit, hands: CommonHands) -> Iterator[Finding]:
    """Yield `play.draw` where a third card was drawn, or wasn't, against the rules."""
    if hands.drew == hands.draws:
        return
    totals = total_of(hands.player[:FEWEST]), total_of(hands.banker[:FEWEST])
    yield Finding(
        "play.draw",
        logged=_in_words(totals, hands.drew),
        expected=_in_words(totals, hands.draws),
        cites=cites(*audit.program.own.drawing.cites),
    )


def _in_words(totals: tuple[int, int], drew: tuple[bool, bool]) -> str:
    return ", ".join(
        f"{name} {'draws' if draws else 'stands'} on {total}"
        for name, total, draws in zip(("player", "banker"), totals, drew, strict=True)
    )


def _decided(audit: _Audit, seat: BaccaratSeat, progress: dict[str, Progress]) -> Iterator[Finding]:
    """Yield `wager.relation` for a wager that an earlier round decided."""
    for key, each in progress.items():
        if each.state == OVER:
            wager, run = audit.definition.wagers[key], audit.program.own.runs[key]
            yield Finding(
                "wager.relation",
                seat.seat,
                key,
                logged=f"runs since {seat.carried[key].since}",
                expected="decided in an earlier round",
                cites=cites(*wager.cites, *run.cites),
            )


def _wrong(
    audit: _Audit, seat: BaccaratSeat, settled: Settled, progress: dict[str, Progress]
) -> Iterator[Finding]:
    """Yield wrong results; those of wagers that run also cite how they run."""
    for found in wrong_amounts(audit, seat, settled):
        key = found.wager or ""
        if key in progress:
            found = wrong_amount(
                found.code, seat.seat, key, int(found.logged or 0), int(found.expected or 0),
                (*found.cites, *audit.program.own.runs[key].cites),
            )  # fmt: skip
        yield found
