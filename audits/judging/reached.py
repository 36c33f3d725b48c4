"""What the expected settlement of a wager reached: a pay-table line, or how it ended otherwise."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from games.catalogue import game
from games.reason import CUT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.judge.finding import Finding
    from games.judge.settlement import Outcome, Settlement
    from games.round_log.round import Round

MOST_NAMED: Final = 2
"""Two tables of one bonus may pay at once; more reasons than that are no one line."""
LONGEST: Final = 60

_EXPLAINED: Final = re.compile("[,:]")


def reached(finding: Finding, round_: Round, settled: Settlement) -> str | None:
    """The line that a mis-settled wager reached by the rules; None where it is not one line."""
    key = finding.wager
    if key is None or not finding.code.startswith("settlement."):
        return None
    if finding.seat is None:
        return _line(round_.game, settled.house, "main") if key == "house" else None
    for seat, outcome in zip(round_.seats, settled.seats, strict=False):
        if seat.seat == finding.seat:
            return _line(round_.game, outcome, key)
    return None


def _line(slug: str, outcome: Outcome | None, key: str) -> str | None:
    if outcome is None:
        return None
    codes = [code for code in outcome.reasons.get(key, ()) if code != CUT]
    if not 0 < len(codes) <= MOST_NAMED:
        return None
    return "+".join(_names(slug)[code] for code in codes)[:LONGEST]


@cache
def _names(slug: str) -> Mapping[int, str]:
    """Each reason of a game as a word: `straight_flush`, `ahead`."""
    return {
        code: _EXPLAINED.split(reason.says, 1)[0].replace(" ", "_")
        for code, reason in game(slug).REASONS.items()
    }
