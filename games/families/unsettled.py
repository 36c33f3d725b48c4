"""The audit of a round without its settlement: everything that the rules of play aren't needed for.

It goes for a game that no family of play settles, and for a round that has another form than the
definition in effect. Authorization, hours and tables are added by the terms of the night.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from games.checks import (
    limit_players,
    limit_table_max,
    limit_table_min,
    limit_wac,
    log_sequence,
    void_reason,
    void_result,
)
from games.findings import RECORDS, Finding, ordered
from games.rule_set import Wager
from games.settlement.verdict import Verdict
from games.terms import Terms

if TYPE_CHECKING:
    from games.log.round import Round
    from games.rule_set import RuleSet
    from games.setup import Setup
    from games.terms import Before

CHECKS: Final = (
    limit_players,
    limit_table_max,
    limit_table_min,
    limit_wac,
    log_sequence,
    void_reason,
    void_result,
)


def audit_without(
    played: Round,
    rules: RuleSet,
    setup: Setup,
    before: Before,
    *,
    is_repeat: bool = False,
    irregular: str = "",
) -> Verdict:
    """Return the verdict on a round that isn't settled; `irregular` says why it can't be."""
    keys = dict.fromkeys(key for seat in played.seats for key in seat.wagers)
    wagers = {key: Wager(key, "", mandatory=False, odds_based=False) for key in keys}
    whole = replace(
        played,
        seats=tuple(
            replace(seat, wagers={**dict.fromkeys(keys, 0), **seat.wagers}) for seat in played.seats
        ),
    )
    terms = Terms(setup, replace(rules, wagers=wagers), before, is_repeat)
    findings = [found for check in CHECKS for found in check.check(whole, terms)]
    if irregular and played.played:
        findings.append(Finding("irregular", logged=irregular[:140], cites=(RECORDS,)))
    status = "irregular" if irregular and played.played else "flagged" if findings else "ok"
    return Verdict(status, ordered(findings), tuple((seat.seat, None) for seat in played.seats))
