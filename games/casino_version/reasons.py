"""Why points were scored and wagers won or lost: the kernels' codes and their clauses."""

from __future__ import annotations

from typing import Final

from games.casino_version import settle
from games.ranking import names
from games.settlement.outcomes import Reason

PAY_LINES: Final[dict[str, tuple[str, ...]]] = {}

ACE: Final = "ace_in_hand_1"
IN_HAND_2: Final = {
    "pair_in_hand_2": names.ONE_PAIR,
    "straight_in_hand_2": names.STRAIGHT,
    "flush_in_hand_2": names.FLUSH,
    "trips_in_hand_2": names.THREE_OF_A_KIND,
}
FIVE: Final = "five_of_a_kind_in_hand_3"
IN_HAND_3: Final = {
    "pair_in_hand_3": names.ONE_PAIR,
    "two_pairs_in_hand_3": names.TWO_PAIRS,
    "trips_in_hand_3": names.THREE_OF_A_KIND,
    "straight_in_hand_3": names.STRAIGHT,
    "flush_in_hand_3": names.FLUSH,
    "full_house_in_hand_3": names.FULL_HOUSE,
    "four_of_a_kind_in_hand_3": names.FOUR_OF_A_KIND,
    "straight_flush_in_hand_3": names.STRAIGHT_FLUSH,
    FIVE: names.FIVE_OF_A_KIND,
}
POINTS: Final = {"specials": (ACE, *IN_HAND_2, *IN_HAND_3)}
"""The specials that the code can find, with the names of their hands; all others score a point."""

READINGS: Final = {
    "CV-I1": ("ace_two", "ace_one"),
    "CV-I2": ("no_suits", "suits"),
    "CV-I3": ("one_point", "as_four", "as_six"),
}
"""The open questions on which the code has a choice, with the interpretations it supports."""

WON: Final = 10  # + the hand's place
EQUAL: Final = 13
LOST: Final = 16
ANTE: Final = 20  # + how the seat ended, for the ante
BUY_IN: Final = 30  # + how the seat ended, for the buy-in

_HANDS: Final = (
    ("hand 1", ("CV-5", "CV-6", "CV-I1")),
    ("hand 2", ("CV-5", "CV-6", "CV-I5")),
    ("hand 3", ("CV-5", "CV-6", "CV-I3")),
)

REASONS: Final[dict[int, Reason]] = {
    settle.FOLD: Reason("folded: nothing is scored", ("CV-3",)),
    settle.FOUL: Reason("fouled: the dealer wins all three hands", ("CV-4", "CV-I4", "CV-I6")),
    settle.NET_BELOW: Reason("points lost, one ante for each", ("CV-7",)),
    settle.NET_LEVEL: Reason("level on points", ("CV-7",)),
    settle.NET_ABOVE: Reason("points won, one ante for each", ("CV-7",)),
    settle.NET_FOUR: Reason("points won, one ante for each", ("CV-7",)),
    **{WON + i: Reason(f"{hand} won", ids) for i, (hand, ids) in enumerate(_HANDS)},
    **{
        EQUAL + i: Reason(f"{hand} equal: nobody scores", ("CV-5", "CV-I2"))
        for i, (hand, _) in enumerate(_HANDS)
    },
    **{LOST + i: Reason(f"{hand} lost", ids) for i, (hand, ids) in enumerate(_HANDS)},
    ANTE + settle.FOLD: Reason("a fold loses the ante", ("CV-3",)),
    ANTE + settle.NET_BELOW: Reason("below zero the ante is lost", ("CV-9",)),
    ANTE + settle.NET_LEVEL: Reason("from zero to three the ante comes back", ("CV-9",)),
    ANTE + settle.NET_ABOVE: Reason("from zero to three the ante comes back", ("CV-9",)),
    ANTE + settle.NET_FOUR: Reason("from four on as much as the ante is won", ("CV-9",)),
    BUY_IN + settle.FOLD: Reason("a fold loses the match", ("CV-3",)),
    BUY_IN + settle.NET_BELOW: Reason("below zero the buy-in is lost", ("CV-8",)),
    BUY_IN + settle.NET_LEVEL: Reason("at zero the buy-in comes back", ("CV-8",)),
    BUY_IN + settle.NET_ABOVE: Reason("above zero the buy-in is won", ("CV-8",)),
    BUY_IN + settle.NET_FOUR: Reason("above zero the buy-in is won", ("CV-8",)),
}
