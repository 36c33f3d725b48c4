"""Odds of a definition of the family: the main wager under the best play, and the others exactly.

The main wager is played the best way for the cards of each hand (`main_odds`). Every other wager
depends on the first cards alone, and all of these are counted.
"""

from __future__ import annotations

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
from games.families.stud.program import DEFAULTS, NO_LINE, UNKNOWN
from games.families.stud.program import HAND as TABLE
from games.families.stud.settle import UNDECIDED, find_row

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

BLACKJACK: Final = "blackjack"
OPENING_CARDS: Final = 2
DEALERS_CARDS: Final = 2
OPENINGS: Final = frozenset({OPENING, WITH_UPCARD})


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


def _of_side(program: BlackjackProgram, key: str) -> WagerOdds:
    """Return the odds of a wager on the first cards; of insurance, while an ace is up."""
    side = _Side(program, key)
    ways, hits = 0, 0
    won, squares = Fraction(0), Fraction(0)
    for weight, odds in side.results():
        ways += weight
        won += weight * odds
        squares += weight * odds * odds
        hits += weight * (odds > 0)
    mean = won / ways
    variance = float(squares / ways - mean * mean)
    return WagerOdds(key, "none", float(-mean), -mean, 0.0, variance, hits / ways, "wager")


class _Side:
    """A wager on the first cards: what it comes to, with as few of them as decide it."""

    def __init__(self, program: BlackjackProgram, key: str) -> None:
        self._program = program
        wager = program.definition.wagers[key]
        self._number = list(program.definition.wagers).index(key)
        tests = {test for outcome in wager.outcomes for test in outcome.when.tests}
        table = program.tables.get(wager.table)
        tests |= {line.hand for line in table.lines} if table is not None else set()
        self._tests = {test: self._dealers_of(test) for test in tests}
        patterns = program.rules.patterns
        self._has_opening = any(
            test == BLACKJACK or (test in patterns and patterns[test].of in OPENINGS)
            for test in tests
        )
        decks = program.definition.decks
        self._decks = decks.number
        self._deck = [card for card in range(52) if RANKS[card >> 2] not in decks.without]
        insurance = program.rules.insurance
        is_insurance = insurance is not None and insurance.wager == key
        self._upcards = [card for card in self._deck if card >> 2 == ACE or not is_insurance]

    def results(self) -> Iterator[tuple[int, Fraction]]:
        """Yield in how many ways cards are dealt that bring a result, with the result."""
        if not self._has_opening:
            yield from self._with(1, b"", b"")
            return
        for pair in combinations_with_replacement(self._deck, OPENING_CARDS):
            weight = (1 + (pair[0] != pair[1])) * self._copies(pair[0], b"")
            weight *= self._copies(pair[1], bytes(pair[:1]))
            yield from self._with(weight, bytes(pair), b"")

    def _with(self, weight: int, opening: Cards, dealers: Cards) -> Iterator[tuple[int, Fraction]]:
        """Yield the results of cards, and deal the dealer another where it depends on that."""
        odds = self._odds(opening, dealers)
        if odds is not None:
            left = len(self._deck) * self._decks - len(opening)
            for number in range(len(dealers), DEALERS_CARDS):
                weight *= left - number
            yield weight, odds
            return
        for card in self._deck if dealers else self._upcards:
            copies = self._copies(card, opening + dealers)
            if copies:
                yield from self._with(weight * copies, opening, dealers + bytes((card,)))

    def _copies(self, card: int, gone: Cards) -> int:
        return self._decks - gone.count(card)

    def _dealers_of(self, test: str) -> int:
        """Return how many of the dealer's cards a test needs."""
        if test in {"dealer_blackjack", "dealer_busted"}:
            return DEALERS_CARDS
        pattern = self._program.rules.patterns.get(test)
        if pattern is None:
            return 0
        if pattern.of in {DEALERS_OPENING, DEALER}:
            return DEALERS_CARDS
        return int(pattern.of in {WITH_UPCARD, UPCARD} or bool(pattern.matches))

    def _holds(self, test: str, opening: Cards, dealers: Cards) -> int:
        """Return whether a test holds, or that it depends on cards not dealt yet."""
        if len(dealers) < self._tests[test]:
            return UNKNOWN
        if test == BLACKJACK:
            return int(is_blackjack(opening))
        if test == "dealer_blackjack":
            return int(is_blackjack(dealers))
        pattern = self._program.rules.patterns.get(test)
        return int(pattern is not None and fits(pattern, opening, opening, dealers))

    def _odds(self, opening: Cards, dealers: Cards) -> Fraction | None:
        """Return what the wager comes to, to 1; None if that depends on cards not dealt yet."""
        program, number = self._program, self._number
        facts = [0] * program.facts
        for test in self._tests:
            facts[program.tests[test]] = self._holds(test, opening, dealers)
        ends = program.row_ends
        found = find_row(program.conditions, facts, ends[number], ends[number + 1])
        if found == UNDECIDED:
            return None
        row = program.rows[found]
        if row[TABLE] < 0:
            return Fraction(row[0], row[1])
        for line in range(program.line_ends[number], program.line_ends[number + 1]):
            fact = facts[program.lines[line][0]]
            if fact:
                return None if fact == UNKNOWN else Fraction(*program.lines[line][1:])
        return Fraction(row[NO_LINE], row[NO_LINE + 1])
