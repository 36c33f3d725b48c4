"""The form of a definition of the family `versus` in which players bet against each other."""

from __future__ import annotations

from typing import Final

from games.definition.form import (
    CLAUSE_ID,
    CLAUSES,
    DEFINITION,
    NAME,
    RANKING,
    game_of,
)
from games.definition.shape import Flag, Key, ListOf, MapOf, Number, Odds, Pattern, Table, Text

FAMILY: Final = "versus"

STRUCTURES: Final = ("spread", "fixed")
OPENINGS: Final = ("blind", "bet")
SHORT_ALL_INS: Final = ("total", "each", "half", "any")
SINGLE_WAGERS: Final = ("increase", "total")
CHIPS: Final = {"cent": 1, "quarter": 25, "half_dollar": 50, "dollar": 100}
ODD_CHIPS: Final = ("first", "each", "high_card")
FEE_BASES: Final = ("called", "all")

WAY: Final = Pattern(CLAUSE_ID.regex, "a way, or the id of an interpretation")


def _option(type_: object, says: str, default: object = None) -> Key:
    return Key(type_, says, optional=True, default=default)  # type: ignore[arg-type]


def _way(says: str, default: str) -> Key:
    asks = "or the id of an interpretation whose readings are among these"
    return _option(WAY, f"{says}, {asks}", default)


_CLAUSE: Final = Key(CLAUSES, "the clauses that require this")

STREET: Final = Table(
    "street",
    {
        "id": Key(NAME, "its name in round logs"),
        "community": _option(Number(1, 5), "community cards that are dealt before it", 0),
    },
)
DEAL: Final = Table(
    "deal of a betting game",
    {
        "cards": Key(Number(1, 7), "cards dealt to each player"),
        "clause": Key(CLAUSES, "the clauses on the deal"),
    },
)
HAND: Final = Table(
    "hand of a betting game",
    {
        "ranking": Key(NAME, "the order that ranks the player's and the community's cards"),
        "own": _option(
            Number(1, 5), "how many cards of the player's own it must have; absent, any number"
        ),
        "show_clause": Key(CLAUSES, "the clauses on showing hands and on hands not shown"),
        "clause": _CLAUSE,
    },
)
BLINDS: Final = Table(
    "blinds",
    {
        "ante": _option(Flag(), "whether players may put in an ante", default=False),
        "clause": Key(CLAUSES, "the clauses on antes and blinds"),
    },
)
RAISES: Final = Table(
    "raises",
    {
        "most": _option(Number(0, 100), "raises on a street after the bet; absent, any number"),
        "opening": _way(
            "what is raised first on the street with blinds: the big `blind`, or only a `bet`"
            " after it",
            "blind",
        ),
        "short_all_in": _way(
            "which all-in wager of less than a full raise lets those who acted raise again:"
            " `total` (several that come to a full raise), `each` (none), `half` (half a raise or"
            " more), `any`",
            "total",
        ),
        "clause": _CLAUSE,
    },
)
BETTING: Final = Table(
    "betting",
    {
        "says": Key(Text(300), "what a single wager is, in a sentence"),
        "structure": _way(
            "`spread` (any amount from the big blind; without a table's maximum, no limit) or"
            " `fixed` (the table's minimum on the first half of the streets, then its maximum)",
            "spread",
        ),
        "single_wager": _way(
            "what limits on a single wager limit: the `increase` of a bet or raise, or the `total`"
            " that a player has put in on the street",
            "increase",
        ),
        "clause": Key(CLAUSES, "the clauses on turns, wagers and their amounts"),
    },
)
POT: Final = Table(
    "pot",
    {
        "chip": _way(
            "the smallest amount into which a pot is divided: `cent`, `quarter`, `half_dollar` or"
            " `dollar`",
            "cent",
        ),
        "odd_chips": _way(
            "who gets the chips that are left over: the `first` winner left of the button all of"
            " them, `each` one chip in that order, or the winner with the `high_card`",
            "first",
        ),
        "odd_clause": Key(CLAUSES, "the clauses on chips that are left over"),
        "clause": Key(CLAUSES, "the clauses on pots, side pots and wagers not called"),
    },
)
FEE: Final = Table(
    "fee",
    {
        "portion": _option(Odds(), 'the most, as a part of the pots: "1/10"'),
        "most": _option(Number(0, 10**9), "the most, in cents; with a portion, the lesser applies"),
        "of": _way(
            "the pots of which it is a part: wagers that were `called`, or `all` wagers", "called"
        ),
        "clause": _CLAUSE,
    },
)
BETTING_DEFINITION: Final = Table(
    "definition of a betting game",
    {
        "game": Key(game_of(FAMILY), "which game this is"),
        **{key: DEFINITION.keys[key] for key in ("source", "clause", "interpretation")},
        "deal": Key(DEAL, "what is dealt"),
        "street": Key(ListOf(STREET, least=1, most=8), "betting rounds, in order"),
        "ranking": _option(MapOf(NAME, RANKING, most=20), "orders of hands of this game", {}),
        "hand": Key(HAND, "how hands are ranked at the showdown"),
        "betting": Key(BETTING, "how players bet"),
        "blinds": Key(BLINDS, "what is put in before the deal"),
        "raises": Key(RAISES, "how often a street may be raised"),
        "pot": Key(POT, "how pots are made and divided"),
        "fee": _option(MapOf(NAME, FEE, most=2), "fees from the pots: `rake` and `jackpot`", {}),
        **{key: DEFINITION.keys[key] for key in ("void", "example")},
    },
)
