"""What the family `blackjack` provides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.definition.blackjack_build import build_blackjack
from games.definition.blackjack_check import check_blackjack
from games.definition.blackjack_form import BLACKJACK_DEFINITION
from games.definition.families import DefinitionForm
from games.families.blackjack.audit import audit_round
from games.families.blackjack.deal import break_draw, deal_round
from games.families.blackjack.explain import explain_seats
from games.families.blackjack.form import form_of_definition, read_round
from games.families.blackjack.program import compile_program
from games.families.blackjack.round import BlackjackRound
from games.families.blackjack.schema import line_schema
from games.families.family import Family

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition
    from games.families.stud.figures import WagerOdds
    from games.families.stud.program import Terms

REFERENCE: Final = """
# Games of the family `blackjack`

The family `blackjack` covers hands that draw cards against a dealer up to 21. Complete examples
are [Blackjack](../../games/blackjack/definition.toml), with its
[rules of play](../../games/blackjack/rules.txt), and
[Spanish 21](../../games/spanish_21/definition.toml), with its
[rules of play](../../games/spanish_21/rules.txt). Outcomes, pay tables and rounding work as above;
a table that isn't listed here has the keys above.

1. **Cards.** An ace counts one or eleven, tens and face cards count ten. Each seat and the dealer
   receive two cards. `without = "T"` removes a rank from each deck, and `or` lists other numbers of
   decks that the rules allow.
2. **Rules that a table may choose** (`soft_17`, `after_split`, `when` and the like) are a word, or
   the id of an interpretation whose readings are such words. Controls then choose for a table.
3. **The wager `main`** is the opening wager. Its outcomes apply to each hand with the wager that
   the hand has in the end, and its result is the sum. A double doubles the hand's wager. All other
   wagers are settled on the first cards, however the hand is played.
4. **Patterns** ask about cards: how many, their total, ranks and suits. A pay table's line is paid
   if the pattern or test of its name (or of its `hand`) holds: **the first line that fits**.
5. **Tests** that every hand has: `blackjack` (the first two cards, not of a split), `busted`,
   `surrendered`, `rescued`, `doubled`, `split` (it comes from a split or was split),
   `dealer_blackjack`, `dealer_busted`. Only `main` and bonuses may ask about a hand as played.
6. **Comparison.** `when = { compare = { dealer = "win" } }` asks how the hand compares with the
   dealer's. A blackjack is above every other 21, and a hand above 21 loses.
7. **The dealer** draws to 16 and stands on hard 17. Another card, or none where one is due, is
   `play.draw`. The dealer need not draw once no outcome of any hand depends on it.
8. **What is done with a hand** is `play.choice` if the rules don't allow it. The hand is settled as
   it was played.
9. **A bonus** pays fixed amounts for a hand, by the opening wager, and `envy_pays` to every other
   seat for each seat that wins it.

The edge of `main` is that of the best play of each hand, by its cards and the upcard, without
bonuses. Hands from a split are played as if only the first pair were gone, and their results are
added as if they were independent; the error given is a bound on that. Insurance is counted while an
ace is up. The other wagers are counted exactly.

## What the family `blackjack` can't express

Early surrender; a dealer without a hole card who takes only the opening wagers with a blackjack;
doubling for less; wagers on a hand as it was played, or on the dealer's final cards; cards that
count otherwise; progressive jackpots; a maximum aggregate payout. A definition that needs any of
these is rejected, or can't be written; the game is then audited for everything but its results.
"""


def _find_odds(definition: Definition, terms: Terms) -> Iterator[WagerOdds]:
    from games.families.blackjack.odds import find_odds  # NumPy and Numba load slowly

    return find_odds(definition, terms)


FAMILY: Final = Family(
    definition=DefinitionForm(
        table=BLACKJACK_DEFINITION,
        build=build_blackjack,
        check=check_blackjack,
        reference=REFERENCE,
    ),
    round_type=BlackjackRound,
    form_of_definition=form_of_definition,
    read_round=read_round,
    line_schema=line_schema,
    compile_program=compile_program,
    audit_round=audit_round,
    explain_seats=explain_seats,
    find_odds=_find_odds,
    deal_round=deal_round,
    break_draw=break_draw,
)
