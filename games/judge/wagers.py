"""Wagers: which may not be left out, and what each may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.judge.bank import ODDS_WAGERS, least_of_a_banker
from games.judge.finding import Finding, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.round_log.round import Round, Seat
    from games.rule_set import RuleSet
    from games.setup import Setup

_MANDATORY_CLAUSE = {"pyramid-poker": "PP-2", "pick-2-poker": "P2-2", "casino-version": "CV-2"}
_LIMIT_CLAUSE = {"pyramid-poker": "PP-3", "pick-2-poker": "P2-13"}


def may_be_zero(round_: Round, seat: Seat, key: str, rules: RuleSet) -> bool:
    """Whether a wager may be left out: an optional one, `play` on a fold, the banker's main."""
    if not rules.wagers[key].mandatory:
        return True
    if key == "play":
        return seat.play in (None, "fold")  # a void round may not say how the hand was played
    return key == "main" and seat.seat == round_.banker


def missing(round_: Round, seat: Seat, rules: RuleSet, setup: Setup) -> Iterator[Finding]:
    """`wager.missing`: a mandatory wager of 0.

    On a banker's odds wagers 0 is `bank.wager`'s, where there is a minimum to be below.
    """
    for key in rules.wagers:
        if seat.wagers[key] != 0 or may_be_zero(round_, seat, key, rules):
            continue
        bankers = seat.seat == round_.banker and key in ODDS_WAGERS
        if not bankers or least_of_a_banker(round_.table, key, setup) is None:
            yield Finding(
                "wager.missing", seat.seat, key, cites=cites(_MANDATORY_CLAUSE[round_.game])
            )


def limits(round_: Round, seat: Seat, rules: RuleSet, setup: Setup) -> Iterator[Finding]:
    """`limit.table_min`, `limit.table_max`, `limit.wac` of one seat's wagers.

    A wager of 0 is below no minimum: it is missing, or it may be left out. On a banker's odds
    wagers the minimum is `bank.wager`'s.
    """
    table = setup.limits.get(round_.table, {})
    bankers = ODDS_WAGERS if seat.seat == round_.banker else ()
    ids = cites(*filter(None, [_LIMIT_CLAUSE.get(round_.game)]))
    for key in rules.wagers:
        amount = seat.wagers[key]
        if key in table:
            least, most = table[key]
            if 0 < amount < least and key not in bankers:
                yield Finding("limit.table_min", seat.seat, key, amount, least, cites=ids)
            if amount > most:
                yield Finding("limit.table_max", seat.seat, key, amount, most, cites=ids)
        if setup.cap is not None and rules.house_banked and amount > setup.cap:
            law = cites(*ids, "WAC 230-15-140(1)")
            yield Finding("limit.wac", seat.seat, key, amount, setup.cap, cites=law)
