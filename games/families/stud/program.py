"""A definition under terms, as numbers: what the settlement of the family runs on.

The *facts* of a hand are small numbers: the choice made at each decision (0 is none), whether the
player folded, the result of each comparison (0 lost, 1 tied, 2 won) and of each test (0 or 1). A
condition is a mask per fact: which of its values satisfy it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from games.definition.hand_names import fitting_names
from games.families.stud.strength import (
    MOST_RANKS,
    PLACE_SHIFT,
    bounds_of,
    codes_of,
    leading_ranks,
    place_of_name,
)
from games.rounding import DIRECTIONS, DOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.definition.model import (
        Condition,
        Definition,
        Hand,
        Outcome,
        PayLine,
        PayTable,
        Rounding,
        Wager,
    )
    from games.rounding import Odds

ANY: Final = (1 << 30) - 1
"""The mask of a fact that a condition doesn't ask for."""
LOST, TIED, WON = 0, 1, 2
UNKNOWN: Final = 29
"""The value of a fact that depends on cards that weren't dealt."""

RESULTS: Final = {"lose": LOST, "tie": TIED, "win": WON}

ODDS, OVER, HAND, NO_LINE, NO_LINE_OVER, STEP, DIRECTION = range(7)
"""The numbers of a row: odds and what they are over, the hand that a pay table reads (-1: the odds
count), the odds of a hand that fits no line, and how the result is rounded."""
FIT, LOW, HIGH, PAYS, PAYS_OVER = range(5)
"""The numbers of a line: the places of the names that fit, the ranks it may have, and its odds."""

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Terms:
    """What approved controls choose: a pay table per wager, and readings. Absent, the defaults."""

    pay_tables: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, Mapping[str, Odds]] = field(default_factory=dict)
    """By payout: lines of the pay table in use that pay otherwise, to 1."""


DEFAULTS: Final = Terms()


@dataclass(frozen=True)
class Program:
    """A definition under terms, as numbers."""

    definition: Definition
    terms: Terms
    player_most: int
    dealer_most: int
    hand_places: tuple[Numbers, ...]
    hand_sizes: Numbers
    hand_names: tuple[Numbers, ...]
    compared: tuple[tuple[int, int], ...]
    tested: tuple[tuple[int, int, int], ...]
    """The hand, and the lowest and the highest strength that pass."""
    facts: int
    masks: tuple[Numbers, ...]
    """By row: the mask of each fact."""
    conditions: tuple[Numbers, ...]
    """By row: how many facts it asks for, then each with its mask; all of one length."""
    rows: tuple[Numbers, ...]
    row_ends: Numbers
    """By payout: its first row, and after the last payout the end."""
    lines: tuple[Numbers, ...]
    line_ends: Numbers
    outcomes: tuple[Outcome, ...]
    """By row: the outcome of the definition."""
    pay_lines: tuple[PayLine, ...]
    tables: Mapping[str, PayTable]
    """By the key of pay tables: the one in use."""

    @cached_property
    def payouts(self) -> tuple[Wager, ...]:
        """Return what is settled, in the order of `row_ends`."""
        return tuple(self.definition.payouts.values())

    @property
    def folded(self) -> int:
        """Return the place of the fact that the player folded."""
        return len(self.definition.decisions)


@dataclass(frozen=True)
class PayoutNumbers:
    """The outcomes and pay tables of a definition under terms: see the fields of `Program`."""

    masks: tuple[Numbers, ...]
    conditions: tuple[Numbers, ...]
    rows: tuple[Numbers, ...]
    row_ends: Numbers
    lines: tuple[Numbers, ...]
    line_ends: Numbers
    outcomes: tuple[Outcome, ...]
    pay_lines: tuple[PayLine, ...]
    tables: Mapping[str, PayTable]


def compile_payouts(
    definition: Definition,
    terms: Terms,
    facts: Facts,
    hands: Mapping[str, int],
    line_numbers: Callable[[PayLine, Wager], Numbers],
) -> PayoutNumbers:
    """Return the outcomes that the readings in use leave, and the lines of the pay tables in use.

    `hands` are the places of hands that pay tables read.
    """
    tables = tables_in_use(definition, terms)
    masks, rows, row_ends, outcomes = [], [], [0], []
    lines, line_ends, pay_lines = [], [0], []
    for payout in definition.payouts.values():
        for outcome in payout.outcomes:
            if facts.may_apply(outcome.when):
                masks.append(facts.masks(outcome.when))
                rows.append(row_numbers(definition, payout, outcome, hands))
                outcomes.append(outcome)
        row_ends.append(len(rows))
        for line in tables[payout.table].lines if payout.table in tables else ():
            lines.append(line_numbers(line, payout))
            pay_lines.append(line)
        line_ends.append(len(lines))
    return PayoutNumbers(
        masks=tuple(masks),
        conditions=condition_numbers(masks),
        rows=tuple(rows),
        row_ends=tuple(row_ends),
        lines=tuple(lines),
        line_ends=tuple(line_ends),
        outcomes=tuple(outcomes),
        pay_lines=tuple(pay_lines),
        tables=tables,
    )


def compile_program(definition: Definition, terms: Terms = DEFAULTS) -> Program:
    """Return the program of a definition under terms."""
    hands = {id_: number for number, id_ in enumerate(definition.hands)}
    later = definition.deal.after
    player = definition.deal.player + max((each.player for each in later), default=0)
    dealer = definition.deal.dealer + max((each.dealer for each in later), default=0)
    starts = {"player": 0, "dealer": player, "community": player + dealer}
    facts = Facts(definition, terms)
    payouts = compile_payouts(
        definition, terms, facts, hands,
        lambda line, payout: _line(line, _hand_paid(definition, payout)),
    )  # fmt: skip
    return Program(
        definition=definition,
        terms=terms,
        player_most=player,
        dealer_most=dealer,
        hand_places=tuple(_places(each, starts) for each in definition.hands.values()),
        hand_sizes=tuple(each.ranking.cards for each in definition.hands.values()),
        hand_names=tuple(codes_of(each.ranking) for each in definition.hands.values()),
        compared=tuple(
            (hands[each.player], hands[each.dealer]) for each in definition.comparisons.values()
        ),
        tested=tuple(_test(definition, id_, hands) for id_ in definition.tests),
        facts=facts.number,
        **vars(payouts),
    )


def condition_numbers(masks: list[Numbers]) -> tuple[Numbers, ...]:
    """Return the conditions of a program, from the mask of each fact."""
    asked = [[(place, of) for place, of in enumerate(mask) if of != ANY] for mask in masks]
    width = 1 + 2 * max(map(len, asked), default=0)
    rows = ((len(row), *(number for pair in row for number in pair)) for row in asked)
    return tuple(row + (0,) * (width - len(row)) for row in rows)


def tables_in_use(definition: Definition, terms: Terms) -> dict[str, PayTable]:
    """Return the pay tables that terms choose."""
    tables = {}
    for key, named in definition.pay_tables.items():
        table = named[terms.pay_tables.get(key) or next(iter(named))]
        changed = terms.lines.get(key, {})
        lines = tuple(
            replace(line, pays=Fraction(changed[line.id])) if line.id in changed else line
            for line in table.lines
        )
        tables[key] = replace(table, lines=lines)
    return tables


def _places(hand: Hand, starts: Mapping[str, int]) -> Numbers:
    return tuple(
        starts[part.of] + place for part in hand.parts for place in range(part.first, part.end)
    )


def _test(definition: Definition, id_: str, hands: Mapping[str, int]) -> tuple[int, int, int]:
    test = definition.tests[id_]
    ranking = definition.hands[test.hand].ranking
    low, high = 0, 1 << PLACE_SHIFT + 8
    if test.at_least is not None:
        low = bounds_of(ranking, test.at_least)[0]
    if test.at_most is not None:
        high = bounds_of(ranking, test.at_most)[1]
    return hands[test.hand], low, high


def _hand_paid(definition: Definition, payout: Wager) -> Hand:
    paid = next(each.hand or payout.hand for each in payout.outcomes if each.odds is None)
    return definition.hands[paid or ""]


def ratio_of(odds: Fraction) -> tuple[int, int]:
    """Return odds as two whole numbers."""
    return odds.numerator, odds.denominator


def row_numbers(
    definition: Definition, payout: Wager, outcome: Outcome, hands: Mapping[str, int]
) -> Numbers:
    """Return the numbers of an outcome."""
    rounding: Rounding | None = outcome.rounding or definition.rounding
    rounded = (1, DOWN) if rounding is None else (rounding.step, DIRECTIONS[rounding.direction])
    if outcome.odds is not None:
        return (*ratio_of(outcome.odds), -1, 0, 1, *rounded)
    return (0, 1, hands[outcome.hand or payout.hand or ""], *ratio_of(outcome.no_line), *rounded)


def _line(line: PayLine, hand: Hand) -> Numbers:
    fit = 0
    for name in fitting_names(hand.ranking, line.hand):
        fit |= 1 << place_of_name(hand.ranking, name)
    low = leading_ranks(line.lowest)[0]
    high = leading_ranks(line.highest)[1] if line.highest else (1 << 4 * MOST_RANKS) - 1
    return (fit, low, high, *ratio_of(line.pays))


class Facts:
    """The places of facts, and the masks of conditions."""

    def __init__(self, definition: Definition, terms: Terms) -> None:
        self._definition = definition
        self._terms = terms
        self._choices = {
            each.id: (place, [one.id for one in each.choices])
            for place, each in enumerate(definition.decisions)
        }
        first = len(definition.decisions) + 1
        self._compares = {id_: first + n for n, id_ in enumerate(definition.comparisons)}
        first += len(definition.comparisons)
        self._tests = {id_: first + n for n, id_ in enumerate(definition.tests)}
        self.number = first + len(definition.tests)

    def may_apply(self, when: Condition) -> bool:
        """Return whether the readings in use leave a condition possible."""
        for id_, readings in when.readings.items():
            asked = self._definition.interpretations[id_]
            if self._terms.readings.get(id_, asked.default) not in readings:
                return False
        return True

    def masks(self, when: Condition) -> Numbers:
        """Return a condition's mask of each fact."""
        masks = [ANY] * self.number
        for decision, names in when.choices.items():
            place, choices = self._choices[decision]
            masks[place] = sum(1 << choices.index(each) + 1 for each in set(names))
        if when.folded is not None:
            masks[len(self._choices)] = 1 << when.folded
        for id_, results in when.compares.items():
            masks[self._compares[id_]] = sum(1 << RESULTS[each] for each in set(results))
        for id_, passes in when.tests.items():
            masks[self._tests[id_]] = 1 << passes
        return tuple(masks)


def condition_masks(program: Program, when: Condition) -> Any:
    """Return a condition's masks, or None if the readings in use rule it out."""
    facts = Facts(program.definition, program.terms)
    return facts.masks(when) if facts.may_apply(when) else None
