"""Duties of a night: what a prize requires the room to do, however right the round is."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from audits.instants import instant
from audits.intake.segments.segment_file import read_segment
from audits.replay.findings.reads import audited_days, units_of
from compliance.clock import zone
from compliance.files.archive import current_archive
from compliance.filings.requests.reads import rules_of
from compliance.law.reads import law_rules
from games.log.form import read_written
from games.log.round import Round

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date
    from pathlib import Path

    from audits.intake.days.models import GamblingDay
    from compliance.access.models import Party
    from compliance.law.values import LawRule, LawValue

CAMERA_CHECK = "camera_check"
"""Verify the hand, the wager, the payout and the player on camera before paying."""
PAY_BY_CHECK = "pay_rest_by_check"
"""Pay so much at once, and the rest by check within a day."""
SAYS = {
    CAMERA_CHECK: "verify the hand, the wager, the payout and the player on camera",
    PAY_BY_CHECK: "pay the rest by check",
}
RULES = {CAMERA_CHECK: "winnings_verified_on_camera", PAY_BY_CHECK: "prize_paid_at_once"}


@dataclass(frozen=True, slots=True)
class Won:
    """What a seat won in a house-banked round, by wager, in cents."""

    round: str
    table: str
    at: int
    """Microseconds since 1970."""
    seat: int
    results: Mapping[str, int]


def duties(*, operator: Party | None = None, day: date | None = None) -> Iterator[dict[str, Any]]:
    """Yield the duties of audited nights, by day, operator and order of play.

    A duty is measured by what was paid, as logged. A banker's own result and player-banked rounds
    are left out: both rules are about what the house pays.
    """
    rules = law_rules()
    least = min(_least(rules[name]) for name in RULES.values())
    for each in audited_days(operator=operator, day=day).iterator(chunk_size=100):
        for unit in units_of(each) if each.current is not None else ():
            game = rules_of(unit.segment.game)
            if game is None or not game.house_banked:
                continue
            odds_based = frozenset(key for key, each in game.wagers.items() if each.odds_based)
            with current_archive().fetch(unit.segment.sha256) as path:
                for won in _large_wins(path, least):
                    yield from _of_seat(each, won, odds_based, rules)


def unknown_duties(day: date) -> list[LawValue]:
    """Return the rules whose value on a day nobody has read: their duties aren't listed."""
    rules = law_rules()
    found = [rules[name].on(day) for name in RULES.values()]
    return [value for value in found if value is not None and value.value is None]


def _of_seat(
    day: GamblingDay, won: Won, odds_based: frozenset[str], rules: Mapping[str, LawRule]
) -> Iterator[dict[str, Any]]:
    on = instant(won.at).astimezone(zone()).date()
    prizes = [amount for wager, amount in won.results.items() if wager in odds_based]
    amounts = {
        CAMERA_CHECK: [sum(amount for amount in won.results.values() if amount > 0)],
        PAY_BY_CHECK: prizes,
    }
    for duty, name in RULES.items():
        law = rules[name].on(on)
        if law is None or not isinstance(law.value, int):
            continue
        for amount in amounts[duty]:
            if amount > law.value:
                yield {
                    "operator": day.party.code,
                    "day": str(day.day),
                    "table": won.table,
                    "round": won.round,
                    "seat": won.seat,
                    "duty": duty,
                    "amount": amount,
                    "citation": law.citation,
                }


def _large_wins(path: Path, least: int) -> Iterator[Won]:
    """Yield the seats of a segment that won more than `least`, in the order of play."""
    for group in read_segment(path):
        columns = group.columns
        results = [
            numbers for key, numbers in columns.seats.numbers.items() if key.startswith("result_")
        ]
        won = sum((np.maximum(each, 0) for each in results), np.zeros(1, np.int64))
        seats = np.flatnonzero(won > least)
        rows = np.unique(np.searchsorted(columns.first_seat, seats, side="right") - 1)
        large = [(int(columns.lines[row]), columns.round(int(row))) for row in rows]
        odd = [(place, read_written(line)) for place, line in group.odd]
        for _, played in sorted([*large, *odd], key=itemgetter(0)):
            if not isinstance(played, Round) or played.banker is not None:
                continue
            for seat in played.seats:
                if sum(max(amount, 0) for amount in seat.result.values()) > least:
                    yield Won(played.round, played.table, played.at, seat.seat, seat.result)


def _least(rule: LawRule) -> int:
    """Return the smallest amount that the rule ever named."""
    return min(each.value for each in rule.values if isinstance(each.value, int))
