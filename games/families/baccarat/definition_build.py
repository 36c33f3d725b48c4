"""Builds a definition of the family `baccarat`, and checks that it can be dealt and settled."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from games.definition.build import common_parts, each_of
from games.definition.check_lines import check_rounding
from games.definition.check_wagers import (
    check_conditions,
    check_examples,
    check_interpretations,
    check_wagers,
)
from games.definition.checks import check_cites
from games.definition.model import Deal, Definition
from games.definition.places import unknown
from games.definition.set_check import check_commissions
from games.families.baccarat.model import Baccarat, CardFacts, Drawing, Run, baccarat_of
from games.families.baccarat.possible import possible_rounds
from games.families.baccarat.program import passes, test_numbers

if TYPE_CHECKING:
    from games.definition.problems import Problems
    from games.families.baccarat.program import Facts

Values = dict[str, Any]

LARGEST: Final = 9


def build_baccarat(read: Values, problems: Problems) -> Definition:
    """Build the model."""
    tests = read["test"]
    return Definition(
        **common_parts(read, problems),
        deal=Deal(2, 2, 0, (), (), read["deal"]["clause"]),
        hands=MappingProxyType({}),
        comparisons=MappingProxyType({}),
        decisions=(),
        strategies=MappingProxyType({}),
        own=Baccarat(
            drawing=_drawing(read["draw"]),
            tests=each_of(tests, lambda _, of: tuple(CardFacts(**each) for each in of["when"])),
            runs=each_of(
                {key: of["runs"] for key, of in read["wager"].items() if of["runs"] is not None},
                lambda _, of: Run(of["rounds"], of["choices"], of["skips"], of["clause"]),
            ),
        ),
    )


def _drawing(of: Values) -> Drawing:
    return Drawing(
        natural=of["natural"],
        player=of["player"],
        banker_alone=of["banker_alone"],
        banker=MappingProxyType({int(total): values for total, values in of["banker"].items()}),
        cites=of["clause"],
    )


def check_baccarat(definition: Definition, problems: Problems) -> None:
    """Record everything in a definition that can't be settled or that cites nothing."""
    if definition.decks.jokers:
        problems.add("game.deck.jokers", "The family `baccarat` has no jokers.")
    check_cites(definition, problems)
    _check_drawing(definition, problems)
    check_wagers(definition, problems, reads_hands=False)
    check_conditions(definition, problems)
    check_interpretations(definition, problems)
    check_examples(definition, problems)
    check_commissions(definition, problems)
    _check_runs(definition, problems)
    _check_lines(definition, problems)
    if not problems:
        check_rounding(definition, problems)
        _check_possible(definition, problems)


def _check_drawing(definition: Definition, problems: Problems) -> None:
    drawing = baccarat_of(definition).drawing
    listed = (
        ("player", drawing.player),
        ("banker_alone", drawing.banker_alone),
        ("banker", tuple(drawing.banker)),
    )
    for key, totals in listed:
        for total in sorted(set(totals) & set(drawing.natural)):
            problems.add(
                f"draw.{key}", f"No hand draws on {total}, because it is `natural`. Remove it."
            )


def _check_runs(definition: Definition, problems: Problems) -> None:
    for key, run in baccarat_of(definition).runs.items():
        where, wager = f"wager.{key}.runs", definition.wagers[key]
        for choice, test in run.choices.items():
            unknown(problems, f"{where}.choices.{choice}", "test", test, definition.tests)
        for test in run.skips:
            unknown(problems, f"{where}.skips", "test", test, definition.tests)
        if wager.mandatory or wager.equals is not None or wager.at_most is not None:
            problems.add(
                f"wager.{key}",
                "A wager that runs over several rounds isn't mandatory or bound to another wager.",
            )


def _check_lines(definition: Definition, problems: Problems) -> None:
    for key, tables in definition.pay_tables.items():
        for name, table in tables.items():
            for line in table.lines:
                where = f"pay_table.{key}.{name}.lines.{line.id}"
                unknown(problems, where, "test", line.hand, definition.tests)


def _check_possible(definition: Definition, problems: Problems) -> None:
    """Record tests that no round passes, and lines that can never be paid."""
    own = baccarat_of(definition)
    rounds = list(possible_rounds(own.drawing, suits=definition.decks.number))
    passing = {id_: _passing(rounds, facts) for id_, facts in own.tests.items()}
    for id_, places in passing.items():
        if not places:
            problems.add(
                f"test.{id_}", "No round of this game passes this test. Change or remove it."
            )
    for key, tables in definition.pay_tables.items():
        for name, table in tables.items():
            paid: set[int] = set()
            for line in table.lines:
                if passing[line.hand] <= paid:
                    problems.add(
                        f"pay_table.{key}.{name}.lines.{line.id}",
                        "Every round that fits this line fits a line above. Move it up.",
                    )
                paid |= passing[line.hand]


def _passing(rounds: list[Facts], test: tuple[CardFacts, ...]) -> set[int]:
    numbers = test_numbers(test)
    return {place for place, facts in enumerate(rounds) if passes(numbers, facts)}
