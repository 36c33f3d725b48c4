"""Odds of a definition of the family: the main wager under the best play, and the others exactly.

The main wager is played the best way for the cards of each hand (`main_odds`). Every other wager
depends on the first cards alone, and all of these are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from games.cards import RANKS
from games.definition.blackjack_form import (
    DEALER,
    DEALERS_OPENING,
    MAIN,
    OPENING,
    UPCARD,
    WITH_UPCARD,
)
from games.families.blackjack.program import compile_program
from games.families.blackjack.values import ACE, fits, is_blackjack
from games.families.stud.figures import WagerOdds
from games.families.stud.program import DEFAULTS, NO_LINE
from games.families.stud.program import HAND as TABLE
from games.families.stud.settle import find_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.cards import Cards
    from games.definition import Definition
    from games.families.blackjack.program import BlackjackProgram
    from games.families.stud.program import Terms

STRATEGY: Final = "best_by_hand"
"""Every decision is the best for the cards of the hand and the upcard."""
SPLIT_ERROR: Final = 0.0001
"""How far the edge may be off: hands from a split are played without the cards of the others."""


def find_odds(
    definition: Definition, terms: Terms = DEFAULTS, *, only: str | None = None
) -> Iterator[WagerOdds]:
    """Yield the odds of the main wager, then of each wager beside it; `only` is one of them.

    Nothing is yielded for a main wager that the suits or faces of long hands decide.
    """
    program = compile_program(definition, terms)
    if only in {None, MAIN}:
        yield from _of_main(program)
    for key in definition.wagers:
        if key != MAIN and only in {None, key}:
            yield _of_side(program, key)


def _of_main(program: BlackjackProgram) -> Iterator[WagerOdds]:
    from games.families.blackjack.main_odds import find_main  # Numba loads slowly

    try:
        mean, square, hit = find_main(program)
    except OverflowError:
        return
    variance = square - mean * mean
    yield WagerOdds(MAIN, STRATEGY, -mean, None, SPLIT_ERROR, variance, hit, "wager")


@dataclass(frozen=True)
class _Needs:
    """Which of the first cards a wager depends on."""

    tests: tuple[str, ...]
    opening: bool
    upcard: bool
    hole: bool


def _needs(program: BlackjackProgram, key: str) -> _Needs:
    """Return the tests that a wager asks, and the cards that they are about."""
    wager = program.definition.wagers[key]
    tests = {test for outcome in wager.outcomes for test in outcome.when.tests}
    table = program.tables.get(wager.table)
    tests |= {line.hand for line in table.lines} if table is not None else set()
    patterns = [each for id_, each in program.rules.patterns.items() if id_ in tests]
    about = {each.of for each in patterns}
    about |= {OPENING} if "blackjack" in tests else set()
    about |= {DEALERS_OPENING} if tests & {"dealer_blackjack", "dealer_busted"} else set()
    matches = any(each.matches for each in patterns)
    hole = bool(about & {DEALERS_OPENING, DEALER})
    return _Needs(
        tests=tuple(tests),
        opening=bool(about & {OPENING, WITH_UPCARD}),
        upcard=matches
        or hole
        or bool(about & {WITH_UPCARD, UPCARD})
        or _is_insurance(program, key),
        hole=hole,
    )


def _is_insurance(program: BlackjackProgram, key: str) -> bool:
    insurance = program.rules.insurance
    return insurance is not None and insurance.wager == key


def _of_side(program: BlackjackProgram, key: str) -> WagerOdds:
    """Return the odds of a wager on the first cards; of insurance, against an ace."""
    needs = _needs(program, key)
    number = list(program.payouts).index(program.definition.wagers[key])
    upcards = [
        card for card in _deck(program) if card >> 2 == ACE or not _is_insurance(program, key)
    ]
    ways = 0
    won, squares, hits = Fraction(0), Fraction(0), 0
    for weight, opening, dealers in _deals(program, needs, upcards):
        odds = _odds(program, needs, number, opening, dealers)
        ways += weight
        won += weight * odds
        squares += weight * odds * odds
        hits += weight * (odds > 0)
    mean = won / ways
    variance = float(squares / ways - mean * mean)
    return WagerOdds(key, "none", float(-mean), -mean, 0.0, variance, hits / ways, "wager")


def _deck(program: BlackjackProgram) -> list[int]:
    without = program.definition.decks.without
    return [card for card in range(52) if RANKS[card >> 2] not in without]


def _deals(
    program: BlackjackProgram, needs: _Needs, upcards: list[int]
) -> Iterator[tuple[int, Cards, Cards]]:
    """Yield the first cards that a wager depends on, with the number of ways to deal them."""
    deck, decks = _deck(program), program.definition.decks.number
    openings = combinations_with_replacement(deck, 2) if needs.opening else [()]
    for opening in openings:
        two = 2 if len(set(opening)) == 2 else 1
        for upcard in upcards if needs.upcard else [-1]:
            up = () if upcard < 0 else (upcard,)
            for hole in deck if needs.hole and _asks_hole(program, needs, opening, up) else [-1]:
                last = () if hole < 0 else (hole,)
                cards = (*opening, *up, *last)
                weight = two * _ways(cards, decks)
                if needs.hole and hole < 0:  # any card will do
                    weight *= len(deck) * decks - len(cards)
                if weight:
                    yield weight, bytes(opening), bytes((*up, *last))


def _ways(cards: tuple[int, ...], decks: int) -> int:
    """Return how many physical cards make these, one after another."""
    ways, used = 1, dict.fromkeys(cards, 0)
    for card in cards:
        ways *= decks - used[card]
        used[card] += 1
    return ways


def _asks_hole(
    program: BlackjackProgram, needs: _Needs, opening: tuple[int, ...], up: tuple[int, ...]
) -> bool:
    """Return whether the dealer's second card could matter: whether a pattern beside it holds."""
    of_dealer = {"dealer_blackjack", "dealer_busted"} | {
        id_ for id_, each in program.rules.patterns.items() if each.of in {DEALERS_OPENING, DEALER}
    }
    others = [test for test in needs.tests if test not in of_dealer]
    return not others or any(_holds(program, test, bytes(opening), bytes(up)) for test in others)


def _holds(program: BlackjackProgram, test: str, opening: Cards, dealers: Cards) -> bool:
    if test == "blackjack":
        return is_blackjack(opening)
    if test == "dealer_blackjack":
        return is_blackjack(dealers)
    pattern = program.rules.patterns.get(test)
    return pattern is not None and fits(pattern, opening, opening, dealers)


def _odds(
    program: BlackjackProgram, needs: _Needs, number: int, opening: Cards, dealers: Cards
) -> Fraction:
    """Return what a wager comes to, to 1."""
    facts = [0] * program.facts
    for test in needs.tests:
        facts[program.tests[test]] = int(_holds(program, test, opening, dealers))
    ends = program.row_ends
    row = program.rows[find_row(program.conditions, facts, ends[number], ends[number + 1])]
    if row[TABLE] < 0:
        return Fraction(row[0], row[1])
    for line in range(program.line_ends[number], program.line_ends[number + 1]):
        if facts[program.lines[line][0]] == 1:
            return Fraction(*program.lines[line][1:])
    return Fraction(row[NO_LINE], row[NO_LINE + 1])
