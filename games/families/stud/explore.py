"""Counts what a hand's wagers come to over every deal, with the best choice at each decision.

Each decision is a stage: the cards that lie open by then are dealt in every possible way, and for
each the choice with the highest value over all cards still to come is taken. Cards that no decision
sees are dealt in the last stage. Values are whole numbers: a unit of stake is a multiple of every
denominator of the odds.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.families.stud.program import ANY, HAND, UNKNOWN
from games.families.stud.settle import (
    NO_FIT,
    compare_hands,
    find_line,
    find_row,
    settle_row,
    test_hand,
)
from games.families.stud.strength import NO_CARD, NO_HAND, hand_strength
from games.kernel import compiled, jit

Numbers = NDArray[np.int64]

_strength = compiled(hand_strength)
_compare = compiled(compare_hands)
_test = compiled(test_hand)
_find_row = compiled(find_row)
_find_line = compiled(find_line)
_settle_row = compiled(settle_row)

CARDS: Final = 52

_inline = partial(jit, allocates=False, inline=True)


class Rules(NamedTuple):
    """A program as arrays."""

    hand_places: Numbers
    hand_counts: Numbers
    hand_sizes: Numbers
    hand_names: Numbers
    name_counts: Numbers
    compared: Numbers
    tested: Numbers
    conditions: Numbers
    rows: Numbers
    row_ends: Numbers
    lines: Numbers
    line_ends: Numbers


class Plan(NamedTuple):
    """What to deal in which order, and what to count."""

    unit: int
    single: bool
    """Whether every card exists once, so that cards of one group are dealt in one order only."""
    choices: int
    """How many decisions the definition has: the first facts are their choices."""
    decisions: int
    """How many of them are explored: all, or none where they make no difference."""
    stage_places: Numbers
    stage_counts: Numbers
    continues: Numbers
    """By stage and card: whether it is in the same group as the card before."""
    needed: Numbers
    """By hand: whether any payout that is counted depends on it."""
    late: Numbers
    """By hand: whether it has cards of the last stage."""
    counted: Numbers
    """The payouts that are counted."""
    variants: Numbers
    """By counted payout: how many combinations of choices make a difference to it."""
    variant_facts: Numbers
    """By counted payout, variant and decision: the choice, and after them whether folded."""
    path_variant: Numbers
    """By path and counted payout."""
    stakes: Numbers
    """By what is counted (0 is the game), path and counted payout: units of stake."""
    parents: Numbers
    """By decision and path after it: the path before it, or -1 beyond the last."""
    path_choices: Numbers
    """By number of decisions made, path and decision: the choice; -1 beyond the last path."""
    decision_masks: Numbers
    """By decision: when it comes up."""
    choice_masks: Numbers
    """By decision and choice: when it is allowed; without a choice, when it does not come up."""
    over: Numbers
    """By number of decisions made and path: whether no further decision follows."""


class Work(NamedTuple):
    """Memory for one exploration."""

    table: NDArray[np.uint8]
    left: Numbers
    position: Numbers
    weight: Numbers
    strengths: Numbers
    facts: Numbers
    values: Numbers
    sums: Numbers
    """By stage, path and what is counted: the sum over all deals."""
    squares: NDArray[np.float64]
    hits: Numbers
    deals: Numbers
    """By stage: how many deals there were."""


@_inline
def rank_hand(rules, work, each):  # type: ignore[no-untyped-def]
    """Rank one hand."""
    work.strengths[each] = _strength(
        work.table,
        rules.hand_places[each, : rules.hand_counts[each]],
        rules.hand_sizes[each],
        rules.hand_names[each, : rules.name_counts[each]],
    )


@_inline
def find_facts(rules, work, choices):  # type: ignore[no-untyped-def]
    """Compare and test the hands as far as they are ranked."""
    place = choices + 1
    for each in range(len(rules.compared)):
        mine, dealers = rules.compared[each]
        work.facts[place] = _compare(work.strengths[mine], work.strengths[dealers])
        place += 1
    for each in range(len(rules.tested)):
        tested, low, high = rules.tested[each]
        work.facts[place] = _test(work.strengths[tested], low, high)
        place += 1


@_inline
def settle_variant(rules, plan, work, number, variant):  # type: ignore[no-untyped-def]
    """Settle a unit on a payout that is counted, for a variant of choices."""
    payout = plan.counted[number]
    for place in range(plan.choices + 1):
        work.facts[place] = plan.variant_facts[number, variant, place]
    row = _find_row(
        rules.conditions, work.facts, rules.row_ends[payout], rules.row_ends[payout + 1]
    )
    line = NO_FIT
    if rules.rows[row, HAND] >= 0:
        line = _find_line(
            rules.lines,
            work.strengths[rules.rows[row, HAND]],
            rules.line_ends[payout],
            rules.line_ends[payout + 1],
        )
    return _settle_row(rules.rows[row], line, rules.lines, plan.unit)


@_inline
def find_values(rules, plan, work):  # type: ignore[no-untyped-def]
    """Settle a unit on each payout that is counted, for each variant of choices."""
    for number in range(len(plan.counted)):
        for variant in range(plan.variants[number]):
            work.values[number, variant] = settle_variant(rules, plan, work, number, variant)


@_inline
def count_deal(plan, work, weight):  # type: ignore[no-untyped-def]
    """Add a complete deal to every path."""
    last = plan.decisions
    work.deals[last] += weight
    for kind in range(plan.stakes.shape[0]):
        for path in range(plan.stakes.shape[1]):
            value = 0
            for number in range(len(plan.counted)):
                stake = plan.stakes[kind, path, number]
                if stake:
                    value += stake * work.values[number, plan.path_variant[path, number]]
            if value:
                work.sums[last, path, kind] += weight * value
                work.squares[last, path, kind] += weight * float(value) * float(value)
                if value > 0:
                    work.hits[last, path, kind] += weight


@_inline
def allows(masks, facts, made, choices):  # type: ignore[no-untyped-def]
    """Return whether facts satisfy a condition, with these choices made so far."""
    for place in range(len(masks)):
        if masks[place] == ANY:
            continue
        fact = facts[place]
        if place < choices:
            fact = made[place]
        elif place == choices:
            fact = 0
        if fact == UNKNOWN or masks[place] >> fact & 1 == 0:
            return False
    return True


@_inline
def choose(plan, work, stage, weight):  # type: ignore[no-untyped-def]
    """Add the value of the best choice to each path before this decision."""
    made = plan.path_choices[stage]
    after = plan.path_choices[stage + 1]
    work.deals[stage] += weight * work.deals[stage + 1]
    for before in range(plan.over.shape[1]):
        if made[before, 0] < 0:
            break
        comes_up = plan.over[stage, before] == 0 and allows(
            plan.decision_masks[stage], work.facts, made[before], plan.choices
        )
        best = -1
        for path in range(plan.parents.shape[1]):
            if plan.parents[stage, path] != before:
                continue
            choice = after[path, stage]
            if (choice != 0) != comes_up:
                continue
            if choice and not allows(
                plan.choice_masks[stage, choice - 1], work.facts, made[before], plan.choices
            ):
                continue
            if best < 0 or work.sums[stage + 1, path, 0] > work.sums[stage + 1, best, 0]:
                best = path
        for kind in range(plan.stakes.shape[0]):
            work.sums[stage, before, kind] += weight * work.sums[stage + 1, best, kind]
            work.squares[stage, before, kind] += weight * work.squares[stage + 1, best, kind]
            work.hits[stage, before, kind] += weight * work.hits[stage + 1, best, kind]


@_inline
def rank_before_last(rules, plan, work):  # type: ignore[no-untyped-def]
    """Rank the hands that have no cards of the last stage, once for all its deals."""
    for each in range(len(plan.needed)):
        work.strengths[each] = NO_HAND
        if plan.needed[each] and not plan.late[each]:
            rank_hand(rules, work, each)


@_inline
def settle_deal(rules, plan, work, weight):  # type: ignore[no-untyped-def]
    """Count a complete deal."""
    for each in range(len(plan.needed)):
        if plan.needed[each] and plan.late[each]:
            rank_hand(rules, work, each)
    find_facts(rules, work, plan.choices)
    find_values(rules, plan, work)
    count_deal(plan, work, weight)


@_inline
def next_deal(plan, work, stage, level):  # type: ignore[no-untyped-def]
    """Deal the cards of a stage in the next way, from a level on; return the level, or -1."""
    last = plan.stage_counts[stage] - 1
    while level >= 0:
        card = work.position[stage, level]
        place = plan.stage_places[stage, level]
        if work.table[place] != NO_CARD:
            work.left[card] += 1
            work.table[place] = NO_CARD
        card += 1
        while card < CARDS and work.left[card] == 0:
            card += 1
        if card == CARDS:
            level -= 1
            continue
        work.position[stage, level] = card
        work.weight[stage, level + 1] = work.weight[stage, level] * work.left[card]
        work.left[card] -= 1
        work.table[place] = card
        if level == last:
            return level
        level += 1
        in_order = plan.single and plan.continues[stage, level]
        work.position[stage, level] = card if in_order else -1
    return -1


@partial(jit, allocates=False)
def explore(rules, plan, work, stage):  # type: ignore[no-untyped-def]
    """Deal the cards of a stage in every way, and add up what follows from each."""
    work.sums[stage] = 0
    work.squares[stage] = 0
    work.hits[stage] = 0
    work.deals[stage] = 0
    if stage == plan.decisions:
        rank_before_last(rules, plan, work)
    count = plan.stage_counts[stage]
    work.position[stage, 0] = -1
    work.weight[stage, 0] = 1
    level = 0
    while True:
        if count:
            level = next_deal(plan, work, stage, level)
            if level < 0:
                break
        if stage == plan.decisions:
            settle_deal(rules, plan, work, work.weight[stage, count])
        else:
            explore(rules, plan, work, stage + 1)
            for each in range(len(rules.hand_counts)):
                rank_hand(rules, work, each)
            find_facts(rules, work, plan.choices)
            choose(plan, work, stage, work.weight[stage, count])
        if count == 0:
            break
    return 0
