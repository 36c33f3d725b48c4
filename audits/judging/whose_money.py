"""Whose money a difference is: a player's, the house's own, or a table's sum.

In a player-banked round the house wagers against the bank (PP-23), and what it got too much no
player got. That the results of a table do not add up says again, in one figure, what may stand
beside it seat by seat. So neither is counted as money of players.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Whose(StrEnum):
    """Who received what is too much or too little, as a sentence names them."""

    PLAYERS = "players"
    HOUSE = "the house"
    TABLE = "all at the table together"


SUMS_UP: Final = "settlement.balance"
THE_HOUSES_OWN: Final = "house"


def whose(code: str, wager: str | None) -> Whose:
    """Whose money a finding, or a pattern, of this code and wager moves."""
    if code == SUMS_UP:
        return Whose.TABLE
    return Whose.HOUSE if wager == THE_HOUSES_OWN else Whose.PLAYERS
