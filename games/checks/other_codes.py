"""Codes that aren't found by a check of this folder, with their severities and titles.

A game's settlement finds what depends on its hands; the terms of the day find what the engine can't
know; days and filings have findings of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTLEMENTS: Final = (
    "main", "three_card", "six_card",
    "ante", "bonus_3_5", "bonus_5", "play",
    "points", "buy_in",
    "showdown", "surrender", "pot",
    "total",
)  # fmt: skip
"""Every wager or result key of the five games, each with a `settlement.<key>` of its own."""

_SETTLEMENT: Final = {
    **dict.fromkeys(SETTLEMENTS, "Payout error"),
    "aggregate": "Maximum aggregate payout not applied as approved",
    "balance": "Wins and losses at the table do not add up to zero",
}

_PROCEDURE: Final = {
    "deal.count": "Wrong number of cards in a hand",
    "setting.dealer": "Dealer's hand not set as the rules require",
    "setting.banker": "Banker's fouled hand not reset",
    "setting.cards": "Cards set are not the cards dealt",
    "setting.natural": "Hand declared as a natural is not one",
    "play.choice": "Decision that the rules do not allow",
    "play.draw": "Card drawn, or not drawn, against the rules",
    "approval.game": "Game not approved for this operator on that date",
    "approval.license": "No license in effect on that date",
    "approval.hours": "Dealt outside the approved hours",
}

_NOTICES: Final = {
    "limit.unverified": "No verified limit on file for that date",
    "irregular": "The rules do not say how to settle the round",
    "night.no_log": "No log submitted for the gambling day",
    "night.late_log": "Log submitted after the deadline in the controls",
    "night.gap": "Part of the night is missing from the log",
    "night.cash": "A table's cash and its rounds differ",
    "night.fund": "A jackpot's fund does not reconcile",
    "night.table_silent": "No rounds logged at a table named in the controls",
    "night.shoe": "A shoe dealt what one loading of its cards can't",
    "watch.cards": "Cards dealt are not what chance would deal",
    "watch.results": "A wager's results are not what chance would give",
    "watch.player": "A player's cards or results are not what chance would give",
    "watch.dealer": "A dealer's cards or results are not what chance would give",
    "watch.errors": "Payout errors favor one player",
    "document.pay_table": "Layout's pay table differs from the rules of play",
    "document.limit": "Limit in the controls conflicts with the law or with another limit",
    "document.citation": "Cited rule was not at that citation on that date",
}

TITLES: Final[Mapping[str, tuple[Severity, str]]] = {
    **{f"settlement.{key}": (Severity.MONEY, says) for key, says in _SETTLEMENT.items()},
    **{code: (Severity.PROCEDURE, says) for code, says in _PROCEDURE.items()},
    "fee.commission": (Severity.MONEY, "Commission is not the one in the rules"),
    "fee.rake": (Severity.MONEY, "Fee from the pot above what the rules or the law allow"),
    "limit.raises": (Severity.MONEY, "More raises on a street than allowed"),
    "limit.compact": (Severity.MONEY, "Wager above the compact's limit in effect on that date"),
    **{code: (Severity.NOTICE, says) for code, says in _NOTICES.items()},
}
