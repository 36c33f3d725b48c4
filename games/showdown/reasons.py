"""Why chips changed hands between two players and who won the pot: the codes and their clauses."""

from __future__ import annotations

from typing import Final

from games.ranking import names
from games.ranking.names import NAMES
from games.settlement.outcomes import Reason
from games.showdown import settle

PAY_LINES: Final[dict[str, tuple[str, ...]]] = {}

KINDS: Final = {
    "four_of_a_kind": names.FOUR_OF_A_KIND,
    "five_of_a_kind": names.FIVE_OF_A_KIND,
    "six_of_a_kind": names.KIND_6,
    "seven_of_a_kind": names.KIND_7,
    "eight_of_a_kind": names.KIND_8,
    "nine_of_a_kind": names.KIND_9,
    "ten_of_a_kind": names.KIND_10,
}
RUNS: Final = {
    "straight_flush": names.STRAIGHT_FLUSH,
    "run_of_six": names.RUN_6,
    "run_of_seven": names.RUN_7,
    "run_of_eight": names.RUN_8,
    "run_of_nine": names.RUN_9,
    "run_of_ten": names.RUN_10,
}
OTHERS: Final = {
    "one_pair": names.ONE_PAIR,
    "two_pairs": names.TWO_PAIRS,
    "three_of_a_kind": names.THREE_OF_A_KIND,
    "straight": names.STRAIGHT,
    "flush": names.FLUSH,
    "full_house": names.FULL_HOUSE,
}
NAMED: Final = {**OTHERS, **KINDS, **RUNS}
"""Hands that may score more than a point, by their line in the chart."""

_UP_TO_FIVE: Final = (*OTHERS, "four_of_a_kind", "five_of_a_kind", "straight_flush")
_UP_TO_SIX: Final = (*_UP_TO_FIVE, "six_of_a_kind", "run_of_six")
_UP_TO_SEVEN: Final = (*_UP_TO_SIX, "seven_of_a_kind", "run_of_seven")
POINTS: Final = {
    "hand_6": (*OTHERS, *KINDS, *RUNS),
    "hand_5": _UP_TO_SEVEN,
    "hand_4": _UP_TO_SIX,
    "hand_3": _UP_TO_FIVE,
    "hand_2": ("one_pair", "straight", "flush", "three_of_a_kind"),
}
"""Which lines the chart may have, by place (SD-17); a hand without a line scores a point."""

MULTIPLES: Final = {"hand_5": 2, "hand_4": 3, "hand_3": 4}
"""The multiple of hand 6's score for a place, under the interpretation `multiples` (SD-I1)."""

READINGS: Final = {"SD-I1": ("chart", "multiples")}
"""The open questions on which the code has a choice, with the interpretations it supports."""

PAID_AFTER_20: Final = 10
PAID_AFTER_23: Final = 11
TOOK_POT: Final = 20
SPLIT_POT: Final = 21
ONLY_ONE_LEFT: Final = 22
NO_POT: Final = 23
NO_POT_FOULED: Final = 24
NO_SHOWDOWN: Final = 25
NO_SURRENDER: Final = 26
CROWDED: Final = 27
DRAW: Final = 30  # + the hand's place
BY_SUIT: Final = 40  # + the hand's place, after the code that says who won it
WON: Final = 100  # + the hand's place * NAMES + the name of the hand that won
LOST: Final = 300

SAYS: Final = (
    "high card", "one pair", "two pairs", "three of a kind", "a straight", "a flush",
    "a full house", "four of a kind", "a straight flush", "five of a kind",
    "a run of six", "six of a kind", "a run of seven", "a run of eight", "seven of a kind",
    "a run of nine", "eight of a kind", "a run of ten", "nine of a kind", "ten of a kind",
)  # fmt: skip
"""Each name of `ranking.names` in words."""

_STRENGTH: Final = ("SD-14", "SD-17", "SD-I1", "SD-I2")


def _strength(hand: int, name: int) -> tuple[str, ...]:
    """Return the clauses by which a hand of a place and name wins."""
    if name >= names.RUN_6:
        return (*_STRENGTH, ("SD-12", "SD-13", "SD-12", "SD-12", "SD-11", "SD-10")[hand], "SD-I3")
    if hand in (1, 2, 3):
        return (*_STRENGTH, "SD-9")
    return (*_STRENGTH, "SD-8")


REASONS: Final[dict[int, Reason]] = {
    settle.HAND_BY_HAND: Reason("hand by hand", ("SD-14", "SD-15")),
    settle.FOUL: Reason("a fouled set loses all six hands", ("SD-7", "SD-I4", "SD-I5", "SD-I10")),
    settle.BOTH_FOULED: Reason("two fouled sets are level", ("SD-I5",)),
    PAID_AFTER_20: Reason("a surrender at the first declaration: 5 chips", ("SD-4", "SD-I13")),
    PAID_AFTER_23: Reason("a surrender at the second declaration: 10 chips", ("SD-5", "SD-I13")),
    TOOK_POT: Reason("the highest total takes the pot", ("SD-16",)),
    SPLIT_POT: Reason("level on the highest total: the pot is split", ("SD-16", "SD-I6")),
    ONLY_ONE_LEFT: Reason("the only player left takes the pot", ("SD-I7",)),
    NO_POT: Reason("what was put into the pot is lost", ("SD-3", "SD-4", "SD-5", "SD-16")),
    NO_POT_FOULED: Reason("a fouled set cannot take the pot", ("SD-16", "SD-I5")),
    NO_SHOWDOWN: Reason("no showdown", ("SD-4", "SD-5", "SD-I7")),
    NO_SURRENDER: Reason("no surrender to pay for", ("SD-4", "SD-5", "SD-I13")),
    CROWDED: Reason(
        "too many players to tell every two of them apart", ("SD-4", "SD-5", "SD-14", "SD-15")
    ),
    **{
        DRAW + hand: Reason(f"hand {hand + 1}: identical, a draw", ("SD-20",))
        for hand in range(settle.HANDS)
    },
    **{
        BY_SUIT + hand: Reason(
            f"hand {hand + 1}: alike in every rank, the suit decides", ("SD-18", "SD-19", "SD-I9")
        )
        for hand in range(settle.HANDS)
    },
    **{
        WON + hand * NAMES + name: Reason(
            f"hand {hand + 1} won with {SAYS[name]}", _strength(hand, name)
        )
        for hand in range(settle.HANDS)
        for name in range(NAMES)
    },
    **{
        LOST + hand * NAMES + name: Reason(
            f"hand {hand + 1} lost to {SAYS[name]}", _strength(hand, name)
        )
        for hand in range(settle.HANDS)
        for name in range(NAMES)
    },
}
