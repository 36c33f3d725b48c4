"""The reference of definitions, made from their form: a page in Markdown and a JSON Schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from games.definition.build import BUILT_IN
from games.definition.families import FAMILIES, STUD, definition_form
from games.definition.hand_names import CONTAINS, LEAST_CARDS
from games.definition.named_form import NAMED_DEFINITION
from games.definition.named_games import NAMED_FAMILIES, NAMED_GAMES, pay_lines, readings_of
from games.definition.read import LONGEST_LINE, LONGEST_TEXT, MOST_LINES
from games.definition.shape import ListOf, MapOf, Number, Odds, OneOf, Pattern, Table, Text, Type

if TYPE_CHECKING:
    from collections.abc import Iterator

START: Final = f"""# The definition of a game

Made from `games/definition/form.py` by `manage.py write_references`; a test fails when it is stale.

A definition is what a commission approves for a game: its clauses and where the filed documents say
them, the cards, the wagers, the decisions, the pay tables, the open questions and worked examples.
It is a text in [TOML](https://toml.io), in UTF-8, of at most {LONGEST_TEXT:,} characters and
{MOST_LINES:,} lines of {LONGEST_LINE:,}. The engine settles rounds by it, and by nothing else.
[definition.schema.json](definition.schema.json) states its form as a JSON Schema.
[File a game](../how-to/file-a-game.md) walks through one. A complete example is
[Three Card Poker](../../games/three_card_poker/definition.toml), with its
[rules of play](../../games/three_card_poker/rules.txt).

`python -m games check DEFINITION` reports every problem with its place, settles the worked examples
and prints the odds.

## How a round is settled

The family `stud` covers hands that play against a dealer, or against a pay table alone.

1. **Hands.** Each `hand` names cards and a ranking. The best cards count: the ranking `five_card`
   takes the best five of seven.
2. **Facts.** Each `compare` says whether the player's hand wins, ties or loses against the
   dealer's. Each `test` says whether a hand is within bounds: whether the dealer qualifies, for
   example. The choices at each `decision` are facts, too.
3. **Outcomes.** Each wager has a list of outcomes. **The first one whose `when` is true applies.**
   All parts of a `when` must be true. The last outcome has no `when`. Its `result` is what the
   wager wins to 1: `win`, `push`, `lose`, odds such as `"3/2"`, or `table`.
4. **Pay tables.** With `table`, **the first line that the hand fits is paid**. A hand fits the line
   of its own name and of each name it contains, so what a removed line paid falls to a later line:
{{contains}}
5. **Rounding.** Odds that aren't whole (`"3/2"`, `"19/20"`, `"-1/2"`) are rounded to the `step` of
   `rounding`. Whole odds are never rounded. A definition with such odds and no rounding is
   rejected.

6. **Envy** pays fixed amounts for every other player's hand that fits a line of the wager's pay
   table. Its name is its key in `result`.
7. **A jackpot** is a part of what its meter showed before the round, for a hand that fits a line of
   the wager's pay table; fractions of a cent are dropped. Its name is its key in `result`, beside
   the result of the wager itself, and each line of the log has the meter in `meters`. If several
   hands of a round win from one meter, their jackpots aren't audited.
8. **A maximum** cuts what results win together, in one hand or in all hands of a round, in
   proportion. The results that it may cut are then audited by their sum: `settlement.aggregate`.

Odds count neither envy, jackpots nor maximums.

A wager of 0 has the result 0. A wager that a choice takes back keeps its amount and has the result
0. An outcome that depends on cards that weren't dealt, because every hand was folded, isn't
audited.

## Names

| what | how to write it |
| --- | --- |
| names of wagers, hands, tests, decisions, choices, tables | lowercase letters, digits and `_` |
| ranks | `2` to `9`, `T`, `J`, `Q`, `K`, `A`; several from high to low: `"Q64"` is queen-six-four |
| odds | a whole number, or a ratio in quotes: `"3/2"` |
| clauses | `clause = "TC-5"` or `clause = ["TC-5", "TC-6"]`, wherever a table has this key |

### Rankings

Best first. `two_pairs` and the like are the names to use in tests and pay tables. `royal_flush` and
`mini_royal` are lines for a straight flush to the ace. A low ace counts in straights.

| ranking | hands |
| --- | --- |
"""
END: Final = """
## What the family `stud` can't express

A definition that needs any of these is rejected, or can't be written at all; the game is then
audited for everything but its results: jokers and wild cards; hands of several cards from several
decks; cards that the player sets into hands (family `set`); payouts that depend on another
player's hand, other than envy bonuses; how several hands of one round share a jackpot.
"""

NAMED: Final = """
# Games that are settled by their names

The families `set` and `versus` settle some games by their names: how hands are set and compared is
the code of each game. Its definition provides the clauses and where the filed document says them,
pay tables, points, scorings, open questions and worked examples. Findings cite the clauses by their
ids, so a definition has all of them, and may have more.

| game | family | wagers | lines of its pay tables, worst first | questions and readings |
| --- | --- | --- | --- | --- |
{rows}

Their code can't express another wager, decision or way to set hands, nor a hand that is in no
row above; such a definition is rejected, with the reason.

A pay table may leave lines out; what they paid falls to the best other line that the hand fits. A
wager that pays by several tables at once has the same names in each of them. A complete example is
[Pick 2 Poker](../../games/pick_2_poker/definition.toml), with its
[rules of play](../../games/pick_2_poker/rules.txt).
"""


def page() -> str:
    """Return the page of the reference."""
    contains = "\n".join(
        f"   - `{name}` contains {_listed(names)}" for name, names in CONTAINS.items()
    )
    sections = [START.replace("{contains}", contains)]
    for ranking in BUILT_IN.values():
        order = ranking.order if ranking.id in ("flush_length", "straight_flush_length") else None
        names = _listed(ranking.order) if order is None else f"`{order[0]}` to `{order[-1]}`"
        sections.append(f"| `{ranking.id}` | {names} |\n")
    sections.append(
        "\nThe last two rank by length alone, then by ranks: the longest flush, or the longest"
        " straight flush, among all cards. In a `ranking` of your own, each name needs so many"
        f" cards: {', '.join(f'`{name}` {least}' for name, least in LEAST_CARDS.items())}.\n"
    )
    seen: set[str] = set()
    for name in FAMILIES:
        form = definition_form(name)
        sections.append(form.reference)
        sections += [_section(path, table) for path, table in _tables(form.table, "", seen)]
        if name == STUD:
            sections.append(END)
    sections.append(_named_games())
    sections += [_section(path, table) for path, table in _tables(NAMED_DEFINITION, "", seen)]
    return "".join(sections)


def _named_games() -> str:
    """Return what a definition of a game that its family settles by name may say."""
    rows = []
    for slug, game in NAMED_GAMES.items():
        wagers = ", ".join(
            f"`{key}`{'' if mandatory else ' (optional)'}" for key, mandatory in game.wagers.items()
        )
        lines = "; ".join(
            f"`{table}`: {_listed(names)}" for table, names in pay_lines(slug).items()
        )
        questions = "; ".join(
            f"`{id_}`: {_listed(names)}" for id_, names in readings_of(slug).items()
        )
        rows.append(
            f"| `{slug}` | `{game.family}` | {wagers or 'none'} | {lines or 'none'} | {questions} |"
        )
    return NAMED.replace("{rows}", "\n".join(rows))


def json_schema() -> str:
    """Return the JSON Schema of a definition."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Definition of a game",
        "description": "A definition in TOML, as data. Not checked here: that names lead somewhere,"
        " that every line can be paid, and that worked examples settle as written.",
        "if": _game(family=NAMED_FAMILIES, slug=tuple(NAMED_GAMES)),
        "then": NAMED_DEFINITION.schema(),
        "else": _schema_by_family(FAMILIES[1:]),
    }
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _schema_by_family(names: tuple[str, ...]) -> dict[str, object]:
    """Return the schema that the family of a definition chooses; of none of these, `stud`."""
    if not names:
        return definition_form(STUD).table.schema()
    first, *rest = names
    return {
        "if": _game(family=(first,)),
        "then": definition_form(first).table.schema(),
        "else": _schema_by_family(tuple(rest)),
    }


def _game(**words: tuple[str, ...]) -> dict[str, object]:
    """Return the schema of a definition whose game has one of these words by key."""
    properties = {key: {"enum": list(of)} for key, of in words.items()}
    game = {"required": list(words), "properties": properties}
    return {"required": ["game"], "properties": {"game": game}}


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _inner(type_: Type) -> tuple[str, Type]:
    """Return what follows a key in a path, and the type there."""
    if isinstance(type_, MapOf):
        after, inner = _inner(type_.item)
        return f".NAME{after}", inner
    if isinstance(type_, ListOf) and isinstance(type_.item, Table):
        return "[]", type_.item
    return "", type_


def _tables(table: Table, path: str, known: set[str] | None = None) -> Iterator[tuple[str, Table]]:
    """Yield every table with its path, each kind of table once."""
    seen = set() if known is None else known
    if path and table.name not in seen:
        seen.add(table.name)
        yield path, table
    for key, each in table.keys.items():
        after, inner = _inner(each.type)
        if isinstance(inner, Table) and inner.name not in seen:
            yield from _tables(inner, f"{path}.{key}{after}" if path else f"{key}{after}", seen)


def _section(path: str, table: Table) -> str:
    rows = [
        f"| `{key}` | {label(each.type)} | {each.says} | {'no' if each.optional else 'yes'} |\n"
        for key, each in table.keys.items()
    ]
    short = f"`{table.short}` alone may stand for the table.\n\n" if table.short else ""
    head = "| key | value | what it is | required |\n| --- | --- | --- | --- |\n"
    return f"\n## `{path}`\n\n{short}{head}{''.join(rows)}"


def label(type_: Type) -> str:
    """Return a type in words, for a table."""
    if isinstance(type_, Table):
        return f"table (`{type_.name}`)"
    if isinstance(type_, MapOf):
        return f"tables or values by name: {label(type_.item)}"
    if isinstance(type_, ListOf):
        return f"{label(type_.item)}, or a list" if type_.single else f"list: {label(type_.item)}"
    if isinstance(type_, Odds):
        return "odds" + "".join(f", `{word}`" for word in type_.words)
    if isinstance(type_, Number):
        return f"{type_.least:,} to {type_.most:,}"
    if isinstance(type_, OneOf | Pattern):
        return type_.wanted.removeprefix("one of ")
    return f"text, up to {type_.most:,}" if isinstance(type_, Text) else type_.wanted
