"""What the audits of all families share: checks that follow a definition and cite its clauses."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from games.cards import JOKER, RANKS, show
from games.checks import limit_table_max, limit_table_min, limit_wac, log_sequence
from games.findings import CONTROLS, Finding, cites, ordered, wrong_amount
from games.log.round import Round
from games.settlement.verdict import Verdict
from games.strict_json import visible
from games.terms import Terms as RoundTerms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from games.cards import Cards
    from games.definition.model import Definition, Wager
    from games.families.stud.hand import Payment, Settled
    from games.families.stud.program import Program
    from games.log.round import Seat
    from games.rule_set import RuleSet
    from games.setup import Setup
    from games.terms import Before

SHARED: Final = (limit_table_max, limit_table_min, limit_wac, log_sequence)
PLAYERS: Final = "WAC 230-15-055(1)"


class AnyProgram(Protocol):
    """What the audit of every family runs on."""

    @property
    def definition(self) -> Definition:
        """Return the definition that it executes."""


RoundType = TypeVar("RoundType", bound=Round)
ProgramType = TypeVar("ProgramType", bound=AnyProgram)


@dataclass(frozen=True, slots=True)
class Audit(Generic[RoundType, ProgramType]):
    """A round, and what it is audited against."""

    round: RoundType
    program: ProgramType
    setup: Setup

    @property
    def definition(self) -> Definition:
        """Return the definition of the round's game."""
        return self.program.definition


AnyAudit = Audit[Any, Any]


def shared_findings(
    audit: AnyAudit, rules: RuleSet, before: Before, *, is_repeat: bool
) -> list[Finding]:
    """Return what is wrong apart from the cards; `rules` is the definition as a rule set."""
    terms = RoundTerms(audit.setup, rules, before, is_repeat)
    found = [each for check in SHARED for each in check.check(audit.round, terms)]
    found = [_with_clauses(each, audit.definition) for each in found]
    return [*found, *dealt_findings(audit)]


def dealt_findings(audit: AnyAudit) -> Iterator[Finding]:
    """Yield too many hands or players, and a shoe of other decks than the game's."""
    yield from _players(audit)
    yield from _shoe(audit)


def lines_reached(audit: AnyAudit, settled: Settled) -> dict[str, str]:
    """Return the line that each result reached, as a word; several payouts are joined."""
    found = {}
    for key, payments in settled.payments.items():
        words = [_line(audit.program, each) for each in payments]
        paid = [word for word, each in zip(words, payments, strict=True) if each.amount]
        found[key] = "+".join(paid or words[:1])
    return found


def _line(program: Program, payment: Payment) -> str:
    """Return the line of the pay table that a payment reached, or its result without one."""
    if payment.is_returned or payment.row < 0:
        return "returned_wager"
    outcome = program.outcomes[payment.row]
    if outcome.when.folded:
        return "folded"
    if payment.line >= 0:
        return program.pay_lines[payment.line].id
    if outcome.odds is None:
        return "no_line_of_the_pay_table"
    if outcome.odds == 0:
        return "returned_wager"
    return "ahead" if outcome.odds > 0 else "behind"


def has_joker(cards: Cards) -> bool:
    """Return whether a joker is among cards."""
    return any(card >= JOKER for card in cards)


def wrong_amounts(
    audit: AnyAudit, seat: Seat, settled: Settled, by_sum: Collection[tuple[int, str]] = ()
) -> Iterator[Finding]:
    """Yield `settlement.<key>` if the logged result isn't what the rules give.

    Results in `by_sum` were audited by their sum.
    """
    for key, expected in settled.amounts.items():
        if seat.result[key] != expected and (seat.seat, key) not in by_sum:
            ids = [id_ for each in settled.payments[key] for id_ in cited(audit.program, each)]
            logged = seat.result[key]
            yield wrong_amount(f"settlement.{key}", seat.seat, key, logged, expected, tuple(ids))


def cited(program: Program, payment: Payment) -> tuple[str, ...]:
    """Return the clauses and readings on which a payment is based."""
    payout = program.payouts[payment.payout]
    if payment.row < 0 or payment.is_returned:
        return payout.cites
    outcome = program.outcomes[payment.row]
    ids = [*outcome.cites, *outcome.when.readings]
    if outcome.odds is None:
        ids += program.tables[payout.table].cites
    facts = program.definition
    for id_ in outcome.when.tests:
        ids += facts.tests[id_].cites
    rounding = outcome.rounding or facts.rounding
    if rounding is not None and outcome.odds is not None and outcome.odds.denominator > 1:
        ids += rounding.cites
    return tuple(ids)


def nothing_owed(audit: AnyAudit, findings: list[Finding]) -> Verdict:
    """Return the verdict on a round in which nothing may be won or lost."""
    nothing = dict.fromkeys(audit.definition.results, 0)
    return Verdict(
        status="flagged" if findings else "ok",
        findings=ordered(findings),
        seats=tuple((seat.seat, nothing) for seat in audit.round.seats),
    )


def _with_clauses(found: Finding, definition: Definition) -> Finding:
    """Add the clauses on a wager to a finding about it."""
    if found.wager is None or found.wager not in definition.wagers:
        return found
    return replace(found, cites=cites(*found.cites, *definition.wagers[found.wager].cites))


def _players(audit: AnyAudit) -> Iterator[Finding]:
    """Yield `limit.players`: more hands than the rules have, or players than the law allows."""
    seats, most = audit.round.seats, audit.definition.players
    if most is not None and len(seats) > most:
        ids = cites(*audit.definition.cites)
        yield Finding(
            "limit.players", logged=f"{len(seats)} hands", expected=f"at most {most}", cites=ids
        )
        return
    named = {seat.player for seat in seats if seat.player is not None}
    players = len(named) + sum(seat.player is None for seat in seats)
    allowed = audit.setup.players
    if allowed is not None and players > allowed:
        yield Finding(
            "limit.players",
            logged=f"{players} players",
            expected=f"at most {allowed}",
            cites=(PLAYERS,),
        )


def fixed_relation(seat: Seat, wager: Wager) -> Iterator[Finding]:
    """Yield `wager.relation` for a wager that isn't what another wager demands."""
    amount = seat.wagers[wager.id]
    if amount == 0 and not wager.mandatory:
        return
    if wager.equals is not None and amount != seat.wagers[wager.equals]:
        expected = str(seat.wagers[wager.equals])
        yield relation(seat, wager, expected, cites(*wager.cites))
    elif wager.at_most is not None:
        most = wager.at_most.times * seat.wagers[wager.at_most.of]
        if amount > most:
            yield relation(seat, wager, f"at most {most}", cites(*wager.cites))


def relation(seat: Seat, wager: Wager, expected: str, ids: tuple[str, ...]) -> Finding:
    """Return a `wager.relation`."""
    logged = str(seat.wagers[wager.id])
    return Finding("wager.relation", seat.seat, wager.id, logged, expected, cites=ids)


def _shoe(audit: AnyAudit) -> Iterator[Finding]:
    """Yield `deal.shoe` for a number of decks that isn't the game's own."""
    decks, logged = audit.definition.decks, audit.round.decks
    allowed = (decks.number, *decks.others)
    if logged is not None and logged not in allowed and audit.round.played:
        yield Finding(
            "deal.shoe",
            logged=f"{logged} decks",
            expected=f"{' or '.join(map(str, allowed))} decks",
            cites=cites(*audit.definition.cites),
        )


def wrong_count(audit: AnyAudit, number: int, wanted: int, seat: int | None) -> Finding:
    """Return a `deal.count`; without a seat, of the dealer or the table."""
    return Finding(
        "deal.count",
        seat,
        logged=f"{number} cards",
        expected=f"{wanted} cards",
        cites=cites(*audit.definition.deal.cites),
    )


def void_findings(audit: AnyAudit) -> Iterator[Finding]:
    """Yield `void.reason` and `void.result` for a void round."""
    reason = audit.round.void or ""
    named = [each for each in audit.definition.void_reasons if each.reason == reason]
    ids = cites(*(id_ for each in named for id_ in each.cites)) or (CONTROLS,)
    if not named and reason not in audit.setup.void_reasons:
        yield Finding("void.reason", logged=visible(reason[:140]), cites=(CONTROLS,))
    for seat in audit.round.seats:
        for key, amount in seat.result.items():
            if amount:
                yield Finding("void.result", seat.seat, key, str(amount), "0", amount, ids)


def voiding_reasons(audit: AnyAudit) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each irregularity of the round that requires it to be void, with its clauses."""
    for each in audit.definition.void_reasons:
        if each.required and each.reason in audit.round.irregularities:
            yield each.reason, cites(*each.cites)


def void_missing(audit: AnyAudit, reason: str, ids: tuple[str, ...]) -> Iterator[Finding]:
    """Yield `void.missing`, and every result that isn't 0."""
    yield Finding("void.missing", logged="played", expected=f"void: {reason}", cites=ids)
    for seat in audit.round.seats:
        for key, amount in seat.result.items():
            if amount:
                yield wrong_amount(f"settlement.{key}", seat.seat, key, amount, 0, ids)


def duplicates(audit: AnyAudit, hands: Iterable[Cards]) -> Iterator[Finding]:
    """Yield `deal.duplicate` for the lowest card with more copies than the shoe has of it."""
    played, decks = audit.round, audit.definition.decks
    dealt = Counter(b"".join(hands))
    for card in sorted(dealt):
        most = decks.jokers if card == JOKER else played.decks or decks.number
        if card != JOKER and RANKS[card >> 2] in decks.without:
            most = 0
        if dealt[card] > most:
            yield Finding(
                "deal.duplicate",
                logged=f"{dealt[card]} x {show(bytes([card]))}",
                expected=f"at most {most}",
                cites=cites(*audit.definition.cites),
            )
            return
