"""The audit of one round of the family: what each hand should have won, and what is wrong.

Shared checks (`games.checks`) that need no clause of a game apply as they are; those on cards,
wagers and choices follow the definition and cite its clauses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

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
from games.families.bonuses import apply_maximums, bonuses_of, with_bonuses
from games.families.stud.hand import DealtHand
from games.families.stud.program import Program
from games.families.stud.round import StudRound
from games.findings import Finding, cites, ordered
from games.settlement.outcomes import Outcome, Settlement
from games.settlement.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.definition.model import Choice, Wager
    from games.families.stud.hand import Settled
    from games.families.stud.round import StudSeat
    from games.rule_set import RuleSet
    from games.settlement.outcomes import Capped
    from games.setup import Setup
    from games.terms import Before


@dataclass(frozen=True, slots=True)
class _Audit(Audit[StudRound, Program]):
    """A round, and what it is audited against."""

    @property
    def dealt(self) -> list[Cards]:
        """Return all cards on the table, by hand."""
        played = self.round
        return [played.house.cards, played.community, *(seat.cards for seat in played.seats)]

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
    findings = shared_findings(audit, rules, before, is_repeat=is_repeat)
    findings += [*_missing(audit), *_relations(audit)]
    if not played.played:
        findings += [*duplicates(audit, audit.dealt), *void_findings(audit)]
        return nothing_owed(audit, findings)
    reason = next(voiding_reasons(audit), None)
    if reason is not None:
        findings += [
            *duplicates(audit, audit.dealt),
            *_counts(audit),
            *void_missing(audit, *reason),
        ]
        return nothing_owed(audit, findings)
    return _played(audit, findings)


def _played(audit: _Audit, findings: list[Finding]) -> Verdict:
    counts = list(_counts(audit))
    findings += [*counts, *duplicates(audit, audit.dealt)]
    wrong = next((found for found in counts if found.seat is None), None)
    if wrong is not None:
        why = f"{wrong.logged} where the rules deal {wrong.expected}"
        findings.append(Finding("irregular", logged=why, cites=wrong.cites))
        return Verdict("irregular", ordered(findings))
    if has_joker(audit.round.house.cards + audit.round.community):
        ids = cites(*audit.definition.cites)
        findings.append(Finding("irregular", logged="a joker in a game without", cites=ids))
        return Verdict("irregular", ordered(findings))
    unsettled = {found.seat for found in counts}
    settled: list[Settled | None] = []
    for seat in audit.round.seats:
        if seat.seat in unsettled or has_joker(seat.cards):
            settled.append(None)
            continue
        hand = audit.hand(seat)
        choices = list(_choices(audit, seat, hand))
        findings += choices
        settled.append(None if _is_open(choices) else hand.settle(seat.wagers))
    settled = with_bonuses(
        audit.program, [seat.wagers for seat in audit.round.seats], audit.round.meters, settled
    )
    after = apply_maximums(
        audit.round,
        tuple(
            None if each is None else Outcome(each.amounts, lines=lines_reached(audit, each))
            for each in settled
        ),
        audit.definition,
        audit.setup,
    )
    findings += [*after.findings, *_settlements(audit, settled, after)]
    return Verdict(
        "flagged" if findings else "ok",
        ordered(findings),
        tuple(
            (seat.seat, None if outcome is None else outcome.amounts)
            for seat, outcome in zip(audit.round.seats, after.outcomes, strict=True)
        ),
        settled=Settlement(after.outcomes),
    )


def _settlements(audit: _Audit, settled: list[Settled | None], after: Capped) -> Iterator[Finding]:
    """Yield every wrong result; one of a bonus cites the bonus."""
    ids = bonuses_of(audit.definition).cites_by_result
    for seat, each in zip(audit.round.seats, settled, strict=True):
        if each is not None:
            for found in wrong_amounts(audit, seat, each, after.decided):
                own = ids.get(found.wager or "")
                yield found if own is None else replace(found, cites=cites(*own))


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
                yield from fixed_relation(seat, wager)


def _placed_relation(
    audit: _Audit, seat: StudSeat, wager: Wager, made: list[Choice]
) -> Iterator[Finding]:
    amount = seat.wagers[wager.id]
    least = sum(choice.least * seat.wagers[choice.of or ""] for choice in made)
    most = sum(choice.most * seat.wagers[choice.of or ""] for choice in made)
    if not least <= amount <= most:
        ids = [id_ for choice in made for id_ in choice.cites]
        expected = str(least) if least == most else f"{least} to {most}"
        yield relation(seat, wager, expected, cites(*wager.cites, *ids))


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
            yield wrong_count(audit, len(cards), max(wanted), None)
    for seat in played.seats:
        own = [each for each in deal.after if seat.choices.get(each.decision) in each.choices]
        wanted_here = deal.player + sum(each.player for each in own)
        if len(seat.cards) != wanted_here:
            yield wrong_count(audit, len(seat.cards), wanted_here, seat.seat)


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
