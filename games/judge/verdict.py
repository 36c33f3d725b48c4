"""A round judged: what each seat should have won, and everything that is wrong with the log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from games.catalogue import game
from games.judge import bank, deal, sequence, void, wagers
from games.judge.aggregate import capped
from games.judge.finding import Finding, cites, misread, ordered
from games.reason import CUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.judge.aggregate import Capped
    from games.judge.sequence import Before, Decks
    from games.judge.settlement import Game, Outcome, Settlement
    from games.round_log.round import Round, Seat
    from games.rule_set import RuleSet
    from games.setup import Setup


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of one round."""

    status: str
    """`ok`, `flagged` or `irregular`."""
    findings: tuple[Finding, ...]
    seats: tuple[tuple[int, Mapping[str, int] | None], ...] = ()
    """By seat, in dealing order: expected cents per result key; None, cannot be settled."""
    house: Mapping[str, int] | None = None
    """Player-banked rounds: the house's own main wager against the bank."""
    if_two_decks: Finding | None = None
    """A finding that stands only if the log turns out to use two decks here (P2-I8)."""
    settled: Settlement | None = None
    """The settlement that the log was compared with, its reasons with it; None of a void round."""

    def with_two_decks(self) -> Verdict:
        """The verdict when two decks did turn out to be in use."""
        if self.if_two_decks is None:
            return self
        status = "flagged" if self.status == "ok" else self.status
        findings = ordered([*self.findings, self.if_two_decks])
        return replace(self, status=status, findings=findings, if_two_decks=None)


def judge(
    round_: Round,
    setup: Setup,
    before: Before,
    *,
    taken: bool = False,
    decks: Decks | None = None,
) -> Verdict:
    """Judge one round under an operator's set-up; `taken` says that its id stood there before.

    `decks` is what is known of its whole log, where that was read before.
    """
    rules = setup.rules(round_.game)
    findings = list(sequence.order(round_, before, taken=taken))
    findings += deal.copies(round_, rules)
    findings += game(round_.game).limits(round_, setup)
    turn = sequence.alternation(round_, before, decks)
    if turn is not None and turn.certain:
        findings.append(turn.finding)
    if round_.played:
        verdict = _played(round_, setup, rules, before, findings)
    else:
        verdict = _void(round_, setup, rules, findings)
    if turn is not None and not turn.certain:
        return replace(verdict, if_two_decks=turn.finding)
    return verdict


def _void(round_: Round, setup: Setup, rules: RuleSet, findings: list[Finding]) -> Verdict:
    findings += void.void(round_, setup)
    findings += _wagers(round_, setup, rules)
    nothing = dict.fromkeys(rules.results, 0)
    return Verdict(
        status="flagged" if findings else "ok",
        findings=ordered(findings),
        seats=tuple((seat.seat, nothing) for seat in round_.seats),
        house={"main": 0} if round_.banker is not None else None,
    )


def _played(
    round_: Round, setup: Setup, rules: RuleSet, before: Before, findings: list[Finding]
) -> Verdict:
    findings += bank.bank(round_, setup, before)
    findings += deal.decks(round_, rules)
    findings += _wagers(round_, setup, rules)
    settled = game(round_.game).settle(round_, setup)
    findings += settled.findings
    if settled.irregular is not None:
        findings.append(
            Finding("irregular", logged=settled.irregular, cites=cites(*settled.irregular_cites))
        )
        return Verdict("irregular", ordered(findings), settled=settled)
    after = capped(round_, settled.seats, setup)
    findings += after.findings
    findings += _settlements(round_, after, game(round_.game))
    findings += _houses(round_, settled, game(round_.game))
    return Verdict(
        status="flagged" if findings else "ok",
        findings=ordered(findings),
        seats=tuple(
            (seat.seat, None if outcome is None else outcome.amounts)
            for seat, outcome in zip(round_.seats, after.outcomes, strict=True)
        ),
        house=None if settled.house is None else settled.house.amounts,
        settled=settled,
    )


def _wagers(round_: Round, setup: Setup, rules: RuleSet) -> Iterator[Finding]:
    """`wager.*` and `limit.*` of every seat."""
    for seat in round_.seats:
        yield from wagers.missing(round_, seat, rules, setup)
        yield from wagers.limits(round_, seat, rules, setup)
        yield from game(round_.game).relations(round_, seat, setup)


def _settlements(round_: Round, after: Capped, played: Game) -> Iterator[Finding]:
    """`settlement.<key>`: the logged result is not what the rules give."""
    for seat, outcome in zip(round_.seats, after.outcomes, strict=True):
        if outcome is None:
            continue
        for key, expected in outcome.amounts.items():
            if seat.result[key] != expected and (seat.seat, key) not in after.judged:
                yield _misread(seat, key, expected, outcome, played)


def _misread(seat: Seat, key: str, expected: int, outcome: Outcome, played: Game) -> Finding:
    ids = _ids(outcome, key, played)
    return misread(f"settlement.{key}", seat.seat, key, seat.result[key], expected, ids)


def _ids(outcome: Outcome, key: str, played: Game) -> tuple[str, ...]:
    return tuple(
        id_
        for code in outcome.reasons.get(key, ())
        if code != CUT
        for id_ in played.REASONS[code].cites
    )


def _houses(round_: Round, settled: Settlement, played: Game) -> Iterator[Finding]:
    """A wrong `house.result` is `settlement.main`, without a seat."""
    if settled.house is None:
        return
    expected = settled.house.amounts["main"]
    if round_.house.result != expected:
        ids = ("PP-23", *_ids(settled.house, "main", played))
        yield misread("settlement.main", None, "house", round_.house.result, expected, ids)
