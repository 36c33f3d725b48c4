"""The odds of the main wager under the best play of every hand, from the whole shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from games.definition.blackjack_form import HIT as DRAWS
from games.definition.blackjack_form import OPTIONS, YES
from games.families.blackjack.best_play import (
    AGAIN,
    DEEPEST,
    FIGURES,
    HIT,
    LOOKS,
    MEAN,
    SQUARE,
    play,
)
from games.families.blackjack.hands import (
    ACES,
    BLACKJACK,
    BUST,
    CLASSES,
    PLAIN,
    RESULTS,
    SURRENDERED,
    TENS,
    hands_of_shoe,
)
from games.families.blackjack.play import TOTALS

if TYPE_CHECKING:
    from games.families.blackjack.hands import Hands, Numbers
    from games.families.blackjack.program import BlackjackProgram

Sums = tuple[float, float, float]
"""Of a result: its mean, the mean of its square, and how often it wins."""
NOTHING: Final[Sums] = (0.0, 0.0, 0.0)
LOOKED_FOR: Final = {ACES: TENS, TENS: ACES}
"""By upcard: the other card of a blackjack."""


@dataclass(frozen=True)
class _Pair:
    """What a hand from a split comes to: with another second card than its own, and with that."""

    other: Sums
    again: Sums
    copies: float
    left: int
    factor: float
    """How much likelier the card is because the dealer looked."""
    most: int


def find_main(program: BlackjackProgram) -> Sums:
    """Return the mean, the mean square and the chance to win of one unit on the main wager."""
    hands = hands_of_shoe(program)
    places = {tuple(each): place for place, each in enumerate(hands.counts.tolist())}
    rules = _numbers(program)
    found = np.zeros(FIGURES)
    for upcard in range(CLASSES):
        if hands.shoe[upcard]:
            found += _of_upcard(program, hands, places, rules, upcard)
    mean, square, hit = map(float, found)
    return mean, square, hit


def _numbers(program: BlackjackProgram) -> Numbers:
    words = program.words
    return np.array(
        [
            words["dealer.looks"] == YES,
            words["dealer.soft_17"] == DRAWS,
            sum(1 << total for total in TOTALS[words["double.on"]]),
            words["double.cards"] == "any",
            words["double.after_split"] == YES,
            OPTIONS["double.again"].index(words["double.again"]),
            words["double.rescue"] == YES,
            words["split.aces_draw"] == "any",
        ],
        np.int64,
    )


def _of_upcard(
    program: BlackjackProgram,
    hands: Hands,
    places: dict[tuple[int, ...], int],
    rules: Numbers,
    upcard: int,
) -> Numbers:
    """Return the sums over all first hands against an upcard, weighted by how often they come."""
    best = _play(hands, rules, upcard, -1)
    whole = int(hands.shoe.sum())
    found = np.zeros(FIGURES)
    looks = bool(rules[LOOKS])
    for first in range(CLASSES):
        for second in range(first, CLASSES):
            ways = _ways(hands.shoe, first, second, upcard)
            if not ways:
                continue
            place = places[_counts(first, second)]
            sums = (best[place, MEAN], best[place, SQUARE], best[place, HIT])
            if first == second and _may_split(program, first):
                pair = _split(program, hands, places, rules, (upcard, first))
                sums = max(sums, pair)
            if program.words["surrender.when"] == "late":
                lost = hands.pays[SURRENDERED, place, BUST]
                sums = max(sums, (lost, lost * lost, 0.0))
            natural = 0.0
            if looks and upcard in LOOKED_FOR:
                card = LOOKED_FOR[upcard]
                natural = float(hands.shoe[card] - (first == card) - (second == card))
                natural /= whole - 3
            pay = hands.pays[PLAIN, place, BLACKJACK]
            beaten = np.array([pay, pay * pay, pay > 0])
            weight = ways / (whole * (whole - 1) * (whole - 2))
            found += weight * (natural * beaten + (1 - natural) * np.array(sums))
    return found


def _counts(*cards: int) -> tuple[int, ...]:
    return tuple(cards.count(one) for one in range(CLASSES))


def _ways(shoe: Numbers, first: int, second: int, upcard: int) -> int:
    """Return in how many ways two cards, in either order, and the upcard are dealt."""
    ways, gone = 1, [0] * CLASSES
    for card in (first, second, upcard):
        ways *= int(shoe[card]) - gone[card]
        gone[card] += 1
    return ways if first == second else 2 * ways


def _play(hands: Hands, rules: Numbers, upcard: int, extra: int) -> Numbers:
    number = len(hands.totals)
    best = np.zeros((number, FIGURES))
    doubled = np.zeros((int(rules[AGAIN]) + 2, number, FIGURES))
    play(
        hands.counts, hands.totals, hands.next, hands.pays, hands.shoe, rules, upcard, extra, best,
        doubled, np.zeros(CLASSES, np.int64), np.zeros((DEEPEST, 3), np.int64), np.zeros(DEEPEST),
        np.zeros(RESULTS), np.zeros(CLASSES), np.zeros(FIGURES),
    )  # fmt: skip
    return best


def _may_split(program: BlackjackProgram, card: int) -> bool:
    """Return whether a pair may be split; tens of two ranks are left together, as is best."""
    words = program.words
    return words["split.of"] == "value" or (words["split.of"] == "rank" and card != TENS)


def _split(
    program: BlackjackProgram,
    hands: Hands,
    places: dict[tuple[int, ...], int],
    rules: Numbers,
    cards: tuple[int, int],
) -> Sums:
    """Return what a pair comes to that is split, and split again where that is better."""
    upcard, card = cards
    best = _play(hands, rules, upcard, card)
    one, two = places[_counts(card)], places[_counts(card, card)]
    shoe = hands.shoe - np.bincount([card, card, upcard], minlength=CLASSES)
    left = int(shoe.sum())
    factor = 1.0
    if rules[LOOKS] and upcard in LOOKED_FOR:
        barred = LOOKED_FOR[upcard]
        others = left - int(shoe[barred])
        factor = left / (left - 1)
        factor *= 1.0 if card == barred else (others - 1) / others
    chance = factor * int(shoe[card]) / left
    again = tuple(map(float, best[two]))
    other = tuple(
        float(best[one, each] - chance * best[two, each]) / (1 - chance) for each in range(FIGURES)
    )
    may_again = card != ACES or program.words["split.aces_again"] == YES
    most = program.rules.most_hands if may_again else 2
    pair = _Pair((other[0], other[1], other[2]), (again[0], again[1], again[2]),
                 float(shoe[card]), left, factor, most)  # fmt: skip

    @cache
    def of(waiting: int, number: int, own: int, rest: int) -> Sums:
        """Return what hands come to that wait for their second card; cards were dealt to others."""
        if waiting == 0:
            return NOTHING
        drawn = pair.factor * max(0.0, pair.copies - own) / (pair.left - own - rest)
        kept = _added(pair.other, of(waiting - 1, number, own, rest + 1))
        same = _added(pair.again, of(waiting - 1, number, own + 1, rest))
        if number < pair.most:
            same = max(same, of(waiting + 1, number + 1, own + 1, rest))
        mixed = [drawn * a + (1 - drawn) * b for a, b in zip(same, kept, strict=True)]
        return mixed[0], mixed[1], mixed[2]

    mean, square, _ = of(2, 2, 0, 0)
    return mean, square, pair.other[HIT]


def _added(one: Sums, others: Sums) -> Sums:
    """Return the sums of two independent results together."""
    return one[0] + others[0], one[1] + others[1] + 2 * one[0] * others[0], 0.0
