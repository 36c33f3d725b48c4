"""What two players of Chinese Poker owe each other, in units.

A seat is three strengths and a standing: `PROPER`, `FOULED`, `SURRENDERED`, or `NATURAL` plus the
place of the natural in `NATURALS`. The operator's approved controls are passed as `terms`, a row of
numbers with the places below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.chinese_poker.naturals import makes_natural
from games.kernel import kernel
from games.ranking.five_card import five_card
from games.ranking.names import (
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    NAME_SHIFT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    in_one_deck,
    name_of,
)
from games.ranking.three_card import front

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

PROPER: Final = 0
FOULED: Final = 1
SURRENDERED: Final = 2
NATURAL: Final = 3

# Places in `terms`.
SCORING: Final = 0  # one of the four below
TWO_HANDS: Final = 1
ALL_THREE: Final = 2
BONUS_STRAIGHT_FLUSH: Final = 3
BONUS_FOUR_OF_A_KIND: Final = 4
BONUS_FULL_HOUSE_MIDDLE: Final = 5
BONUS_TRIPS_FRONT: Final = 6
WINNING_HAND_ONLY: Final = 7  # CP-I6
EQUAL_ALLOWED: Final = 8  # CP-I1
SURRENDER: Final = 9
FIRST_NATURAL: Final = 10  # units of each natural, or NOT_APPROVED
EACH_HAND: Final = 14
TERMS: Final = 15
NOT_APPROVED: Final = -1

BY_THE_HAND: Final = 0
TWO_FOUR: Final = 1
ONE_SIX: Final = 2
OTHER: Final = 3  # CP-14

# What decided between two players; the last three are 1 to 3 higher, depending on the scoring.
BOTH_SURRENDERED: Final = 1
SURRENDER_PAID: Final = 2
BOTH_NATURAL: Final = 3
NATURAL_PAID: Final = 4
BOTH_FOULED: Final = 5
FOUL: Final = 6
HAND_BY_HAND: Final = 7
SWEEP: Final = 10
TWO_OF_THREE: Final = 20
FEWER_THAN_TWO: Final = 30

# Bonuses that a set earns, one bit each.
BACK_STRAIGHT_FLUSH: Final = 1
BACK_FOUR_OF_A_KIND: Final = 2
MIDDLE_STRAIGHT_FLUSH: Final = 4
MIDDLE_FOUR_OF_A_KIND: Final = 8
MIDDLE_FULL_HOUSE: Final = 16
FRONT_THREE_OF_A_KIND: Final = 32
ON_BACK: Final = BACK_STRAIGHT_FLUSH | BACK_FOUR_OF_A_KIND
ON_MIDDLE: Final = MIDDLE_STRAIGHT_FLUSH | MIDDLE_FOUR_OF_A_KIND | MIDDLE_FULL_HOUSE


@kernel
def five_of_one_deck(cards: Sequence[int], first: int) -> int:
    """Return the strength of a middle or a back."""
    return in_one_deck(
        five_card(
            cards[first], cards[first + 1], cards[first + 2], cards[first + 3], cards[first + 4]
        )
    )


@kernel
def fouls(front: int, middle: int, back: int, equal_allowed: int) -> bool:
    """Return whether a set breaks the order of its hands (CP-5, CP-I1)."""
    if middle < front:
        return True
    return back < middle or (back == middle and equal_allowed == 0)


@kernel
def standing_of(front: int, middle: int, back: int, natural: int, terms: Sequence[int]) -> int:
    """Return the standing of a set; `natural` is one that the cards make, or -1."""
    if natural >= 0 and terms[FIRST_NATURAL + natural] != NOT_APPROVED:
        return NATURAL + natural  # it cannot foul: CP-I3, CP-I7
    if fouls(front, middle, back, terms[EQUAL_ALLOWED]):
        return FOULED
    return PROPER


@kernel
def at_once(mine: int, theirs: int, terms: Sequence[int]) -> tuple[int, int]:
    """Return units won without comparing hands, and why; the reason is 0 if hands are compared."""
    if mine == PROPER and theirs == PROPER:
        return 0, 0
    if mine == SURRENDERED and theirs == SURRENDERED:
        return 0, BOTH_SURRENDERED  # CP-I12
    if mine == SURRENDERED:
        return -terms[SURRENDER], SURRENDER_PAID  # CP-12, CP-I16
    if theirs == SURRENDERED:
        return terms[SURRENDER], SURRENDER_PAID
    if mine >= NATURAL and theirs >= NATURAL:
        return 0, BOTH_NATURAL  # CP-I8
    if mine >= NATURAL:
        return terms[FIRST_NATURAL + mine - NATURAL], NATURAL_PAID  # CP-11, CP-I7
    if theirs >= NATURAL:
        return -terms[FIRST_NATURAL + theirs - NATURAL], NATURAL_PAID
    return 0, BOTH_FOULED if mine == theirs else 0  # CP-I3


@kernel
def scored(won: int, lost: int, terms: Sequence[int]) -> tuple[int, int]:
    """Return the units for the number of hands won and lost, and the reason (CP-6, CP-8, CP-9).

    A scoring pays for each hand, for two of three, for all three, or several of these (CP-14).
    """
    scoring = terms[SCORING]
    units = (won - lost) * terms[EACH_HAND]
    if scoring == BY_THE_HAND:
        return units, HAND_BY_HAND
    if won == 3:
        return units + terms[ALL_THREE], SWEEP + scoring
    if lost == 3:
        return units - terms[ALL_THREE], SWEEP + scoring
    if won == 2:
        return units + terms[TWO_HANDS], TWO_OF_THREE + scoring  # CP-I5
    if lost == 2:
        return units - terms[TWO_HANDS], TWO_OF_THREE + scoring
    return units, FEWER_THAN_TWO + scoring  # CP-I4


@kernel
def meeting(table: Sequence[int], mine: int, theirs: int, terms: Sequence[int]) -> tuple[int, int]:
    """Return the units that one player wins from another by naturals, surrender or hands, and why.

    `table` contains four numbers per player: front, middle, back and standing; `mine` and `theirs`
    are the places of each player's first number.
    """
    my_standing, their_standing = table[mine + 3], table[theirs + 3]
    units, why = at_once(my_standing, their_standing, terms)
    if why:
        return units, why
    if my_standing == FOULED:
        return scored(0, 3, terms)[0], FOUL  # CP-I3
    if their_standing == FOULED:
        return scored(3, 0, terms)[0], FOUL
    won, lost = 0, 0
    for hand in range(3):
        won += int(table[mine + hand] > table[theirs + hand])
        lost += int(table[mine + hand] < table[theirs + hand])
    return scored(won, lost, terms)


@kernel
def bonus_hands(front: int, middle: int, back: int) -> int:
    """Return the hands of a set that may earn a bonus (CP-10, CP-I11)."""
    hands = 0
    if back < FULL_HOUSE << NAME_SHIFT and front < THREE_OF_A_KIND << NAME_SHIFT:
        return hands  # then the middle isn't one either, because it isn't above the back
    if name_of(back) == STRAIGHT_FLUSH:
        hands |= BACK_STRAIGHT_FLUSH
    if name_of(back) == FOUR_OF_A_KIND:
        hands |= BACK_FOUR_OF_A_KIND
    if name_of(middle) == STRAIGHT_FLUSH:
        hands |= MIDDLE_STRAIGHT_FLUSH
    if name_of(middle) == FOUR_OF_A_KIND:
        hands |= MIDDLE_FOUR_OF_A_KIND
    if name_of(middle) == FULL_HOUSE:
        hands |= MIDDLE_FULL_HOUSE
    if name_of(front) == THREE_OF_A_KIND:
        hands |= FRONT_THREE_OF_A_KIND
    return hands


@kernel
def bonuses_owed(table: Sequence[int], mine: int, theirs: int, terms: Sequence[int]) -> int:
    """Return the bonus hands the other player owes for; a fouled player owes but earns none."""
    if table[mine + 3] != PROPER or table[theirs + 3] >= SURRENDERED:
        return 0
    hands = bonus_hands(table[mine], table[mine + 1], table[mine + 2])
    if terms[WINNING_HAND_ONLY] and table[theirs + 3] == PROPER:
        if table[mine] <= table[theirs]:
            hands &= ~FRONT_THREE_OF_A_KIND
        if table[mine + 1] <= table[theirs + 1]:
            hands &= ~ON_MIDDLE
        if table[mine + 2] <= table[theirs + 2]:
            hands &= ~ON_BACK
    return hands


@kernel
def bonus_units(hands: int, terms: Sequence[int]) -> int:
    """Return the total units of bonus hands."""
    straight_flushes = int(hands & BACK_STRAIGHT_FLUSH != 0) + int(
        hands & MIDDLE_STRAIGHT_FLUSH != 0
    )
    fours = int(hands & BACK_FOUR_OF_A_KIND != 0) + int(hands & MIDDLE_FOUR_OF_A_KIND != 0)
    return (
        straight_flushes * terms[BONUS_STRAIGHT_FLUSH]
        + fours * terms[BONUS_FOUR_OF_A_KIND]
        + int(hands & MIDDLE_FULL_HOUSE != 0) * terms[BONUS_FULL_HOUSE_MIDDLE]
        + int(hands & FRONT_THREE_OF_A_KIND != 0) * terms[BONUS_TRIPS_FRONT]
    )


@kernel
def take_seat(
    table: MutableSequence[int],
    place: int,
    cards: Sequence[int],
    first: int,
    natural: int,
    terms: Sequence[int],
) -> None:
    """Write one player's set, thirteen cards from front to back, as four numbers of a table."""
    own_front = front(cards[first], cards[first + 1], cards[first + 2])
    middle = five_of_one_deck(cards, first + 3)
    back = five_of_one_deck(cards, first + 8)
    if natural >= 0 and not makes_natural(natural, cards, first):
        natural = -1
    table[place] = own_front
    table[place + 1] = middle
    table[place + 2] = back
    table[place + 3] = standing_of(own_front, middle, back, natural, terms)


@kernel
def settle_table(
    table: Sequence[int], players: int, terms: Sequence[int], units: MutableSequence[int]
) -> None:
    """Add to each player's units what every two players at a table owe each other (CP-6)."""
    for i in range(players):
        for j in range(i + 1, players):
            won, _ = meeting(table, 4 * i, 4 * j, terms)
            won += bonus_units(bonuses_owed(table, 4 * i, 4 * j, terms), terms)
            won -= bonus_units(bonuses_owed(table, 4 * j, 4 * i, terms), terms)
            units[i] += won
            units[j] -= won
