"""Odds of a definition: the game as the house way plays it, and each wager beside it.

A wager on the player's own cards is counted over every hand, exactly. Where the dealer's hand
counts there are too many deals: rounds from a seeded shuffle are played, both hands set by the
house way, and the figure has a standard error.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import comb, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.cards import JOKER
from games.families.set.house_way import END, FIRST, LOW_SECOND, NAMES, SIZE, choose_way, rate_part
from games.families.set.program import compile_program
from games.families.set.strength import set_strength
from games.families.stud.figures import WagerOdds, name_of, per_of
from games.families.stud.plan import base_payouts, rules_of
from games.families.stud.program import ANY, DEFAULTS, HAND
from games.families.stud.settle import (
    NO_FIT,
    compare_hands,
    find_line,
    find_row,
    settle_row,
    test_hand,
)
from games.families.stud.strength import codes_of
from games.kernel import compiled, jit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.definition.model import Definition
    from games.families.set.program import SetProgram
    from games.families.stud.program import Terms

Numbers = NDArray[np.int64]

ROUNDS: Final = 8_000_000
SEED: Final = 20_251_119
STRATEGY: Final = "house_way"
MOST_HANDS: Final = 400_000_000
"""Hands that a figure may look at: about two minutes."""

_strength = compiled(set_strength)
_rate = compiled(rate_part)
_choose = compiled(choose_way)
_compare = compiled(compare_hands)
_test = compiled(test_hand)
_find_row = compiled(find_row)
_find_line = compiled(find_line)
_settle_row = compiled(settle_row)


def find_odds(
    definition: Definition, terms: Terms = DEFAULTS, *, rounds: int = ROUNDS
) -> Iterator[WagerOdds]:
    """Yield the odds of the game itself (by its base wager), then of each wager beside it."""
    program = compile_program(definition, terms)
    base = base_payouts(definition)
    played, alone = [base], []
    for wager in definition.wagers:
        if wager not in base:
            group = tuple(
                key for key, payout in definition.payouts.items() if (payout.of or key) == wager
            )
            own = _own_hand(program, group)
            if own is None:
                played.append(group)
            else:
                alone.append((group, own))
    yield from _play(program, tuple(played), rounds)
    for group, own in alone:
        yield _count(program, group, own)


def _own_hand(program: SetProgram, group: tuple[str, ...]) -> int | None:
    """Return the whole hand of the player that alone decides a wager, or None."""
    keys = tuple(program.definition.payouts)
    hands = tuple(program.definition.hands)
    first = len(hands) - len(program.whole)
    if len(group) != 1:
        return None
    number = keys.index(group[0])
    rows = range(program.row_ends[number], program.row_ends[number + 1])
    if len(rows) != 1 or any(mask != ANY for mask in program.masks[rows[0]]):
        return None
    hand = program.rows[rows[0]][HAND]
    dealt = comb(52 + program.definition.decks.jokers, program.definition.deal.player)
    is_own = hand >= first and program.whole[hand - first][0] == "player"
    is_single = program.definition.decks.number == 1 and dealt <= MOST_HANDS
    return hand - first if is_own and is_single else None


def _array(rows: Any) -> Numbers:
    return np.array(rows, np.int64)


@partial(jit, allocates=False)
def count_hands(names, numbers, wild, row, lines, unit, deck, places, hand, totals):  # type: ignore[no-untyped-def]
    """Settle a unit on every hand; add each value, its square and whether it won to the totals."""
    size = len(places)
    for place in range(size):
        places[place] = place
        hand[place] = deck[place]
    while True:
        strength = _strength(
            hand, numbers[FIRST], numbers[END], numbers[SIZE], names, numbers[LOW_SECOND], wild
        )
        line = _find_line(lines, strength, 0, len(lines))
        value = _settle_row(row, line, lines, unit)
        totals[0] += 1
        totals[1] += value
        totals[2] += value * value
        totals[3] += value > 0
        place = size - 1
        while place >= 0 and places[place] == len(deck) - size + place:
            place -= 1
        if place < 0:
            return
        places[place] += 1
        hand[place] = deck[places[place]]
        for later in range(place + 1, size):
            places[later] = places[later - 1] + 1
            hand[later] = deck[places[later]]


def _count(program: SetProgram, group: tuple[str, ...], own: int) -> WagerOdds:
    """Return the exact odds of a wager on the player's own cards."""
    definition = program.definition
    number = tuple(definition.payouts).index(group[0])
    rules, unit = rules_of(program)
    hand = list(definition.hands.values())[own - len(program.whole)]
    totals = np.zeros(4, np.int64)
    first, end = program.line_ends[number], program.line_ends[number + 1]
    size = definition.deal.player
    count_hands(
        _array(codes_of(hand.ranking)), _array(program.whole[own][1]), program.wild,
        rules.rows[program.row_ends[number]], rules.lines[first:end], unit, _deck(definition),
        np.zeros(size, np.int64), np.zeros(size, np.uint8), totals,
    )  # fmt: skip
    hands, value, squares, won = map(int, totals)
    mean = Fraction(value, unit * hands)
    return WagerOdds(
        wager=group[0],
        strategy="none",
        edge=float(-mean),
        exact=-mean,
        error=0.0,
        variance=float(Fraction(squares, unit * unit * hands) - mean * mean),
        hit=won / hands,
        per="wager",
    )


def _deck(definition: Definition) -> Any:
    decks = definition.decks
    cards = np.repeat(np.arange(52, dtype=np.uint8), decks.number)
    return np.concatenate([cards, np.full(decks.jokers, JOKER, np.uint8)])


class Table(NamedTuple):
    """A program as arrays, and the memory for playing."""

    ways: Numbers
    parts: Numbers
    names: Numbers
    common: Numbers
    rules: Numbers
    wild: int
    whole: Numbers
    """By whole hand: whose (0 is the player), and its numbers."""
    whole_names: Numbers
    rated: Numbers
    laid: Any
    strengths: Numbers
    facts: Numbers


def _table(program: SetProgram) -> Table:
    sizes = [len(codes_of(each.ranking)) for each in program.definition.hands.values()]
    hands = list(program.definition.hands.values())[2 * len(program.parts) :]
    names = [codes_of(hand.ranking) for hand in hands]
    width = max(sizes)
    return Table(
        ways=_array(program.ways),
        parts=_array(program.parts),
        names=_array(program.part_names),
        common=_array(program.common),
        rules=_array(program.rules),
        wild=program.wild,
        whole=_array([(of != "player", *each) for of, each in program.whole]).reshape(-1, 6),
        whole_names=_array([each + (0,) * (width - len(each)) for each in names]).reshape(
            -1, width
        ),
        rated=np.zeros((len(program.ways), len(program.parts) + 1), np.int64),
        laid=np.zeros(program.definition.deal.player, np.uint8),
        strengths=np.zeros(len(sizes), np.int64),
        facts=np.zeros(program.facts, np.int64),
    )


@partial(jit, allocates=False)
def set_by_house(cards, table, first):  # type: ignore[no-untyped-def]
    """Set a hand by the house way: strengths of its parts from a place on, and whether it can."""
    parts = len(table.parts)
    for way in range(len(table.ways)):
        for part in range(parts):
            table.rated[way, part] = _rate(
                cards, table.ways[way], table.parts[part], table.names[part], table.wild, table.laid
            )
    last = table.parts[parts - 1]
    best = _strength(
        cards, 0, len(cards), last[SIZE], table.names[parts - 1, : last[NAMES]], last[LOW_SECOND],
        table.wild,
    )  # fmt: skip
    for way in range(len(table.ways)):
        table.rated[way, parts] = best
    chosen = _choose(table.rated, table.common, table.rules)
    for part in range(parts):
        table.strengths[first + part] = table.rated[chosen, part]


@partial(jit, allocates=False)
def find_facts(rules, table):  # type: ignore[no-untyped-def]
    """Compare and test the hands; no hand is fouled."""
    place = 1
    for each in range(len(rules.compared)):
        mine, dealers = rules.compared[each]
        table.facts[place] = _compare(table.strengths[mine], table.strengths[dealers])
        place += 1
    for each in range(len(rules.tested)):
        tested, low, high = rules.tested[each]
        table.facts[place] = _test(table.strengths[tested], low, high)
        place += 1


@partial(jit, allocates=False)
def settle_unit(rules, table, payout, unit):  # type: ignore[no-untyped-def]
    """Return what a unit on a payout comes to."""
    row = _find_row(
        rules.conditions, table.facts, rules.row_ends[payout],
        rules.row_ends[payout + 1],
    )  # fmt: skip
    line = NO_FIT
    if rules.rows[row, HAND] >= 0:
        line = _find_line(
            rules.lines, table.strengths[rules.rows[row, HAND]],
            rules.line_ends[payout], rules.line_ends[payout + 1],
        )  # fmt: skip
    return _settle_row(rules.rows[row], line, rules.lines, unit)


@partial(jit, allocates=False)
def play_rounds(rules, table, deck, counts, unit, rounds, seed, totals):  # type: ignore[no-untyped-def]
    """Play so many rounds; add each value, its square and whether it won to the totals."""
    np.random.seed(seed)
    size = table.ways.shape[1]
    parts = len(table.parts)
    for _ in range(rounds):
        for place in range(2 * size):
            other = place + np.random.randint(0, len(deck) - place)
            deck[place], deck[other] = deck[other], deck[place]
        for owner in range(2):
            set_by_house(deck[owner * size : (owner + 1) * size], table, owner * parts)
        for each in range(len(table.whole)):
            owner = table.whole[each, 0]
            numbers = table.whole[each, 1:]
            table.strengths[2 * parts + each] = _strength(
                deck[owner * size : (owner + 1) * size], numbers[FIRST], numbers[END],
                numbers[SIZE], table.whole_names[each, : numbers[NAMES]], numbers[LOW_SECOND],
                table.wild,
            )  # fmt: skip
        find_facts(rules, table)
        for kind in range(counts.shape[0]):
            value = 0
            for payout in range(counts.shape[1]):
                if counts[kind, payout]:
                    value += settle_unit(rules, table, payout, unit)
            totals[kind, 0] += value
            totals[kind, 1] += float(value) * float(value)
            totals[kind, 2] += value > 0


def _play(
    program: SetProgram, groups: tuple[tuple[str, ...], ...], rounds: int
) -> Iterator[WagerOdds]:
    """Yield the odds of groups of payouts, a unit on each wager, both hands set the house way."""
    definition = program.definition
    rules, unit = rules_of(program)
    counts = _array([[key in group for key in definition.payouts] for group in groups])
    totals = np.zeros((len(groups), 3), np.float64)
    play_rounds(rules, _table(program), _deck(definition), counts, unit, rounds, SEED, totals)
    for kind, group in enumerate(groups):
        value, square, won = map(float, totals[kind])
        mean = value / unit / rounds
        variance = square / unit / unit / rounds - mean * mean
        yield WagerOdds(
            wager=name_of(definition, group),
            strategy=STRATEGY,
            edge=-mean,
            exact=None,
            error=sqrt(variance / rounds),
            variance=variance,
            hit=won / rounds,
            per=per_of(definition, group),
        )
