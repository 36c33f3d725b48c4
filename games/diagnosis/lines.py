"""The line of a pay table, or the reason, that a wager reached by the rules."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from games.settlement.outcomes import CUT, game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.settlement.outcomes import Outcome


MOST_NAMED: Final = 2
"""Two pay tables of a bonus may pay at once; more reasons than that are not one line."""
LONGEST: Final = 60

_EXPLAINED: Final = re.compile("[,:]")


def line_reached(slug: str, outcome: Outcome | None, key: str) -> str | None:
    """Return the line that a wager reached, such as `straight_flush`, or None if not one line."""
    if outcome is None:
        return None
    if outcome.lines is not None:
        return outcome.lines.get(key, "")[:LONGEST] or None
    codes = [code for code in outcome.reasons.get(key, ()) if code != CUT]
    if not 0 < len(codes) <= MOST_NAMED:
        return None
    return "+".join(_names(slug)[code] for code in codes)[:LONGEST]


@cache
def _names(slug: str) -> Mapping[int, str]:
    """Return each reason of a game as a word, such as `straight_flush` or `ahead`."""
    return {
        code: _EXPLAINED.split(reason.says, 1)[0].replace(" ", "_")
        for code, reason in game(slug).REASONS.items()
    }
