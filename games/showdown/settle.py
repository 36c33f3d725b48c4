"""What two players of Showdown owe each other, and who wins the pot, in chips.

A seat is a row of `SEAT` numbers: for each of its six hands the strength, where its cards begin in
`cards`, how many they are, and their suits once needed; then whether the set is fouled. `values` is
what a hand scores, `NAMES` numbers for each hand from 1 to 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.kernel import kernel
from games.ranking.long_hand import (
    LONGEST,
    NO_HAND,
    compare_strengths,
    hand_of_showdown,
    suits_in_order,
)
from games.ranking.names import FULL_HOUSE, NAMES, RUN_6, name_of

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

HANDS: Final = 6
HAND: Final = 4  # numbers of a hand, the strength first
CARDS_AT: Final = 1
SIZE_AT: Final = 2
SUITS_AT: Final = 3
NOT_ASKED: Final = -1
FOULED_AT: Final = HAND * HANDS
SEAT: Final = FOULED_AT + 1

# How long a seat played.
SURRENDERED_20: Final = 0
SURRENDERED_23: Final = 1
PLAYED: Final = 2

# What decided between two players.
HAND_BY_HAND: Final = 1
FOUL: Final = 2
BOTH_FOULED: Final = 3


@kernel
def may_be(hand: int, size: int, strength: int, fourth: int) -> bool:
    """Return whether a place may have this hand (SD-6, SD-10 to SD-13); hands 1 to 6 are 0 to 5."""
    if strength == NO_HAND:
        return False
    name = name_of(strength)
    if hand == 0:
        return size == 1
    if hand == 1:
        return size == 3
    if hand == 2:
        return size == 3 or (size == 5 and fourth >= 5 and name >= FULL_HOUSE)
    if hand == 3:
        return size == 3 or (5 <= size <= 6 and name >= FULL_HOUSE)
    longest = 7 if hand == 4 else LONGEST
    return size == 5 or (6 <= size <= longest and name >= RUN_6)


@kernel
def suits_of(cards: Sequence[int], table: MutableSequence[int], hand: int) -> int:
    """Return a hand's suits in order of importance, computed when first needed (SD-I9)."""
    if table[hand + SUITS_AT] == NOT_ASKED:
        table[hand + SUITS_AT] = suits_in_order(
            cards, table[hand + CARDS_AT], table[hand + SIZE_AT], table[hand]
        )
    return table[hand + SUITS_AT]


@kernel
def compare(cards: Sequence[int], table: MutableSequence[int], mine: int, theirs: int) -> int:
    """Return above 0 if mine is stronger, 0 if identical, suits included, else below 0."""
    ahead = compare_strengths(
        table[mine], table[mine + SIZE_AT], table[theirs], table[theirs + SIZE_AT]
    )
    if ahead != 0:
        return ahead
    return suits_of(cards, table, mine) - suits_of(cards, table, theirs)


@kernel
def fouls(cards: Sequence[int], table: MutableSequence[int], seat: int) -> bool:
    """Return whether a set has a hand not allowed in its place or out of order (SD-7, SD-I10)."""
    fourth = table[seat + 3 * HAND + SIZE_AT]
    for hand in range(HANDS):
        at = seat + HAND * hand
        if not may_be(hand, table[at + SIZE_AT], table[at], fourth):
            return True
    for hand in range(1, HANDS):
        at = seat + HAND * hand
        if compare(cards, table, at, at - HAND) <= 0:
            return True  # SD-I4
    return False


@kernel
def take_seat(
    table: MutableSequence[int],
    seat: int,
    cards: Sequence[int],
    first: int,
    sizes: Sequence[int],
    sizes_at: int,
) -> None:
    """Write a set, its hands one after another from `first`, as a seat's numbers."""
    at = first
    for hand in range(HANDS):
        size = sizes[sizes_at + hand]
        table[seat + HAND * hand] = hand_of_showdown(cards, at, size)
        table[seat + HAND * hand + CARDS_AT] = at
        table[seat + HAND * hand + SIZE_AT] = size
        table[seat + HAND * hand + SUITS_AT] = NOT_ASKED
        at += size
    table[seat + FOULED_AT] = int(fouls(cards, table, seat))


@kernel
def worth(hand: int, strength: int, values: Sequence[int]) -> int:
    """Return what a hand scores when it wins in its place (SD-14, SD-17)."""
    return values[hand * NAMES + name_of(strength)]


@kernel
def hand_points(
    cards: Sequence[int], table: MutableSequence[int], hand: int, mine: int, theirs: int,
    values: Sequence[int],
) -> int:  # fmt: skip
    """Return the points of one hand of two proper sets; negative if lost, 0 for a draw (SD-20)."""
    my_hand, their_hand = mine + HAND * hand, theirs + HAND * hand
    ahead = compare(cards, table, my_hand, their_hand)
    won, lost = int(ahead > 0), int(ahead < 0)
    return won * worth(hand, table[my_hand], values) - lost * worth(hand, table[their_hand], values)


@kernel
def whole_set(table: Sequence[int], seat: int, values: Sequence[int]) -> int:
    """Return what a proper set scores against a fouled one (SD-I5)."""
    points = 0
    for hand in range(HANDS):
        points += worth(hand, table[seat + HAND * hand], values)
    return points


@kernel
def meeting(
    cards: Sequence[int], table: MutableSequence[int], mine: int, theirs: int, values: Sequence[int]
) -> tuple[int, int]:
    """Return the net score of one player against another, and what decided it (SD-14)."""
    if table[mine + FOULED_AT] and table[theirs + FOULED_AT]:
        return 0, BOTH_FOULED
    if table[mine + FOULED_AT]:
        return -whole_set(table, theirs, values), FOUL
    if table[theirs + FOULED_AT]:
        return whole_set(table, mine, values), FOUL
    points = 0
    for hand in range(HANDS):
        points += hand_points(cards, table, hand, mine, theirs, values)
    return points, HAND_BY_HAND


@kernel
def surrender_chips(mine: int, theirs: int) -> int:
    """Return the chips that one gets from another by surrenders (SD-4, SD-5, SD-I13)."""
    if mine == theirs:
        return 0
    amount = 5 if min(mine, theirs) == SURRENDERED_20 else 10
    return amount if mine > theirs else -amount


@kernel
def put_in(played: int) -> int:
    """Return the chips that a seat put into the pot (SD-3 to SD-5)."""
    return 10 + 10 * played


@kernel
def portion(pot: int, winners: int, turn: int) -> int:
    """Return a winner's share; odd chips go to the first in turn from the dealer (SD-I6)."""
    return pot // winners + int(turn < pot % winners)


@kernel
def take_pot(
    totals: Sequence[int], played: Sequence[int], table: Sequence[int], seats: int, dealer: int,
    pot: MutableSequence[int],
) -> None:  # fmt: skip
    """Write what each seat won of the pot less what it put in; `dealer` is the dealer's place.

    The pot goes to the highest total among proper sets (SD-16, SD-I5), or to the only player left,
    whatever that player set (SD-I7).
    """
    chips, left = 0, 0
    for i in range(seats):
        chips += put_in(played[i])
        left += int(played[i] == PLAYED)
        pot[i] = -put_in(played[i])
    best, winners = 0, 0
    for i in range(seats):
        if played[i] == PLAYED and (left == 1 or not table[SEAT * i + FOULED_AT]):
            if winners == 0 or totals[i] > best:
                best, winners = totals[i], 1
            elif totals[i] == best:
                winners += 1
    turn = 0
    for step in range(1, seats + 1):
        i = (dealer + step) % seats
        if played[i] != PLAYED or totals[i] != best:
            continue
        if left == 1 or not table[SEAT * i + FOULED_AT]:
            pot[i] += portion(chips, winners, turn)
            turn += 1


@kernel
def settle_table(
    cards: Sequence[int], table: MutableSequence[int], played: Sequence[int],
    seats: int, dealer: int, values: Sequence[int],
    showdown: MutableSequence[int], surrender: MutableSequence[int], pot: MutableSequence[int],
) -> None:  # fmt: skip
    """Add up a table, in chips: what every two seats owe each other, and the pot."""
    for i in range(seats):
        for j in range(i + 1, seats):
            chips = surrender_chips(played[i], played[j])
            surrender[i] += chips
            surrender[j] -= chips
            if played[i] == PLAYED and played[j] == PLAYED:
                points, _ = meeting(cards, table, SEAT * i, SEAT * j, values)
                showdown[i] += points
                showdown[j] -= points
    take_pot(showdown, played, table, seats, dealer, pot)
