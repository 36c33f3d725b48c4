"""Exact odds: every order of six cards of a shoe is counted by the round that it comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.families.baccarat.possible import facts_of
from games.families.baccarat.program import compile_program, passes
from games.families.baccarat.settle import (
    CLASSES,
    NO_PAIR,
    PAIR,
    PAIRS,
    SUITED_PAIR,
    count_rounds,
)
from games.families.stud.figures import WagerOdds
from games.families.stud.program import ANY, DEFAULTS, FIT, HAND
from games.kernel import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition import Definition
    from games.definition.model import Wager
    from games.families.baccarat.model import Run
    from games.families.baccarat.program import BaccaratProgram, Facts
    from games.families.stud.program import Terms

SUITS: Final = 4
MOST_COMPILED: Final = 27
"""Decks whose orders of six cards fit 64 bits."""


@dataclass(frozen=True)
class Chances:
    """How many orders of cards pass exactly certain tests."""

    tests: dict[tuple[int, ...], int]
    """By the program's facts."""
    total: int


def find_odds(definition: Definition, terms: Terms = DEFAULTS) -> Iterator[WagerOdds]:
    """Yield the odds of every wager, the base wager first."""
    program = compile_program(definition, terms)
    chances = _chances(program)
    wagers = sorted(definition.payouts.values(), key=lambda each: each.id != definition.base)
    for wager in wagers:
        run = program.own.runs.get(wager.id)
        if run is None:
            yield _of_wager(program, wager, chances)
            continue
        for choice, test in run.choices.items():
            yield _of_run(program, wager, run, chances, (choice, test))


def count_classes(draw: tuple[int, ...], decks: int) -> list[int]:
    """Return how many orders of six cards come to each class of round: see `settle.class_of`."""
    cards = 52 * decks
    if decks <= MOST_COMPILED:
        tally = np.zeros(CLASSES, np.int64)
        left = np.full(13, SUITS * decks, np.int64)
        compiled(count_rounds)(draw, left, cards, tally)
        return [int(each) for each in tally]
    exact = [0] * CLASSES
    count_rounds(draw, [SUITS * decks] * 13, cards, exact)
    return exact


def _chances(program: BaccaratProgram) -> Chances:
    decks = program.definition.decks.number
    scale = _suit_ways(decks)
    found: Counter[tuple[int, ...]] = Counter()
    for number, count in enumerate(count_classes(program.draw, decks)):
        if count == 0:
            continue
        rest, pairs = divmod(number, PAIRS)
        totals, thirds = divmod(rest, 4)
        cards = 2 + (thirds & 1), 2 + (thirds >> 1)
        for suits, ways in scale.ways[pairs].items():
            facts = facts_of(*divmod(totals, 10), cards, suits)
            found[_tests(program, facts)] += count * ways
    return Chances(dict(found), sum(found.values()))


def _tests(program: BaccaratProgram, facts: Facts) -> tuple[int, ...]:
    return (0, *(int(passes(test, facts)) for test in program.tests))


@dataclass(frozen=True)
class _SuitWays:
    """By which hands are pairs: in how many ways of `whole` each of them is suited."""

    ways: tuple[dict[tuple[int, int], int], ...]


def _suit_ways(decks: int) -> _SuitWays:
    """Return how often pairs are suited; two pairs of one rank depend on each other."""
    cards = SUITS * decks
    suited, all_pairs = SUITS * decks * (decks - 1), cards * (cards - 1)
    whole = all_pairs * (cards - 2) * (cards - 3)
    one = whole // all_pairs * suited
    both_alone = Fraction(suited, all_pairs) ** 2
    same = SUITS * decks * (decks - 1) * (decks - 2) * (decks - 3)
    same += SUITS * (SUITS - 1) * (decks * (decks - 1)) ** 2
    unit = all_pairs**2 * (cards - 2) * (cards - 3)
    single = {SUITED_PAIR: unit // whole * one, PAIR: unit // whole * (whole - one)}
    alone = int(both_alone * unit)
    only = unit * suited // all_pairs
    same *= unit // whole
    return _SuitWays(
        (
            {(NO_PAIR, NO_PAIR): unit},
            {(suit, NO_PAIR): ways for suit, ways in single.items()},
            {(NO_PAIR, suit): ways for suit, ways in single.items()},
            _both(alone, only, unit),
            _both(same, only, unit),
        )
    )


def _both(both: int, one: int, unit: int) -> dict[tuple[int, int], int]:
    return {
        (SUITED_PAIR, SUITED_PAIR): both,
        (SUITED_PAIR, PAIR): one - both,
        (PAIR, SUITED_PAIR): one - both,
        (PAIR, PAIR): unit - 2 * one + both,
    }


def _odds_of(program: BaccaratProgram, wager: Wager, facts: tuple[int, ...]) -> Fraction:
    """Return what a wager wins to 1 in a round, without rounding."""
    number = program.payouts.index(wager)
    for row in range(program.row_ends[number], program.row_ends[number + 1]):
        masks = program.masks[row]
        if all(mask == ANY or mask >> fact & 1 for mask, fact in zip(masks, facts, strict=True)):
            break
    outcome = program.outcomes[row]
    if program.rows[row][HAND] < 0:
        return outcome.odds or Fraction(0)
    for line in range(program.line_ends[number], program.line_ends[number + 1]):
        if facts[program.lines[line][FIT]]:
            return program.pay_lines[line].pays
    return outcome.no_line


def _of_wager(program: BaccaratProgram, wager: Wager, chances: Chances) -> WagerOdds:
    results: Counter[Fraction] = Counter()
    for facts, count in chances.tests.items():
        results[_odds_of(program, wager, facts)] += count
    return _figure(wager.id, "none", results, chances.total)


def _of_run(
    program: BaccaratProgram, wager: Wager, run: Run, chances: Chances, chosen: tuple[str, str]
) -> WagerOdds:
    """Return the odds of a run as if each round were dealt from a whole shoe."""
    places = {id_: number + 1 for number, id_ in enumerate(program.own.tests)}
    choice, test = chosen
    counted, won = 0, 0
    results: Counter[Fraction] = Counter()
    for facts, count in chances.tests.items():
        if any(facts[places[each]] for each in run.skips):
            continue
        counted += count
        if facts[places[test]]:
            won += count
            results[_odds_of(program, wager, facts)] += count
    goes_on = won ** (run.rounds - 1)
    whole: Counter[Fraction] = Counter()
    for odds, count in results.items():
        whole[odds] = count * goes_on
    total = counted**run.rounds
    whole[Fraction(-1)] += total - won**run.rounds
    figure = _figure(wager.id, f"{choice}_from_whole_shoes", whole, total)
    return WagerOdds(**{**_values(figure), "exact": None})


def _values(figure: WagerOdds) -> dict[str, Any]:
    return {name: getattr(figure, name) for name in WagerOdds.__dataclass_fields__}


def _figure(wager: str, strategy: str, results: Counter[Fraction], total: int) -> WagerOdds:
    mean = sum((odds * count for odds, count in results.items()), Fraction()) / total
    square = sum((odds * odds * count for odds, count in results.items()), Fraction()) / total
    return WagerOdds(
        wager=wager,
        strategy=strategy,
        edge=float(-mean),
        exact=-mean,
        error=0.0,
        variance=float(square - mean * mean),
        hit=sum(count for odds, count in results.items() if odds > 0) / total,
        per="wager",
    )
