"""The form of a definition of the family `set`: what it has beside every family's tables."""

from __future__ import annotations

from typing import Final

from games.definition.form import (
    CLAUSE_ID,
    CLAUSES,
    DEFINITION,
    ENVY,
    HAND_NAMES,
    HAND_SPEC,
    NAME,
    NAMES,
    RESULT,
    ROUNDING,
    WAGER,
    game_of,
    outcome_of,
)
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

FAMILY: Final = "set"

SET_HAND_NAMES: Final = (
    *HAND_NAMES, "five_of_a_kind", "all_straight_flush", "all_straight_flush_with_joker",
    "royal_match",
)  # fmt: skip
"""Names of hands that a ranking of this family may put in order."""

LIMITED, WILD = "limited", "wild"
PLACES_OF_LOW_STRAIGHT: Final = ("lowest", "second")


def _option(type_: object, says: str, default: object = None) -> Key:
    return Key(type_, says, optional=True, default=default)  # type: ignore[arg-type]


CONDITION: Final = Table(
    "when of sets",
    {
        "fouled": _option(Flag(), "whether the player's parts are out of order"),
        "compare": _option(
            MapOf(NAME, ListOf(OneOf(("win", "tie", "lose")), least=1, most=3, single=True)),
            "how parts compare with the dealer's or banker's, from the player's side",
            {},
        ),
        "test": _option(MapOf(NAME, Flag()), "the result of a test", {}),
        "reading": _option(MapOf(CLAUSE_ID, NAMES), "the reading of an interpretation", {}),
    },
)
OUTCOME: Final = outcome_of(
    "outcome of sets",
    CONDITION,
    {
        "commission": _option(
            Odds(),
            'the part of the winnings that the house keeps, such as "1/20"; what is left is the'
            " result, and it is rounded",
        )
    },
)
OUTCOMES: Final = Key(ListOf(OUTCOME, least=1, most=60), "what it comes to: the first that applies")
RANKING: Final = Table(
    "ranking of sets",
    {
        "cards": Key(Number(1, 7), "how many cards make a hand: the best of those there are"),
        "order": Key(ListOf(OneOf(SET_HAND_NAMES), least=1, most=13), "names of hands, best first"),
        "low_straight": _option(
            Pattern(CLAUSE_ID.regex, "`lowest`, `second` or an interpretation's id"),
            "where the straight from the ace up (A-2-3-4-5) ranks: `lowest`, `second` (below only"
            " the highest), or an interpretation with these two readings",
            "lowest",
        ),
        "clause": _option(CLAUSES, "the clauses that require this", ()),
    },
)
PART: Final = Table(
    "part",
    {
        "id": Key(NAME, "its name"),
        "ranking": Key(NAME, "the order that ranks it; it has as many cards as the ranking"),
    },
)
JOKER: Final = Table(
    "joker",
    {
        "use": Key(
            OneOf((LIMITED, WILD)),
            "what it stands for: `limited` is the card that completes a straight, a flush or a"
            " straight flush, and otherwise an ace; `wild` is any card",
        ),
        "clause": Key(CLAUSES, "the clauses that require this"),
    },
)
HAND: Final = Table(
    "hand of sets",
    {
        "from": Key(OneOf(("player", "dealer")), "whose cards: all of them"),
        "ranking": Key(NAME, "the order that ranks it"),
    },
)
BOUNDS: Final = Table(
    "bounds",
    {
        "at_least": _option(HAND_SPEC, "the lowest hand that the part may be"),
        "at_most": _option(HAND_SPEC, "the highest hand that the part may be"),
    },
)
HOUSE_RULE: Final = Table(
    "house_way",
    {
        "says": Key(Text(300), "the rule, in a sentence"),
        "parts": _option(
            MapOf(NAME, BOUNDS, most=5), "what parts must be; a part without bounds is any hand", {}
        ),
        "best": _option(
            BOUNDS,
            "what the best hand of all the cards, by the last part's ranking, must be; absent, any"
            " hand",
        ),
        "prefer": Key(
            NAMES,
            "which part is as high as possible among the sets that satisfy the rule; of those with"
            " equal hands there, the next part decides",
        ),
        "reading": _option(
            MapOf(CLAUSE_ID, NAMES), "the readings under which the rule applies", {}
        ),
        "clause": Key(CLAUSES, "the clauses that require this"),
    },
)
SETTING: Final = Table(
    "setting",
    {
        "house_way": Key(
            ListOf(HOUSE_RULE, least=1, most=100),
            "how the dealer sets, rule by rule: the first that a set in order satisfies applies",
        ),
        "clause": Key(
            CLAUSES,
            "the clauses on setting: every part must be as high as the one before, or the hand is"
            " fouled",
        ),
    },
)
BANK: Final = Table(
    "bank",
    {
        "takes_turns": _option(
            Flag(), "whether no player may bank right after a player did", default=False
        ),
        "commission": _option(Odds(), "the part of what the bank wins that the house keeps"),
        "rounding": _option(ROUNDING, "how the bank's result is rounded, if not as the whole game"),
        "clause": Key(CLAUSES, "the clauses on player banking"),
    },
)
DEAL: Final = Table(
    "deal of sets",
    {
        "cards": Key(Number(2, 9), "cards dealt to each hand and to the dealer"),
        "clause": Key(CLAUSES, "the clauses on the deal"),
    },
)

SET_DEFINITION: Final = Table(
    "definition of sets",
    {
        "game": Key(game_of(FAMILY), "which game this is"),
        **{key: DEFINITION.keys[key] for key in ("source", "clause", "interpretation")},
        "deal": Key(DEAL, "what is dealt"),
        "joker": _option(JOKER, "what a joker may stand for; needed where the deck has one"),
        "ranking": _option(MapOf(NAME, RANKING, most=20), "orders of hands of this game", {}),
        "part": Key(ListOf(PART, least=2, most=4), "the parts, lowest first"),
        "setting": Key(SETTING, "how hands are set"),
        "bank": _option(
            BANK, "how players bank, against the wager `main`; absent, only the house banks"
        ),
        "hand": _option(
            MapOf(NAME, HAND, most=10),
            "hands of all cards dealt. Each part is a hand by its own name, and the dealer's or"
            " banker's is `dealer_` and its name",
            {},
        ),
        "test": DEFINITION.keys["test"],
        "wager": Key(
            MapOf(
                NAME,
                Table("wager of sets", {**WAGER.keys, "outcomes": OUTCOMES}),
                least=1,
                most=20,
            ),
            "the wagers",
        ),
        "result": _option(
            MapOf(NAME, Table("result of sets", {**RESULT.keys, "outcomes": OUTCOMES}), most=20),
            "payouts that are no wager of their own",
            {},
        ),
        "envy": _option(
            MapOf(NAME, ENVY, most=5), "envy bonuses, each by the key of its result", {}
        ),
        **{key: DEFINITION.keys[key] for key in ("pay_table", "rounding", "void", "example")},
    },
)
