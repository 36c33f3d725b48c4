"""Findings in plain words, those of a day and of a filing as well as those of a round."""

from __future__ import annotations

from typing import Final

from games.cents import in_dollars
from games.story.findings import WORDS

OF_NO_ROUND: Final = {
    "night.no_log": "No log of the gambling day was handed in.",
    "night.late_log": "A log was handed in after the time that the controls give.",
    "night.gap": "A stretch of the night is missing from the log.",
    "night.table_silent": "A table that the controls name has no rounds.",
    "document.pay_table": "The layout's pay table differs from the rules of play.",
    "document.limit": "A limit of the controls lies outside the law or contradicts itself.",
    "document.citation": "A citation did not hold the rule that it is cited for on that day.",
}
NO_AMOUNTS: Final = frozenset({"limit.players", "deal.count", "deal.shoe"})
"""Codes whose numbers count cards, decks or people."""
CENTS_AS_TEXT: Final = frozenset({"limit.unverified", "wager.relation", "void.result"})
"""Codes that weigh no money and say amounts all the same."""


def code_in_words(code: str) -> str:
    """What a code says went wrong, as a sentence."""
    if code in WORDS:
        return WORDS[code]
    if code in OF_NO_ROUND:
        return OF_NO_ROUND[code]
    return "The logged result is not what the rules of play give."


def value_in_words(code: str, value: object) -> str:
    """What was logged or expected: amounts in dollars, numbers and texts as they are."""
    if value is None:
        return "–"
    is_amount = (isinstance(value, int) and code not in NO_AMOUNTS) or code in CENTS_AS_TEXT
    return in_dollars(int(str(value))) if is_amount else str(value)


def name_in_words(name: str) -> str:
    """A game's, a wager's or a pay-table line's name, as the log spells it, for people."""
    return name.replace("_", " ").replace("-", " ").capitalize() if name else ""
