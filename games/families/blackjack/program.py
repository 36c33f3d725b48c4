"""A definition under terms, as numbers: what the settlement of the family runs on.

Rows and conditions are those of the family `stud`. The facts of a hand are how it compares with the
dealer's, and the result of each test; a pay table's line is paid if its test holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from games.definition.blackjack_form import OPTIONS
from games.definition.blackjack_model import rules_of
from games.families.stud.program import (
    DEFAULTS,
    Facts,
    Program,
    condition_numbers,
    ratio_of,
    row_numbers,
    tables_in_use,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.definition import Definition
    from games.definition.blackjack_model import Blackjack, HandBonus
    from games.families.stud.program import Numbers, Terms

COMPARED = 1
"""The place of the fact how the hand compares; the one before it is never asked for."""
FIRST_TEST = 2


@dataclass(frozen=True)
class BlackjackProgram(Program):
    """A definition under terms, as numbers."""

    rules: Blackjack
    words: Mapping[str, str]
    """By option: the word in use."""
    tests: Mapping[str, int]
    """By test: the place of its fact."""
    bonuses: tuple[HandBonus, ...]
    """Those that the readings in use leave."""
    bonus_conditions: tuple[Numbers, ...]


def compile_program(definition: Definition, terms: Terms = DEFAULTS) -> BlackjackProgram:
    """Return the program of a definition under terms."""
    rules = rules_of(definition)
    facts = Facts(definition, terms)
    tests = {id_: FIRST_TEST + place for place, id_ in enumerate(definition.tests)}
    tables = tables_in_use(definition, terms)
    masks, rows, row_ends, outcomes = [], [], [0], []
    lines, line_ends, pay_lines = [], [0], []
    for payout in definition.payouts.values():
        for outcome in payout.outcomes:
            if facts.may_apply(outcome.when):
                masks.append(facts.masks(outcome.when))
                rows.append(row_numbers(definition, payout, outcome, {"": 0}))
                outcomes.append(outcome)
        row_ends.append(len(rows))
        for line in tables[payout.table].lines if payout.table in tables else ():
            lines.append((tests[line.hand], *ratio_of(line.pays)))
            pay_lines.append(line)
        line_ends.append(len(lines))
    bonuses = tuple(each for each in rules.bonuses if facts.may_apply(each.when))
    return BlackjackProgram(
        definition=definition,
        terms=terms,
        player_most=0,
        dealer_most=0,
        hand_places=(),
        hand_sizes=(),
        hand_names=(),
        compared=(),
        tested=(),
        facts=facts.number,
        masks=tuple(masks),
        conditions=condition_numbers(masks),
        rows=tuple(rows),
        row_ends=tuple(row_ends),
        lines=tuple(lines),
        line_ends=tuple(line_ends),
        outcomes=tuple(outcomes),
        pay_lines=tuple(pay_lines),
        tables=tables,
        rules=rules,
        words=MappingProxyType(
            {name: _word(definition, terms, name, value) for name, value in rules.options.items()}
        ),
        tests=MappingProxyType(tests),
        bonuses=bonuses,
        bonus_conditions=condition_numbers([facts.masks(each.when) for each in bonuses]),
    )


def _word(definition: Definition, terms: Terms, name: str, value: str) -> str:
    if value in OPTIONS[name]:
        return value
    return terms.readings.get(value, definition.interpretations[value].default)
