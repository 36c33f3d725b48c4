"""Builds and checks the definition of a game that its family settles by name."""

from __future__ import annotations

from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from games.definition.build import (
    build_clauses,
    build_examples,
    build_interpretations,
    build_rounding,
    build_sources,
)
from games.definition.model import (
    Deal,
    Decks,
    Definition,
    Layout,
    NamedValues,
    PayLine,
    PayTable,
    Points,
    Scoring,
    Wager,
)
from games.definition.named_form import MOST_TO_ONE
from games.definition.named_games import (
    NAMED_GAMES,
    games_of,
    pay_lines,
    point_lines,
    readings_of,
)
from games.definition.places import unknown
from games.definition.shape import LARGEST_DENOMINATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from games.definition.named_games import NamedGame
    from games.definition.problems import Problems

Values = dict[str, Any]

RESULTS: Final = {
    "total": "the total against all other players",
    "showdown": "the net of the individual showdowns",
    "surrender": "the surrender payments made or received",
    "pot": "the pot won, less what this player put into it",
    "points": "the points won or lost",
}
"""What results are that belong to no wager."""


def build_named(read: Values, problems: Problems) -> Definition:
    """Build the model of values whose form was checked."""
    game = read["game"]
    known = NAMED_GAMES[game["slug"]]
    tables = {
        key: MappingProxyType(
            {
                name: PayTable(
                    known.tables.get(key, key), name, _lines(of["lines"]), (of["clause"],)
                )
                for name, of in names.items()
            }
        )
        for key, names in read["pay_table"].items()
    }
    return Definition(
        slug=game["slug"],
        name=game["name"],
        family=game["family"],
        decks=Decks(game["deck"]["decks"], game["deck"]["jokers"]),
        players=None,
        base=next(iter(read["wager"]), ""),
        cites=game["clause"],
        sources=build_sources(read["source"]),
        clauses=build_clauses(read["clause"], problems),
        interpretations=build_interpretations(read["interpretation"]),
        deal=Deal(0, 0, 0, (), (), ()),
        hands={},
        comparisons={},
        tests={},
        decisions=(),
        wagers=MappingProxyType(
            {
                key: _payout(key, of["says"], of["clause"], mandatory=of["mandatory"])
                for key, of in read["wager"].items()
            }
        ),
        other_results=MappingProxyType(
            {key: _payout(key, f"{RESULTS[key].capitalize()}.") for key in known.results}
        ),
        pay_tables=MappingProxyType(tables),
        rounding=build_rounding(read["rounding"]),
        strategies={},
        void_reasons=(),
        examples=build_examples(read["example"]),
        named=NamedValues(
            or_more_decks=game["deck"]["or_more"],
            points=_each(read["points"], lambda key, of: Points(key, of["clause"], of["lines"])),
            scorings=_each(read["scoring"], lambda key, of: Scoring(name=key, **of)),
            layouts=_each(read["layout"], lambda key, of: Layout(key, of["clause"], of["lines"])),
        ),
    )


def _each(tables: Mapping[str, Values], make: Any) -> Any:
    frozen = ({**of, "lines": MappingProxyType(of["lines"])} if "lines" in of else of
              for of in tables.values())  # fmt: skip
    return MappingProxyType({key: make(key, of) for key, of in zip(tables, frozen, strict=True)})


def _lines(lines: Mapping[str, Fraction]) -> tuple[PayLine, ...]:
    return tuple(PayLine(id_, id_, "", "", pays) for id_, pays in lines.items())


def _payout(key: str, says: str, cites: tuple[str, ...] = (), *, mandatory: bool = False) -> Wager:
    return Wager(key, says, mandatory, None, None, None, (), cites)


def check_named(definition: Definition, problems: Problems) -> None:
    """Record what the family's code can't settle, and what it asks for in vain."""
    known = NAMED_GAMES[definition.slug]
    if known.family != definition.family:
        names = ", ".join(f"`{slug}`" for slug in games_of(definition.family))
        problems.add(
            "game.family",
            f"The family `{definition.family}` settles {names}. Write `{known.family}`.",
        )
    _check_deck(definition, known, problems)
    _check_ids(definition, known, problems)
    _check_wagers(definition, known, problems)
    _check_pay_tables(definition, known, problems)
    _check_parts(definition, problems)
    _check_values(definition, problems)
    _check_questions(definition, problems)
    _check_examples(definition, problems)


def _check_deck(definition: Definition, known: NamedGame, problems: Problems) -> None:
    if definition.decks.number > known.most_decks:
        problems.add("game.deck.decks", f"The game is dealt from {known.most_decks} deck at most.")
    if known.most_decks == 1 and definition.named is not None and definition.named.or_more_decks:
        problems.add("game.deck.or_more", "The game is dealt from one deck. Remove this.")
    if definition.decks.jokers != known.jokers:
        problems.add("game.deck.jokers", f"The game is dealt with {known.jokers} jokers.")


def _check_ids(definition: Definition, known: NamedGame, problems: Problems) -> None:
    for id_, clause in definition.clauses.items():
        span = clause.source
        where = f"clause `{id_}`, source"
        unknown(problems, where, "source", span.source, definition.sources)
        if span.first is not None and span.end is not None and span.end <= span.first:
            problems.add(where, f"The span ends at {span.end:,}, before it begins.")
    for id_ in known.clause_ids:
        if id_ not in definition.clauses:
            problems.add("clause", f"Findings of this game cite `{id_}`. Add this clause.")
    for id_ in known.question_ids:
        if id_ not in definition.interpretations:
            problems.add(
                "interpretation", f"Findings of this game cite `{id_}`. Add this interpretation."
            )


def _check_wagers(definition: Definition, known: NamedGame, problems: Problems) -> None:
    _same(problems, "wager", "wager", definition.wagers, known.wagers)
    for key, wager in definition.wagers.items():
        if known.wagers.get(key, wager.mandatory) != wager.mandatory:
            must = "mandatory" if known.wagers[key] else "optional"
            problems.add(f"wager.{key}.mandatory", f"The family settles it as {must} only.")


def _check_pay_tables(definition: Definition, known: NamedGame, problems: Problems) -> None:
    lines_known = pay_lines(definition.slug)
    _same(problems, "pay_table", "pay table", definition.pay_tables, lines_known)
    names: dict[str, tuple[str, ...]] = {}
    for key, tables in definition.pay_tables.items():
        if key not in lines_known:
            continue
        wager = known.tables[key]
        if names.setdefault(wager, tuple(tables)) != tuple(tables):
            problems.add(
                f"pay_table.{key}",
                f"`{wager}` pays by several tables at once: give each of them the names"
                f" {', '.join(names[wager])}, in this order.",
            )
        for name, table in tables.items():
            for line in table.lines:
                _check_line(
                    f"pay_table.{key}.{name}.lines.{line.id}", line, lines_known[key], problems
                )


def _check_parts(definition: Definition, problems: Problems) -> None:
    """Record odds that kernels can't count in common parts, and odds that nothing rounds."""
    parts = {
        f"pay_table.{key}.{name}.lines.{line.id}": line.pays.denominator
        for key, tables in definition.pay_tables.items()
        for name, table in tables.items()
        for line in table.lines
    }
    together = lcm(*parts.values())
    if together > LARGEST_DENOMINATOR:
        problems.add(
            "pay_table",
            f"All odds of this game are counted in common parts, here of {together:,}; at most"
            f" {LARGEST_DENOMINATOR:,} are possible. Write odds with fewer denominators.",
        )
    uneven = next((where for where, over in parts.items() if over > 1), None)
    if uneven is not None and definition.rounding is None:
        problems.add(
            uneven,
            "These odds aren't always whole cents. Write `rounding` with a step and a direction.",
        )


def _check_line(where: str, line: PayLine, known: tuple[str, ...], problems: Problems) -> None:
    if unknown(problems, where, "line of this pay table", line.id, reversed(known)):
        return
    if not 0 <= line.pays <= MOST_TO_ONE:
        problems.add(where, f"A line of this game pays from 0 to {MOST_TO_ONE:,} to 1.")


def _check_values(definition: Definition, problems: Problems) -> None:
    named = definition.named
    assert named is not None  # noqa: S101  built above
    known = point_lines(definition.slug)
    _same(problems, "points", "table of points", named.points, known)
    for key, points in named.points.items():
        if key in known:
            for line in points.lines:
                unknown(problems, f"points.{key}.lines.{line}", "line", line, known[key])
    if definition.slug != "chinese-poker":
        _same(problems, "scoring", "scoring", named.scorings, ())
    for key, layout in named.layouts.items():
        if not unknown(problems, f"layout.{key}", "pay table", key, definition.pay_tables):
            for line in layout.lines:
                lines = pay_lines(definition.slug)[key]
                unknown(problems, f"layout.{key}.lines.{line}", "line", line, lines)


def _check_questions(definition: Definition, problems: Problems) -> None:
    choices = readings_of(definition.slug)
    for id_, each in definition.interpretations.items():
        where = f"interpretation.{id_}"
        unknown(problems, f"{where}.default", "reading", each.default, each.readings)
        if id_ in choices:
            for name in each.readings:
                unknown(problems, f"{where}.readings", "reading", name, choices[id_])
        elif len(each.readings) > 1:
            problems.add(
                f"{where}.readings", "The family settles this in one way. Leave one reading."
            )


def _check_examples(definition: Definition, problems: Problems) -> None:
    wagers = definition.tables_of_wagers
    for place, example in enumerate(definition.examples):
        where = f"example[{place}]"
        for wager, name in example.pay_tables.items():
            if not unknown(
                problems, f"{where}.pay_tables", "wager with a pay table", wager, wagers
            ):
                unknown(problems, f"{where}.pay_tables.{wager}", "pay table", name, wagers[wager])
        for id_, reading in example.interpretations.items():
            here = f"{where}.interpretations"
            if not unknown(problems, here, "interpretation", id_, definition.interpretations):
                readings = definition.interpretations[id_].readings
                unknown(problems, f"{here}.{id_}", "reading", reading, readings)


def _same(
    problems: Problems, where: str, what: str, given: Iterable[str], known: Iterable[str]
) -> None:
    """Record names that the code doesn't know, and names that it asks for in vain."""
    for name in given:
        unknown(problems, f"{where}.{name}", what, name, known)
    for name in known:
        if name not in given:
            problems.add(where, f"This game needs the {what} `{name}`. Add it.")
