"""Odds of a definition: the house's edge, how often a wager wins, and how much results vary.

A figure is exact where every deal can be looked at or counted: the game with the best choice at
every decision, and each further wager. Where there are too many deals, the game is played with a
strategy of the definition, and the figure has a standard error.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import TYPE_CHECKING, Any, Final

from games.families.stud.explore import CARDS, explore
from games.families.stud.figures import WagerOdds, name_of, per_of
from games.families.stud.plan import Planner, base_payouts, rules_of, work_for
from games.families.stud.program import ANY, DEFAULTS, compile_program
from games.families.stud.shared_board import BOARD_DEALS, board_of, count_boards
from games.families.stud.simulate import estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from games.definition.model import Definition
    from games.families.stud.program import Program, Terms
    from games.families.stud.shared_board import Board

MOST_DEALS: Final = 400_000_000
"""Deals that a figure may look at: about two minutes."""
MOST_FIRST: Final = 40_000
"""First cards that are compared under all renamings of suits."""


def find_odds(
    definition: Definition, terms: Terms = DEFAULTS, *, only: str | None = None
) -> Iterator[WagerOdds]:
    """Yield the odds of the game itself (by its base wager), then of each wager beside it.

    With `only`, yield the figure of this wager alone.
    """
    program = compile_program(definition, terms)
    groups = [base_payouts(definition)]
    alone: list[tuple[str, ...]] = []
    for group in _side_payouts(definition):
        (groups if _depends_on_choices(program, group) else alone).append(group)
    if only is None or any(only in group for group in groups):
        yield from _of_game(program, tuple(groups))
    for group in alone:
        if only is not None and only not in group:
            continue
        yield from _of_wagers(program, (group,), decide=False, strategy="none")


def find_side_wagers(definition: Definition) -> Iterator[str]:
    """Yield the wagers beside the game that are their own payout, whatever the player chooses."""
    program = compile_program(definition)
    for group in _side_payouts(definition):
        if len(group) == 1 and not _depends_on_choices(program, group):
            yield group[0]


def _side_payouts(definition: Definition) -> list[tuple[str, ...]]:
    """Return the payouts of each wager beside the game."""
    base = base_payouts(definition)
    return [
        tuple(key for key, payout in definition.payouts.items() if (payout.of or key) == wager)
        for wager in definition.wagers
        if wager not in base
    ]


def _depends_on_choices(program: Program, group: Iterable[str]) -> bool:
    """Return whether a choice makes a difference to payouts."""
    keys = tuple(program.definition.payouts)
    for key in group:
        number = keys.index(key)
        for row in range(program.row_ends[number], program.row_ends[number + 1]):
            if any(mask != ANY for mask in program.masks[row][: program.folded + 1]):
                return True
    return False


def _of_game(program: Program, groups: tuple[tuple[str, ...], ...]) -> Iterator[WagerOdds]:
    decisions = program.definition.decisions
    strategy = "optimal" if decisions else "none"
    return _of_wagers(program, groups, decide=bool(decisions), strategy=strategy)


def _of_wagers(
    program: Program, groups: tuple[tuple[str, ...], ...], *, decide: bool, strategy: str
) -> Iterator[WagerOdds]:
    planner = Planner(program, groups, decide=decide)
    first = list(first_cards(program, len(planner.first)))
    paths = len(planner.levels[-1]) * len(program.payouts)
    rules, unit = rules_of(program)
    plan = planner.plan(unit)
    if not first or planner.deals() * len(first) * max(1, paths // 16) > MOST_DEALS:
        board = board_of(planner, rules, plan) if len(groups) == 1 else None
        if board is None:
            yield from estimate(program, groups, decide=decide)
        else:
            yield _of_board(program, groups[0], board, unit)
        return
    work = work_for(program, rules, plan)
    sums, hits, deals = [0] * len(groups), [0] * len(groups), 0
    squares = [0.0] * len(groups)
    for cards, weight in first:
        lay_cards(work, planner.first, cards, -1)
        explore(rules, plan, work, 0)
        for kind in range(len(groups)):
            sums[kind] += weight * int(work.sums[0, 0, kind])
            hits[kind] += weight * int(work.hits[0, 0, kind])
            squares[kind] += weight * float(work.squares[0, 0, kind])
        deals += weight * int(work.deals[0])
        lay_cards(work, planner.first, cards, 1)
    for kind, group in enumerate(groups):
        mean = Fraction(sums[kind], unit * deals)
        yield WagerOdds(
            wager=name_of(program.definition, group),
            strategy=strategy,
            edge=float(-mean),
            exact=-mean,
            error=0.0,
            variance=squares[kind] / (unit * unit * deals) - float(mean) ** 2,
            hit=hits[kind] / deals,
            per=per_of(program.definition, group),
        )


def _of_board(program: Program, group: tuple[str, ...], board: Board, unit: int) -> WagerOdds:
    value, square, wins = count_boards(board)
    mean = Fraction(value, unit * BOARD_DEALS)
    return WagerOdds(
        wager=name_of(program.definition, group),
        strategy="optimal",
        edge=float(-mean),
        exact=-mean,
        error=0.0,
        variance=square / (unit * unit * BOARD_DEALS) - float(mean) ** 2,
        hit=wins / BOARD_DEALS,
        per=per_of(program.definition, group),
    )


def lay_cards(work: Any, places: list[int], cards: tuple[int, ...], change: int) -> None:
    """Take the first cards from the deck and lay them on the table, or put them back."""
    for place, card in zip(places, cards, strict=True):
        work.table[place] = card
        work.left[card] += change


def first_cards(program: Program, number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the cards that a player sees first, one of each kind that differs only in suits.

    Each has the number of ways to deal it; nothing is yielded if there are too many.
    """
    if number == 0:
        yield (), 1
        return
    definition = program.definition
    player, up = definition.deal.player, definition.deal.dealer_up
    if comb(CARDS, player) * comb(CARDS - player, up) > MOST_FIRST:
        return
    decks = definition.decks.number
    kinds: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for own in combinations(range(CARDS), player):
        for dealers in combinations(range(CARDS), up):
            ways = _ways(own + dealers, decks)
            if ways:
                kind = _first_of_kind(own, dealers)
                kinds[kind] = kinds.get(kind, 0) + ways
    for (own, dealers), ways in kinds.items():
        yield own + dealers, ways


def _ways(cards: tuple[int, ...], decks: int) -> int:
    """Return how many physical cards make these, one after another."""
    ways, used = 1, dict.fromkeys(cards, 0)
    for card in cards:
        ways *= decks - used[card]
        used[card] += 1
    return ways


RENAMINGS: Final = tuple(permutations(range(4)))


def _first_of_kind(
    own: tuple[int, ...], dealers: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return min(
        (
            tuple(sorted(card & ~3 | suits[card & 3] for card in own)),
            tuple(sorted(card & ~3 | suits[card & 3] for card in dealers)),
        )
        for suits in RENAMINGS
    )
