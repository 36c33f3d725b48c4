"""The family's rounds over columns: hands ranked, choices checked and wagers settled, compiled."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from games.families.bonuses import bonuses_of
from games.families.screen import NO_CARD, FamilyScreen
from games.families.stud.explore import find_facts, rank_hand
from games.families.stud.plan import NEVER, rules_of
from games.families.stud.program import ANY, HAND, condition_masks
from games.families.stud.round import StudRound
from games.families.stud.settle import NO_FIT, UNDECIDED, find_line, find_row, settle_row
from games.kernel import compiled, jit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from games.cards import Cards
    from games.definition.model import Condition
    from games.families.screen import Columns
    from games.families.stud.explore import Numbers
    from games.families.stud.program import Program
    from games.families.stud.round import StudSeat
    from games.setup import Setup

_find_row = compiled(find_row)
_find_line = compiled(find_line)
_settle_row = compiled(settle_row)

NOTHING: Final = -1
UNRANKED: Final = -2
PLAYER, DEALER, COMMUNITY, PLAYERS, DEALERS = range(5)
"""Cards of the player, the dealer and the community without later ones; and at most."""

_inline = partial(jit, allocates=False, inline=True)


class ChoiceRules(NamedTuple):
    """Decisions and choices as arrays, by decision and choice (0: none)."""

    comes_up: Numbers
    """By decision: the mask of each fact."""
    allowed: Numbers
    """By decision and choice: the same."""
    folds: Numbers
    ends: Numbers
    takes_back: Numbers
    """The wager, or -1."""
    wager: Numbers
    of: Numbers
    least: Numbers
    most: Numbers
    player: Numbers
    """Cards that the player receives after it."""
    dealer: Numbers
    places: Numbers
    """By wager: whether a choice places it."""
    dealt: Numbers
    """How many cards there are: see `PLAYER` and the following."""


class Payouts(NamedTuple):
    """Payouts as arrays: the wager that each is paid on, and the result that includes it."""

    wager: Numbers
    result: Numbers
    own_hands: Numbers
    """By hand: whether it has cards of the player, so that it differs from seat to seat."""
    only_paid: Numbers
    """By hand: whether nothing but a pay table asks for it."""


class Work(NamedTuple):
    """Memory for one hand."""

    table: NDArray[np.uint8]
    strengths: Numbers
    facts: Numbers
    amounts: Numbers
    least: Numbers
    most: Numbers
    made: Numbers


@_inline
def holds(masks, facts):  # type: ignore[no-untyped-def]
    """Return whether facts satisfy a condition."""
    for place in range(len(masks)):
        if masks[place] != ANY and masks[place] >> facts[place] & 1 == 0:
            return False
    return True


@_inline
def count_of(cards, row, first, end):  # type: ignore[no-untyped-def]
    """Return how many cards there are in some places."""
    count = 0
    for place in range(first, end):
        count += cards[row, place] != NO_CARD
    return count


@_inline
def choose_rightly(rules, choices, seat, work):  # type: ignore[no-untyped-def]
    """Return whether a hand's choices are allowed; note what they place, fold and take back."""
    right, over = True, False
    for key in range(len(work.least)):
        work.least[key], work.most[key], work.made[key] = 0, 0, 0
    for decision in range(len(rules.comes_up)):
        choice = choices[seat, decision]
        comes_up = not over and holds(rules.comes_up[decision], work.facts)
        right &= comes_up == (choice != 0)
        if choice != 0:
            right &= holds(rules.allowed[decision, choice], work.facts)
            over |= rules.ends[decision, choice] != 0
    return right


@_inline
def wager_rightly(rules, choices, wagers, seat, work):  # type: ignore[no-untyped-def]
    """Return whether the wagers that choices place are what they demand."""
    right = True
    for decision in range(len(rules.comes_up)):
        choice = choices[seat, decision]
        key = rules.wager[decision, choice]
        if key >= 0:
            base = wagers[seat, rules.of[decision, choice]]
            work.least[key] += rules.least[decision, choice] * base
            work.most[key] += rules.most[decision, choice] * base
            work.made[key] = 1
    for key in range(len(work.least)):
        if rules.places[key]:
            amount = wagers[seat, key]
            right &= work.least[key] <= amount <= work.most[key]
            right &= amount != 0 or work.made[key] == 0
    return right


@_inline
def settle_hand(rules, of_choices, payouts, choices, wagers, seat, work):  # type: ignore[no-untyped-def]
    """Settle a hand's wagers into `work.amounts`; return whether all of them can be."""
    for key in range(len(work.amounts)):
        work.amounts[key] = 0
    for number in range(len(payouts.wager)):
        stake = wagers[seat, payouts.wager[number]]
        for decision in range(len(of_choices.comes_up)):
            if of_choices.takes_back[decision, choices[seat, decision]] == payouts.wager[number]:
                stake = 0
        if stake == 0:
            continue
        row = _find_row(
            rules.conditions, work.facts, rules.row_ends[number], rules.row_ends[number + 1]
        )
        if row == UNDECIDED:
            return False
        line = NO_FIT
        if rules.rows[row, HAND] >= 0:
            hand = rules.rows[row, HAND]
            if work.strengths[hand] == UNRANKED:
                rank_hand(rules, work, hand)
            strength = work.strengths[hand]
            if strength < 0:
                return False
            line = _find_line(
                rules.lines, strength, rules.line_ends[number], rules.line_ends[number + 1]
            )
        amount = _settle_row(rules.rows[row], line, rules.lines, stake)
        work.amounts[payouts.result[number]] += amount
    return True


@_inline
def dealt_rightly(of_choices, house, choices, row, first, end):  # type: ignore[no-untyped-def]
    """Return whether the dealer and the community have the cards that the choices ask for."""
    more = 0
    for seat in range(first, end):
        for decision in range(len(of_choices.comes_up)):
            more = max(more, of_choices.dealer[decision, choices[seat, decision]])
    dealers = of_choices.dealt[DEALERS]
    right = count_of(house, row, 0, dealers) == of_choices.dealt[DEALER] + more
    return right and count_of(house, row, dealers, house.shape[1]) == of_choices.dealt[COMMUNITY]


@_inline
def take_seat(of_choices, cards, choices, seat, work):  # type: ignore[no-untyped-def]
    """Note a hand's choices and cards; return whether it has as many cards as it must have."""
    wanted, folded = of_choices.dealt[PLAYER], 0
    decisions = len(of_choices.comes_up)
    for decision in range(decisions):
        choice = choices[seat, decision]
        wanted += of_choices.player[decision, choice]
        folded |= of_choices.folds[decision, choice]
        work.facts[decision] = choice
    work.facts[decisions] = folded
    for place in range(of_choices.dealt[PLAYERS]):
        work.table[place] = cards[seat, place]
    return count_of(cards, seat, 0, cards.shape[1]) == wanted


@_inline
def rank_hands(rules, payouts, work, is_first):  # type: ignore[no-untyped-def]
    """Rank the hands that are compared or tested; those that all seats share once a round."""
    for each in range(len(rules.hand_counts)):
        if payouts.only_paid[each]:
            work.strengths[each] = UNRANKED
        elif is_first or payouts.own_hands[each]:
            rank_hand(rules, work, each)


@partial(jit, allocates=False)
def sift(  # type: ignore[no-untyped-def]
    rules, of_choices, payouts, first_seat, house, cards, choices, wagers, results, work, certain
):  # fmt: skip
    """Keep certain only rounds whose hands were dealt, played and settled as the rules say."""
    for row in range(certain.size):
        if certain[row] == 0:
            continue
        first, end = first_seat[row], first_seat[row + 1]
        right = dealt_rightly(of_choices, house, choices, row, first, end)
        for place in range(house.shape[1]):
            work.table[of_choices.dealt[PLAYERS] + place] = house[row, place]
        for seat in range(first, end):
            if not right or not take_seat(of_choices, cards, choices, seat, work):
                right = False
                break
            rank_hands(rules, payouts, work, seat == first)
            find_facts(rules, work, len(of_choices.comes_up))
            right &= choose_rightly(of_choices, choices, seat, work)
            right &= wager_rightly(of_choices, choices, wagers, seat, work)
            right &= settle_hand(rules, of_choices, payouts, choices, wagers, seat, work)
            for key in range(len(work.amounts)):
                right &= results[seat, key] == work.amounts[key]
        if not right:
            certain[row] = 0


class StudLayout:
    """How the family's rounds are laid out in columns."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._community = sum(program.definition.deal.community)
        self.width = program.player_most + program.dealer_most + self._community

    def is_plain(self, played: StudRound, /) -> bool:
        """Return whether there are no more cards than the definition ever deals."""
        return (
            len(played.house.cards) <= self._program.dealer_most
            and len(played.community) <= self._community
            and all(len(seat.cards) <= self._program.player_most for seat in played.seats)
        )

    def house(self, played: StudRound, /) -> Cards:
        """Return the dealer's cards, then the community's."""
        filled = bytes([NO_CARD])
        dealers = played.house.cards.ljust(self._program.dealer_most, filled)
        return dealers + played.community.ljust(self._community, filled)

    def cards(self, seat: StudSeat, /) -> Cards:
        """Return the player's cards."""
        return seat.cards.ljust(self._program.player_most, bytes([NO_CARD]))

    def numbers(self, seat: StudSeat, /) -> Sequence[int]:
        """Return the choice at each decision, counted from 1, or 0."""
        return [
            next((n for n, each in enumerate(decision.choices, 1)
                  if each.id == seat.choices.get(decision.id)), 0)
            for decision in self._program.definition.decisions
        ]  # fmt: skip


class StudScreen(FamilyScreen[StudRound]):
    """Which rounds of a definition are certainly as logged under a set-up."""

    def __init__(self, program: Program, setup: Setup) -> None:
        placed = [
            choice.wager
            for decision in program.definition.decisions
            for choice in decision.choices
            if choice.wager is not None
        ]
        super().__init__(program, setup, StudLayout(program), placed)
        rules, _ = rules_of(program)
        self._program_rules = rules._replace(rows=np.array(program.rows, np.int64))
        self._choices = _choice_rules(program, placed)
        keys, results = list(program.definition.wagers), list(program.definition.results)
        asked = {hand for pair in program.compared for hand in pair}
        asked |= {hand for hand, _, _ in program.tested}
        self._payouts = Payouts(
            np.array([keys.index(each.of or each.id) for each in program.payouts], np.int64),
            np.array([results.index(each.into or each.id) for each in program.payouts], np.int64),
            np.array([min(each) < program.player_most for each in program.hand_places], np.int64),
            np.array([each not in asked for each in range(len(program.hand_places))], np.int64),
        )
        cards = program.player_most + program.dealer_most
        self._work = Work(
            table=np.zeros(cards + sum(program.definition.deal.community), np.uint8),
            strengths=np.zeros(len(program.hand_places), np.int64),
            facts=np.zeros(program.facts, np.int64),
            amounts=np.zeros(len(results), np.int64),
            least=np.zeros(len(keys), np.int64),
            most=np.zeros(len(keys), np.int64),
            made=np.zeros(len(keys), np.int64),
        )
        self._has_bonuses = any(vars(bonuses_of(program.definition)).values())

    def settle(self, columns: Columns, certain: NDArray[np.uint8]) -> None:
        """Keep certain only rounds whose cards, choices and results are as the rules say."""
        if self._has_bonuses:
            certain[:] = 0
            return
        sift(
            self._program_rules, self._choices, self._payouts, columns.first_seat, columns.house,
            columns.cards, columns.numbers, columns.wagers, columns.results, self._work, certain,
        )  # fmt: skip


def _choice_rules(program: Program, placed: Sequence[str]) -> ChoiceRules:
    definition = program.definition
    keys, decisions = list(definition.wagers), definition.decisions
    shape = len(decisions), 1 + max((len(each.choices) for each in decisions), default=0)
    of = {name: np.full(shape, NOTHING, np.int64) for name in ("takes_back", "wager", "of")}
    of |= {
        name: np.zeros(shape, np.int64)
        for name in ("folds", "ends", "least", "most", "player", "dealer")
    }
    allowed = np.zeros((*shape, program.facts), np.int64)
    comes_up = np.zeros((len(decisions), program.facts), np.int64)
    for place, decision in enumerate(decisions):
        comes_up[place] = _masks(program, decision.when)
        for number, choice in enumerate(decision.choices, 1):
            at = place, number
            allowed[at] = _masks(program, choice.when)
            of["folds"][at], of["ends"][at] = choice.folds, choice.ends
            of["least"][at], of["most"][at] = choice.least, choice.most
            for name, key in (("wager", choice.wager), ("of", choice.of),
                              ("takes_back", choice.takes_back)):  # fmt: skip
                if key is not None:
                    of[name][at] = keys.index(key)
            for each in definition.deal.after:
                if each.decision == decision.id and choice.id in each.choices:
                    of["player"][at] += each.player
                    of["dealer"][at] += each.dealer
    deal = definition.deal
    return ChoiceRules(
        comes_up=comes_up,
        allowed=allowed,
        places=np.array([key in placed for key in keys], np.int64),
        dealt=np.array(
            [deal.player, deal.dealer, sum(deal.community), program.player_most,
             program.dealer_most], np.int64,
        ),
        **of,
    )  # fmt: skip


def _masks(program: Program, when: Condition) -> tuple[int, ...]:
    masks = condition_masks(program, when)
    return (NEVER,) * program.facts if masks is None else masks
