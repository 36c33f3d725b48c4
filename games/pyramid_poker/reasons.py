"""Why a wager ended as it did: the codes that the kernels return, and the clauses behind them."""

from __future__ import annotations

from typing import Final

from games.settlement.outcomes import Reason

FOUL: Final = 1
THREE_OF_A_KIND: Final = 2
AHEAD: Final = 3
BEHIND: Final = 4
ONE_EACH: Final = 5
BOTH_EQUAL: Final = 6
SEVEN_OR_LOWER: Final = 7
NO_LINE: Final = 8
BANKER: Final = 9
NO_LINE_IN_SIX: Final = 10
THREE_CARD: Final = 20  # + the line's place in PAY_LINES["three_card"]
SIX_CARD: Final = 40  # + the line's place in PAY_LINES["six_card"]

PAY_LINES: Final = {
    "three_card": (
        "one_pair",
        "flush",
        "straight",
        "three_of_a_kind",
        "straight_flush",
        "ace_king_queen_suited",
        "pair_of_jacks_or_better",
        "three_aces",
        "suited_three_of_a_kind",
    ),
    "six_card": (
        "two_pairs",
        "three_of_a_kind",
        "straight",
        "flush",
        "full_house",
        "four_of_a_kind",
        "five_of_a_kind",
        "straight_flush",
        "royal_flush",
        "six_of_a_kind",
        "pair_of_jacks_or_better",
        "three_pairs",
        "two_threes_of_a_kind",
        "straight_of_six",
        "flush_of_six",
        "straight_flush_of_six",
    ),
}
"""The lines that the code can find in a hand, by pay table, in the order of the bits of
`ranking.three_card.three_card_lines` and `ranking.six_card.six_card_lines`.

A definition's pay table has some of them."""

USUAL_LINES: Final = {"three_card": 6, "six_card": 10}
"""How many of these lines, from the first, the pay tables of PP-28 and PP-29 have."""

READINGS: Final = {
    "PP-I1": ("push", "dealer_wins"),
    "PP-I8": ("odds_only", "per_deal", "all_wagers", "per_player", "per_table"),
    "PP-I10": ("stakes", "max_payout"),
    "PP-I11": ("yes", "no"),
    "PP-I13": ("list", "split_at_four"),
}
"""The open questions on which the code has a choice, with the interpretations it supports."""

_MAIN: Final = {
    FOUL: Reason("fouled: the low card outranks the high hand", ("PP-6", "PP-I4")),
    THREE_OF_A_KIND: Reason("three of a kind wins at once, 3 to 1", ("PP-7",)),
    AHEAD: Reason("ahead, and not behind on either hand", ("PP-9", "PP-12", "PP-13", "PP-I3")),
    BEHIND: Reason("behind, and not ahead on either hand", ("PP-10", "PP-12", "PP-13", "PP-I3")),
    ONE_EACH: Reason("one hand each", ("PP-11", "PP-12", "PP-13", "PP-I3")),
    BOTH_EQUAL: Reason("equal on both hands", ("PP-I1",)),
    BANKER: Reason("what the bank won or lost in all", ("PP-20", "PP-23")),
    SEVEN_OR_LOWER: Reason("seven high or lower, no ace: a push", ("PP-28", "PP-I7")),
    NO_LINE: Reason("no line of the pay table", ("PP-28", "PP-I7")),
    NO_LINE_IN_SIX: Reason("no line of the pay table", ("PP-29", "PP-I6")),
}

REASONS: Final[dict[int, Reason]] = {
    **_MAIN,
    **{
        THREE_CARD + place: Reason(line.replace("_", " "), ("PP-28", "PP-I5"))
        for place, line in enumerate(PAY_LINES["three_card"])
    },
    **{
        SIX_CARD + place: Reason(line.replace("_", " "), ("PP-29", "PP-I5", "PP-I6"))
        for place, line in enumerate(PAY_LINES["six_card"])
    },
}
