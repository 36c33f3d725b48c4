"""What to deal and to count for the odds of a definition: the game itself, or one more wager."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from math import comb, lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from games.definition.check_unseen import cards_seen
from games.families.stud.explore import CARDS, Plan, Rules, Work
from games.families.stud.program import ANY, HAND, condition_masks
from games.families.stud.strength import NO_CARD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.definition.model import Choice, Condition, Definition
    from games.families.stud.explore import Numbers
    from games.families.stud.program import Program

NEVER: Final = 0
"""The mask of a condition that the readings in use rule out."""


@dataclass(frozen=True)
class Path:
    """Decisions made so far: choices by number (0, none), and what is staked."""

    parent: int
    choices: tuple[int, ...]
    is_over: bool
    folded: bool
    stakes: Mapping[str, Fraction]


def paths_of(definition: Definition) -> list[list[Path]]:
    """Return every way to decide, by the number of decisions made."""
    levels = [[Path(-1, (), is_over=False, folded=False, stakes=base_stakes(definition))]]
    for decision in definition.decisions:
        level: list[Path] = []
        for parent, path in enumerate(levels[-1]):
            if path.is_over or not decision.when.is_always:
                level.append(replace(path, parent=parent, choices=(*path.choices, 0)))
            if not path.is_over:
                for number, choice in enumerate(decision.choices, 1):
                    level += _chosen(path, parent, number, choice)
        levels.append(level)
    return levels


def _chosen(path: Path, parent: int, number: int, choice: Choice) -> Iterator[Path]:
    """Yield a path with one more choice; a range of multiples is played at its ends."""
    for times in sorted({choice.least, choice.most}):
        stakes = dict(path.stakes)
        if choice.wager is not None and choice.of is not None:
            stakes[choice.wager] = stakes.get(choice.wager, Fraction(0)) + times * stakes[choice.of]
        if choice.takes_back is not None:
            stakes[choice.takes_back] = Fraction(0)
        folded = path.folded or choice.folds
        yield Path(parent, (*path.choices, number), choice.ends, folded, stakes)
        if choice.wager is None:
            return


def base_stakes(definition: Definition) -> dict[str, Fraction]:
    """Return one unit on the base wager and on every other mandatory wager."""
    return dict.fromkeys(definition.mandatory_wagers or (definition.base,), Fraction(1))


def base_payouts(definition: Definition) -> tuple[str, ...]:
    """Return the payouts of the game itself: mandatory wagers, those of choices, and on them."""
    wagers = {definition.base, *definition.mandatory_wagers}
    wagers |= {
        choice.wager
        for decision in definition.decisions
        for choice in decision.choices
        if choice.wager is not None
    }
    return tuple(key for key, payout in definition.payouts.items() if (payout.of or key) in wagers)


def rules_of(program: Program) -> tuple[Rules, int]:
    """Return a program as arrays without rounding, and a unit that all its odds divide."""
    width = max(map(len, program.hand_places), default=1)
    rows = np.array(program.rows, np.int64)
    rows[:, -2] = 1
    overs = {1, *rows[:, 1].tolist(), *rows[:, 4].tolist(), *(line[4] for line in program.lines)}
    names = max(map(len, program.hand_names), default=1)
    return (
        Rules(
            hand_places=_padded(program.hand_places, width),
            hand_counts=_array([len(each) for each in program.hand_places]),
            hand_sizes=_array(program.hand_sizes),
            hand_names=_padded(program.hand_names, names),
            name_counts=_array([len(each) for each in program.hand_names]),
            compared=_array(program.compared).reshape(-1, 2),
            tested=_array(program.tested).reshape(-1, 3),
            conditions=_array(program.conditions),
            rows=rows,
            row_ends=_array(program.row_ends),
            lines=_array(program.lines).reshape(-1, 5),
            line_ends=_array(program.line_ends),
        ),
        lcm(*overs),
    )


def _array(values: object) -> Numbers:
    return np.array(values, np.int64)


def _padded(rows: Sequence[Sequence[int]], width: int) -> Numbers:
    padded = np.zeros((max(1, len(rows)), width), np.int64)
    for number, row in enumerate(rows):
        padded[number, : len(row)] = row
    return padded


class Planner:
    """Makes the plan for some payouts of a program, and knows what it costs.

    `groups` are what is counted: the payouts of the game first, or of one wager alone. Without
    `decide`, no choice makes a difference to them.
    """

    def __init__(
        self, program: Program, groups: tuple[tuple[str, ...], ...], *, decide: bool
    ) -> None:
        self.program = program
        definition = program.definition
        self._definition = definition
        self.decisions = definition.decisions if decide else ()
        self.levels = paths_of(definition) if decide else [[_only_path(definition, groups[0])]]
        keys = tuple(definition.payouts)
        self._payouts = [key for key in keys if any(key in group for group in groups)]
        self._numbers = [keys.index(key) for key in self._payouts]
        self._groups = groups
        self.needed = self._needed_hands()
        self.first, self.stages = self._stages()

    def _needed_hands(self) -> set[int]:
        """Return the hands on which a row of these payouts depends."""
        program = self.program
        needed: set[int] = set()
        first = len(self._definition.decisions) + 1
        facts = [*program.compared, *((tested,) for tested, _, _ in program.tested)]
        for number in self._numbers:
            for row in range(program.row_ends[number], program.row_ends[number + 1]):
                needed |= {program.rows[row][HAND]} - {-1}
                for place, mask in enumerate(program.masks[row]):
                    if mask != ANY and place >= first:
                        needed |= set(facts[place - first])
        return needed

    def _stages(self) -> tuple[list[int], list[list[int]]]:
        """Return the cards that players see from the start, and those of each stage."""
        deal, program = self._definition.deal, self.program
        community = program.player_most + program.dealer_most
        stages: list[list[int]] = []
        first: list[int] = []
        if self.decisions:
            first = [*range(deal.player)]
            first += range(program.player_most, program.player_most + deal.dealer_up)
            own, open_ = deal.player, 0
            for place in range(len(self.decisions)):
                seen = cards_seen(self._definition, place)
                stages.append(
                    [*range(own, seen["player"])]
                    + [community + n for n in range(open_, seen["community"])]
                )
                own, open_ = seen["player"], seen["community"]
        known = {*first, *(place for stage in stages for place in stage)}
        wanted = {place for each in self.needed for place in program.hand_places[each]}
        stages.append(sorted(wanted - known, key=lambda place: (self._kin(place), place)))
        return first, stages

    def _kin(self, place: int) -> tuple[bool, ...]:
        """Return which hands have a card: cards with the same answer can be dealt in any order.

        Without decisions, only hands that are paid or compared make a difference.
        """
        places = self.program.hand_places
        hands = range(len(places)) if self.decisions else sorted(self.needed)
        return tuple(place in places[each] for each in hands)

    def deals(self) -> int:
        """Return how many deals there are to look at after the first cards."""
        left, deals = CARDS - len(self.first), 1
        for stage in self.stages:
            for _, kin in groupby(stage, self._kin):
                cards = len(list(kin))
                deals *= comb(left, cards)
                left -= cards
        return deals

    def plan(self, unit: int) -> Plan:
        """Return the plan."""
        program = self.program
        width = max(1, *map(len, self.stages))
        kin = [[self._kin(place) for place in stage] for stage in self.stages]
        continues = [[n > 0 and of[n] == of[n - 1] for n in range(len(of))] for of in kin]
        last = set(self.stages[-1])
        hands = range(len(program.hand_places))
        variants = [self._variants(number) for number in self._numbers]
        choices = len(self._definition.decisions)
        facts = np.zeros((len(variants), max(len(v) for v, _ in variants), choices + 1), np.int64)
        for number, (each, _) in enumerate(variants):
            facts[number, : len(each)] = each
        return Plan(
            unit=unit,
            single=self._definition.decks.number == 1,
            choices=choices,
            decisions=len(self.decisions),
            stage_places=_padded(self.stages, width),
            stage_counts=_array([len(stage) for stage in self.stages]),
            continues=_padded(continues, width),
            needed=_array([each in self.needed for each in hands]),
            late=_array([bool(last & set(program.hand_places[each])) for each in hands]),
            counted=_array(self._numbers),
            variants=_array([len(each) for each, _ in variants]),
            variant_facts=facts,
            path_variant=_array([of for _, of in variants]).T.copy(),
            stakes=self._stakes(),
            **self._tree(),
        )

    def _variants(self, number: int) -> tuple[list[tuple[int, ...]], list[int]]:
        """Return the combinations of choices that differ for a payout, and which each path has."""
        program = self.program
        masks = program.masks[program.row_ends[number] : program.row_ends[number + 1]]
        places = range(len(self._definition.decisions) + 1)
        asked = [any(mask[place] != ANY for mask in masks) for place in places]
        variants: list[tuple[int, ...]] = []
        of = []
        for path in self.levels[-1]:
            made = (*path.choices, int(path.folded))
            variant = tuple(fact * asks for fact, asks in zip(made, asked, strict=True))
            if variant not in variants:
                variants.append(variant)
            of.append(variants.index(variant))
        return variants, of

    def _stakes(self) -> Numbers:
        """Return the units staked, by what is counted, path and payout."""
        paths = self.levels[-1]
        stakes = np.zeros((len(self._groups), len(paths), len(self._payouts)), np.int64)
        for kind, group in enumerate(self._groups):
            for number, key in enumerate(self._payouts):
                wager = self._definition.payouts[key].of or key
                for place, path in enumerate(paths if key in group else ()):
                    stakes[kind, place, number] = int(path.stakes.get(wager, int(kind > 0)))
        return stakes

    def _tree(self) -> dict[str, Numbers]:
        """Return how paths branch, and the conditions of decisions and choices."""
        program, decisions = self.program, self.decisions
        made, most = len(self.levels), max(map(len, self.levels))
        width = max(1, len(self._definition.decisions))
        choices = max((len(each.choices) for each in decisions), default=1)
        tree = {
            "parents": np.full((made, most), -1, np.int64),
            "path_choices": np.full((made, most, width), -1, np.int64),
            "over": np.zeros((made, most), np.int64),
            "decision_masks": np.zeros((made, program.facts), np.int64),
            "choice_masks": np.zeros((made, choices, program.facts), np.int64),
        }
        for number, level in enumerate(self.levels):
            for place, path in enumerate(level):
                tree["path_choices"][number, place] = 0
                tree["path_choices"][number, place, : len(path.choices)] = path.choices
                tree["over"][number, place] = path.is_over
                if number:
                    tree["parents"][number - 1, place] = path.parent
        for number, decision in enumerate(decisions):
            tree["decision_masks"][number] = self._masks(decision.when)
            for place, choice in enumerate(decision.choices):
                tree["choice_masks"][number, place] = self._masks(choice.when)
        return tree

    def _masks(self, when: Condition) -> tuple[int, ...]:
        masks = condition_masks(self.program, when)
        return (NEVER,) * self.program.facts if masks is None else masks


def _only_path(definition: Definition, group: tuple[str, ...]) -> Path:
    """Return the path of payouts to which choices make no difference."""
    none = (0,) * len(definition.decisions)
    wagers = {definition.payouts[key].of or key for key in group}
    return Path(-1, none, is_over=False, folded=False, stakes=dict.fromkeys(wagers, Fraction(1)))


def work_for(program: Program, rules: Rules, plan: Plan) -> Work:
    """Return the memory for exploring a plan."""
    cards = program.player_most + program.dealer_most + sum(program.definition.deal.community)
    stages, paths = plan.decisions + 1, plan.parents.shape[1]
    counted = plan.stakes.shape[0]
    return Work(
        table=np.full(cards, NO_CARD, np.uint8),
        left=np.full(CARDS, program.definition.decks.number, np.int64),
        position=np.zeros((stages, plan.stage_places.shape[1] + 1), np.int64),
        weight=np.zeros((stages, plan.stage_places.shape[1] + 1), np.int64),
        strengths=np.zeros(len(rules.hand_counts), np.int64),
        facts=np.zeros(program.facts, np.int64),
        values=np.zeros((len(plan.counted), plan.variant_facts.shape[1]), np.int64),
        sums=np.zeros((stages, paths, counted), np.int64),
        squares=np.zeros((stages, paths, counted), np.float64),
        hits=np.zeros((stages, paths, counted), np.int64),
        deals=np.zeros(stages, np.int64),
    )
