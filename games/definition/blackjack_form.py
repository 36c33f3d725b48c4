"""The form of a definition of the family `blackjack`: what it has beside every family's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.definition.form import (
    CLAUSE_ID,
    CLAUSES,
    DEFINITION,
    NAME,
    NAMES,
    PAY_TABLE,
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

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.definition.shape import Type

FAMILY: Final = "blackjack"
MAIN: Final = "main"
"""The wager that each hand has; the log's contract names it."""

YES, NO = "yes", "no"
STAND, HIT = "stand", "hit"
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "dealer.soft_17": (STAND, HIT),
    "dealer.looks": (YES, NO),
    "double.on": ("any", "nine_to_eleven", "ten_or_eleven", "never"),
    "double.cards": ("two", "any"),
    "double.after_split": (YES, NO),
    "double.again": ("never", "once", "twice", "three_times"),
    "double.rescue": (YES, NO),
    "split.of": ("value", "rank", "never"),
    "split.aces_again": (YES, NO),
    "split.aces_draw": ("one_card", "any"),
    "surrender.when": ("late", "never"),
}
"""The words of each rule that a definition chooses, or leaves to an interpretation."""

TESTS: Final = (
    "blackjack", "busted", "surrendered", "rescued", "doubled", "split", "dealer_blackjack",
    "dealer_busted",
)  # fmt: skip
"""What every hand is asked, beside the definition's own patterns."""
OF_HAND: Final = ("busted", "surrendered", "rescued", "doubled", "split")
"""Those that only a hand as played answers."""

OPENING, WITH_UPCARD, HAND = "opening", "opening_and_upcard", "hand"
UPCARD, DEALERS_OPENING, DEALER = "upcard", "dealer_opening", "dealer"
CARDS_OF: Final = (OPENING, WITH_UPCARD, HAND, UPCARD, DEALERS_OPENING, DEALER)
SAME, RUN, MIXED = "same", "run", "mixed"


def _option(type_: Type, says: str, default: object = None) -> Key:
    return Key(type_, says, optional=True, default=default)


def _rule(name: str, says: str, default: str | None = None) -> Key:
    words = OPTIONS[name]
    listed = ", ".join(f"`{word}`" for word in words)
    wanted = f"{listed}, or an interpretation's id"
    says = f"{says}: {listed}, or an interpretation with such readings"
    if default is None:
        return Key(Pattern(CLAUSE_ID.regex, wanted), says)
    return _option(Pattern(CLAUSE_ID.regex, wanted), says, default)


CLAUSE: Final = Key(CLAUSES, "the clauses that require this")
BOUNDS: Final = ListOf(Number(1, 40), least=1, most=2, single=True)

DECK: Final = Table(
    "deck of blackjack",
    {
        "decks": Key(Number(1, 12), "how many decks"),
        "or": _option(
            ListOf(Number(1, 12), least=1, most=8, single=True),
            "other numbers of decks that the rules allow; the log then says how many there were",
            (),
        ),
        "without": _option(
            Pattern("[2-9TJQKA]{1,8}", 'ranks such as "T"'),
            "ranks that are removed from each deck",
            "",
        ),
    },
)
DEAL: Final = Table(
    "deal of blackjack",
    {"clause": Key(CLAUSES, "the clauses on the deal and on the value of cards")},
)
DEALER_RULES: Final = Table(
    "dealer",
    {
        "soft_17": _rule("dealer.soft_17", "what the dealer does with 17 and an ace as eleven"),
        "looks": _rule(
            "dealer.looks",
            "whether the dealer looks for a blackjack under an ace or a ten before hands are"
            " played",
            YES,
        ),
        "clause": Key(CLAUSES, "the clauses on the dealer's cards"),
    },
)
DOUBLE: Final = Table(
    "double",
    {
        "on": _rule("double.on", "the totals that may be doubled", "any"),
        "cards": _rule("double.cards", "how many cards the hand may have", "two"),
        "after_split": _rule("double.after_split", "whether a hand from a split may", YES),
        "again": _rule(
            "double.again", "how often a doubled hand may be doubled again", "never"
        ),
        "rescue": _rule(
            "double.rescue", "whether a doubled hand may be given up (`rescue`)", NO
        ),
        "clause": Key(CLAUSES, "the clauses on doubling"),
    },
)  # fmt: skip
SPLIT: Final = Table(
    "split",
    {
        "of": _rule("split.of", "what two cards must share", "value"),
        "hands": _option(Number(2, 10), "how many hands splitting may make of one", 4),
        "aces_again": _rule("split.aces_again", "whether split aces may be split again", NO),
        "aces_draw": _rule("split.aces_draw", "how many cards split aces receive", "one_card"),
        "clause": Key(CLAUSES, "the clauses on splitting"),
    },
)
SURRENDER: Final = Table(
    "surrender",
    {
        "when": _rule(
            "surrender.when",
            "whether a hand of two cards may be given up once the dealer has no blackjack",
        ),
        "clause": Key(CLAUSES, "the clauses on surrender"),
    },
)
INSURANCE: Final = Table(
    "insurance",
    {
        "wager": Key(NAME, "the wager, placed while the upcard is an ace"),
        "most": _option(Odds(), "the part of the opening wager that it may be", "1/2"),
        "clause": Key(CLAUSES, "the clauses on insurance"),
    },
)
PATTERN: Final = Table(
    "pattern",
    {
        "of": Key(
            OneOf(CARDS_OF),
            "which cards: the first two of the seat (`opening`), these with the dealer's upcard,"
            " all of a hand as played (`hand`), the `upcard`, the dealer's first two, or all of"
            " the dealer's",
        ),
        "number": _option(BOUNDS, "how many cards there are, or the least and the most", ()),
        "total": _option(BOUNDS, "the best total, or the least and the most", ()),
        "ranks": _option(
            Pattern("same|run|[2-9TJQKA]{1,8}", '`same`, `run`, or all ranks, such as "678"'),
            "`same` for all, `run` for a straight (an ace is high or low), or exactly these",
            "",
        ),
        "suits": _option(
            Pattern("same|mixed|[cdhs]", "`same`, `mixed`, `c`, `d`, `h` or `s`"),
            "`same` for all, `mixed` for not all the same, or all of one suit",
            "",
        ),
        "cards": _option(
            Pattern("[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs]){0,7}", 'cards such as "Qh Qh"'),
            "exactly these cards, in any order",
            "",
        ),
        "matches": _option(
            MapOf(NAME, Number(0, 2), most=2),
            "how many of the first two cards have the upcard's rank: `suited` of its suit too,"
            " `unsuited` of another",
            {},
        ),
        "clause": _option(CLAUSES, "the clauses that require this", ()),
    },
)
CONDITION: Final = Table(
    "when of blackjack",
    {
        "compare": _option(
            MapOf(NAME, ListOf(OneOf(("win", "tie", "lose")), least=1, most=3, single=True)),
            "how the hand compares with the dealer's (`dealer`), from the player's side: a"
            " blackjack is above every other 21, and a hand above 21 loses",
            {},
        ),
        "test": _option(
            MapOf(NAME, Flag()), f"a pattern, or one of {', '.join(f'`{t}`' for t in TESTS)}", {}
        ),
        "reading": _option(MapOf(CLAUSE_ID, NAMES), "the reading of an interpretation", {}),
    },
)
_outcome = outcome_of("outcome of blackjack", CONDITION, {})
OUTCOME: Final = Table(
    _outcome.name, {key: each for key, each in _outcome.keys.items() if key != "hand"}
)
LINE: Final = Table(
    "line of blackjack",
    {
        "pays": Key(Odds(), "what it pays to 1"),
        "hand": _option(NAME, "the pattern or test; absent, the line's own name"),
    },
    short="pays",
)
STEP: Final = Table(
    "step",
    {
        "least": Key(Number(1, 10**9), "the smallest opening wager, in cents, that has it"),
        "pays": Key(Number(1, 10**12), "cents"),
    },
)
BONUS: Final = Table(
    "bonus",
    {
        "says": Key(Text(300), "what it is, in a sentence"),
        "when": Key(CONDITION, "when a hand wins it"),
        "pays": Key(
            ListOf(STEP, least=1, most=20), "what it pays by the opening wager, lowest first"
        ),
        "envy": _option(NAME, "the result key of what it pays every other hand"),
        "envy_pays": _option(Number(1, 10**12), "cents for every other hand"),
        "clause": CLAUSE,
    },
)
_game = game_of(FAMILY)

BLACKJACK_DEFINITION: Final = Table(
    "definition of blackjack",
    {
        "game": Key(
            Table(_game.name, {**_game.keys, "deck": Key(DECK, "the cards it is dealt from")}),
            "which game this is",
        ),
        **{key: DEFINITION.keys[key] for key in ("source", "clause", "interpretation")},
        "deal": Key(DEAL, "what is dealt"),
        "dealer": Key(DEALER_RULES, "how the dealer plays: draws to 16, stands on hard 17"),
        "double": _option(DOUBLE, "how hands are doubled; absent, they are not"),
        "split": _option(SPLIT, "how hands are split; absent, they are not"),
        "surrender": _option(SURRENDER, "whether hands may be surrendered; absent, not"),
        "insurance": _option(INSURANCE, "insurance; absent, there is none"),
        "pattern": _option(MapOf(NAME, PATTERN, most=60), "questions about cards", {}),
        "wager": Key(
            MapOf(
                NAME,
                Table(
                    "wager of blackjack",
                    {
                        **{key: each for key, each in WAGER.keys.items() if key != "hand"},
                        "outcomes": Key(
                            ListOf(OUTCOME, least=1, most=60),
                            "what it comes to: the first that applies; of `main`, for each hand",
                        ),
                    },
                ),
                least=1,
                most=20,
            ),
            "the wagers; `main` is the opening wager, and each hand has it",
        ),
        "bonus": _option(
            MapOf(NAME, BONUS, most=5), "fixed amounts for hands, by the key of their result", {}
        ),
        "pay_table": _option(
            MapOf(
                NAME,
                MapOf(
                    NAME,
                    Table(
                        "pay_table of blackjack",
                        {
                            **PAY_TABLE.keys,
                            "lines": Key(
                                MapOf(NAME, LINE, least=1, most=60),
                                "its lines, best first: the first that fits pays",
                            ),
                        },
                    ),
                    least=1,
                    most=40,
                ),
                most=20,
            ),
            "pay tables by wager and name; the first of a wager is used if none is chosen",
            {},
        ),
        **{key: DEFINITION.keys[key] for key in ("rounding", "void", "example")},
    },
)
