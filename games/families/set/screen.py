"""The family's rounds over columns: the house way, parts compared and wagers settled, compiled."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from games.families.screen import NO_CARD, FamilyScreen
from games.families.set.house_way import (
    END,
    FIRST,
    LOW_SECOND,
    NAMES,
    NO_WAY,
    SIZE,
    choose_way,
    is_in_order,
    rate_part,
)
from games.families.set.round import SetRound
from games.families.set.strength import set_strength
from games.families.stud.explore import find_facts
from games.families.stud.plan import rules_of
from games.families.stud.program import HAND
from games.families.stud.settle import NO_FIT, UNDECIDED, find_line, find_row, settle_row
from games.kernel import compiled, jit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from games.cards import Cards
    from games.families.screen import Columns
    from games.families.set.program import SetProgram
    from games.families.set.round import SetHouse, SetSeat
    from games.families.stud.explore import Numbers
    from games.setup import Setup

_choose_way = compiled(choose_way)
_find_line = compiled(find_line)
_find_row = compiled(find_row)
_is_in_order = compiled(is_in_order)
_rate_part = compiled(rate_part)
_set_strength = compiled(set_strength)
_settle_row = compiled(settle_row)

_inline = partial(jit, allocates=False, inline=True)


class SetRules(NamedTuple):
    """A program as arrays, with the memory for one round."""

    parts: Numbers
    names: Numbers
    common: Numbers
    ways: Numbers
    house_rules: Numbers
    wild: int
    whole: Numbers
    """By hand of all cards: its numbers, and whether it is the player's."""
    whole_names: Numbers
    payout_wagers: Numbers
    payout_results: Numbers
    envy: Numbers
    """By envy bonus: the payout, the wager, the least wager, and its result."""
    envy_pays: Numbers
    """By envy bonus and line: what a hand of another player pays."""


class Work(NamedTuple):
    """Memory for one round."""

    laid: NDArray[np.uint8]
    rated: Numbers
    theirs: Numbers
    strengths: Numbers
    facts: Numbers
    amounts: Numbers
    counts: Numbers
    envies: Numbers
    """By seat of a round, and envy bonus: what the hand pays others."""


@_inline
def same_cards(cards, row, size, counts):  # type: ignore[no-untyped-def]
    """Return whether the parts are exactly the cards; they follow the cards in their row."""
    right = True
    for place in range(size):
        right &= cards[row, place] != NO_CARD and cards[row, size + place] != NO_CARD
        counts[cards[row, place]] += 1
        counts[cards[row, size + place]] -= 1
    for place in range(2 * size):
        right &= counts[cards[row, place]] == 0
    for place in range(2 * size):
        counts[cards[row, place]] = 0
    return right


@_inline
def strengths_of(rules, cards, found):  # type: ignore[no-untyped-def]
    """Rank the parts of a hand as they are set."""
    for part in range(len(rules.parts)):
        numbers = rules.parts[part]
        found[part] = _set_strength(
            cards[numbers[FIRST] : numbers[END]], 0, numbers[END] - numbers[FIRST], numbers[SIZE],
            rules.names[part, : numbers[NAMES]], numbers[LOW_SECOND], rules.wild,
        )  # fmt: skip


@_inline
def set_by_house(rules, cards, work):  # type: ignore[no-untyped-def]
    """Rate every way to set the dealer's cards; return the one of the house way."""
    parts = len(rules.parts)
    last = rules.parts[parts - 1]
    best = _set_strength(
        cards, 0, len(cards), last[SIZE], rules.names[parts - 1, : last[NAMES]], last[LOW_SECOND],
        rules.wild,
    )  # fmt: skip
    for way in range(len(rules.ways)):
        for part in range(parts):
            work.rated[way, part] = _rate_part(
                cards, rules.ways[way], rules.parts[part], rules.names[part], rules.wild, work.laid
            )
        work.rated[way, parts] = best
    return _choose_way(work.rated, rules.common, rules.house_rules)


@_inline
def rank_whole(rules, own, dealers, work):  # type: ignore[no-untyped-def]
    """Rank the hands of all cards, after the parts of the player and of the dealer."""
    at = 2 * len(rules.parts)
    for each in range(len(rules.whole)):
        numbers = rules.whole[each]
        cards = own if numbers[NAMES + 1] else dealers
        work.strengths[at + each] = _set_strength(
            cards, numbers[FIRST], numbers[END], numbers[SIZE],
            rules.whole_names[each, : numbers[NAMES]], numbers[LOW_SECOND], rules.wild,
        )  # fmt: skip


@_inline
def settle_hand(rules, sets, wagers, seat, place, work):  # type: ignore[no-untyped-def]
    """Settle a hand's wagers into `work.amounts`; return whether all of them can be."""
    for key in range(len(work.amounts)):
        work.amounts[key] = 0
    for number in range(len(sets.payout_wagers)):
        row = _find_row(
            rules.conditions, work.facts, rules.row_ends[number], rules.row_ends[number + 1]
        )
        if row == UNDECIDED:
            return False
        line = NO_FIT
        if rules.rows[row, HAND] >= 0:
            line = _find_line(
                rules.lines, work.strengths[rules.rows[row, HAND]], rules.line_ends[number],
                rules.line_ends[number + 1],
            )  # fmt: skip
        for each in range(len(sets.envy)):
            if sets.envy[each, 0] == number:
                work.envies[place, each] = sets.envy_pays[each, line] if line != NO_FIT else 0
        stake = wagers[seat, sets.payout_wagers[number]]
        if stake != 0:
            amount = _settle_row(rules.rows[row], line, rules.lines, stake)
            work.amounts[sets.payout_results[number]] += amount
    return True


@_inline
def settle_envy(sets, wagers, results, first, end, work):  # type: ignore[no-untyped-def]
    """Return whether each hand was paid what the hands of the others pay it."""
    right = True
    for each in range(len(sets.envy)):
        total = 0
        for seat in range(first, end):
            total += work.envies[seat - first, each]
        for seat in range(first, end):
            due = total - work.envies[seat - first, each]
            if wagers[seat, sets.envy[each, 1]] < sets.envy[each, 2]:
                due = 0
            right &= results[seat, sets.envy[each, 3]] == due
    return right


@partial(jit, allocates=False)
def sift(rules, sets, first_seat, house, cards, wagers, results, work, certain):  # type: ignore[no-untyped-def]
    """Keep certain only rounds whose hands were set and settled as the rules say."""
    size, parts = sets.ways.shape[1], len(sets.parts)
    for row in range(certain.size):
        first, end = first_seat[row], first_seat[row + 1]
        if certain[row] == 0 or end - first > len(work.envies):
            certain[row] = 0
            continue
        right = same_cards(house, row, size, work.counts)
        if right:
            dealers = house[row, :size]
            way = set_by_house(sets, dealers, work)
            right = way != NO_WAY
            strengths_of(sets, house[row, size:], work.theirs)
            for part in range(parts):
                right &= work.theirs[part] == work.rated[way, part]
        for seat in range(first, end):
            if not right or not same_cards(cards, seat, size, work.counts):
                right = False
                break
            strengths_of(sets, cards[seat, size:], work.strengths)
            work.facts[0] = int(not _is_in_order(work.strengths[:parts], sets.common))
            for part in range(parts):
                work.strengths[parts + part] = work.theirs[part]
            rank_whole(sets, cards[seat, :size], house[row, size:], work)
            find_facts(rules, work, 0)
            right &= settle_hand(rules, sets, wagers, seat, seat - first, work)
            for key in range(len(work.amounts)):
                right &= results[seat, key] == work.amounts[key]
        if not right or not settle_envy(sets, wagers, results, first, end, work):
            certain[row] = 0


class SetLayout:
    """How the family's rounds are laid out in columns."""

    def __init__(self, program: SetProgram) -> None:
        self._size = self.width = program.definition.deal.player
        self._sizes = [numbers[END] - numbers[FIRST] for numbers in program.parts]

    def is_plain(self, played: SetRound, /) -> bool:
        """Return whether every hand has as many cards and parts as it must have."""
        hands: tuple[SetHouse | SetSeat, ...] = (played.house, *played.seats)
        return all(
            len(each.cards) == self._size and [*map(len, each.parts)] == self._sizes
            for each in hands
        )

    def house(self, played: SetRound, /) -> Cards:
        """Return the dealer's cards, then the parts."""
        return self._laid(played.house)

    def cards(self, seat: SetSeat, /) -> Cards:
        """Return the player's cards, then the parts."""
        return self._laid(seat)

    def _laid(self, hand: SetHouse | SetSeat) -> Cards:
        filled, both = bytes([NO_CARD]), 2 * self._size
        return (hand.cards.ljust(self._size, filled) + b"".join(hand.parts))[:both].ljust(
            both, filled
        )

    def numbers(self, _seat: SetSeat, /) -> Sequence[int]:
        """Return nothing."""
        return ()


class SetScreen(FamilyScreen[SetRound]):
    """Which rounds of a definition are certainly as logged under a set-up."""

    def __init__(self, program: SetProgram, setup: Setup) -> None:
        super().__init__(program, setup, SetLayout(program))
        rules, _ = rules_of(program)
        self._program_rules = rules._replace(rows=np.array(program.rows, np.int64))
        self._sets = _set_rules(program)
        hands, parts = len(program.definition.hands), len(program.parts)
        self._work = Work(
            laid=np.zeros(len(program.ways[0]), np.uint8),
            rated=np.zeros((len(program.ways), parts + 1), np.int64),
            theirs=np.zeros(parts, np.int64),
            strengths=np.zeros(hands, np.int64),
            facts=np.zeros(program.facts, np.int64),
            amounts=np.zeros(len(self.definition.results) - len(program.sets.envies), np.int64),
            counts=np.zeros(NO_CARD + 1, np.int64),
            envies=np.zeros((self.definition.players or 1, len(program.sets.envies)), np.int64),
        )

    def settle(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain only rounds whose cards, parts and results are as the rules say."""
        sift(
            self._program_rules, self._sets, columns.first_seat, columns.house, columns.cards,
            columns.wagers, columns.results, self._work, certain,
        )  # fmt: skip


def _set_rules(program: SetProgram) -> SetRules:
    definition, envies = program.definition, program.sets.envies
    keys, results = list(definition.wagers), list(definition.results)
    payouts = list(definition.payouts)
    names = max((len(numbers) for numbers in program.hand_names), default=1)
    hands = list(definition.hands.values())[2 * len(program.parts) :]
    whole_names = np.zeros((len(hands), names), np.int64)
    for place, hand_names in enumerate(program.hand_names[2 * len(program.parts) :]):
        whole_names[place, : len(hand_names)] = hand_names
    pays = np.zeros((len(envies), max(1, len(program.lines))), np.int64)
    for place, envy in enumerate(envies):
        for line, of in enumerate(program.pay_lines):
            pays[place, line] = envy.pays.get(of.id, 0)
    return SetRules(
        parts=np.array(program.parts, np.int64),
        names=np.array(program.part_names, np.int64),
        common=np.array(program.common, np.int64),
        ways=np.array(program.ways, np.int64),
        house_rules=np.array(program.rules, np.int64),
        wild=program.wild,
        whole=np.array(
            [(*numbers, int(owner == "player")) for owner, numbers in program.whole], np.int64
        ).reshape(len(program.whole), NAMES + 2),
        whole_names=whole_names,
        payout_wagers=np.array(
            [keys.index(each.of or each.id) for each in program.payouts], np.int64
        ),
        payout_results=np.array(
            [results.index(each.into or each.id) for each in program.payouts], np.int64
        ),
        envy=np.array(
            [
                (payouts.index(each.of), keys.index(each.of), each.least, results.index(each.id))
                for each in envies
            ],
            np.int64,
        ).reshape(len(envies), 4),
        envy_pays=pays,
    )
