"""What a hypothesis is: a cause that predicts results to the cent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.explanation.words import name_in_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from games.diagnosis.results import Result

    Predict = Callable[[Result], int | None]


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """A possible cause."""

    kind: str
    key: str
    """Identifies the cause on any night; the same cause always has the same key."""
    rank: int
    """Of two that explain the same results, the lower rank is stated: it says more."""
    headline: str
    """What happened, as a title says it."""
    predict: Predict
    """Return the amount that the cause gives, or None where it says nothing."""
    is_marked: bool = False
    """Whether something else than the amount shows the cause in each round."""
    lines: int = 1
    """How many different lines it must explain; fewer would be the odds of a line."""
    is_fitted: bool = False
    """Whether its odds are taken from the results, so that one stake alone proves little."""

    def predicts_change(self, result: Result) -> bool:
        """Return whether, by this cause, the result is not the one that is due."""
        predicted = self.predict(result)
        return predicted is not None and predicted != result.expected

    def explains(self, result: Result) -> bool:
        """Return whether a wrong result is exactly what this cause gives."""
        return result.wrong and self.predict(result) == result.logged


ON_RECORD: Final = 1
MISTAKEN: Final = 2
NOT_AT_ALL: Final = 3
FORMULA: Final = 4
BARE: Final = 5
"""Ranks: a document or an open question, some hands mistaken, a line never seen, formulas, odds."""

LINE_WORDS: Final = {
    "ahead": "winning hand",
    "behind": "losing hand",
    "the_higher_hand": "winning hand",
    "the_lower_hand": "losing hand",
    "equal_on_both_hands": "equal hands",
    "equal_hands": "equal hands",
    "one_hand_each": "one hand each",
    "no_line_of_the_pay_table": "hand without a line",
    "seven_high_or_lower": "seven high or lower",
    "three_of_a_kind_wins_at_once": "three of a kind",
    "the_dealer_does_not_qualify": "dealer not qualified",
    "folded": "folded hand",
    "fouled": "fouled hand",
}


def describe_line(line: str) -> str:
    """Return a line, or the reason in its place, as a noun."""
    return LINE_WORDS.get(line) or name_in_words(line)


def describe_wager(wager: str) -> str:
    """Return a wager as a noun."""
    return f"{name_in_words(wager)} wager"


def describe_odds(odds: Fraction) -> str:
    """Return odds in words: 30 to 1; or that the wager was pushed or lost."""
    if odds == 0:
        return "a push"
    if odds == -1:
        return "a loss"
    return f"{odds.numerator} to {odds.denominator}"
