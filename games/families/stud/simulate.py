"""Estimates odds by play: hands from a seeded shuffle, decided by a strategy of the definition."""

from __future__ import annotations

from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from games.families.stud.explore import allows, find_facts, rank_hand, settle_variant
from games.families.stud.figures import WagerOdds, name_of, per_of
from games.families.stud.plan import Planner, rules_of, work_for
from games.families.stud.program import condition_masks
from games.kernel import jit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from games.definition.model import Strategy
    from games.families.stud.explore import Numbers
    from games.families.stud.program import Program

HANDS: Final = 1_000_000
"""Hands played at a time."""
LEAST_HANDS: Final = 10_000
MOST_STEPS: Final = 800_000_000
"""Hands ranked and payouts settled that an estimate may take: a few minutes."""
MOST_ERROR: Final = 0.00025
"""The standard error of the game's own edge at which play ends: 0.025 points."""
SEED: Final = 20_251_118


@partial(jit, allocates=False, inline=True)
def settle_path(rules, plan, work, path, kind):  # type: ignore[no-untyped-def]
    """Return what the wagers of a path come to."""
    value = 0
    for number in range(len(plan.counted)):
        stake = plan.stakes[kind, path, number]
        if stake:
            variant = plan.path_variant[path, number]
            value += stake * settle_variant(rules, plan, work, number, variant)
    return value


@partial(jit, allocates=False)
def play(rules, plan, work, deck, conditions, chosen, children, hands, seed, totals):  # type: ignore[no-untyped-def]
    """Play so many hands; add each value, its square and whether it won to the totals."""
    np.random.seed(seed)
    for _ in range(hands):
        for place in range(len(work.table)):
            other = place + np.random.randint(0, len(deck) - place)
            deck[place], deck[other] = deck[other], deck[place]
            work.table[place] = deck[place]
        for each in range(len(rules.hand_counts)):
            rank_hand(rules, work, each)
        find_facts(rules, work, plan.choices)
        path = 0
        for stage in range(plan.decisions):
            made = plan.path_choices[stage, path]
            choice = 0
            if plan.over[stage, path] == 0 and allows(
                plan.decision_masks[stage], work.facts, made, plan.choices
            ):
                rule = 0
                while not allows(conditions[stage, rule], work.facts, made, plan.choices):
                    rule += 1
                choice = chosen[stage, rule]
            path = children[stage, path, choice]
        for kind in range(plan.stakes.shape[0]):
            value = settle_path(rules, plan, work, path, kind)
            totals[kind, 0] += value
            totals[kind, 1] += float(value) * float(value)
            totals[kind, 2] += value > 0


def estimate(
    program: Program, groups: tuple[tuple[str, ...], ...], *, decide: bool
) -> Iterator[WagerOdds]:
    """Yield the odds under the definition's first strategy; without one, nothing is known.

    Without `decide`, no choice makes a difference, so no strategy is needed.
    """
    definition = program.definition
    strategy = next(iter(definition.strategies.values()), None)
    if decide and strategy is None:
        return
    planner = Planner(program, groups, decide=decide)
    rules, unit = rules_of(program)
    plan = planner.plan(unit)
    work = work_for(program, rules, plan)
    most = max(LEAST_HANDS, MOST_STEPS // (len(plan.counted) + len(rules.hand_counts)))
    deck = np.repeat(np.arange(52, dtype=np.uint8), definition.decks.number)
    totals = np.zeros((len(groups), 3), np.float64)
    conditions, chosen = _rules(program, strategy)
    children, hands = _children(planner), 0
    while hands < most and (hands == 0 or _error(totals, unit, hands) > MOST_ERROR):
        more = min(HANDS, most - hands)
        play(rules, plan, work, deck, conditions, chosen, children, more, SEED + hands, totals)
        hands += more
    for kind, group in enumerate(groups):
        mean, variance = _moments(totals[kind], unit, hands)
        yield WagerOdds(
            wager=name_of(definition, group),
            strategy=strategy.id if strategy is not None and decide else "none",
            edge=-mean,
            exact=None,
            error=sqrt(variance / hands),
            variance=variance,
            hit=float(totals[kind, 2]) / hands,
            per=per_of(definition, group),
        )


def _moments(total: NDArray[np.float64], unit: int, hands: int) -> tuple[float, float]:
    """Return the mean and the variance of what hands came to, in units of stake."""
    mean = float(total[0]) / unit / hands
    return mean, float(total[1]) / unit / unit / hands - mean * mean


def _error(totals: NDArray[np.float64], unit: int, hands: int) -> float:
    """Return the standard error of the first figure."""
    return sqrt(_moments(totals[0], unit, hands)[1] / hands)


def _rules(program: Program, strategy: Strategy | None) -> tuple[Numbers, Numbers]:
    """Return a strategy's conditions and choices by decision, the rules that can apply."""
    decisions = program.definition.decisions
    rules = () if strategy is None else strategy.rules
    most = max(1, len(rules))
    conditions = np.zeros((max(1, len(decisions)), most, program.facts), np.int64)
    chosen = np.zeros((max(1, len(decisions)), most), np.int64)
    for place, decision in enumerate(decisions):
        ids = [choice.id for choice in decision.choices]
        number = 0
        for rule in rules:
            masks = condition_masks(program, rule.when)
            if rule.decision == decision.id and masks is not None:
                conditions[place, number] = masks
                chosen[place, number] = ids.index(rule.choose) + 1
                number += 1
    return conditions, chosen


def _children(planner: Planner) -> Numbers:
    """Return the path that follows a path and a choice; a range is played at its highest."""
    levels = planner.levels
    most = max(map(len, levels))
    choices = max((len(each.choices) for each in planner.decisions), default=0) + 1
    children = np.zeros((max(1, len(levels) - 1), most, choices), np.int64)
    for stage, level in enumerate(levels[1:]):
        for place, path in enumerate(level):
            children[stage, path.parent, path.choices[-1]] = place
    return children
