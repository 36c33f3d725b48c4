"""A player's three hands against the dealer's: points, and what they are worth.

Nine cards are in a row: hand 1, the three of hand 2, the five of hand 3. `terms` contains what
hands score, in the places below, and whether suits decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cards import ACE
from games.kernel import kernel
from games.ranking.five_card import five_card
from games.ranking.long_hand import compare_strengths, suits_in_order
from games.ranking.names import FIVE_OF_A_KIND, name_of, top_of
from games.ranking.three_card import one_card, three_of_showdown

if TYPE_CHECKING:
    from collections.abc import Sequence

# Places in `terms`: the last two are what a hand of each name scores, from high card on.
ACE_IN_1: Final = 0  # CV-I1
BY_SUITS: Final = 1  # CV-I2
IN_2: Final = 2
IN_3: Final = IN_2 + FIVE_OF_A_KIND + 1

SIZES: Final = (1, 3, 5)
STARTS: Final = (0, 1, 4)

# How a seat ended.
FOLD: Final = 1
FOUL: Final = 2
NET_BELOW: Final = 3
NET_LEVEL: Final = 4
NET_ABOVE: Final = 5
NET_FOUR: Final = 6


@kernel
def strengths(cards: Sequence[int], first: int) -> tuple[int, int, int]:
    """Return the strengths of hands 1, 2 and 3 (CV-I5)."""
    two = three_of_showdown(cards[first + 1], cards[first + 2], cards[first + 3])
    three = five_card(
        cards[first + 4], cards[first + 5], cards[first + 6], cards[first + 7], cards[first + 8]
    )
    return one_card(cards[first]), two, three


@kernel
def fouls(one: int, two: int, three: int) -> bool:
    """Return whether three strengths break the order 3 over 2 over 1 (CV-4, CV-I4)."""
    return compare_strengths(two, 3, one, 1) <= 0 or compare_strengths(three, 5, two, 3) <= 0


@kernel
def worth(hand: int, strength: int, terms: Sequence[int]) -> int:
    """Return what a winning hand scores; hands 1, 2 and 3 are 0, 1 and 2 (CV-5, CV-6)."""
    if hand == 0:
        return 1 + int(top_of(strength) == ACE) * (terms[ACE_IN_1] - 1)
    return terms[(IN_2 if hand == 1 else IN_3) + name_of(strength)]


@kernel
def points_between(
    hand: int, mine: int, other: int,
    cards: Sequence[int], first: int, theirs: Sequence[int], their_first: int,
    terms: Sequence[int],
) -> int:  # fmt: skip
    """Return the points of one pair of hands by strength: negative for the dealer, 0 if equal."""
    size = SIZES[hand]
    ahead = compare_strengths(mine, size, other, size)
    if ahead == 0 and terms[BY_SUITS]:
        start = STARTS[hand]
        ahead = suits_in_order(cards, first + start, size, mine) - suits_in_order(
            theirs, their_first + start, size, other
        )
    won, lost = int(ahead > 0), int(ahead < 0)
    return won * worth(hand, mine, terms) - lost * worth(hand, other, terms)


@kernel
def hand_points(
    hand: int,
    cards: Sequence[int], first: int, theirs: Sequence[int], their_first: int,
    terms: Sequence[int],
) -> int:  # fmt: skip
    """Return the points of one hand of a proper set against the dealer's (CV-5, CV-6)."""
    mine, other = strengths(cards, first)[hand], strengths(theirs, their_first)[hand]
    return points_between(hand, mine, other, cards, first, theirs, their_first, terms)


@kernel
def net_points(
    mine: tuple[int, int, int], others: tuple[int, int, int],
    cards: Sequence[int], first: int, theirs: Sequence[int], their_first: int,
    terms: Sequence[int],
) -> int:  # fmt: skip
    """Return the points of a set against a dealer's set that isn't foul, by their strengths."""
    fouled = fouls(mine[0], mine[1], mine[2])
    net = 0
    for hand in range(3):
        if fouled:
            net -= worth(hand, others[hand], terms)  # CV-I6
        else:
            net += points_between(
                hand, mine[hand], others[hand], cards, first, theirs, their_first, terms
            )
    return net


@kernel
def settle_points(net: int, ante: int, buy_in: int) -> tuple[int, int, int, int]:
    """Return the cents won on points, ante and buy-in, and the reason (CV-7 to CV-9)."""
    if net < 0:
        return net * ante, -ante, -buy_in, NET_BELOW
    if net == 0:
        return 0, 0, 0, NET_LEVEL
    if net < 4:
        return net * ante, 0, buy_in, NET_ABOVE
    return net * ante, ante, buy_in, NET_FOUR


@kernel
def settle_fold(ante: int, buy_in: int) -> tuple[int, int, int, int]:
    """Settle a fold, which loses the ante and its match (CV-3)."""
    return 0, -ante, -buy_in, FOLD
