"""`document.limit`: a maximum aggregate payout against the floors of WAC 230-15-490 by date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.paper_checks.found import Found
from games.cents import in_dollars

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from compliance.law.values import LawRule

CODE = "document.limit"


@dataclass(frozen=True)
class OddsWager:
    """An odds-based wager as far as its aggregate is judged: cents, and its best line's odds."""

    name: str
    smallest: int
    largest: int
    top_odds: int


def floor_of(wager: OddsWager, formula: str, counted: int) -> int:
    """The least maximum that the law allows for one wager, in cents (WAC 230-15-490(3))."""
    capped = wager.largest * min(wager.top_odds, counted)
    if formula == "per_prize":
        return capped
    return max(capped, wager.smallest * wager.top_odds)


def printed_maximum(
    maximum: int, clause: str, law: Mapping[str, LawRule], top_odds: int, on: date
) -> list[Found]:
    """A maximum that a layout prints without saying of which limits: what it could be lawful for.

    The papers of a game name no operator's limits, so this says what would have to hold.
    """
    formula, counted = law["aggregate_floor"].on(on), law["odds_counted"].on(on)
    if formula is None or counted is None or not isinstance(counted.value, int):
        return []
    largest = maximum // min(top_odds, counted.value)
    says = (
        f"The layout prints a maximum aggregate of {in_dollars(maximum)}, which the rules leave to "
        f"the house. On {on} {formula.citation} allowed it only for wagers up to "
        f"{in_dollars(largest)}"
    )
    if formula.value != "per_prize":
        smallest = maximum // top_odds
        says += (
            f" and a smallest wager of {in_dollars(smallest)} as a player's limit, or half of both "
            "as a table's; it does not say which it is"
        )
    return [Found(CODE, f"{says}.", (clause, formula.citation))]


def maximum_too_low(
    maximum: int, wager: OddsWager, law: Mapping[str, LawRule], on: date
) -> list[Found]:
    """An operator's maximum for one odds-based wager that lies under the law's floor that day."""
    formula, counted = law["aggregate_floor"].on(on), law["odds_counted"].on(on)
    if formula is None or counted is None or not isinstance(counted.value, int):
        return []
    if formula.value == "per_prize" and wager.top_odds < counted.value:
        says = (
            f"{wager.name}: its best odds are {wager.top_odds} to 1; under {counted.value} to 1 "
            "there may be no maximum aggregate."
        )
        return [Found(CODE, says, ("WAC 230-15-490(3)(c)",))]
    floor = floor_of(wager, str(formula.value), counted.value)
    if maximum >= floor:
        return []
    says = (
        f"{wager.name}: a maximum aggregate of {in_dollars(maximum)} is under "
        f"{in_dollars(floor)}, the least for wagers up to {in_dollars(wager.largest)} (judged on "
        "the table's own maximum)."
    )
    return [Found(CODE, says, (formula.citation,))]
