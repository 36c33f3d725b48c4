"""What the family `versus` provides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.definition.betting_build import build_betting, check_betting
from games.definition.betting_form import BETTING_DEFINITION
from games.definition.families import DefinitionForm
from games.families.family import Family
from games.families.versus.audit import audit_round
from games.families.versus.deal import deal_round
from games.families.versus.explain import explain_seats
from games.families.versus.faults import FAULTS
from games.families.versus.form import form_of_definition, read_round
from games.families.versus.program import compile_program
from games.families.versus.round import VersusRound
from games.families.versus.schema import line_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition
    from games.families.stud.figures import WagerOdds
    from games.families.stud.program import Terms

REFERENCE: Final = """
# Games of the family `versus`

The family `versus` covers poker between players: blinds, betting, pots and a showdown. A complete
example is [Texas Hold'em](../../games/texas_holdem/definition.toml), with its
[rules of play](../../games/texas_holdem/rules.txt). A table that isn't listed here has the keys
above. (Games settled by their names, below, may name this family, too.)

1. **Wagers.** The only wager is called `bet`. A table's limits name it: its minimum and maximum
   limit each bet and raise; at a fixed table, they are the two amounts of bets. What was wagered is
   in the round's `actions`. The only result is `pot`.
2. **Ways.** Where a key takes a way or an interpretation's id, the rules do it always in that way,
   or as the interpretation chosen says. The readings must have the names of the ways.
3. **Actions** that the rules don't allow are findings (`play.choice`). They then count as logged.
4. **Pots.** A wager that nobody called goes back. Each pot has the seats that can win it; the best
   hand shown wins. Fees come from the main pot first. The ante of one player alone belongs to the
   main pot, whatever that player has left.
5. **Fees.** `fee.rake` and `fee.jackpot` state the most that may be taken. The law may allow less
   on a date: then the law's limit applies, and the finding cites it.

Players play each other, so the house has no edge and there are no odds.

## What the family `versus` can't express

Cards exchanged or dealt face up to players; high and low halves of a pot; several boards; bets of
at most the pot; straddles and missed blinds; prizes of a jackpot, and what its fund contains. A
definition that needs any of these can't be written; the game is then audited for everything but
its results.
"""


def _find_odds(_definition: Definition, _terms: Terms) -> Iterator[WagerOdds]:
    """Players play each other: there is nothing to state."""
    return iter(())


FAMILY: Final = Family(
    definition=DefinitionForm(
        table=BETTING_DEFINITION,
        build=build_betting,
        check=check_betting,
        reference=REFERENCE,
    ),
    round_type=VersusRound,
    form_of_definition=form_of_definition,
    read_round=read_round,
    line_schema=line_schema,
    compile_program=compile_program,
    audit_round=audit_round,
    explain_seats=explain_seats,
    find_odds=_find_odds,
    deal_round=deal_round,
    faults=FAULTS,
)
