"""The audit of one round of the family: actions, wagers, pots, fees, and what each seat wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.cards import show
from games.checks import log_sequence
from games.definition.betting_build import BET
from games.definition.betting_model import POT
from games.families.audit import (
    Audit,
    dealt_findings,
    duplicates,
    has_joker,
    nothing_owed,
    void_findings,
    void_missing,
    voiding_reasons,
    wrong_count,
)
from games.families.versus.betting import replay
from games.families.versus.fees import fee_findings
from games.families.versus.limits import limit_findings, raises_by_law
from games.families.versus.program import VersusProgram
from games.families.versus.round import VersusRound
from games.families.versus.settle import UndecidedError, settle_round
from games.findings import BALANCE, Finding, cites, ordered, wrong_amount
from games.settlement.outcomes import Outcome, Settlement
from games.settlement.verdict import Verdict
from games.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.definition.betting_model import Betting as Rules
    from games.families.versus.betting import Betting, NotAllowed
    from games.families.versus.settle import SettledPot, SettledRound
    from games.rule_set import RuleSet
    from games.setup import Setup
    from games.terms import Before

FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class _Audit(Audit[VersusRound, VersusProgram]):
    """A round, and what it is audited against."""

    @property
    def rules(self) -> Rules:
        """Return how players bet."""
        return self.program.betting

    @property
    def dealt(self) -> list[Cards]:
        """Return all cards that were shown, by hand."""
        return [self.round.community, *(seat.cards for seat in self.round.seats)]


def audit_round(
    played: VersusRound,
    program: VersusProgram,
    rules: RuleSet,
    setup: Setup,
    before: Before,
    *,
    is_repeat: bool = False,
) -> Verdict:
    """Settle one round again and return the verdict; `rules` is the definition as a rule set."""
    audit = _Audit(played, program, setup)
    terms = Terms(setup, rules, before, is_repeat)
    findings = [*log_sequence.check(played, terms), *dealt_findings(audit)]
    findings += duplicates(audit, audit.dealt)
    limits = setup.limits.get(played.table, {}).get(BET)
    raises = raises_by_law(played, setup)
    betting = replay(program, played, limits, None if raises is None else raises.most)
    findings += limit_findings(betting, played, setup, limits)
    if not played.played:
        return nothing_owed(audit, [*findings, *void_findings(audit)])
    reason = next(voiding_reasons(audit), None)
    if reason is not None:
        findings += [*_counts(audit, betting), *void_missing(audit, *reason)]
        return nothing_owed(audit, findings)
    return _played(audit, betting, findings)


def _played(audit: _Audit, betting: Betting, findings: list[Finding]) -> Verdict:
    played = audit.round
    findings += _choices(audit, betting)
    counts = list(_counts(audit, betting))
    findings += counts
    if len(played.seats) < FEWEST:
        ids = cites(*audit.definition.cites)
        findings.append(
            Finding("limit.players", logged="1 player", expected="2 players or more", cites=ids)
        )
        return _irregular(findings, "one player alone", ids)
    if any(found.seat is not None for found in counts) or (counts and len(betting.live) > 1):
        return _irregular(findings, "a wrong number of cards", cites(*audit.definition.deal.cites))
    if has_joker(b"".join(audit.dealt)):
        return _irregular(findings, "a joker in a game without", cites(*audit.definition.cites))
    try:
        settled = settle_round(audit.program, played, betting)
    except UndecidedError as error:
        return _irregular(findings, str(error), cites(*audit.rules.show_cites))
    findings += fee_findings(audit.program, played, audit.setup, settled)
    findings += _settlements(audit, settled)
    lines = lines_of(settled)
    return Verdict(
        "flagged" if findings else "ok",
        ordered(findings),
        tuple((seat.seat, {POT: settled.net[seat.seat]}) for seat in played.seats),
        settled=Settlement(
            tuple(
                Outcome({POT: settled.net[seat.seat]}, lines={POT: lines[seat.seat]})
                for seat in played.seats
            )
        ),
    )


def _irregular(findings: list[Finding], why: str, ids: tuple[str, ...]) -> Verdict:
    return Verdict("irregular", ordered([*findings, Finding("irregular", logged=why, cites=ids)]))


def lines_of(settled: SettledRound) -> dict[int, str]:
    """Return how each seat fared, as a word."""
    winners = {seat for pot in settled.pots for seat, won in pot.won.items() if won}
    shared = {seat for pot in settled.pots if len(pot.won) > 1 for seat in pot.won}
    return {
        seat: "shared_pot" if seat in shared else "won_pot" if seat in winners else "lost"
        for seat in settled.net
    }


def _choices(audit: _Audit, betting: Betting) -> Iterator[Finding]:
    """Yield `play.choice` for the first action of each seat that the rules don't allow."""
    seen: set[int] = set()
    for each in betting.not_allowed:
        if each.seat not in seen:
            seen.add(each.seat)
            yield Finding(
                "play.choice",
                each.seat,
                logged=each.logged,
                expected=each.expected,
                cites=cites(*_clauses_of(audit, each)),
            )


def _clauses_of(audit: _Audit, action: NotAllowed) -> tuple[str, ...]:
    rules = audit.rules
    if action.about == "blinds":
        return rules.blind_cites
    if action.about == "showdown":
        return rules.show_cites
    if action.about == "reopening":
        return (*rules.raises.cites, *audit.program.cites("short"))
    return (*rules.cites, *audit.program.cites("structure"))


def _counts(audit: _Audit, betting: Betting) -> Iterator[Finding]:
    """Yield `deal.count` for each hand with a wrong number of cards, and for the community's."""
    played, deal = audit.round, audit.definition.deal
    wanted = sum(deal.community)
    if len(betting.live) < FEWEST:
        last = played.actions[-1].street if played.actions else audit.program.streets[0]
        streets = [each.street for each in played.actions if each.act not in ("show", "muck")]
        wanted = audit.program.community_by(streets[-1] if streets else last)
    if len(played.community) != wanted:
        yield wrong_count(audit, len(played.community), wanted, None)
    for seat in played.seats:
        if seat.cards and len(seat.cards) != deal.player:
            yield wrong_count(audit, len(seat.cards), deal.player, seat.seat)


def _settlements(audit: _Audit, settled: SettledRound) -> Iterator[Finding]:
    """Yield wrong pots, wrong results, and a round that doesn't sum to zero."""
    rules, played = audit.rules, audit.round
    ids = [*rules.pot_cites, *rules.hand_cites]
    if any(pot.is_odd for pot in settled.pots):
        ids += (*rules.odd_cites, *audit.program.cites("odd", "chip"))
    for seat in played.seats:
        expected = settled.net[seat.seat]
        if seat.result[POT] != expected:
            code = f"settlement.{POT}"
            yield wrong_amount(code, seat.seat, POT, seat.result[POT], expected, tuple(ids))
    wrong = next(_wrong_pots(played, settled), None)
    if wrong is not None:
        yield wrong_amount(f"settlement.{POT}", None, POT, *wrong, tuple(ids))
    total = sum(seat.result[POT] for seat in played.seats) + played.fees.total
    if total:
        yield wrong_amount(BALANCE, None, POT, total, 0, rules.pot_cites)


def _wrong_pots(played: VersusRound, settled: SettledRound) -> Iterator[tuple[int, int]]:
    """Yield each pot that isn't as the rules make and divide it: cents as logged, as expected."""
    logged = [
        (pot.amount, frozenset(pot.seats), {seat: won for seat, won in pot.won.items() if won})
        for pot in played.pots
    ]
    expected = [_as_logged(pot) for pot in settled.pots]
    if sum(each[0] for each in logged) == sum(each[0] for each in expected) + settled.back:
        logged = _without_returned(logged, expected, settled)
    for number in range(max(len(logged), len(expected))):
        nothing: _Pot = (0, frozenset(), {})
        mine = logged[number] if number < len(logged) else nothing
        theirs = expected[number] if number < len(expected) else nothing
        if mine == theirs:
            continue
        if mine[0] != theirs[0]:
            yield mine[0], theirs[0]
        else:
            wrong = [
                seat
                for seat in {**mine[2], **theirs[2]}
                if mine[2].get(seat) != theirs[2].get(seat)
            ]
            seat = min(wrong, default=0)
            yield mine[2].get(seat, 0), theirs[2].get(seat, 0)


_Pot = tuple[int, frozenset[int], dict[int, int]]


def _as_logged(pot: SettledPot) -> _Pot:
    won = {seat: amount for seat, amount in pot.won.items() if amount}
    return pot.amount, frozenset(pot.seats), won


def _without_returned(
    logged: list[_Pot], expected: list[_Pot], settled: SettledRound
) -> list[_Pot]:
    """Return logged pots without the wager that nobody called, if it is logged in the last one."""
    if not settled.back or not logged:
        return logged
    amount, seats, won = logged[-1]
    if len(logged) == len(expected) + 1 and (amount, seats) == (
        settled.back,
        frozenset((settled.back_to,)),
    ):
        return logged[:-1]
    won = {**won, settled.back_to: won.get(settled.back_to, 0) - settled.back}
    kept = {seat: each for seat, each in won.items() if each}
    return [*logged[:-1], (amount - settled.back, seats, kept)]


def shown_cards(cards: Cards) -> str:
    """Return cards as logged, or that they were not shown."""
    return show(cards) if cards else "not shown"
