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
    from games.judge.settlement import Outcome

MOST_NAMED: Final = 2
"""Two tables of one bonus may pay at once; more reasons than that are no one line."""
LONGEST: Final = 60

_EXPLAINED: Final = re.compile("[,:]")


def reached(
    finding: Finding, slug: str, house: Outcome | None, outcomes: Mapping[int, Outcome | None]
) -> str | None:
    """The line that a mis-settled wager reached by the rules; None where it is not one line.

    `house` is the settlement of the house's own wager, `outcomes` those of the seats, by number.
    """
    key = finding.wager
    if key is None or not finding.code.startswith("settlement."):
        return None
    if finding.seat is None:
        return _line(slug, house, "main") if key == "house" else None
    return _line(slug, outcomes.get(finding.seat), key)


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
