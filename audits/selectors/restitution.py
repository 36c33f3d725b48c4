"""Restitution: who was paid too little or too much, by player pseudonym, table and day.

Over all findings of the days' current replays, from the files. Memory holds one table's players.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import orjson

from audits.judging.whose_money import Whose, whose
from audits.marks import Key
from audits.selectors.findings import days_judged, shares_of
from audits.selectors.share_files import findings_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date
    from typing import Any

    from audits.models import GamblingDay
    from compliance.models import Party


@dataclass
class Owed:
    """What one player's rounds at one table on one day come to, in cents; both ways kept apart."""

    operator: str
    day: date
    game: str
    table: str
    player: str
    """Empty where the log names nobody."""
    findings: int = 0
    owed: int = 0
    """Received too little."""
    received: int = 0
    """Received too much."""

    def add(self, delta: int) -> None:
        """Count one finding."""
        self.findings += 1
        self.owed += max(-delta, 0)
        self.received += max(delta, 0)


def restitution(
    *,
    operator: Party | None = None,
    day: date | None = None,
    causes: Collection[Key] | None = None,
) -> Iterator[Owed]:
    """Who is owed how much: by day, operator, game, table and player; by these causes or by all."""
    for each in days_judged(operator=operator, day=day).filter(current__isnull=False).iterator():
        for (game, table), findings in groupby(
            _money(each, causes), lambda it: (it["game"], it["table"])
        ):
            players: dict[str, Owed] = {}
            for finding in findings:
                player = finding["player"] or ""
                if player not in players:
                    players[player] = Owed(each.party.code, each.day, game, table, player)
                players[player].add(finding["delta"])
            yield from (players[player] for player in sorted(players))


def is_owed(finding: dict[str, Any]) -> bool:
    """Whether a finding says that a player received too much or too little."""
    code = finding["code"]
    of_a_player = whose(code, finding["wager"]) is Whose.PLAYERS
    paid_wrong = code.startswith("settlement.") or code == "void.result"
    return bool(finding["delta"]) and of_a_player and paid_wrong


def _money(day: GamblingDay, causes: Collection[Key] | None) -> Iterator[dict[str, Any]]:
    for share in shares_of(day):
        with findings_of(share) as lines:
            for line in lines:
                finding = orjson.loads(line)
                if is_owed(finding) and (causes is None or Key.of(finding) in causes):
                    yield finding
