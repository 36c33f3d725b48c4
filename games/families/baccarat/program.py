"""A definition of the family `baccarat` under terms, as numbers.

Outcomes are those of the family `stud`: its first fact is never true here, the others are tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from games.families.baccarat.model import baccarat_of
from games.families.baccarat.settle import passes_test
from games.families.stud.program import (
    DEFAULTS,
    Program,
    compile_payouts,
    ratio_of,
)
from games.families.stud.program import Facts as Places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.definition.model import Definition
    from games.families.baccarat.model import Baccarat, CardFacts, Drawing
    from games.families.stud.program import Numbers, Terms

Facts = tuple[int, ...]
"""A round's facts: see `settle.WINNER` and the following."""

ALL: Final = (1 << 10) - 1
WINNERS: Final = {"player": 0, "banker": 1, "tie": 2}
PAIR_MASKS: Final = {None: 0b111, True: 0b110, False: 0b001}
SUITED_MASKS: Final = {None: 0b111, True: 0b100, False: 0b011}


@dataclass(frozen=True)
class BaccaratProgram(Program):
    """A definition under terms, as numbers."""

    own: Baccarat
    draw: Numbers
    """See `settle.NATURAL` and the following."""
    tests: tuple[tuple[Numbers, ...], ...]
    """By test and alternative: the mask of each fact."""


def compile_program(definition: Definition, terms: Terms = DEFAULTS) -> BaccaratProgram:
    """Return the program of a definition under terms."""
    own = baccarat_of(definition)
    places = Places(definition, terms)
    test_places = {id_: number + 1 for number, id_ in enumerate(definition.tests)}
    payouts = compile_payouts(
        definition, terms, places, {"": 0},
        lambda line, _payout: (test_places[line.hand], 0, 0, *ratio_of(line.pays)),
    )  # fmt: skip
    return BaccaratProgram(
        definition=definition,
        terms=terms,
        player_most=3,
        dealer_most=3,
        hand_places=(),
        hand_sizes=(),
        hand_names=(),
        compared=(),
        tested=(),
        facts=places.number,
        **vars(payouts),
        own=own,
        draw=drawing_numbers(own.drawing),
        tests=tuple(test_numbers(each) for each in own.tests.values()),
    )


def drawing_numbers(drawing: Drawing) -> Numbers:
    """Return drawing rules as masks: see `settle.NATURAL` and the following."""
    alone = (drawing.natural, drawing.player, drawing.banker_alone)
    by_total = (drawing.banker.get(total, ()) for total in range(10))
    return tuple(_mask(each, 0) for each in (*alone, *by_total))


def test_numbers(test: Sequence[CardFacts]) -> tuple[Numbers, ...]:
    """Return each alternative of a test as masks of a round's facts."""
    return tuple(
        (
            _mask(tuple(WINNERS[each] for each in of.winner)),
            _mask(of.player_total),
            _mask(of.banker_total),
            _mask(of.player_cards),
            _mask(of.banker_cards),
            _mask(of.margin),
            PAIR_MASKS[of.player_pair] & SUITED_MASKS[of.player_suited_pair],
            PAIR_MASKS[of.banker_pair] & SUITED_MASKS[of.banker_suited_pair],
        )
        for of in test
    )


def _mask(numbers: Sequence[int], without: int = ALL) -> int:
    return sum(1 << number for number in set(numbers)) if numbers else without


def passes(test: Sequence[Numbers], facts: Facts) -> bool:
    """Return whether a round's facts are as any alternative of a test says."""
    return any(passes_test(each, facts) for each in test)
