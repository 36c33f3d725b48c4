"""The form of a definition of the family `baccarat`."""

from __future__ import annotations

from typing import Any, Final

from games.definition.form import CLAUSE_ID, CLAUSES, DEFINITION, NAME, NAMES, WAGER, game_of
from games.definition.set_form import OUTCOME as OUTCOME_OF_SETS
from games.definition.shape import Flag, Key, ListOf, MapOf, Number, Odds, OneOf, Pattern, Table
from games.definition.shape import Type as ValueType

FAMILY: Final = "baccarat"
WINNERS: Final = ("player", "banker", "tie")
TOTALS: Final = ListOf(Number(0, 9), most=10, single=True)
SIZES: Final = ListOf(Number(2, 3), least=1, most=2, single=True)
DIGIT: Final = Pattern("[0-9]", "a total from 0 to 9")

REFERENCE: Final = """
# Games of the family `baccarat`

The family `baccarat` covers games in which all wagers are on two common hands, the player hand and
the banker hand. Complete examples are
[Mini-Baccarat](../../games/mini_baccarat/definition.toml), with its
[rules of play](../../games/mini_baccarat/rules.txt), and
[EZ Baccarat](../../games/ez_baccarat/definition.toml), with its
[rules of play](../../games/ez_baccarat/rules.txt). Outcomes, pay tables and rounding work as above;
a table that isn't listed here has the keys above.

1. **Totals.** Tens and court cards count 0, aces 1, all others their number. A hand's total is the
   last digit of the sum. The higher total wins.
2. **Drawing.** Each hand gets two cards. `draw` says which totals draw a third card. A total in
   `natural` ends the round for both hands. `draw.banker` says, by the banker hand's total, which
   values of the player hand's third card make the banker hand draw; a total that isn't listed
   stands. A round in which a rule was broken is settled on its cards as dealt.
3. **Tests** ask about both hands: `when = { winner = "banker", banker_cards = 3 }` passes if all of
   this is so. A list of such tables passes if any of them is so. The facts are
   `winner`, the totals, the numbers of cards, the `margin` between the totals, and whether the
   first two cards are a pair (of one rank) or a suited pair.
4. **Outcomes and pay tables** ask tests. An outcome has `when = { test = { tie = true } }`. A line
   of a pay table is paid if the test of its name passes, or the one that its `test` names.
5. **Commission** is a part of a win: `result = "win", commission = "1/20"` pays 19 to 20.
6. **Wagers that run over several rounds** have `runs`. The player chooses one of its `choices`;
   each has a test that must pass in every round. A round that passes a test in `skips` doesn't
   count. The wager's outcomes say what it wins in the round that completes the run; in a round
   that its choice does not win, it loses. The log has it in `carried`, from the round in which it
   was placed to the one that decides it.

## What the family `baccarat` can't express

Wagers on the cards of a shoe as a whole, on the suits of cards other than a pair's, or on another
player's wager; player banking; progressive jackpots; a maximum aggregate payout. A definition that
needs any of these is rejected, or can't be written; the game is then audited for everything but its
results.
"""


def _key(type_: ValueType, says: str) -> Key:
    return Key(type_, says)


def _option(type_: ValueType, says: str, default: Any = None) -> Key:
    return Key(type_, says, optional=True, default=default)


DEAL: Final = Table("deal of baccarat", {"clause": _key(CLAUSES, "the clauses on the deal")})
DRAW: Final = Table(
    "draw",
    {
        "natural": _key(TOTALS, "totals of two cards with which no hand draws"),
        "player": _key(TOTALS, "totals on which the player hand draws"),
        "banker_alone": _key(
            TOTALS, "totals on which the banker hand draws if the player hand stood"
        ),
        "banker": _key(
            MapOf(DIGIT, TOTALS, least=1, most=10),
            "by the banker hand's total: values of the player hand's third card on which the banker"
            " hand draws",
        ),
        "clause": _key(CLAUSES, "the clauses that require this"),
    },
)
FACTS: Final = Table(
    "facts",
    {
        "winner": _option(
            ListOf(OneOf(WINNERS), least=1, most=3, single=True), "which hand wins, or `tie`", ()
        ),
        "player_total": _option(TOTALS, "the player hand's total, or several", ()),
        "banker_total": _option(TOTALS, "the banker hand's total, or several", ()),
        "player_cards": _option(SIZES, "how many cards the player hand has", ()),
        "banker_cards": _option(SIZES, "how many cards the banker hand has", ()),
        "margin": _option(TOTALS, "how far apart the totals are, or several", ()),
        "player_pair": _option(Flag(), "whether the player hand's first two cards are a pair"),
        "banker_pair": _option(Flag(), "whether the banker hand's first two cards are a pair"),
        "player_suited_pair": _option(Flag(), "whether that pair also has one suit"),
        "banker_suited_pair": _option(Flag(), "whether that pair also has one suit"),
    },
)
TEST: Final = Table(
    "test of baccarat",
    {
        "when": _key(
            ListOf(FACTS, least=1, most=20, single=True), "what passes: any of these, if several"
        ),
        "clause": _option(CLAUSES, "the clauses that require this", ()),
    },
)
CONDITION: Final = Table(
    "when of baccarat",
    {
        "test": _option(MapOf(NAME, Flag()), "the result of a test", {}),
        "reading": _option(MapOf(CLAUSE_ID, NAMES), "the reading of an interpretation", {}),
    },
)
OUTCOME: Final = Table(
    "outcome of baccarat",
    {
        "when": _option(CONDITION, "all of these conditions; absent, in every other case"),
        **{
            key: OUTCOME_OF_SETS.keys[key]
            for key in ("result", "no_line", "rounding", "commission", "clause")
        },
    },
)
RUNS: Final = Table(
    "runs",
    {
        "rounds": _key(Number(2, 10), "how many rounds that count it runs over"),
        "choices": _key(
            MapOf(NAME, NAME, least=1, most=5), "by choice: the test that a round it wins passes"
        ),
        "skips": _option(NAMES, "tests of rounds that don't count", ()),
        "clause": _key(CLAUSES, "the clauses that require this"),
    },
)
LINE: Final = Table(
    "line of baccarat",
    {
        "pays": _key(Odds(), "what it pays to 1"),
        "test": _option(NAME, "the test that must pass; absent, the one of the line's name"),
    },
    short="pays",
)
PAY_TABLE: Final = Table(
    "pay_table of baccarat",
    {
        "lines": _key(
            MapOf(NAME, LINE, least=1, most=60), "its lines: the first whose test passes is paid"
        ),
        "clause": _option(CLAUSES, "the clauses that require this", ()),
    },
)
WAGER_KEYS: Final = {
    **{key: WAGER.keys[key] for key in ("says", "mandatory", "equals", "at_most", "pays_as")},
    "runs": _option(RUNS, "that it runs over several rounds, and how"),
    "outcomes": _key(ListOf(OUTCOME, least=1, most=60), "what it comes to: the first that applies"),
    "clause": WAGER.keys["clause"],
}
BACCARAT_DEFINITION: Final = Table(
    "definition of baccarat",
    {
        "game": Key(game_of(FAMILY), "which game this is"),
        **{key: DEFINITION.keys[key] for key in ("source", "clause", "interpretation")},
        "deal": _key(DEAL, "how the cards are dealt"),
        "draw": _key(DRAW, "when each hand takes a third card"),
        "test": _key(MapOf(NAME, TEST, least=1, most=60), "questions about both hands"),
        "wager": _key(
            MapOf(NAME, Table("wager of baccarat", WAGER_KEYS), least=1, most=20), "the wagers"
        ),
        "pay_table": _option(
            MapOf(NAME, MapOf(NAME, PAY_TABLE, least=1, most=40), most=20),
            "pay tables by wager and name; the first of a wager is used if none is chosen",
            {},
        ),
        **{key: DEFINITION.keys[key] for key in ("rounding", "void", "example")},
    },
)
