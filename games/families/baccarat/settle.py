"""The rules of baccarat as kernels: totals, third cards, and which tests a round passes.

A round's facts are numbers: see `WINNER` and the following. Every test is a list of masks of them.
"""

from __future__ import annotations

from typing import Any, Final

from games.kernel import kernel

PLAYER, BANKER, TIE = 0, 1, 2
"""Who wins."""
WINNER, PLAYER_TOTAL, BANKER_TOTAL, PLAYER_CARDS, BANKER_CARDS, MARGIN, PLAYER_PAIR, BANKER_PAIR = (
    range(8)
)
"""The places of a round's facts."""
NO_PAIR, PAIR, SUITED_PAIR = 0, 1, 2
NATURAL, PLAYER_DRAWS, BANKER_ALONE, BANKER_DRAWS = 0, 1, 2, 3
"""The places of drawing rules: masks of totals, then by total masks of third cards."""
STOOD: Final = -1
"""The value of a third card that wasn't dealt."""
PAIRS: Final = 5
"""No pair, the player hand's, the banker hand's, both of different ranks, both of one rank."""
CLASSES: Final = 10 * 10 * 2 * 2 * PAIRS


@kernel
def value_of_rank(rank: int) -> int:
    """Return what a card counts, by its rank from 0, the deuce, to 12, the ace."""
    if rank == 12:
        return 1
    return rank + 2 if rank < 8 else 0


@kernel
def player_draws(draw: Any, player: int, banker: int) -> int:
    """Return whether the player hand takes a third card, by the totals of two cards each."""
    if (draw[NATURAL] >> player | draw[NATURAL] >> banker) & 1:
        return 0
    return int(draw[PLAYER_DRAWS] >> player & 1)


@kernel
def banker_draws(draw: Any, player: int, banker: int, third: int) -> int:
    """Return whether the banker hand does, by the value of the player hand's third card."""
    if (draw[NATURAL] >> player | draw[NATURAL] >> banker) & 1:
        return 0
    if third == STOOD:
        return int(draw[BANKER_ALONE] >> banker & 1)
    return int(draw[BANKER_DRAWS + banker] >> third & 1)


@kernel
def winner_of(player: int, banker: int) -> int:
    """Return who wins, by the final totals."""
    if player == banker:
        return TIE
    return PLAYER if player > banker else BANKER


@kernel
def passes_test(masks: Any, facts: Any) -> int:
    """Return whether a round's facts are all as the masks of one alternative of a test say."""
    for place in range(8):
        if masks[place] >> facts[place] & 1 == 0:
            return 0
    return 1


@kernel
def pairs_of(first: int, second: int, third: int, fourth: int) -> int:
    """Return which of two hands of two ranks are pairs: see `PAIRS`."""
    if first != second:
        return 2 if third == fourth else 0
    if third != fourth:
        return 1
    return 4 if first == third else 3


@kernel
def class_of(player: int, banker: int, thirds: int, pairs: int) -> int:
    """Return the number of a class of rounds; `thirds` has a bit for each hand's third card."""
    return ((player * 10 + banker) * 4 + thirds) * PAIRS + pairs


@kernel
def count_thirds(
    draw: Any, left: Any, cards: int, player: int, banker: int, pairs: int, weight: int, tally: Any
) -> None:
    """Count every way to deal two more cards, drawn or not, after two cards each."""
    rest = cards - 4
    if player_draws(draw, player, banker) == 0:
        if banker_draws(draw, player, banker, STOOD) == 0:
            tally[class_of(player, banker, 0, pairs)] += weight * rest * (rest - 1)
            return
        for rank in range(13):
            total = (banker + value_of_rank(rank)) % 10
            tally[class_of(player, total, 2, pairs)] += weight * left[rank] * (rest - 1)
        return
    for rank in range(13):
        third = value_of_rank(rank)
        mine = (player + third) % 10
        ways = weight * left[rank]
        if banker_draws(draw, player, banker, third) == 0:
            tally[class_of(mine, banker, 1, pairs)] += ways * (rest - 1)
            continue
        left[rank] -= 1
        for other in range(13):
            total = (banker + value_of_rank(other)) % 10
            tally[class_of(mine, total, 3, pairs)] += ways * left[other]
        left[rank] += 1


@kernel
def count_rounds(draw: Any, left: Any, cards: int, tally: Any) -> None:
    """Count all orders of six cards of a shoe by the class of round that they come to.

    `left` is how many cards of each rank there are, and `cards` how many in all.
    """
    for first in range(13):
        weight_1 = left[first]
        left[first] -= 1
        for second in range(13):
            weight_2 = weight_1 * left[second]
            left[second] -= 1
            player = (value_of_rank(first) + value_of_rank(second)) % 10
            for third in range(13):
                weight_3 = weight_2 * left[third]
                left[third] -= 1
                for fourth in range(13):
                    weight = weight_3 * left[fourth]
                    left[fourth] -= 1
                    banker = (value_of_rank(third) + value_of_rank(fourth)) % 10
                    pairs = pairs_of(first, second, third, fourth)
                    count_thirds(draw, left, cards, player, banker, pairs, weight, tally)
                    left[fourth] += 1
                left[third] += 1
            left[second] += 1
        left[first] += 1
