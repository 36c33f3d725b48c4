"""All hands up to 21 by what their cards are worth, and what each pays: the tables for the odds.

Cards are counted in ten classes: aces, deuces to nines, and tens with face cards. A hand's *pay* is
what it wins to 1 against each result of the dealer, as the settlement itself says.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.cards import RANKS
from games.definition.blackjack_form import HAND, MAIN, MIXED
from games.families.blackjack.program import COMPARED
from games.families.blackjack.values import TWENTY_ONE, VALUES, fits
from games.families.stud.program import HAND as TABLE
from games.families.stud.program import LOST, NO_LINE, TIED, WON
from games.families.stud.settle import find_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition.blackjack_model import CardPattern
    from games.families.blackjack.program import BlackjackProgram

Numbers = Any
"""An array of NumPy."""

CLASSES: Final = 10
ACES, TENS = 0, 9
BUST, BLACKJACK = 0, 6
RESULTS: Final = 7
"""Results of the dealer: above 21, 17 to 21, and a blackjack."""
PLAIN, SPLIT, DOUBLED, SPLIT_DOUBLED, RESCUED, SURRENDERED = range(6)
FLAGS: Final = {
    PLAIN: (),
    SPLIT: ("split",),
    DOUBLED: ("doubled",),
    SPLIT_DOUBLED: ("split", "doubled"),
    RESCUED: ("doubled", "rescued"),
    SURRENDERED: ("surrendered",),
}
"""By kind of a pay: the tests of a hand that hold."""
MOST_SUITED: Final = 5
"""Cards of a hand whose suits are looked at one by one."""


@dataclass(frozen=True)
class Hands:
    """Every hand up to 21, lowest total last, aces counted one."""

    counts: Numbers
    """By hand and class: how many cards."""
    totals: Numbers
    """By hand: the best total."""
    next: Numbers
    """By hand and class: the hand with one more such card, -1 above 21."""
    pays: Numbers
    """By kind, hand and result of the dealer; the last hand stands for all above 21."""
    shoe: Numbers
    """By class: how many cards there are."""


def class_of(rank: int) -> int:
    """Return the class of a rank."""
    return VALUES[rank] - 1


def shoe_of(program: BlackjackProgram) -> Numbers:
    """Return how many cards of each class the shoe has."""
    decks = program.definition.decks
    shoe = np.zeros(CLASSES, np.int64)
    for rank, name in enumerate(RANKS):
        if name not in decks.without:
            shoe[class_of(rank)] += 4 * decks.number
    return shoe


def hands_of_shoe(program: BlackjackProgram) -> Hands:
    """Return every hand that a shoe can deal, with what it pays.

    Raises:
        OverflowError: what a hand pays depends on the suits or faces of too many cards.
    """
    shoe = shoe_of(program)
    found = sorted(_counts(shoe, 0, 0), key=lambda each: -_hard(each))
    places = {each: place for place, each in enumerate(found)}
    more = np.full((len(found), CLASSES), -1, np.int64)
    for each, place in places.items():
        for one in range(CLASSES):
            bigger = (*each[:one], each[one] + 1, *each[one + 1 :])
            more[place, one] = places.get(bigger, -1)
    pays = _Pays(program)
    table = np.zeros((len(FLAGS), len(found) + 1, RESULTS))
    for each, place in places.items():
        table[:, place] = pays.of(each)
    table[:, -1] = pays.of((0, 0, 0, 0, 0, 0, 0, 0, 0, 3))
    return Hands(np.array(found), np.array([_best(each) for each in found]), more, table, shoe)


def _counts(shoe: Numbers, one: int, total: int) -> Iterator[tuple[int, ...]]:
    """Yield the counts of every hand, from a class on."""
    if one == CLASSES:
        yield ()
        return
    number = 0
    while total + number * (one + 1) <= TWENTY_ONE and number <= shoe[one]:
        for rest in _counts(shoe, one + 1, total + number * (one + 1)):
            yield (number, *rest)
        number += 1


def _hard(counts: tuple[int, ...]) -> int:
    return sum((one + 1) * number for one, number in enumerate(counts))


def _best(counts: tuple[int, ...]) -> int:
    hard = _hard(counts)
    return hard + 10 if counts[ACES] and hard <= TWENTY_ONE - 10 else hard


class _Pays:
    """What hands pay, by the rows of the settlement."""

    def __init__(self, program: BlackjackProgram) -> None:
        self._program = program
        self._number = list(program.definition.wagers).index(MAIN)
        patterns = program.rules.patterns.values()
        self._patterns = [each for each in patterns if each.of == HAND]
        self._known: dict[tuple[int, ...], float] = {}
        self._ranks: list[list[int]] = [[] for _ in range(CLASSES)]
        for rank, name in enumerate(RANKS):
            if name not in program.definition.decks.without:
                self._ranks[class_of(rank)].append(rank)

    def of(self, counts: tuple[int, ...]) -> Numbers:
        """Return what a hand pays, by kind and result of the dealer."""
        ways = list(self._ways(counts))
        whole = sum(weight for weight, _ in ways)
        pays = np.zeros((len(FLAGS), RESULTS))
        total = _best(counts)
        for weight, cards in ways:
            tests = [each.id for each in self._patterns if fits(each, b"", cards, b"")]
            for kind, flags in FLAGS.items():
                for result in range(RESULTS):
                    pays[kind, result] += (
                        weight / whole * self._pay((*tests, *flags), total, len(cards), result)
                    )
        return pays

    def _ways(self, counts: tuple[int, ...]) -> Iterator[tuple[int, bytes]]:
        """Yield cards that the hand may be, weighted: one way unless suits or faces matter."""
        classes = [one for one, number in enumerate(counts) for _ in range(number)]
        if not any(self._matters(each, counts) for each in self._patterns):
            yield 1, bytes(4 * self._ranks[one][0] + n % 4 for n, one in enumerate(classes))
            return
        if len(classes) > MOST_SUITED:
            raise OverflowError
        kinds = [[4 * rank + suit for rank in self._ranks[one] for suit in range(4)]
                 for one in classes]  # fmt: skip
        for cards in product(*kinds):
            weight = 1
            for place, card in enumerate(cards):
                weight *= self._program.definition.decks.number - cards[:place].count(card)
            if weight > 0:
                yield weight, bytes(cards)

    def _matters(self, pattern: CardPattern, counts: tuple[int, ...]) -> bool:
        """Return whether a pattern depends on more of these cards than their classes."""
        number = sum(counts)
        if pattern.number and not pattern.number[0] <= number <= pattern.number[-1]:
            return False
        if pattern.ranks not in {"", "same", "run"}:
            ranks = [class_of(RANKS.index(name)) for name in pattern.ranks]
            if sorted(ranks) != [one for one, n in enumerate(counts) for _ in range(n)]:
                return False
            return bool(pattern.suits) or TENS in ranks
        if pattern.cards:
            return len(pattern.cards.split()) == number
        if pattern.suits == MIXED and not number:
            return False
        return bool(pattern.suits) or (bool(pattern.ranks) and counts[TENS] > 0)

    def _pay(self, tests: tuple[str, ...], total: int, number: int, result: int) -> float:
        program = self._program
        is_natural = number == 2 and total == TWENTY_ONE and "split" not in tests
        theirs = {BUST: 0, BLACKJACK: TWENTY_ONE + 1}.get(result, 16 + result)
        mine = TWENTY_ONE + 1 if is_natural else total if total <= TWENTY_ONE else 0
        facts = [0] * program.facts
        facts[COMPARED] = LOST if mine < theirs or not mine else TIED if mine == theirs else WON
        asked = {
            *tests,
            *(("blackjack",) if is_natural else ()),
            *(("busted",) if not mine else ()),
            *(("dealer_busted",) if result == BUST else ()),
            *(("dealer_blackjack",) if result == BLACKJACK else ()),
        }
        for test in asked:
            facts[program.tests[test]] = 1
        key = tuple(facts)
        if key not in self._known:
            self._known[key] = float(self._odds(facts))
        return self._known[key]

    def _odds(self, facts: list[int]) -> Fraction:
        program, ends = self._program, self._program.row_ends
        row = program.rows[
            find_row(program.conditions, facts, ends[self._number], ends[self._number + 1])
        ]
        if row[TABLE] < 0:
            return Fraction(row[0], row[1])
        for line in range(program.line_ends[self._number], program.line_ends[self._number + 1]):
            if facts[program.lines[line][0]] == 1:
                return Fraction(*program.lines[line][1:])
        return Fraction(row[NO_LINE], row[NO_LINE + 1])
