"""Counts games like hold'em exactly: two hidden cards each, and five community cards for all.

On one board, the hands of all pairs of cards are ranked once. Sorted by strength, they say of every
pair how many of the dealer's possible pairs are lower, equal and higher, so that no deal is looked
at by itself. The choices of the player are made from the last card back: at each decision, the
choice with the highest sum over all cards still to come.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from games.definition.check_unseen import cards_seen
from games.families.stud.program import HAND, LOST, TIED, WON
from games.families.stud.settle import NO_FIT, find_line, find_row, settle_row
from games.families.stud.strength import ALL_RANKS, NO_HAND, size_of, strength_of
from games.kernel import compiled, jit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from games.families.stud.explore import Numbers, Plan, Rules
    from games.families.stud.plan import Planner
    from games.families.stud.program import Program

CARDS: Final = 52
FLOP: Final = 3
BOARD: Final = 5
OWN: Final = 2
PAIRS: Final = CARDS * (CARDS - 1) // 2
RESULTS: Final = 3
PAIR: Final = 4095
"""The part of a key that is the number of a pair."""
RENAMINGS: Final = tuple(permutations(range(4)))

BOARD_DEALS: Final = PAIRS * 19600 * 47 * 46 * 990
"""Two cards of the player, three, one and one of the board, two of the dealer."""

_size_of = compiled(size_of)
_strength_of = compiled(strength_of)
_find_line = compiled(find_line)
_settle_row = compiled(settle_row)


class Board(NamedTuple):
    """What a plan comes to on a board, as numbers."""

    size: int
    names: Numbers
    player_tests: Numbers
    """By test on the player's hand: its lowest and its highest strength."""
    dealer_tests: Numbers
    fixed: Numbers
    """What each path comes to without pay tables, by result and by the tests that the dealer's and
    the player's hand pass."""
    row: Numbers
    """In the same places: the row that reads a pay table, or -1."""
    stake: Numbers
    """In the same places: what is staked on it."""
    rows: Numbers
    lines: Numbers
    first_line: int
    end_line: int
    """The pay table of the payout that reads one."""
    parents: Numbers
    """By decision and path after it: the path before it, or -1."""
    sees: Numbers
    """By decision: how many community cards lie open."""


class Sums(NamedTuple):
    """Sums over deals, by pair of cards and path: values, their squares, and how often they win."""

    values: Numbers
    squares: NDArray[np.float64]
    wins: Numbers


def board_of(planner: Planner, rules: Rules, plan: Plan) -> Board | None:
    """Return the numbers of a plan, or None if its game has another form."""
    program, definition = planner.program, planner.program.definition
    deal, decisions = definition.deal, planner.decisions
    shape = deal.player, deal.dealer, deal.dealer_up, deal.community[:1], sum(deal.community)
    if shape != (OWN, OWN, 0, (FLOP,), BOARD) or deal.after or definition.decks.number != 1:
        return None
    always = all(each.when.is_always for each in decisions) and all(
        choice.when.is_always for each in decisions for choice in each.choices
    )
    whole = [len(places) == OWN + BOARD for places in program.hand_places]
    pairs = {pair for pair in program.compared if planner.needed >= set(pair)}
    if not always or not decisions or len(pairs) != 1:
        return None
    (mine, dealers) = next(iter(pairs))
    alike = program.hand_names[mine] == program.hand_names[dealers]
    if planner.needed != {mine, dealers} or not (whole[mine] and whole[dealers] and alike):
        return None
    paying = [
        number
        for number in plan.counted.tolist()
        if {rules.rows[row, HAND] for row in range(*rules.row_ends[number : number + 2])} & {mine}
    ]
    if len(paying) > 1:
        return None
    tests = [each for each in range(len(program.tested)) if program.tested[each][0] == mine]
    theirs = [each for each in range(len(program.tested)) if program.tested[each][0] == dealers]
    lines = rules.line_ends[paying[0] : paying[0] + 2].tolist() if paying else (0, 0)
    fixed, row, stake = _tables(planner, rules, plan, (mine, dealers), tests, theirs)
    return Board(
        size=program.hand_sizes[mine],
        names=np.array(program.hand_names[mine], np.int64),
        player_tests=_bounds(program, tests),
        dealer_tests=_bounds(program, theirs),
        fixed=fixed,
        row=row,
        stake=stake,
        rows=rules.rows,
        lines=rules.lines,
        first_line=lines[0],
        end_line=lines[1],
        parents=_parents(planner),
        sees=np.array(
            [cards_seen(definition, n)["community"] for n in range(len(decisions))], np.int64
        ),
    )


def _bounds(program: Program, tests: list[int]) -> Numbers:
    return np.array([program.tested[each][1:] for each in tests], np.int64).reshape(-1, 2)


def _parents(planner: Planner) -> Numbers:
    levels = planner.levels
    parents = np.full((len(levels) - 1, max(map(len, levels))), -1, np.int64)
    for number, level in enumerate(levels[1:]):
        parents[number, : len(level)] = [path.parent for path in level]
    return parents


def _tables(
    planner: Planner, rules: Rules, plan: Plan, compared: tuple[int, int],
    tests: list[int], theirs: list[int],
) -> tuple[Numbers, Numbers, Numbers]:  # fmt: skip
    """Return each path's value, the row that reads a pay table, and its stake: see `Board`."""
    program = planner.program
    first = len(program.definition.decisions) + 1
    shape = (len(planner.levels[-1]), RESULTS, 1 << len(theirs), 1 << len(tests))
    fixed, rows, stakes = np.zeros(shape, np.int64), np.full(shape, -1), np.zeros(shape, np.int64)
    for place in np.ndindex(shape):
        path, result, dealers, mine = place
        facts = [0] * program.facts
        facts[first + program.compared.index(compared)] = result
        for asked, passed in ((theirs, dealers), (tests, mine)):
            for bit, test in enumerate(asked):
                facts[first + len(program.compared) + test] = passed >> bit & 1
        for number, payout in enumerate(plan.counted.tolist()):
            stake = int(plan.stakes[0, path, number])
            variant = plan.variant_facts[number, plan.path_variant[path, number]]
            facts[:first] = variant.tolist()
            row = find_row(program.conditions, facts, *rules.row_ends[payout : payout + 2])
            if rules.rows[row, HAND] < 0:
                fixed[place] += stake * settle_row(rules.rows[row], NO_FIT, rules.lines, plan.unit)
            else:
                rows[place], stakes[place] = row, stake * plan.unit
    return fixed, rows, stakes


def kinds_of(cards: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return all sets of so many cards, the first set of each kind, and which renaming leads there.

    Sets are of one kind if they differ only in suits; the first is given by its place.
    """
    sets = np.array(list(combinations(range(CARDS), cards)), np.int64)
    best = np.full(len(sets), np.iinfo(np.int64).max)
    renaming = np.zeros(len(sets), np.int64)
    weights = CARDS ** np.arange(cards)[::-1]
    for number, suits in enumerate(RENAMINGS):
        renamed = np.sort(renamed_by(suits)[sets], axis=1) @ weights
        renaming = np.where(renamed < best, number, renaming)
        best = np.minimum(best, renamed)
    return sets, np.searchsorted(sets @ weights, best), renaming


def renamed_by(suits: Sequence[int]) -> Numbers:
    """Return each card under other suits."""
    return np.array([card & ~3 | suits[card & 3] for card in range(CARDS)], np.int64)


def pair_numbers() -> Numbers:
    """Return the number of each pair of cards, in either order."""
    numbers = np.zeros((CARDS, CARDS), np.int64)
    for number, (low, high) in enumerate(combinations(range(CARDS), OWN)):
        numbers[low, high] = numbers[high, low] = number
    return numbers


class Flops(NamedTuple):
    """Where the sums of a flop and a pair are: those that differ only in suits share one place."""

    number: Numbers
    """By three cards in order: the number of the first flop of its kind."""
    renaming: Numbers
    """By the same: the renaming that leads there."""
    renamed: Numbers
    """By renaming and card."""
    pair: Numbers
    """By two cards: the number of the pair."""
    first_pair: Numbers
    """By first flop and pair: the first pair that a renaming of suits makes of it."""


def find_flops() -> tuple[Flops, int]:
    """Return the places of flops, and how many kinds there are."""
    sets, firsts, renaming = kinds_of(FLOP)
    kinds = {place: number for number, place in enumerate(np.unique(firsts).tolist())}
    renamed = np.array([renamed_by(suits) for suits in RENAMINGS])
    pair, pairs = pair_numbers(), np.array(list(combinations(range(CARDS), OWN)))
    number_of = np.zeros((CARDS,) * FLOP, np.int64)
    renaming_of = np.zeros((CARDS,) * FLOP, np.int64)
    number_of[tuple(sets.T)] = [kinds[place] for place in firsts.tolist()]
    renaming_of[tuple(sets.T)] = renaming
    first_pair = np.tile(np.arange(PAIRS), (len(kinds), 1))
    for place, number in kinds.items():
        flop = sets[place]
        for cards in renamed:
            if np.array_equal(np.sort(cards[flop]), flop):
                moved = pair[cards[pairs[:, 0]], cards[pairs[:, 1]]]
                first_pair[number] = np.minimum(first_pair[number], moved)
    return Flops(number_of, renaming_of, renamed, pair, first_pair), len(kinds)


def class_of_pairs() -> Numbers:
    """Return for each pair of cards one number of its kind: two ranks, and whether of one suit."""
    return np.array(
        [
            (high >> 2) * 2 * CARDS + (low >> 2) * 2 + (low & 3 == high & 3)
            for low, high in combinations(range(CARDS), OWN)
        ],
        np.int64,
    )


def new_sums(*shape: int) -> Sums:
    """Return sums that are still nothing."""
    return Sums(np.zeros(shape, np.int64), np.zeros(shape, np.float64), np.zeros(shape, np.int64))


_inline = partial(jit, allocates=False, inline=True)


@_inline
def tests_passed(tests, strength):  # type: ignore[no-untyped-def]
    """Return which tests a strength passes, one bit each."""
    passed = 0
    for each in range(len(tests)):
        if tests[each, 0] <= strength <= tests[each, 1]:
            passed |= 1 << each
    return passed


@jit
def rank_pairs(board, counts, suited, used, keys, classes):  # type: ignore[no-untyped-def]
    """Rank every pair that the board leaves; return how many there are.

    A key is the strength above the number of the pair, so that sorted keys are sorted strengths.
    Of a pair, only the ranks matter, and which cards are of the suit that may make a flush.
    """
    ranked = np.full((CARDS, CARDS), NO_HAND)
    flush = -1
    for suit in range(4):
        if _size_of(suited >> 16 * suit & ALL_RANKS) >= board.size - OWN:
            flush = suit
    found = 0
    pair = -1
    for low in range(CARDS):
        like_low = low & ~3 | (low & 3 == flush)
        for high in range(low + 1, CARDS):
            pair += 1
            if used[low] or used[high]:
                continue
            like_high = high & ~3 | (high & 3 == flush)
            strength = ranked[like_low, like_high]
            if strength == NO_HAND:
                strength = _strength_of(
                    counts + (1 << 4 * (low >> 2)) + (1 << 4 * (high >> 2)),
                    suited
                    | 1 << (16 * (low & 3) + (low >> 2))
                    | 1 << (16 * (high & 3) + (high >> 2)),
                    OWN + BOARD, board.size, board.names,
                )  # fmt: skip
                ranked[like_low, like_high] = strength
            keys[found] = strength << 12 | pair
            classes[pair] = tests_passed(board.dealer_tests, strength)
            found += 1
    keys[:found].sort()
    return found


@_inline
def add_pair(board, sums, pair, mine, pairs):  # type: ignore[no-untyped-def]
    """Set what each path comes to against the dealer's pairs, counted by result and tests."""
    passed = tests_passed(board.player_tests, mine)
    line = NO_FIT
    if board.end_line:
        line = _find_line(board.lines, mine, board.first_line, board.end_line)
    for path in range(board.fixed.shape[0]):
        total, square, wins = 0, 0.0, 0
        for result in range(RESULTS):
            for dealers in range(pairs.shape[1]):
                times = pairs[result, dealers]
                if times == 0:
                    continue
                value = board.fixed[path, result, dealers, passed]
                row = board.row[path, result, dealers, passed]
                if row >= 0:
                    stake = board.stake[path, result, dealers, passed]
                    value += _settle_row(board.rows[row], line, board.lines, stake)
                total += times * value
                square += float(times) * value * value
                if value > 0:
                    wins += times
        sums.values[pair, path] = total
        sums.squares[pair, path] = square
        sums.wins[pair, path] = wins


@jit
def compare_pairs(board, found, keys, classes, cards_of, sums):  # type: ignore[no-untyped-def]
    """Compare every ranked pair with all pairs that the dealer may have instead."""
    kinds = 1 << len(board.dealer_tests)
    every = np.zeros(kinds, np.int64)
    of_card = np.zeros((CARDS, kinds), np.int64)
    lower, lower_of_card = np.zeros(kinds, np.int64), np.zeros((CARDS, kinds), np.int64)
    equal, equal_of_card = np.zeros(kinds, np.int64), np.zeros((CARDS, kinds), np.int64)
    pairs = np.zeros((RESULTS, kinds), np.int64)
    for place in range(found):
        pair = keys[place] & PAIR
        every[classes[pair]] += 1
        of_card[cards_of[pair, 0], classes[pair]] += 1
        of_card[cards_of[pair, 1], classes[pair]] += 1
    first = 0
    while first < found:
        strength, end = keys[first] >> 12, first
        while end < found and keys[end] >> 12 == strength:
            pair = keys[end] & PAIR
            equal[classes[pair]] += 1
            equal_of_card[cards_of[pair, 0], classes[pair]] += 1
            equal_of_card[cards_of[pair, 1], classes[pair]] += 1
            end += 1
        for place in range(first, end):
            pair = keys[place] & PAIR
            low, high = cards_of[pair]
            for kind in range(kinds):
                own = int(classes[pair] == kind)
                beaten = lower[kind] - lower_of_card[low, kind] - lower_of_card[high, kind]
                tied = equal[kind] - equal_of_card[low, kind] - equal_of_card[high, kind] + own
                left = every[kind] - of_card[low, kind] - of_card[high, kind] + own
                pairs[WON, kind] = beaten
                pairs[TIED, kind] = tied
                pairs[LOST, kind] = left - beaten - tied
            add_pair(board, sums, pair, strength, pairs)
        for place in range(first, end):
            pair = keys[place] & PAIR
            for card in cards_of[pair]:
                lower_of_card[card, classes[pair]] += 1
                equal_of_card[card, classes[pair]] = 0
            lower[classes[pair]] += 1
            equal[classes[pair]] = 0
        first = end


@_inline
def decide(board, sums, place, decision):  # type: ignore[no-untyped-def]
    """Give each path before a decision what its best choice comes to."""
    values, squares, wins = sums.values[place], sums.squares[place], sums.wins[place]
    paths = values.shape[0]
    for before in range(paths):  # a path is never before those that it leads to
        best = -1
        for path in range(before, paths):
            if board.parents[decision, path] == before and (
                best < 0 or values[path] > values[best]
            ):
                best = path
        if best >= 0:
            values[before], squares[before], wins[before] = values[best], squares[best], wins[best]


@_inline
def add(total, at, sums, pair, times):  # type: ignore[no-untyped-def]
    """Add the sums of a pair to a total."""
    for path in range(sums.values.shape[1]):
        total.values[at, path] += times * sums.values[pair, path]
        total.squares[at, path] += times * sums.squares[pair, path]
        total.wins[at, path] += times * sums.wins[pair, path]


@partial(jit, allocates=False)
def decide_all(board, sums, places, sees):  # type: ignore[no-untyped-def]
    """Make the decisions that see so many community cards."""
    for decision in range(len(board.sees) - 1, -1, -1):
        if board.sees[decision] == sees:
            for place in places:
                decide(board, sums, place, decision)


@jit
def count_turn(board, cards, cards_of, flops, weight, totals, of_board, of_turn):  # type: ignore[no-untyped-def]
    """Count every river after four cards, each of which may be the turn, into the flops' totals."""
    used = np.zeros(CARDS, np.bool_)
    keys, classes = np.empty(PAIRS, np.int64), np.zeros(PAIRS, np.int64)
    counts, suited = 0, 0
    for card in cards:
        used[card] = True
        counts += 1 << 4 * (card >> 2)
        suited |= 1 << (16 * (card & 3) + (card >> 2))
    of_turn.values[:] = 0
    of_turn.squares[:] = 0
    of_turn.wins[:] = 0
    for river in range(CARDS):
        if used[river]:
            continue
        used[river] = True
        found = rank_pairs(
            board, counts + (1 << 4 * (river >> 2)),
            suited | 1 << (16 * (river & 3) + (river >> 2)), used, keys, classes,
        )  # fmt: skip
        compare_pairs(board, found, keys, classes, cards_of, of_board)
        pairs = keys[:found] & PAIR
        decide_all(board, of_board, pairs, BOARD)
        for pair in pairs:
            add(of_turn, pair, of_board, pair, 1)
        used[river] = False
    decide_all(board, of_turn, np.arange(PAIRS), len(cards))
    for turn in range(len(cards)):
        one, two, three = (turn == 0) + 0, 1 + (turn <= 1), 2 + (turn <= 2)
        flop = cards[one], cards[two], cards[three]
        number, renaming = flops.number[flop], flops.renaming[flop]
        for pair in range(PAIRS):
            low, high = cards_of[pair]
            if not used[low] and not used[high]:
                low, high = flops.renamed[renaming, low], flops.renamed[renaming, high]
                place = flops.first_pair[number, flops.pair[low, high]]
                add(totals, number * PAIRS + place, of_turn, pair, weight)


def count_boards(board: Board) -> tuple[int, float, int]:
    """Return the sums of values, squares and wins over every deal, with the best choices."""
    cards_of = np.array(list(combinations(range(CARDS), OWN)), np.int64)
    flops, kinds = find_flops()
    paths = board.fixed.shape[0]
    totals = new_sums(kinds * PAIRS, paths)
    of_board, of_turn = new_sums(PAIRS, paths), new_sums(PAIRS, paths)
    sets, firsts, _ = kinds_of(FLOP + 1)
    for place, weight in zip(*np.unique(firsts, return_counts=True), strict=True):
        count_turn(board, sets[place], cards_of, flops, weight, totals, of_board, of_turn)
    decide_all(board, totals, np.arange(kinds * PAIRS), FLOP)
    return _before_all(
        board, Sums(*(each.reshape(kinds, PAIRS, paths).sum(axis=0) for each in totals))
    )


def _before_all(board: Board, totals: Sums) -> tuple[int, float, int]:
    """Make the decisions that see two cards alone, for each kind of pair."""
    kinds = class_of_pairs()
    found: list[Any] = [0, 0.0, 0]
    for kind in np.unique(kinds):
        of_kind = Sums(*(each[kinds == kind].sum(axis=0).reshape(1, -1) for each in totals))
        decide_all(board, of_kind, np.arange(1), 0)
        for place, each in enumerate(of_kind):
            found[place] += each[0, 0].item()
    return found[0], found[1], found[2]
