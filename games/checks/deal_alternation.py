"""deal.alternation: where two decks take turns, the same one twice in a row, or a third (P2-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.findings import Finding, Severity, cites
from games.kernel import compiled, kernel
from games.strict_json import visible
from games.terms import DECK, FIRST_DECK, SECOND_DECK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnsBefore, Terms

CODE: Final = "deal.alternation"
SEVERITY: Final = Severity.PROCEDURE
TITLE: Final = "The two decks did not alternate"

ALTERNATING: Final = "pick-2-poker"
"""The game in which two decks take turns."""


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for a deck out of turn, if two are known to be in use (P2-I8)."""
    deck = _deck(round_, terms)
    if deck is None:
        return
    if terms.decks is not None:  # the log was read to its end
        if terms.decks.two and (terms.decks.third or terms.before.deck == deck):
            yield _finding(deck, is_third=terms.decks.third)
        return
    names = terms.before.decks if deck in terms.before.decks else (*terms.before.decks, deck)
    if deck in names[2:]:
        yield _finding(deck, is_third=True)
    elif terms.before.deck == deck and len(names) > 1:
        yield _finding(deck, is_third=False)


def if_two_decks(round_: Round, terms: Terms) -> Finding | None:
    """Return the finding for the same deck twice while no other one has appeared in the log.

    It is wrong only if another one does later.
    """
    deck = _deck(round_, terms)
    if deck is None or terms.decks is not None or terms.before.deck != deck:
        return None
    only = all(name == deck for name in terms.before.decks)
    return _finding(deck, is_third=False) if only else None


def _deck(round_: Round, terms: Terms) -> str | None:
    """Return the round's deck if it must take turns."""
    if round_.game != ALTERNATING or not round_.shuffler or terms.before.after_rejection:
        return None
    return round_.deck


def _finding(deck: str, *, is_third: bool) -> Finding:
    return Finding(
        CODE,
        logged=visible(deck[:64]),
        expected="one of the table's two decks" if is_third else "the other deck",
        cites=cites("P2-1", "P2-I8"),
    )


@kernel
def keep_alternating(tables: Any, deck: Any, alternates: Any, carried: Any, certain: Any) -> None:
    """Keep certain only rounds whose deck is certainly the other one of two.

    Rounds with a deck's first appearance aren't, because settling keeps the names of the decks.
    """
    for row in range(certain.size):
        table = tables[row]
        if alternates[row] and deck[row] >= 0:
            if carried[FIRST_DECK, table] < 0:
                carried[FIRST_DECK, table] = deck[row]
                certain[row] = 0
            elif carried[FIRST_DECK, table] != deck[row]:
                if carried[SECOND_DECK, table] < 0:
                    carried[SECOND_DECK, table] = deck[row]
                    certain[row] = 0
                elif carried[SECOND_DECK, table] != deck[row]:
                    certain[row] = 0
            if carried[DECK, table] == deck[row]:
                certain[row] = 0
        carried[DECK, table] = deck[row]


def screen_before(_columns: Columns, before: ColumnsBefore, certain: Certain) -> None:
    """Keep certain only rounds whose deck is the other one."""
    if before.deck is None:
        return
    if before.third_deck is not None:
        certain[before.third_deck] = 0
    compiled(keep_alternating)(
        before.tables, before.deck, before.alternates, before.carried, certain
    )


def plant(scene: Scene) -> Fault | None:
    """Use the deck of the round before again, or a third one."""
    if scene.deck_before is None:
        return None
    line = scene.altered()
    line["deck"] = scene.chance.choice((scene.deck_before, "green"))
    what = f"the {scene.deck_before} deck was used twice running"
    if line["deck"] != scene.deck_before:
        what = "a third deck was used, beside the two that take turns"
    return scene.fault(line, what, (CODE, None, None))
