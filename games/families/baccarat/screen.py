"""The family's rounds over columns: third cards checked and wagers settled, compiled."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from games.families.baccarat.hand import FEWEST, MOST
from games.families.baccarat.round import BaccaratRound
from games.families.baccarat.settle import (
    NO_PAIR,
    PAIR,
    STOOD,
    SUITED_PAIR,
    banker_draws,
    passes_test,
    player_draws,
    value_of_rank,
    winner_of,
)
from games.families.screen import NO_CARD, FamilyScreen
from games.families.stud.plan import rules_of
from games.families.stud.program import FIT, HAND
from games.families.stud.settle import NO_FIT, UNDECIDED, find_row, settle_row
from games.kernel import compiled, jit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from games.cards import Cards
    from games.families.baccarat.program import BaccaratProgram
    from games.families.baccarat.round import BaccaratSeat
    from games.families.screen import Columns
    from games.families.stud.explore import Numbers
    from games.setup import Setup

_banker_draws = compiled(banker_draws)
_find_row = compiled(find_row)
_passes_test = compiled(passes_test)
_player_draws = compiled(player_draws)
_settle_row = compiled(settle_row)
_value_of_rank = compiled(value_of_rank)
_winner_of = compiled(winner_of)

FACTS = 8

_inline = partial(jit, allocates=False, inline=True)


class Tests(NamedTuple):
    """The drawing rules and the tests of a definition, as arrays."""

    draw: Numbers
    masks: Numbers
    """By alternative of a test: the mask of each fact."""
    ends: Numbers
    """By test: its first alternative, and after the last test the end."""


@_inline
def total_of(cards, row, first, count):  # type: ignore[no-untyped-def]
    """Return the total of so many cards from a place on."""
    total = 0
    for place in range(first, first + count):
        total += _value_of_rank(int(cards[row, place]) >> 2)
    return total % 10


@_inline
def pair_of(one, two):  # type: ignore[no-untyped-def]
    """Return whether two cards are a pair, and one of a suit."""
    if one >> 2 != two >> 2:
        return NO_PAIR
    return SUITED_PAIR if one == two else PAIR


@_inline
def find_facts(tests, house, row, seen, facts):  # type: ignore[no-untyped-def]
    """Find which tests a round passes; return whether its third cards are as the rules say."""
    own = FEWEST + (house[row, FEWEST] != NO_CARD)
    others = FEWEST + (house[row, MOST + FEWEST] != NO_CARD)
    player, banker = total_of(house, row, 0, FEWEST), total_of(house, row, MOST, FEWEST)
    third = _value_of_rank(int(house[row, FEWEST]) >> 2) if own == MOST else STOOD
    right = (own == MOST) == (_player_draws(tests.draw, player, banker) != 0)
    right &= (others == MOST) == (_banker_draws(tests.draw, player, banker, third) != 0)
    player, banker = total_of(house, row, 0, own), total_of(house, row, MOST, others)
    seen[0] = _winner_of(player, banker)
    seen[1], seen[2], seen[3], seen[4] = player, banker, own, others
    seen[5] = abs(player - banker)
    seen[6] = pair_of(int(house[row, 0]), int(house[row, 1]))
    seen[7] = pair_of(int(house[row, MOST]), int(house[row, MOST + 1]))
    for test in range(len(tests.ends) - 1):
        facts[1 + test] = 0
        for each in range(tests.ends[test], tests.ends[test + 1]):
            facts[1 + test] |= _passes_test(tests.masks[each], seen)
    return right


@_inline
def find_rows(rules, facts, found):  # type: ignore[no-untyped-def]
    """Find the row of each payout and the line of its pay table: all seats have the same."""
    for number in range(found.shape[1]):
        row = _find_row(rules.conditions, facts, rules.row_ends[number], rules.row_ends[number + 1])
        found[0, number], found[1, number] = row, NO_FIT
        if row != UNDECIDED and rules.rows[row, HAND] >= 0:
            for line in range(rules.line_ends[number + 1] - 1, rules.line_ends[number] - 1, -1):
                if facts[rules.lines[line, FIT]]:
                    found[1, number] = line


@partial(jit, allocates=False)
def sift(  # type: ignore[no-untyped-def]
    rules, tests, payout_wagers, first_seat, house, wagers, results, seen, facts, found, certain
):
    """Keep certain only rounds whose cards were drawn and wagers settled as the rules say."""
    for row in range(certain.size):
        if certain[row] == 0:
            continue
        right = find_facts(tests, house, row, seen, facts)
        find_rows(rules, facts, found)
        for seat in range(first_seat[row], first_seat[row + 1]):
            for number in range(len(payout_wagers)):
                stake, amount = wagers[seat, payout_wagers[number]], 0
                if stake != 0:
                    right &= found[0, number] != UNDECIDED
                    amount = _settle_row(
                        rules.rows[found[0, number]], found[1, number], rules.lines, stake
                    )
                right &= results[seat, number] == amount
        if not right:
            certain[row] = 0


class BaccaratLayout:
    """How the family's rounds are laid out in columns."""

    width = 2 * MOST

    def is_plain(self, played: BaccaratRound, /) -> bool:
        """Return whether both hands can be settled, and no wager runs."""
        hands = played.hands.player, played.hands.banker
        return all(FEWEST <= len(each) <= MOST for each in hands) and not any(
            seat.carried for seat in played.seats
        )

    def house(self, played: BaccaratRound, /) -> Cards:
        """Return the two hands."""
        filled = bytes([NO_CARD])
        return played.hands.player.ljust(MOST, filled) + played.hands.banker.ljust(MOST, filled)

    def cards(self, _seat: BaccaratSeat, /) -> Cards:
        """Return nothing: all wagers are on the same cards."""
        return b""

    def numbers(self, _seat: BaccaratSeat, /) -> Sequence[int]:
        """Return nothing."""
        return ()


class BaccaratScreen(FamilyScreen[BaccaratRound]):
    """Which rounds of a definition are certainly as logged under a set-up."""

    def __init__(self, program: BaccaratProgram, setup: Setup) -> None:
        super().__init__(program, setup, BaccaratLayout())
        rules, _ = rules_of(program)
        self._program_rules = rules._replace(rows=np.array(program.rows, np.int64))
        masks = [each for test in program.tests for each in test]
        self._tests = Tests(
            np.array(program.draw, np.int64),
            np.array(masks, np.int64).reshape(-1, FACTS),
            np.cumsum([0, *map(len, program.tests)]),
        )
        self._facts = np.zeros(program.facts, np.int64)
        keys = list(self.definition.wagers)
        self._payouts = np.array([keys.index(each.of or each.id) for each in program.payouts])
        self._is_simple = tuple(self.definition.results) == tuple(
            each.into or each.id for each in program.payouts
        )

    def settle(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain only rounds whose cards, draws and results are as the rules say."""
        if not self._is_simple:
            certain[:] = 0
            return
        payouts = len(self._payouts)
        sift(
            self._program_rules, self._tests, self._payouts, columns.first_seat, columns.house,
            columns.wagers, columns.results, np.zeros(FACTS, np.int64), self._facts,
            np.zeros((2, payouts), np.int64), certain,
        )  # fmt: skip
