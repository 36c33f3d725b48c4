"""The maximum aggregate payout, in the forms that controls give it (PP-19, PP-I8, PP-I9).

What counts is what wagers win: stakes returned and wagers lost do not. Where the maximum binds,
the wagers that it may cut are audited by their sum alone; the split shown is one of many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.judge.finding import Finding, misread
from games.judge.settlement import Outcome
from games.reason import CUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.round_log.round import Round
    from games.setup import Setup

FIRST_CUT = ("six_card", "three_card", "main")
"""Which wager of a hand is shown as cut first (PP-I9)."""


@dataclass(frozen=True, slots=True)
class Capped:
    """Outcomes after the cut, what is wrong, and which amounts are judged by their sum alone."""

    outcomes: tuple[Outcome | None, ...]
    findings: tuple[Finding, ...] = ()
    judged: frozenset[tuple[int, str]] = frozenset()


def capped(round_: Round, outcomes: tuple[Outcome | None, ...], setup: Setup) -> Capped:
    """Apply the maximum aggregate that the set-up names for this game, if any."""
    if round_.game in setup.max_per_deal:
        return _per_deal(round_, outcomes, setup.max_per_deal[round_.game])
    if round_.game == "pyramid-poker" and setup.max_per_hand is not None:
        return _per_hand(round_, outcomes, setup.max_per_hand, _may_cut(round_, setup))
    return Capped(outcomes)


def _may_cut(round_: Round, setup: Setup) -> tuple[str, ...]:
    """`main` is cut under `all_wagers` alone, and never out of a player's bank."""
    if setup.reading("PP-I8") == "all_wagers" and round_.banker is None:
        return FIRST_CUT
    return FIRST_CUT[:2]


def _per_hand(
    round_: Round, outcomes: tuple[Outcome | None, ...], most: int, may_cut: tuple[str, ...]
) -> Capped:
    after: list[Outcome | None] = []
    findings: list[Finding] = []
    judged: set[tuple[int, str]] = set()
    for seat, outcome in zip(round_.seats, outcomes, strict=True):
        won = _won(outcome, may_cut)
        excess = sum(won.values()) - most
        if outcome is None or excess <= 0:
            after.append(outcome)
            continue
        cut = dict(won)
        for key in won:
            taken = min(excess, won[key])
            cut[key] -= taken
            excess -= taken
        after.append(_cut(outcome, won, cut))
        judged |= {(seat.seat, key) for key in won}
        logged = sum(seat.result[key] for key in won)
        if logged != most:
            ids = ("PP-19", "PP-I8", "PP-I9")
            findings.append(misread("settlement.aggregate", seat.seat, None, logged, most, ids))
    return Capped(tuple(after), tuple(findings), frozenset(judged))


def _won(outcome: Outcome | None, keys: Iterable[str]) -> dict[str, int]:
    if outcome is None:
        return {}
    return {key: outcome.amounts[key] for key in keys if outcome.amounts.get(key, 0) > 0}


def _cut(outcome: Outcome, won: dict[str, int], cut: dict[str, int]) -> Outcome:
    reasons = {key: (*outcome.reasons[key], CUT) for key in won if cut[key] != won[key]}
    return Outcome({**outcome.amounts, **cut}, {**outcome.reasons, **reasons})


def _per_deal(
    round_: Round, outcomes: tuple[Outcome | None, ...], most_by_wager: Mapping[str, int]
) -> Capped:
    after = list(outcomes)
    findings: list[Finding] = []
    judged: set[tuple[int, str]] = set()
    for key, most in most_by_wager.items():
        won = [_won(outcome, (key,)).get(key, 0) for outcome in after]
        if sum(won) <= most:
            continue
        for place, share in enumerate(shares(won, most)):
            outcome = after[place]
            if outcome is not None and won[place]:
                after[place] = _cut(outcome, {key: won[place]}, {key: share})
        winners = [seat for seat, amount in zip(round_.seats, won, strict=True) if amount]
        judged |= {(seat.seat, key) for seat in winners}
        logged = sum(seat.result[key] for seat in winners)
        if logged != most:
            findings.append(
                misread("settlement.aggregate", None, key, logged, most, ("WAC 230-15-490(2)",))
            )
    return Capped(tuple(after), tuple(findings), frozenset(judged))


def shares(won: Sequence[int], most: int) -> list[int]:
    """The maximum in proportion to what was won, in whole cents; cents left over one each, in turn.

    (PP-I9 under `per_deal`.)
    """
    total = sum(won)
    parts = [most * amount // total for amount in won]
    left = most - sum(parts)
    for place, amount in enumerate(won):
        if left and amount:
            parts[place] += 1
            left -= 1
    return parts
