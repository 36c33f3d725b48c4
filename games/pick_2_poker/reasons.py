"""Why a wager ended as it did: the codes that the kernels return, and the clauses behind them."""

from __future__ import annotations

from typing import Final

from games.settlement.outcomes import Reason

HIGHER: Final = 1
LOWER: Final = 2
TIE: Final = 3
NOT_QUALIFIED: Final = 4
FOLDED: Final = 5
BONUS_FOLDED: Final = 6
NO_LINE: Final = 7
NOT_PLACED: Final = 8
NO_LINE_OF_BONUS_5: Final = 9
FIVE: Final = 20  # + the line's place in PAY_LINES["bonus_3_5_five"]
THREE: Final = 40  # + the line's place in PAY_LINES["bonus_3_5_three"]
BONUS_5: Final = 60  # + the line's place in PAY_LINES["bonus_5"]

_FIVE_CARD_LINES: Final = (
    "pair_of_sixes_or_better",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)

PAY_LINES: Final = {
    "bonus_3_5_five": _FIVE_CARD_LINES,
    "bonus_3_5_three": (
        "one_pair",
        "flush",
        "straight",
        "three_of_a_kind",
        "straight_flush",
        "ace_king_queen_suited",
    ),
    "bonus_5": _FIVE_CARD_LINES,
}
"""The lines that the code can find in a hand, by pay table, in the order of the kernels' bits.

A definition's pay table has some of them.
"""

READINGS: Final = {
    "P2-I1": ("ante_wins", "both_win", "both_push"),
    "P2-I4": ("best_three", "set_three"),
    "P2-I5": ("bonus_lost", "bonus_stands"),
    "P2-I9": ("suited", "any_suits"),
    "P2-I10": ("bonus_3_5", "bonus_5"),
}
"""The open questions on which the code has a choice, with the interpretations it supports."""

REASONS: Final[dict[int, Reason]] = {
    HIGHER: Reason("the higher hand", ("P2-8", "P2-9")),
    LOWER: Reason("the lower hand", ("P2-8", "P2-9")),
    TIE: Reason("equal hands: a push", ("P2-9",)),
    NOT_QUALIFIED: Reason("the dealer does not qualify", ("P2-8", "P2-I1", "P2-I6")),
    FOLDED: Reason("folded", ("P2-5",)),
    BONUS_FOLDED: Reason("folded, which loses the bonus", ("P2-5", "P2-I5")),
    NO_LINE: Reason("no line of the pay table", ("P2-10", "P2-17", "P2-I3")),
    NO_LINE_OF_BONUS_5: Reason("no line of the pay table", ("P2-10", "P2-18")),
    NOT_PLACED: Reason("no wager there", ("P2-2",)),
    **{
        FIVE + place: Reason(f"{line.replace('_', ' ')} in five cards", ("P2-17", "P2-I2", "P2-I3"))
        for place, line in enumerate(PAY_LINES["bonus_3_5_five"])
    },
    **{
        THREE + place: Reason(
            f"{line.replace('_', ' ')} in three cards", ("P2-17", "P2-I3", "P2-I4", "P2-I9")
        )
        for place, line in enumerate(PAY_LINES["bonus_3_5_three"])
    },
    **{
        BONUS_5 + place: Reason(line.replace("_", " "), ("P2-18", "P2-I2"))
        for place, line in enumerate(PAY_LINES["bonus_5"])
    },
}
