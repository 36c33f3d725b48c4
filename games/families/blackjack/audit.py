"""The audit of one round of the family: what each seat should have won, and what is wrong.

A round is settled on the cards as dealt and the hands as played, also where the dealer should have
drawn otherwise (`play.draw`) or the rules do not allow what was done with a hand (`play.choice`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.definition.blackjack_form import MAIN
from games.families.audit import (
    Audit,
    duplicates,
    fixed_relation,
    has_joker,
    lines_reached,
    nothing_owed,
    relation,
    shared_findings,
    void_findings,
    void_missing,
    voiding_reasons,
    wrong_amounts,
    wrong_count,
)
from games.families.blackjack.play import State, drawn_wrongly, in_words, may
from games.families.blackjack.program import BlackjackProgram
from games.families.blackjack.round import (
    DOUBLE,
    DRAWS,
    REDOUBLE,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
    BlackjackRound,
)
from games.families.blackjack.settle import hands_of, settle_seats
from games.families.blackjack.values import ACE
from games.findings import Finding, cites, ordered, wrong_amount
from games.settlement.outcomes import Outcome, Settlement
from games.settlement.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.families.blackjack.round import BlackjackSeat, PlayedHand
    from games.families.stud.hand import Settled
    from games.rule_set import RuleSet
    from games.setup import Setup
    from games.terms import Before

OPENING: Final = 2
"""Cards dealt to each hand and to the dealer before anything is drawn."""
SECTIONS: Final = {
    DOUBLE: "double",
    REDOUBLE: "double",
    RESCUE: "double",
    SPLIT: "split",
    SURRENDER: "surrender",
}
"""By action: the section of the definition that allows it."""


@dataclass(frozen=True, slots=True)
class _Audit(Audit[BlackjackRound, BlackjackProgram]):
    """A round, and what it is audited against."""

    @property
    def dealt(self) -> list[Cards]:
        """Return all cards on the table, by hand."""
        hands = (hand.cards for seat in self.round.seats for hand in seat.played)
        return [self.round.house.cards, *hands]


def audit_round(
    played: BlackjackRound,
    program: BlackjackProgram,
    rules: RuleSet,
    setup: Setup,
    before: Before,
    *,
    is_repeat: bool = False,
) -> Verdict:
    """Settle one round again and return the verdict; `rules` is the definition as a rule set."""
    audit = _Audit(played, program, setup)
    findings = shared_findings(audit, rules, before, is_repeat=is_repeat)
    findings += [*_wagers(audit), *duplicates(audit, audit.dealt)]
    if not played.played:
        return nothing_owed(audit, [*findings, *void_findings(audit)])
    reason = next(voiding_reasons(audit), None)
    if reason is not None:
        findings += [*_counts(audit), *void_missing(audit, *reason)]
        return nothing_owed(audit, findings)
    return _played(audit, findings)


def _played(audit: _Audit, findings: list[Finding]) -> Verdict:
    played, program = audit.round, audit.program
    counts = list(_counts(audit))
    findings += counts
    dealers = played.house.cards
    if has_joker(dealers) or any(found.seat is None for found in counts):
        ids = cites(*audit.definition.deal.cites)
        why = "the dealer's cards cannot be settled"
        return Verdict(
            "irregular", ordered([*findings, Finding("irregular", logged=why, cites=ids)])
        )
    unsettled = {found.seat for found in counts if found.seat is not None}
    unsettled |= {
        seat.seat for seat in played.seats if any(has_joker(hand.cards) for hand in seat.played)
    }
    findings += _draws(audit, frozenset(unsettled))
    for seat in played.seats:
        if seat.seat not in unsettled:
            findings += [*_choices(audit, seat), *_insurance(audit, seat)]
    settled = settle_seats(program, played.seats, dealers, frozenset(unsettled))
    for seat, each in zip(played.seats, settled, strict=True):
        if each is not None:
            findings += _wrong_amounts(audit, seat, each)
    return Verdict(
        "flagged" if findings else "ok",
        ordered(findings),
        tuple(
            (seat.seat, None if each is None else each.amounts)
            for seat, each in zip(played.seats, settled, strict=True)
        ),
        settled=Settlement(
            tuple(
                None if each is None else Outcome(each.amounts, lines=lines_reached(audit, each))
                for each in settled
            )
        ),
    )


def _wrong_amounts(audit: _Audit, seat: BlackjackSeat, settled: Settled) -> Iterator[Finding]:
    """Yield every wrong result, with the clauses on bonuses where it is one."""
    fixed = {
        key: bonus.cites
        for bonus in audit.program.rules.bonuses
        for key in (bonus.id, bonus.envy)
    }  # fmt: skip
    for found in wrong_amounts(audit, seat, settled):
        ids = (*found.cites, *fixed.get(found.wager, ()))
        logged, expected = int(found.logged or 0), int(found.expected or 0)
        yield wrong_amount(found.code, seat.seat, found.wager, logged, expected, ids)


def _wagers(audit: _Audit) -> Iterator[Finding]:
    """Yield `wager.missing` and `wager.relation`."""
    for seat in audit.round.seats:
        for key, wager in audit.definition.wagers.items():
            if seat.wagers[key] == 0 and wager.mandatory:
                yield Finding("wager.missing", seat.seat, key, cites=cites(*wager.cites))
            yield from fixed_relation(seat, wager)
        yield from _insured(audit, seat)
        yield from _hand_wagers(audit, seat)


def _insured(audit: _Audit, seat: BlackjackSeat) -> Iterator[Finding]:
    """Yield `wager.relation` for insurance above its part of the opening wager."""
    insurance = audit.program.rules.insurance
    if insurance is None:
        return
    most = int(seat.wagers[MAIN] * insurance.most)
    if seat.wagers[insurance.wager] > most:
        wager = audit.definition.wagers[insurance.wager]
        yield relation(seat, wager, f"at most {most}", cites(*wager.cites, *insurance.cites))


def _hand_wagers(audit: _Audit, seat: BlackjackSeat) -> Iterator[Finding]:
    """Yield `wager.relation` for hands that don't have the opening wager, doubled as logged."""
    wager = audit.definition.wagers[MAIN]
    for place, hand in enumerate(seat.played):
        expected = seat.wagers[MAIN] << hand.doubles
        if hand.wager != expected:
            section = "double" if hand.doubles else "split"
            yield Finding(
                "wager.relation",
                seat.seat,
                MAIN,
                f"{hand.wager} on {_named(place)}",
                str(expected),
                cites=cites(*wager.cites, *audit.program.rules.cites[section]),
            )


def _named(place: int) -> str:
    return f"hand {place + 1}"


def _counts(audit: _Audit) -> Iterator[Finding]:
    """Yield `deal.count` for hands without the cards that what was done with them gives."""
    number = len(audit.round.house.cards)
    if number < OPENING:
        yield wrong_count(audit, number, OPENING, None)
    for seat in audit.round.seats:
        for hand in seat.played:
            wanted = OPENING + sum(action in DRAWS for action in hand.actions)
            if len(hand.cards) != wanted:
                yield wrong_count(audit, len(hand.cards), wanted, seat.seat)
                break


def _draws(audit: _Audit, unsettled: frozenset[int]) -> Iterator[Finding]:
    """Yield `play.draw` for a dealer who drew, or did not, against the rules."""
    dealers, program = audit.round.house.cards, audit.program
    has_open = any(
        hand.is_open
        for seat in audit.round.seats
        if seat.seat not in unsettled
        for hand in hands_of(program, seat, dealers, is_final=False)
    )
    did, should = drawn_wrongly(program, dealers, has_open=has_open)
    if did:
        option = program.rules.options["dealer.soft_17"]
        ids = (*program.rules.cites["dealer"], *_readings(audit, option))
        yield Finding("play.draw", logged=did, expected=should, cites=cites(*ids))


def _readings(audit: _Audit, *options: str) -> tuple[str, ...]:
    """Return the interpretations among the values of options."""
    return tuple(each for each in options if each in audit.definition.interpretations)


def _choices(audit: _Audit, seat: BlackjackSeat) -> Iterator[Finding]:
    """Yield `play.choice` for everything done with a hand that the rules do not allow."""
    for place, hand in enumerate(seat.played):
        splits = seat.splits_of(place)
        if len(splits) != hand.actions.count(SPLIT):
            logged = f"{hand.actions.count(SPLIT)} splits of {_named(place)}"
            ids = audit.program.rules.cites["split"]
            yield _choice(audit, seat, logged, f"{len(splits)} by its hands", ids)
        yield from _choices_of(audit, seat, place, hand)


def _choices_of(
    audit: _Audit, seat: BlackjackSeat, place: int, hand: PlayedHand
) -> Iterator[Finding]:
    dealers, program = audit.round.house.cards, audit.program
    splits = seat.splits_of(place)
    drawn, doubles, split, over = OPENING, 0, 0, False
    is_first = True
    for action in hand.actions:
        cards = hand.cards[:drawn]
        hands = place + 1
        if action == SPLIT:
            cards = seat.before_split(place, split)
            hands = splits[split] if split < len(splits) else len(seat.played)
        came_from_split = place > 0 or split > 0
        state = State(cards, hands, came_from_split, doubles, is_first, over)
        if not may(program, action, state, dealers):
            words = f"{action} of {in_words(cards)}, {_named(place)}"
            yield _choice(audit, seat, words, "not allowed", _clauses(audit, action))
        drawn += action in DRAWS
        doubles += action in {DOUBLE, REDOUBLE}
        split += action == SPLIT
        is_first = is_first and action == SPLIT
        over = over or action in {STAND, SURRENDER, RESCUE}


def _clauses(audit: _Audit, action: str) -> tuple[str, ...]:
    """Return the clauses and readings on an action."""
    rules = audit.program.rules
    section = SECTIONS.get(action, "")
    options = [value for key, value in rules.options.items() if key.startswith(f"{section}.")]
    return (*rules.cites.get(section, ()), *_readings(audit, *options))


def _choice(
    audit: _Audit, seat: BlackjackSeat, logged: str, expected: str, ids: tuple[str, ...]
) -> Finding:
    found = cites(*ids) or cites(*audit.definition.deal.cites)
    return Finding("play.choice", seat.seat, logged=logged, expected=expected, cites=found)


def _insurance(audit: _Audit, seat: BlackjackSeat) -> Iterator[Finding]:
    """Yield `play.choice` for insurance against an upcard that is no ace."""
    insurance = audit.program.rules.insurance
    if insurance is None or seat.wagers[insurance.wager] == 0:
        return
    if audit.round.house.cards[0] >> 2 != ACE:
        yield _choice(audit, seat, "insurance", "only against an ace", insurance.cites)
