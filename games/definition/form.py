"""The form of a definition, stated once: its tables, their keys, and what each one means.

The reader, the JSON Schema and the reference page are made from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.definition.families import STUD
from games.definition.shape import (
    Flag,
    Json,
    Key,
    ListOf,
    MapOf,
    Number,
    Odds,
    OneOf,
    Pattern,
    Table,
    Text,
    Type,
    clipped,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.definition.problems import Problems

NAME: Final = Pattern("[a-z0-9][a-z0-9_]{0,31}", "a name of lowercase letters, digits and _")
SLUG: Final = Pattern(
    "(?=.{1,40}$)[a-z0-9]+(-[a-z0-9]+){0,7}",
    "a slug of lowercase words and digits joined by -, at most 40 characters",
)
CLAUSE_ID: Final = Pattern("[A-Za-z0-9][A-Za-z0-9._()-]{0,23}", "an id of up to 24 characters")
DIGEST: Final = Pattern("sha256:[0-9a-f]{64}", "`sha256:` and 64 hexadecimal digits")
DATE: Final = Pattern("[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date such as 2025-07-12, in quotes")
RANKS: Final = Pattern("[2-9TJQKA]{1,7}", 'ranks from high to low, such as "A" or "Q64"')
CARDS_OF: Final = Pattern(
    "(player|dealer|community)( [1-9]| [1-9]-[1-9])?",
    '`player`, `dealer` or `community`, or some of these cards such as "community 1-3"',
)
METER: Final = Pattern("[A-Za-z0-9_.:-]{1,64}", "an id of up to 64 characters")
CLAUSES: Final = ListOf(CLAUSE_ID, most=20, single=True)
NAMES: Final = ListOf(NAME, least=1, most=20, single=True)

HAND_NAMES: Final = (
    "high_card", "pair", "two_pairs", "three_of_a_kind", "straight", "flush", "full_house",
    "four_of_a_kind", "straight_flush",
)  # fmt: skip
"""Names of hands that a ranking may put in order."""


def _key(type_: Type, says: str) -> Key:
    return Key(type_, says)


def _option(type_: Type, says: str, default: Any = None) -> Key:
    return Key(type_, says, optional=True, default=default)


def _cites(says: str = "the clauses that require this") -> Key:
    return _option(CLAUSES, says, ())


SOURCE: Final = Table(
    "source",
    {
        "title": _key(Text(200), "the title of the filed document"),
        "digest": _key(DIGEST, "the SHA-256 of the filed document"),
        "date": _option(DATE, "the date of the document"),
    },
)
SPAN: Final = Table(
    "span",
    {
        "of": _key(NAME, "the source, as named in `source`"),
        "page": _option(Number(1, 9_999), "the page, from 1"),
        "span": _option(
            ListOf(Number(0, 10**9), least=2, most=2),
            "the first character of the words and the one after the last, counted from 0",
        ),
    },
)
CLAUSE: Final = Table(
    "clause",
    {
        "id": _key(CLAUSE_ID, "its id, which findings cite"),
        "says": _key(Text(), "what it says, in plain words"),
        "source": _key(SPAN, "where the filed document says it"),
        "unlogged": _option(
            Text(300), "why no line of a log can show whether it was kept; absent, one can", ""
        ),
    },
)
INTERPRETATION: Final = Table(
    "interpretation",
    {
        "asks": _key(Text(), "the question that the rules leave open"),
        "readings": _key(
            MapOf(NAME, Text(), least=2, most=12), "the possible answers, by name, in words"
        ),
        "default": _key(NAME, "the reading that the filter uses if nothing else is chosen"),
        "affects_money": _option(
            Flag(),
            "whether the answer changes what is paid; then an approval must choose it",
            default=True,
        ),
        "clause": _cites("the clauses that leave the question open"),
    },
)
DECK: Final = Table(
    "deck",
    {
        "decks": _key(Number(1, 12), "how many decks of 52 cards"),
        "jokers": _option(Number(0, 4), "how many jokers among them", 0),
    },
)


def game_of(family: str) -> Table:
    """Return the table of what a game of a family is."""
    keys = {
        "slug": _key(SLUG, "the game's name in round logs"),
        "name": _key(Text(80), "the game's name for people"),
        "family": _key(OneOf((family,)), "the family of play that settles it"),
        "deck": _key(DECK, "the cards it is dealt from"),
        "players": _option(Number(1, 23), "the maximum number of hands; absent, any number"),
        "base": _option(
            NAME, "the wager that the edge of the game is measured by; absent, the first mandatory"
        ),
        "clause": _cites("the clauses on the deck and the number of players"),
    }
    return Table("game" if family == STUD else f"game of {family}", keys)


ROUNDING: Final = Table(
    "rounding",
    {
        "step": _key(Number(1, 100_000), "cents; a payout is a whole number of these"),
        "direction": _key(
            OneOf(("down", "up", "nearest")),
            "`down` favors the house, `up` the player; `nearest` rounds a half up",
        ),
        "clause": _cites(),
    },
)

CONDITION: Final = Table(
    "when",
    {
        "choice": _option(MapOf(NAME, NAMES), "a choice made at a decision, or several", {}),
        "folded": _option(Flag(), "whether the player folded at any decision"),
        "compare": _option(
            MapOf(NAME, ListOf(OneOf(("win", "tie", "lose")), least=1, most=3, single=True)),
            "the result of a comparison, from the player's side",
            {},
        ),
        "test": _option(MapOf(NAME, Flag()), "the result of a test", {}),
        "reading": _option(MapOf(CLAUSE_ID, NAMES), "the reading of an interpretation", {}),
    },
)


def outcome_of(name: str, condition: Table, more: Mapping[str, Key]) -> Table:
    """Return the table of what a wager comes to."""
    keys = {
        "when": _option(condition, "all of these conditions; absent, in every other case"),
        "result": _key(
            Odds(("win", "push", "lose", "table")),
            "what the wager wins to 1: odds, `win` (1), `push` (0), `lose` (-1), or `table` (what"
            " the wager's pay table says)",
        ),
        "hand": _option(NAME, "the hand that the pay table reads; absent, the wager's own"),
        "no_line": _option(
            Odds(("push", "lose", "win")), "the result of a hand that fits no line", "lose"
        ),
        "rounding": _option(ROUNDING, "how this result is rounded, if not as the whole game"),
        "clause": _cites(),
    }
    return Table(name, {**keys, **more})


OUTCOME: Final = outcome_of("outcome", CONDITION, {})
MULTIPLE: Final = Table(
    "multiple",
    {
        "times": _key(Number(1, 1_000), "how many times the other wager"),
        "of": _key(NAME, "the other wager"),
    },
)
WAGER: Final = Table(
    "wager",
    {
        "says": _key(Text(300), "what it is, in a sentence"),
        "mandatory": _option(Flag(), "whether every hand must have it", default=False),
        "equals": _option(NAME, "another wager that this one must equal"),
        "at_most": _option(MULTIPLE, "the most it may be, as a multiple of another wager"),
        "hand": _option(NAME, "the hand that its pay table reads"),
        "pays_as": _option(NAME, "another wager whose pay table it has"),
        "outcomes": _key(
            ListOf(OUTCOME, least=1, most=60), "what it comes to: the first that applies"
        ),
        "clause": _cites("the clauses on placing it"),
    },
)
RESULT: Final = Table(
    "result",
    {
        "says": _key(Text(300), "what it is, in a sentence"),
        "of": _key(NAME, "the wager whose amount it is paid on"),
        "into": _option(
            NAME, "the wager in whose logged result it is included; absent, logged by its own name"
        ),
        "hand": _option(NAME, "the hand that its pay table reads"),
        "outcomes": _key(
            ListOf(OUTCOME, least=1, most=60), "what it comes to: the first that applies"
        ),
    },
)
HAND_SPEC: Final = Table(
    "hand specification",
    {
        "hand": _key(NAME, "a name in the ranking, such as `pair`"),
        "ranks": _option(RANKS, "its ranks, most important first", ""),
    },
    short="hand",
)
LINE: Final = Table(
    "line",
    {
        "pays": _key(Odds(), "what it pays to 1"),
        "hand": _option(NAME, "the hand; absent, the line's own name"),
        "from": _option(RANKS, "the lowest ranks it may have, most important first", ""),
        "to": _option(RANKS, "the highest ranks it may have", ""),
    },
    short="pays",
)
PAY_TABLE: Final = Table(
    "pay_table",
    {
        "lines": _key(
            MapOf(NAME, LINE, least=1, most=60), "its lines, best first: the first that fits pays"
        ),
        "clause": _cites(),
    },
)
DEALT_AFTER: Final = Table(
    "after",
    {
        "choice": _key(MapOf(NAME, NAMES, least=1, most=1), "the choice that gets more cards"),
        "player": _option(Number(0, 5), "more cards for the hand that made it", 0),
        "dealer": _option(Number(0, 5), "more cards for the dealer, once", 0),
    },
)
DEAL: Final = Table(
    "deal",
    {
        "player": _key(Number(1, 9), "cards dealt to each hand"),
        "dealer": _option(Number(0, 9), "cards dealt to the dealer", 0),
        "dealer_up": _option(
            Number(0, 9), "how many of the dealer's cards players see before they decide", 0
        ),
        "community": _option(
            ListOf(Number(1, 5), most=5), "community cards, by street: 3, 1 and 1, say", ()
        ),
        "after": _option(ListOf(DEALT_AFTER, most=5), "cards dealt only after a choice", ()),
        "clause": _cites(),
    },
)
HAND: Final = Table(
    "hand",
    {
        "from": _key(ListOf(CARDS_OF, least=1, most=5, single=True), "the cards it is made of"),
        "ranking": _key(NAME, "the order that ranks it: built in, or in `ranking`"),
    },
)
RANKING: Final = Table(
    "ranking",
    {
        "cards": _key(Number(1, 5), "how many cards make a hand: the best of those there are"),
        "order": _key(ListOf(OneOf(HAND_NAMES), least=1, most=9), "names of hands, best first"),
        "clause": _cites(),
    },
)
TEST: Final = Table(
    "test",
    {
        "hand": _key(NAME, "the hand that is tested"),
        "at_least": _option(HAND_SPEC, "the lowest hand that passes"),
        "at_most": _option(HAND_SPEC, "the highest hand that passes"),
        "clause": _cites(),
    },
)
COMPARE: Final = Table(
    "compare",
    {
        "player": _key(NAME, "the player's hand"),
        "dealer": _key(NAME, "the dealer's hand, of the same ranking"),
        "clause": _cites(),
    },
)
CHOICE: Final = Table(
    "choice",
    {
        "id": _key(NAME, "its name in round logs"),
        "folds": _option(Flag(), "whether the player gives up the hand", default=False),
        "ends": _option(Flag(), "whether no further decision follows", default=False),
        "takes_back": _option(NAME, "the wager that is taken back", None),
        "wager": _option(NAME, "the wager that is placed with it"),
        "times": _option(
            ListOf(Number(1, 100), least=1, most=2, single=True),
            "how many times `of` it must be, or the least and the most",
            (1,),
        ),
        "of": _option(NAME, "the wager that it is a multiple of"),
        "when": _option(CONDITION, "when the rules allow it; absent, always"),
        "clause": _cites(),
    },
)
DECISION: Final = Table(
    "decision",
    {
        "id": _key(NAME, "its name in round logs"),
        "says": _key(Text(300), "what the player decides, in a sentence"),
        "sees": _option(Number(0, 25), "how many community cards lie open at that time", 0),
        "when": _option(CONDITION, "when the decision comes up; absent, always"),
        "choices": _key(ListOf(CHOICE, least=2, most=12), "what may be chosen"),
        "clause": _cites(),
    },
)
STRATEGY_RULE: Final = Table(
    "rule",
    {
        "decision": _key(NAME, "the decision"),
        "when": _option(CONDITION, "when to choose this; absent, otherwise"),
        "choose": _key(NAME, "the choice"),
    },
)
STRATEGY: Final = Table(
    "strategy",
    {
        "says": _key(Text(300), "how it plays, and where it is published"),
        "rules": _key(ListOf(STRATEGY_RULE, least=1, most=200), "rules, the first that applies"),
    },
)
VOID: Final = Table(
    "void",
    {
        "reason": _key(Text(64), "the reason as logged"),
        "required": _option(
            Flag(), "whether this irregularity requires the round to be void", default=False
        ),
        "clause": _cites("the clauses that name it"),
    },
)


def _leaves(value: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Yield what isn't a table or a list, with its place."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{where}.{clipped(key)}")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _leaves(item, f"{where}[{place}]")
    else:
        yield where, value


class AnyRound(Type):
    """A round in the log's own shape, without the fields that every line has."""

    wanted = "a table of keys"

    def read(self, value: Any, where: str, problems: Problems) -> Any:
        """Accept a table of what a line can have; the family reads it as it reads a line."""
        if not isinstance(value, dict):
            return self._reject(value, where, problems)
        for place, item in _leaves(value, where):
            if not isinstance(item, str | int):
                problems.add(
                    place, f"{shown(item)} can't be in a line of a log. Write a text or a whole"
                    " number."
                )  # fmt: skip
        return value

    def schema(self) -> Json:
        """Return the JSON Schema of the type."""
        return {"type": "object"}


EXAMPLE: Final = Table(
    "example",
    {
        "name": _key(Text(120), "what it shows"),
        "round": _key(
            AnyRound(),
            "a round in the log's own shape: `house`, `community`, `seats`; `v`, `round`, `game`,"
            " `table` and `at` may be left out",
        ),
        "pay_tables": _option(MapOf(NAME, NAME), "pay tables in use, by wager", {}),
        "interpretations": _option(MapOf(CLAUSE_ID, NAME), "readings in use", {}),
    },
)
ENVY: Final = Table(
    "envy",
    {
        "says": _key(Text(300), "what it is, in a sentence"),
        "of": _key(NAME, "the wager that has it, and whose pay table names the hands"),
        "least": _key(Number(1, 10**9), "the smallest wager, in cents, that has it"),
        "pays": _key(
            MapOf(NAME, Number(1, 10**12), least=1, most=60),
            "cents for each other player's hand, by line of the pay table",
        ),
        "clause": _key(CLAUSES, "the clauses that require this"),
    },
)
JACKPOT: Final = Table(
    "jackpot",
    {
        "says": _key(Text(300), "what it is, in a sentence"),
        "of": _key(NAME, "the wager that wins it, and whose pay table names the hands"),
        "meter": _key(METER, "the id of its meter in the `meters` of a log line"),
        "pays": _key(
            MapOf(NAME, Odds(), least=1, most=60),
            'the part of the meter that a line wins, such as 1 or "1/10", by line of the pay table',
        ),
        "clause": _key(CLAUSES, "the clauses that require this"),
    },
)
MAXIMUM: Final = Table(
    "maximum",
    {
        "per": _key(OneOf(("hand", "round")), "what wins no more: one hand, or all together"),
        "most": _key(Number(1, 10**12), "the most that is won, in cents"),
        "of": _option(NAMES, "the results that count and that are cut; absent, all of them", ()),
        "clause": _key(CLAUSES, "the clauses that require this"),
    },
)
DEFINITION: Final = Table(
    "definition",
    {
        "game": _key(game_of(STUD), "which game this is"),
        "source": _key(MapOf(NAME, SOURCE, least=1, most=40), "the filed documents"),
        "clause": _key(ListOf(CLAUSE, least=1, most=400), "the clauses that findings cite"),
        "interpretation": _option(
            MapOf(CLAUSE_ID, INTERPRETATION, most=60), "open questions and their readings", {}
        ),
        "deal": _key(DEAL, "what is dealt"),
        "ranking": _option(MapOf(NAME, RANKING, most=20), "orders of hands of this game", {}),
        "hand": _option(MapOf(NAME, HAND, most=30), "the hands that are ranked", {}),
        "compare": _option(MapOf(NAME, COMPARE, most=10), "comparisons with the dealer", {}),
        "test": _option(MapOf(NAME, TEST, most=60), "questions about a hand: does it qualify?", {}),
        "decision": _option(ListOf(DECISION, most=8), "decisions, in order", ()),
        "wager": _key(MapOf(NAME, WAGER, least=1, most=20), "the wagers"),
        "result": _option(
            MapOf(NAME, RESULT, most=20),
            "payouts that are no wager of their own: a bonus on the ante, say",
            {},
        ),
        "pay_table": _option(
            MapOf(NAME, MapOf(NAME, PAY_TABLE, least=1, most=40), most=20),
            "pay tables by wager and name; the first of a wager is used if none is chosen",
            {},
        ),
        "envy": _option(
            MapOf(NAME, ENVY, most=5), "envy bonuses, each by the key of its result", {}
        ),
        "jackpot": _option(
            MapOf(NAME, JACKPOT, most=5), "progressive jackpots, each by the key of its result", {}
        ),
        "maximum": _option(ListOf(MAXIMUM, most=5), "maximum aggregate payouts", ()),
        "rounding": _option(ROUNDING, "how a payout is rounded that isn't whole cents"),
        "strategy": _option(MapOf(NAME, STRATEGY, most=10), "ways to play, for odds", {}),
        "void": _option(ListOf(VOID, most=60), "reasons that void a round", ()),
        "example": _option(ListOf(EXAMPLE, most=200), "worked examples, checked at filing", ()),
    },
)
