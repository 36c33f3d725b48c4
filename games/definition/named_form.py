"""The form of a definition of the families `set` and `versus`, which settle games by their names.

How hands are set and compared is the code of each game; a definition provides everything else.
"""

from __future__ import annotations

from typing import Final

from games.definition.form import (
    CLAUSE,
    CLAUSE_ID,
    CLAUSES,
    EXAMPLE,
    NAME,
    ROUNDING,
    SOURCE,
)
from games.definition.named_games import NAMED_FAMILIES, NAMED_GAMES
from games.definition.shape import (
    Flag,
    Key,
    ListOf,
    MapOf,
    Number,
    Odds,
    OneOf,
    Pattern,
    Table,
    Text,
)

MOST_TO_ONE: Final = 100_000
SCORING_NAME: Final = Pattern("[a-z0-9][a-z0-9_-]{0,31}", "a name, or digits joined by -")

_CITE: Final = Key(CLAUSE_ID, "the clause that says so")
_POINTS: Final = Number(0, MOST_TO_ONE)

DECK: Final = Table(
    "deck of a named game",
    {
        "decks": Key(Number(1, 12), "how many decks of 52 cards"),
        "or_more": Key(Flag(), "whether more decks may be used", optional=True, default=False),
        "jokers": Key(Number(0, 4), "how many jokers among them", optional=True, default=0),
    },
)
GAME: Final = Table(
    "named game",
    {
        "slug": Key(OneOf(tuple(NAMED_GAMES)), "the game, as named in round logs"),
        "name": Key(Text(80), "the game's name for people"),
        "family": Key(OneOf(NAMED_FAMILIES), "the family of play that settles it"),
        "deck": Key(DECK, "the cards it is dealt from"),
        "clause": Key(CLAUSES, "the clauses on the deck", optional=True, default=()),
    },
)
INTERPRETATION: Final = Table(
    "interpretation of a named game",
    {
        "asks": Key(Text(), "the question that the rules leave open"),
        "readings": Key(
            MapOf(NAME, Text(), least=1, most=12),
            "the possible answers, by the names that the family knows, in words",
        ),
        "default": Key(NAME, "the reading that the filter uses if nothing else is chosen"),
        "affects_money": Key(
            Flag(),
            "whether the answer changes what is paid; then an approval must choose it",
            optional=True,
            default=True,
        ),
        "clause": Key(
            CLAUSES, "the clauses that leave the question open", optional=True, default=()
        ),
    },
)
WAGER: Final = Table(
    "wager of a named game",
    {
        "says": Key(Text(300), "what it is, in a sentence"),
        "mandatory": Key(Flag(), "whether every hand must have it", optional=True, default=False),
        "clause": Key(CLAUSES, "the clauses on placing it", optional=True, default=()),
    },
)
PAY_TABLE: Final = Table(
    "pay_table of a named game",
    {
        "lines": Key(
            MapOf(NAME, Odds(), least=1, most=60), "what each line pays to 1, best line first"
        ),
        "clause": _CITE,
    },
)
POINTS: Final = Table(
    "points",
    {
        "lines": Key(MapOf(NAME, _POINTS, least=1, most=60), "the points of each winning hand"),
        "clause": _CITE,
    },
)
SCORING: Final = Table(
    "scoring",
    {
        "says": Key(Text(300), "how it scores, in a sentence"),
        "each_hand": Key(_POINTS, "units for each hand won"),
        "two_hands": Key(_POINTS, "units for winning two of three hands, but not all three"),
        "all_three": Key(_POINTS, "units for winning all three hands"),
        "clause": _CITE,
    },
)
LAYOUT: Final = Table(
    "layout",
    {
        "lines": Key(
            MapOf(NAME, _POINTS, least=1, most=60), "lines that the drawing prints otherwise, to 1"
        ),
        "clause": _CITE,
    },
)
NAMED_DEFINITION: Final = Table(
    "definition of a named game",
    {
        "game": Key(GAME, "which game this is"),
        "source": Key(MapOf(NAME, SOURCE, least=1, most=40), "the filed documents"),
        "clause": Key(ListOf(CLAUSE, least=1, most=400), "the clauses that findings cite"),
        "interpretation": Key(
            MapOf(CLAUSE_ID, INTERPRETATION, most=60), "open questions and their readings"
        ),
        "wager": Key(MapOf(NAME, WAGER, most=20), "the wagers", optional=True, default={}),
        "pay_table": Key(
            MapOf(NAME, MapOf(NAME, PAY_TABLE, least=1, most=40), most=20),
            "pay tables by their key and name; the first name is used if none is chosen",
            optional=True,
            default={},
        ),
        "rounding": Key(
            ROUNDING,
            "how a payout is rounded that isn't whole cents; what several pay tables of a wager"
            " pay is rounded together",
            optional=True,
        ),
        "points": Key(
            MapOf(NAME, POINTS, most=20), "what winning hands score", optional=True, default={}
        ),
        "scoring": Key(
            MapOf(SCORING_NAME, SCORING, most=20),
            "ways to score, by the names that round logs use",
            optional=True,
            default={},
        ),
        "layout": Key(
            MapOf(NAME, LAYOUT, most=20),
            "what a layout drawing prints otherwise, by pay table: evidence, never paid",
            optional=True,
            default={},
        ),
        "example": Key(
            ListOf(EXAMPLE, most=200),
            "worked examples, checked at filing",
            optional=True,
            default=(),
        ),
    },
)
