"""Names of hands by the five-card rank (CP-5, P2-11, SD-8): the higher outranks the lower.

`FIVE_OF_A_KIND` exists in shoes and with jokers alone; `in_one_deck` takes it back where a
game does not know it. From `RUN_6` on they are Showdown's power hands, in the order of what
they are worth as hand 6 (SD-I3, SD-17): a run of equal worth stands below the kind.
"""

from typing import Final

from games.kernel import kernel

HIGH_CARD: Final = 0
ONE_PAIR: Final = 1
TWO_PAIRS: Final = 2
THREE_OF_A_KIND: Final = 3
STRAIGHT: Final = 4
FLUSH: Final = 5
FULL_HOUSE: Final = 6
FOUR_OF_A_KIND: Final = 7
STRAIGHT_FLUSH: Final = 8
FIVE_OF_A_KIND: Final = 9
RUN_6: Final = 10
KIND_6: Final = 11
RUN_7: Final = 12
RUN_8: Final = 13
KIND_7: Final = 14
RUN_9: Final = 15
KIND_8: Final = 16
RUN_10: Final = 17
KIND_9: Final = 18
KIND_10: Final = 19

NAMES: Final = 20

NAME_SHIFT: Final = 24
TOP_SHIFT: Final = 20


@kernel
def name_of(strength: int) -> int:
    """The name in a strength."""
    return strength >> NAME_SHIFT


@kernel
def top_of(strength: int) -> int:
    """The rank that weighs most in a strength, 0 (deuce) to 12 (ace)."""
    return ((strength >> TOP_SHIFT) & 15) - 1


@kernel
def in_one_deck(strength: int) -> int:
    """The strength where five of a kind is no name: four of a kind with a fifth beside it."""
    if name_of(strength) == FIVE_OF_A_KIND:
        return strength - ((FIVE_OF_A_KIND - FOUR_OF_A_KIND) << NAME_SHIFT)
    return strength
