"""Findings in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.judge.finding import weight

if TYPE_CHECKING:
    from games.judge.finding import Finding

WORDS: Final = {
    "settlement.aggregate": "The maximum aggregate payout is broken or misapplied.",
    "settlement.balance": "What was won and lost at the table does not add up to nothing.",
    "setting.dealer": "The dealer's hand is not set as the rules say.",
    "setting.banker": "The banker's hand fouls and was not set again.",
    "setting.cards": "The cards set are not exactly the cards dealt.",
    "setting.natural": "The natural declared is none.",
    "deal.count": "The hand has the wrong number of cards.",
    "deal.duplicate": "More copies of a card were dealt than the decks in play hold.",
    "deal.shoe": "The rules do not allow this number of decks.",
    "deal.alternation": "The two decks did not alternate.",
    "wager.missing": "A wager that nobody may leave out is missing.",
    "wager.relation": "A wager does not stand to another as the rules say.",
    "limit.table_min": "The wager is below the table's approved minimum.",
    "limit.table_max": "The wager is above the table's approved maximum.",
    "limit.wac": "The wager is above what the law allowed on that day.",
    "limit.compact": "The wager is above what the compact allowed on that day.",
    "limit.unverified": "No verified limit is on file for that day.",
    "limit.unit": "The unit played for is above ten dollars.",
    "limit.players": "More, or fewer, players sit at the table than may.",
    "bank.cover": "The bank does not cover the wagers against it.",
    "bank.turn": "A player banked in two rounds that follow each other.",
    "bank.house_wager": "The house wagered more against the bank than it may.",
    "bank.wager": "The banker's own wagers are not as the rules say.",
    "void.reason": "The round is void without a reason that the rules or the controls name.",
    "void.result": "The round is void, and yet something was won or lost.",
    "approval.game": "The game was not approved there on that day.",
    "approval.controls": "The approved controls do not name what was played.",
    "approval.licence": "There was no licence for this on that day.",
    "approval.hours": "Dealt outside the approved hours.",
    "log.sequence": "The table's rounds run backwards in time, or a round's id is repeated.",
    "irregular": "The rules give no settlement for what was logged.",
}
"""What each finding of a round says; `settlement.<key>` is said with its amounts."""


def finding_in_words(finding: Finding) -> str:
    """A finding as a sentence or two, amounts in dollars."""
    if finding.code in WORDS:
        return WORDS[finding.code] + _logged_and_expected(finding)
    logged, expected = int(finding.logged or 0), int(finding.expected or 0)
    much = "too much" if finding.delta > 0 else "too little"
    return (
        f"The log has {in_dollars(logged)}, the rules give {in_dollars(expected)}: "
        f"{in_dollars(abs(finding.delta))} {much}."
    )


def heading(finding: Finding) -> str:
    """Code, weight and place of a finding."""
    seat = f", seat {finding.seat}" if finding.seat is not None else ""
    wager = f", {finding.wager}" if finding.wager is not None else ""
    return f"{finding.code} ({weight(finding.code)}{seat}{wager})"


def _logged_and_expected(finding: Finding) -> str:
    said = [
        f"{word} {_shown(finding, value)}"
        for word, value in (("logged", finding.logged), ("expected", finding.expected))
        if value is not None
    ]
    return f" ({', '.join(said)})" if said else ""


def _shown(finding: Finding, value: int | str) -> str:
    """Amounts in dollars; numbers of cards, decks or players as they are."""
    if isinstance(value, str) or finding.code in {"limit.players", "deal.count", "deal.shoe"}:
        return str(value)
    return in_dollars(value)
