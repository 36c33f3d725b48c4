"""Glossary of terms in Title 230 WAC, along with the product's own."""

from __future__ import annotations

from typing import Final, NamedTuple


class Term(NamedTuple):
    """A term, its meaning and its source; the product's own terms have no source."""

    word: str
    means: str
    source: str = ""


GLOSSARY: Final = (
    Term(
        "Administrative charges",
        "The director's written statement of what a licensee is said to have violated, which opens "
        "the way to a hearing. The last of the levels that an agent may recommend.",
        "WAC 230-17-005, 230-17-137",
    ),
    Term(
        "Aggregate payout limit",
        "The most that a house pays all players together on the winning wagers of one deal, for "
        "prizes that are paid by odds. It is approved, and shown on the layout or a sign.",
        "WAC 230-15-490",
    ),
    Term(
        "Apparent violation",
        "What a difference is called until an agent has decided what it is. The software alone "
        "calls nothing a violation.",
    ),
    Term(
        "Approved rules",
        "The rules of play of a game as the commission approved them. They rank before the house's "
        "own rules, and after the code itself.",
        "WAC 230-15-065",
    ),
    Term(
        "Business day",
        "A day other than a Saturday, a Sunday or a legal holiday. Periods of fewer than seven "
        "days count only these.",
        "WAC 230-06-051",
    ),
    Term(
        "Carryover pot",
        "A pot that carries over to the next game until it is won, for at most ten games.",
        "WAC 230-15-040",
    ),
    Term(
        "Case",
        "The evidence on an apparent violation, under a number such as CR 2026-00001.",
    ),
    Term(
        "Cause",
        "What predicts the logged results of an issue to the cent: other odds of a line, another "
        "interpretation or pay table, a rounding, a swap. It lists its exceptions. It explains; it "
        "excuses nothing.",
    ),
    Term(
        "Class F",
        "An endorsement of a card room without house-banked games, for fees by the hand or by the "
        "pot and for player-supported jackpots.",
        "WAC 230-03-178",
    ),
    Term("Code", "The name of a kind of difference in programs, such as settlement.three_card."),
    Term(
        "Compact",
        "The agreement of a tribe and the state by which the tribe's operation runs card games. "
        "Its limits come from it, not from Title 230 WAC.",
    ),
    Term(
        "Concurrence",
        "The commission's consent to a game that a tribe's gaming agency has approved.",
    ),
    Term(
        "Due",
        "The last day to decide an issue by our house rule: three business days if money is "
        "involved, six for procedure, fourteen days for a notice.",
    ),
    Term(
        "Finding",
        "One difference between a round as logged and as the rules settle it.",
    ),
    Term(
        "Fixed prize",
        "A prize of an amount that does not depend on the wager.",
        "WAC 230-15-187",
    ),
    Term(
        "Second approval",
        "Above a set amount, two people close an issue: one proposes, another agrees.",
    ),
    Term(
        "Gambling day",
        "The day of play by which logs, counts and reports are kept. It begins and ends by the "
        "house's hours, so that a night is one day.",
    ),
    Term(
        "House-banked",
        "A game in which players play against the house, which pays and collects.",
        "WAC 230-15-140",
    ),
    Term(
        "House Way",
        "How the dealer sets the house's hand by the approved rules.",
    ),
    Term(
        "Internal controls",
        "How a house keeps its money, its people and its games in order, in writing and approved "
        "by the commission. They are followed at all times, and changed only with approval.",
        "WAC 230-15-425, 230-15-430, 230-15-440",
    ),
    Term(
        "Layout",
        "The printed felt of a table, with its betting spots and often its pay tables.",
    ),
    Term(
        "Licensee",
        "A person or business with a license of the commission, such as a card room operator.",
    ),
    Term(
        "Notice of infraction",
        "One of the levels an agent may recommend, above a written warning.",
        "WAC 230-17-137",
    ),
    Term(
        "Notice of violation and settlement",
        "One of the levels an agent may recommend, above a notice of infraction.",
        "WAC 230-17-137",
    ),
    Term(
        "Odds-based prize",
        "A prize that is a multiple of the wager.",
        "WAC 230-15-490",
    ),
    Term(
        "Issue",
        "Findings with one cause at one operator and game, across tables, wagers and nights.",
    ),
    Term(
        "Player-supported jackpot",
        "A jackpot of a nonhouse-banked game that players pay into.",
        "WAC 230-15-390, 230-15-405",
    ),
    Term(
        "Progressive prize",
        "A prize that grows with what is wagered until it is won.",
        "WAC 230-15-690",
    ),
    Term(
        "Release",
        "Show an issue to its operator. Decisions and notes stay with the commission.",
    ),
    Term(
        "Separate game",
        "A game on the same hand with an objective, a wager and a prize of its own. The rules name "
        "each one.",
        "WAC 230-15-040",
    ),
    Term("Shift", "The last twelve hours: as long as a night at the card rooms."),
    Term(
        "Single wager",
        "What is bet on one decision, before more cards are dealt or shown. The cap is on each "
        "one, not on their sum.",
        "WAC 230-15-140",
    ),
    Term(
        "Swap of games",
        "A change of the games that a house offers: proposed in writing, approved verbally or in "
        "writing, and verified by staff at their next visit.",
        "WAC 230-15-440(2)",
    ),
    Term(
        "Tribal gaming agency",
        "The tribe's own regulator. Its operation asks it first.",
    ),
    Term(
        "Verbal warning, written warning",
        "The two lowest of the levels that an agent may recommend.",
        "WAC 230-17-137",
    ),
    Term(
        "Wagering area",
        "A place on the layout for the wagers of one player; there are nine at most, all alike.",
        "WAC 230-15-040(2)",
    ),
    Term(
        "Waiver",
        "An agent's decision that nothing is done about an issue until a date.",
    ),
)
