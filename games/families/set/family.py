"""What the family `set` provides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.definition.families import DefinitionForm
from games.definition.set_build import build_sets
from games.definition.set_check import check_sets
from games.definition.set_form import SET_DEFINITION
from games.families.family import Family
from games.families.set.audit import audit_round
from games.families.set.deal import deal_round
from games.families.set.explain import explain_seats
from games.families.set.faults import FAULTS
from games.families.set.form import form_of_definition, read_round
from games.families.set.program import compile_program
from games.families.set.round import SetRound
from games.families.set.schema import line_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition
    from games.families.set.program import SetProgram
    from games.families.set.screen import SetScreen
    from games.families.stud.figures import WagerOdds
    from games.families.stud.program import Terms
    from games.setup import Setup

REFERENCE: Final = """
# Games of the family `set`

The family `set` covers hands that are set into parts against a dealer, or a player who banks. A
complete example is [Pai Gow Poker](../../games/pai_gow_poker/definition.toml), with its
[rules of play](../../games/pai_gow_poker/rules.txt). Outcomes, pay tables and rounding work as
above; a table that isn't listed here has the keys above.

1. **Parts.** Each `part` has as many cards as its ranking, lowest part first. Every part must be as
   high as the one before, by the names of the last part's ranking, or the hand is *fouled*. A
   player's fouled hand is legal and meets `when = { fouled = true }`. A banker's is set again by
   the house way.
2. **The joker** is written `Jo`, also in parts: the rules say what it is. As `limited`, it is the
   best of an ace and of any card that completes a straight, a flush or a straight flush; in a flush
   it is the highest card that is missing. As `wild`, it is any card.
3. **Names of hands.** Beside those above, a ranking may have `five_of_a_kind`; and for hands of all
   cards dealt `all_straight_flush` (all cards together, no joker), `all_straight_flush_with_joker`,
   and, of seven cards, `royal_match` (a royal flush beside a king and queen of another suit). A
   pay table reads the best name of its hand's ranking: give the fortune-like wager a ranking of its
   own if its table pays a lower hand more.
4. **The house way** is a list of rules. The first rule applies that any set in order satisfies:
   `best` bounds the best hand of all the cards, `parts` bounds each part. Of the sets that satisfy
   it, the one whose part in `prefer` is highest is the house's; the next part decides among equals.
   So `parts = { low = { at_least = "pair" } }, prefer = "high"` splits two pairs, and
   `parts = { high = { at_least = "pair" } }, prefer = "low"` keeps a pair and makes the low hand as
   high as it can be. The last rule has no bounds. Bounds name a hand and its leading ranks:
   `{ hand = "two_pairs", ranks = "6" }` as `at_most` is sixes and lower.
5. **Comparison.** `when = { compare = { low = "win" } }` asks how the player's part compares with
   the dealer's or banker's. Equal parts tie; outcomes say who has them.
6. **Tests** may ask about a part (`low`), the dealer's or banker's (`dealer_low`), or a `hand` of
   all cards.
7. **Commission** is a part of a win: `result = "win", commission = "1/20"` pays 19 to 20.
8. **A player's bank** is paid and pays in full; its commission is on what it won in the round. The
   wager against it is called `main`. The house's own hand plays against it, set the house way.
9. **Envy** pays fixed amounts for every other player's hand that fits a line of the wager's table.
   Its name is its key in `result`.

Odds are those of a player who sets by the house way. A wager on the player's own cards alone is
counted exactly.

## What the family `set` can't express

Two jokers, or a joker among several decks; hands of more than three cards from several decks; more
than 1,000 ways to set a hand; wagers on the dealer's hand with another player's; progressive
jackpots; a maximum aggregate payout. A definition that needs any of these is rejected, or can't be
written; the game is then audited for everything but its results.
"""


def _find_odds(definition: Definition, terms: Terms) -> Iterator[WagerOdds]:
    from games.families.set.odds import find_odds  # NumPy and Numba load slowly

    return find_odds(definition, terms)


def _make_screen(program: SetProgram, setup: Setup) -> SetScreen:
    from games.families.set.screen import SetScreen  # NumPy and Numba load slowly

    return SetScreen(program, setup)


FAMILY: Final = Family(
    definition=DefinitionForm(
        table=SET_DEFINITION, build=build_sets, check=check_sets, reference=REFERENCE
    ),
    round_type=SetRound,
    form_of_definition=form_of_definition,
    read_round=read_round,
    line_schema=line_schema,
    compile_program=compile_program,
    audit_round=audit_round,
    explain_seats=explain_seats,
    find_odds=_find_odds,
    make_screen=_make_screen,
    deal_round=deal_round,
    faults=FAULTS,
)
