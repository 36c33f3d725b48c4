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
    compile_payouts,
    condition_numbers,
    ratio_of,
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
    payouts = compile_payouts(
        definition, terms, facts, {"": 0},
        lambda line, _payout: (tests[line.hand], *ratio_of(line.pays)),
    )  # fmt: skip
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
        **vars(payouts),
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
