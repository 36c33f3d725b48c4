"""deal.second_deck: two decks take turns although only one is allowed without a machine (P2-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.checks.deal_alternation import ALTERNATING
from games.findings import Finding, Severity, cites
from games.kernel import compiled, kernel
from games.strict_json import visible
from games.terms import HAND_DECK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnsBefore, Terms

CODE: Final = "deal.second_deck"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "Two decks taken in turn without a shuffling machine"


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for a deck that returns after another was used on the same day."""
    if round_.game != ALTERNATING or round_.shuffler or round_.deck is None:
        return
    names = [name for _, name in terms.before.hand_decks]  # of that day
    if round_.deck in names[:-1]:
        yield Finding(
            CODE,
            logged=visible(round_.deck[:64]),
            expected=visible(names[-1][:64]),
            cites=cites("P2-1"),
        )


NO_DECK: Final = -2
"""Carried after a round that was not dealt by hand from a deck that the log names."""


@kernel
def keep_one_deck(tables: Any, deck: Any, shuffler: Any, carried: Any, certain: Any) -> None:
    """Keep certain only rounds dealt like the one before: by hand from its deck, or not so.

    Settling keeps the names of the decks, so it gets every round with which they may change.
    """
    for row in range(certain.size):
        table = tables[row]
        named = deck[row] if shuffler[row] == 0 and deck[row] >= 0 else NO_DECK
        if carried[HAND_DECK, table] != -1 and carried[HAND_DECK, table] != named:
            certain[row] = 0
        carried[HAND_DECK, table] = named


def screen_before(columns: Columns, before: ColumnsBefore, certain: Certain) -> None:
    """Keep certain only rounds in which the deck stays the same."""
    if before.deck is not None:
        shuffler = columns.rounds.numbers["shuffler"]
        compiled(keep_one_deck)(before.tables, before.deck, shuffler, before.carried, certain)


def plant(scene: Scene) -> Fault | None:
    """Bring back a deck that was replaced earlier in the day."""
    if not scene.decks_replaced:
        return None
    line = scene.altered()
    line["deck"] = scene.chance.choice(scene.decks_replaced)
    what = f"the {line['deck']} deck came back, which another had replaced"
    return scene.fault(line, what, (CODE, None, None))
