"""deal.shoe: a number of decks that the rules don't allow."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from games.findings import Finding, Severity, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnTerms, Terms

CODE: Final = "deal.shoe"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Number of decks not allowed by the rules"

DECK_CLAUSE: Final = {
    "pyramid-poker": "PP-1",
    "chinese-poker": "CP-1",
    "pick-2-poker": "P2-1",
    "showdown": "SD-1",
    "casino-version": "CV-1",
}


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for a number of decks that isn't allowed."""
    decks = terms.rules.decks
    if round_.decks is not None and round_.played and not decks.allows(round_.decks):
        yield Finding(
            CODE,
            logged=f"{round_.decks} decks",
            expected=f"{decks.number}{' or more' if decks.or_more else ''} decks",
            cites=cites(DECK_CLAUSE[round_.game]),
        )


def screen(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds with an allowed number of decks, or none logged."""
    logged, decks = columns.rounds.numbers["decks"], terms.rules.decks
    wrong = logged < decks.number if decks.or_more else logged != decks.number
    certain[wrong & (logged != 0)] = 0


def plant(scene: Scene) -> Fault | None:
    """Log a number of decks that the rules don't allow."""
    line = scene.altered()
    rules = scene.setup.rules(scene.game).decks
    decks = rules.number - 1 if rules.or_more else rules.number + 1
    if max(Counter(card for card in scene.cards(line) if card != "Jo").values()) > decks:
        return None
    line["decks"] = decks
    return scene.fault(line, f"dealt from {decks} decks", (CODE, None, None))
