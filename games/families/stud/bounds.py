"""What no way to play can exceed: the mean of e^(tilt x) under the best play for each tilt.

`x` is what a hand wins in the game itself, as a part of the most that it may stake, in eighths from
-1 to 1. Every deal is looked at, and at each decision the choice is taken that makes the mean of
this tilt largest, so that a player who does not know the cards to come can't reach more.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.families.stud.explore import (
    allows,
    find_facts,
    find_values,
    next_deal,
    rank_before_last,
    rank_hand,
)
from games.families.stud.odds import first_cards, lay_cards
from games.families.stud.plan import Planner, base_payouts, paths_of, rules_of, work_for
from games.kernel import jit

if TYPE_CHECKING:
    from games.definition.model import Definition
    from games.families.stud.program import Program

LEVELS: Final = 8
"""A net result counts in eighths of the most that a hand may stake."""
MOST_DEALS: Final = 40_000_000
"""Deals that a bound may look at: some seconds."""

Floats = NDArray[np.float64]


class Net(NamedTuple):
    """How the net result of a hand is read: the wager that it is a part of, and which keys."""

    base: str
    stakes: int
    """The most that a hand stakes, in units of the base wager."""
    keys: tuple[str, ...]

    def level(self, won: int, staked: int) -> int:
        """Return a net result in eighths of the most that may be staked, from -8 to 8."""
        most = self.stakes * staked
        return max(-LEVELS, min(LEVELS, (2 * LEVELS * won + most) // (2 * most)))


class Tilted(NamedTuple):
    """What is summed: by level and tilt the powers, and by stage, path and tilt the sums."""

    powers: Floats
    most: int
    """The most that a hand stakes, in the units of the plan."""
    sums: Floats


def net_of(definition: Definition) -> Net | None:
    """Return how the game's net result is read; None if a hand may stake parts of its base."""
    most = max(sum(each.stakes.values()) for each in paths_of(definition)[-1])
    payouts = [definition.payouts[key] for key in base_payouts(definition)]
    keys = dict.fromkeys(each.into or each.id for each in payouts)
    if Fraction(most).denominator != 1:
        return None
    return Net(definition.base, int(most), tuple(keys))


def game_bound(program: Program, tilts: Floats) -> Floats | None:
    """Return by tilt the logarithm of the largest mean; None if there are too many deals."""
    definition = program.definition
    net = net_of(definition)
    planner = Planner(program, (base_payouts(definition),), decide=bool(definition.decisions))
    first = list(first_cards(program, len(planner.first)))
    if net is None or not first or planner.deals() * len(first) > MOST_DEALS:
        return None
    rules, unit = rules_of(program)
    plan = planner.plan(unit)
    work = work_for(program, rules, plan)
    levels = np.arange(-LEVELS, LEVELS + 1) / LEVELS
    tilted = Tilted(
        np.exp(np.outer(levels, tilts)),
        net.stakes * unit,
        np.zeros((plan.decisions + 1, plan.parents.shape[1], len(tilts))),
    )
    total, deals = np.zeros(len(tilts)), 0
    for cards, weight in first:
        lay_cards(work, planner.first, cards, -1)
        explore_tilted(rules, plan, work, tilted, 0)
        total += weight * tilted.sums[0, 0]
        deals += weight * int(work.deals[0])
        lay_cards(work, planner.first, cards, 1)
    found: Floats = np.log(total / deals)
    return found


@partial(jit, allocates=False, inline=True)
def count_tilted(plan, work, tilted, weight):  # type: ignore[no-untyped-def]
    """Add a complete deal to every path."""
    last = plan.decisions
    work.deals[last] += weight
    for path in range(plan.stakes.shape[1]):
        won = 0
        for number in range(len(plan.counted)):
            stake = plan.stakes[0, path, number]
            if stake:
                won += stake * work.values[number, plan.path_variant[path, number]]
        level = (2 * LEVELS * won + tilted.most) // (2 * tilted.most)
        powers = tilted.powers[max(0, min(2 * LEVELS, level + LEVELS))]
        for tilt in range(len(powers)):
            tilted.sums[last, path, tilt] += weight * powers[tilt]


@partial(jit, allocates=False, inline=True)
def choose_tilted(plan, work, tilted, stage, weight):  # type: ignore[no-untyped-def]
    """Add the largest mean of each tilt to each path before this decision."""
    made = plan.path_choices[stage]
    after = plan.path_choices[stage + 1]
    work.deals[stage] += weight * work.deals[stage + 1]
    for before in range(plan.over.shape[1]):
        if made[before, 0] < 0:
            break
        comes_up = plan.over[stage, before] == 0 and allows(
            plan.decision_masks[stage], work.facts, made[before], plan.choices
        )
        for tilt in range(tilted.sums.shape[2]):
            best = -1.0
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
                best = max(best, tilted.sums[stage + 1, path, tilt])
            tilted.sums[stage, before, tilt] += weight * best


@partial(jit, allocates=False)
def explore_tilted(rules, plan, work, tilted, stage):  # type: ignore[no-untyped-def]
    """Deal the cards of a stage in every way, and add up the largest means that follow."""
    tilted.sums[stage] = 0
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
            for each in range(len(plan.needed)):
                if plan.needed[each] and plan.late[each]:
                    rank_hand(rules, work, each)
            find_facts(rules, work, plan.choices)
            find_values(rules, plan, work)
            count_tilted(plan, work, tilted, work.weight[stage, count])
        else:
            explore_tilted(rules, plan, work, tilted, stage + 1)
            for each in range(len(rules.hand_counts)):
                rank_hand(rules, work, each)
            find_facts(rules, work, plan.choices)
            choose_tilted(plan, work, tilted, stage, work.weight[stage, count])
        if count == 0:
            break
    return 0
