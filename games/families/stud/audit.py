"""The audit of one round of the family: what each hand should have won, and what is wrong.

Shared checks (`games.checks`) that need no clause of a game apply as they are; those on cards,
wagers and choices follow the definition and cite its clauses.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from games.cards import JOKER, show
from games.checks import limit_table_max, limit_table_min, limit_wac, log_sequence
from games.families.stud.hand import DealtHand
from games.findings import CONTROLS, Finding, cites, ordered, wrong_amount
from games.settlement.verdict import Verdict
from games.strict_json import visible
from games.terms import Terms as RoundTerms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.cards import Cards
    from games.definition.model import Choice, Definition, Wager
    from games.families.stud.hand import Payment, Settled
    from games.families.stud.program import Program
    from games.families.stud.round import StudRound, StudSeat
    from games.rule_set import RuleSet
    from games.setup import Setup
    from games.terms import Before

SHARED: Final = (limit_table_max, limit_table_min, limit_wac, log_sequence)
PLAYERS: Final = "WAC 230-15-055(1)"


@dataclass(frozen=True, slots=True)
class _Audit:
    """A round, and what it is audited against."""

    round: StudRound
    program: Program
    setup: Setup

    @property
    def definition(self) -> Definition:
        """Return the definition of the round's game."""
        return self.program.definition

    def hand(self, seat: StudSeat) -> DealtHand:
        """Return a hand with the cards it is settled on."""
        played = self.round
        return DealtHand(
            self.program, seat.cards, played.house.cards, played.community, seat.choices
        )


def audit_round(
    played: StudRound,
    program: Program,
    rules: RuleSet,
    setup: Setup,
    before: Before,
    *,
    is_repeat: bool = False,
) -> Verdict:
    """Settle one round again and return the verdict; `rules` is the definition as a rule set."""
    audit = _Audit(played, program, setup)
    terms = RoundTerms(setup, rules, before, is_repeat)
    findings = [found for check in SHARED for found in check.check(played, terms)]
    findings = [_with_clauses(found, audit.definition) for found in findings]
    findings += [*_players(audit), *_missing(audit), *_relations(audit), *_shoe(audit)]
    if not played.played:
        findings += [*_duplicates(audit), *_void(audit)]
        return _nothing_owed(audit, findings)
    reason = next(_voiding(audit), None)
    if reason is not None:
        findings += [*_duplicates(audit), *_counts(audit), *_void_missing(audit, *reason)]
        return _nothing_owed(audit, findings)
    return _played(audit, findings)


def _played(audit: _Audit, findings: list[Finding]) -> Verdict:
    counts = list(_counts(audit))
    findings += [*counts, *_duplicates(audit)]
    wrong = next((found for found in counts if found.seat is None), None)
    if wrong is not None:
        why = f"{wrong.logged} where the rules deal {wrong.expected}"
        findings.append(Finding("irregular", logged=why, cites=wrong.cites))
        return Verdict("irregular", ordered(findings))
    if _has_joker(audit.round.house.cards + audit.round.community):
        ids = cites(*audit.definition.cites)
        findings.append(Finding("irregular", logged="a joker in a game without", cites=ids))
        return Verdict("irregular", ordered(findings))
    unsettled = {found.seat for found in counts}
    seats: list[tuple[int, Mapping[str, int] | None]] = []
    for seat in audit.round.seats:
        if seat.seat in unsettled or _has_joker(seat.cards):
            seats.append((seat.seat, None))
            continue
        hand = audit.hand(seat)
        choices = list(_choices(audit, seat, hand))
        findings += choices
        settled = None if _is_open(choices) else hand.settle(seat.wagers)
        seats.append((seat.seat, None if settled is None else settled.amounts))
        if settled is not None:
            findings += _amounts(audit, seat, settled)
    return Verdict("flagged" if findings else "ok", ordered(findings), tuple(seats))


def _has_joker(cards: Cards) -> bool:
    return any(card >= JOKER for card in cards)


def _amounts(audit: _Audit, seat: StudSeat, settled: Settled) -> Iterator[Finding]:
    """Yield `settlement.<key>` if the logged result isn't what the rules give."""
    for key, expected in settled.amounts.items():
        if seat.result[key] != expected:
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


def _nothing_owed(audit: _Audit, findings: list[Finding]) -> Verdict:
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


def _players(audit: _Audit) -> Iterator[Finding]:
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


def _placed(audit: _Audit, seat: StudSeat) -> dict[str, list[Choice]]:
    """Return the choices that place each wager, those of the definition without any included."""
    placed: dict[str, list[Choice]] = {}
    for decision in audit.definition.decisions:
        for choice in decision.choices:
            if choice.wager is not None:
                made = placed.setdefault(choice.wager, [])
                if seat.choices.get(decision.id) == choice.id:
                    made.append(choice)
    return placed


def _missing(audit: _Audit) -> Iterator[Finding]:
    """Yield `wager.missing` for a wager of 0 that is mandatory, or that a choice places."""
    for seat in audit.round.seats:
        placed = _placed(audit, seat)
        for key, wager in audit.definition.wagers.items():
            made = placed.get(key, [])
            if seat.wagers[key] == 0 and (wager.mandatory or made):
                ids = [id_ for choice in made for id_ in choice.cites]
                yield Finding("wager.missing", seat.seat, key, cites=cites(*wager.cites, *ids))


def _relations(audit: _Audit) -> Iterator[Finding]:
    """Yield `wager.relation` for a wager that isn't what another wager and the choices demand."""
    for seat in audit.round.seats:
        placed = _placed(audit, seat)
        for key, wager in audit.definition.wagers.items():
            if key in placed:
                if audit.round.played or seat.choices:
                    yield from _placed_relation(audit, seat, wager, placed[key])
            else:
                yield from _fixed_relation(seat, wager)


def _placed_relation(
    audit: _Audit, seat: StudSeat, wager: Wager, made: list[Choice]
) -> Iterator[Finding]:
    amount = seat.wagers[wager.id]
    least = sum(choice.least * seat.wagers[choice.of or ""] for choice in made)
    most = sum(choice.most * seat.wagers[choice.of or ""] for choice in made)
    if not least <= amount <= most:
        ids = [id_ for choice in made for id_ in choice.cites]
        expected = str(least) if least == most else f"{least} to {most}"
        yield _relation(seat, wager, expected, cites(*wager.cites, *ids))


def _fixed_relation(seat: StudSeat, wager: Wager) -> Iterator[Finding]:
    amount = seat.wagers[wager.id]
    if amount == 0 and not wager.mandatory:
        return
    if wager.equals is not None and amount != seat.wagers[wager.equals]:
        expected = str(seat.wagers[wager.equals])
        yield _relation(seat, wager, expected, cites(*wager.cites))
    elif wager.at_most is not None:
        most = wager.at_most.times * seat.wagers[wager.at_most.of]
        if amount > most:
            yield _relation(seat, wager, f"at most {most}", cites(*wager.cites))


def _relation(seat: StudSeat, wager: Wager, expected: str, ids: tuple[str, ...]) -> Finding:
    logged = str(seat.wagers[wager.id])
    return Finding("wager.relation", seat.seat, wager.id, logged, expected, cites=ids)


def _shoe(audit: _Audit) -> Iterator[Finding]:
    """Yield `deal.shoe` for a number of decks that isn't the game's own."""
    number, logged = audit.definition.decks.number, audit.round.decks
    if logged is not None and logged != number and audit.round.played:
        yield Finding(
            "deal.shoe",
            logged=f"{logged} decks",
            expected=f"{number} decks",
            cites=cites(*audit.definition.cites),
        )


def _duplicates(audit: _Audit) -> Iterator[Finding]:
    """Yield `deal.duplicate` for the lowest card with more copies than the shoe has of it."""
    played, decks = audit.round, audit.definition.decks
    hands = [played.house.cards, played.community, *(seat.cards for seat in played.seats)]
    dealt = Counter(b"".join(hands))
    for card in sorted(dealt):
        most = decks.jokers if card == JOKER else played.decks or decks.number
        if dealt[card] > most:
            yield Finding(
                "deal.duplicate",
                logged=f"{dealt[card]} x {show(bytes([card]))}",
                expected=f"at most {most}",
                cites=cites(*audit.definition.cites),
            )
            return


def _counts(audit: _Audit) -> Iterator[Finding]:
    """Yield `deal.count` for each hand with a wrong number of cards."""
    played, deal = audit.round, audit.definition.deal
    folds = {
        (decision.id, choice.id)
        for decision in audit.definition.decisions
        for choice in decision.choices
        if choice.folds
    }
    folded = all(not folds.isdisjoint(seat.choices.items()) for seat in played.seats)
    later = [
        each
        for each in deal.after
        if any(seat.choices.get(each.decision) in each.choices for seat in played.seats)
    ]
    dealers = {deal.dealer + sum(each.dealer for each in later)}
    streets = {sum(deal.community)}
    if folded:
        dealers.add(0)
        streets |= {sum(deal.community[:street]) for street in range(len(deal.community))}
    for cards, wanted in ((played.house.cards, dealers), (played.community, streets)):
        if len(cards) not in wanted:
            yield _count(audit, len(cards), max(wanted), None)
    for seat in played.seats:
        own = [each for each in deal.after if seat.choices.get(each.decision) in each.choices]
        wanted_here = deal.player + sum(each.player for each in own)
        if len(seat.cards) != wanted_here:
            yield _count(audit, len(seat.cards), wanted_here, seat.seat)


def _count(audit: _Audit, number: int, wanted: int, seat: int | None) -> Finding:
    return Finding(
        "deal.count",
        seat,
        logged=f"{number} cards",
        expected=f"{wanted} cards",
        cites=cites(*audit.definition.deal.cites),
    )


NOT_MADE: Final = "no choice"


def _choices(audit: _Audit, seat: StudSeat, hand: DealtHand) -> Iterator[Finding]:
    """Yield `play.choice` for a choice that the rules don't allow, or that wasn't made."""
    is_over = False
    for decision in audit.definition.decisions:
        comes_up = not is_over and hand.allows(decision.when)
        made = seat.choices.get(decision.id)
        chosen = next((choice for choice in decision.choices if choice.id == made), None)
        if chosen is None:
            if comes_up:
                yield _choice(seat, NOT_MADE, decision.id, decision.cites)
        elif not comes_up:
            yield _choice(seat, chosen.id, f"no {decision.id}", decision.cites)
        elif not hand.allows(chosen.when):
            ids = chosen.cites or decision.cites
            yield _choice(seat, chosen.id, f"another {decision.id}", ids)
        is_over = is_over or (chosen is not None and chosen.ends)


def _choice(seat: StudSeat, logged: str, expected: str, ids: tuple[str, ...]) -> Finding:
    return Finding("play.choice", seat.seat, logged=logged, expected=expected, cites=cites(*ids))


def _is_open(choices: list[Finding]) -> bool:
    """Return whether a choice wasn't made, so that the hand can't be settled."""
    return any(found.logged == NOT_MADE for found in choices)


def _void(audit: _Audit) -> Iterator[Finding]:
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


def _voiding(audit: _Audit) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each irregularity of the round that requires it to be void, with its clauses."""
    for each in audit.definition.void_reasons:
        if each.required and each.reason in audit.round.irregularities:
            yield each.reason, cites(*each.cites)


def _void_missing(audit: _Audit, reason: str, ids: tuple[str, ...]) -> Iterator[Finding]:
    """Yield `void.missing`, and every result that isn't 0."""
    yield Finding("void.missing", logged="played", expected=f"void: {reason}", cites=ids)
    for seat in audit.round.seats:
        for key, amount in seat.result.items():
            if amount:
                yield wrong_amount(f"settlement.{key}", seat.seat, key, amount, 0, ids)
