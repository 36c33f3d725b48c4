"""Why units changed hands between two players: the kernels' codes and their clauses."""

from __future__ import annotations

from typing import Final

from games.chinese_poker import settle
from games.settlement.outcomes import Reason

PAY_LINES: Final[dict[str, tuple[str, ...]]] = {}
"""The operator decides what bonuses and naturals pay (CP-10, CP-11); the rules have no pay table.
"""

READINGS: Final = {
    "CP-I1": ("foul", "equal_allowed"),
    "CP-I6": ("any_hand", "winning_hand_only"),
}
"""The open questions on which the code has a choice, with the interpretations it supports."""

NATURALS: Final = ("three-straights", "three-flushes", "six-pairs", "dragon")
"""As named in a log and in the controls, in the order of `naturals.py`."""

CROWDED: Final = 39
WON: Final = 40  # + the hand's place
EQUAL: Final = 43
LOST: Final = 46
BONUS_WON: Final = 50  # + the place of the bit in `BONUSES`
BONUS_PAID: Final = 60

BONUSES: Final = (
    ("a straight flush in the back", "straight_flush"),
    ("four of a kind in the back", "four_of_a_kind"),
    ("a straight flush in the middle", "straight_flush"),
    ("four of a kind in the middle", "four_of_a_kind"),
    ("a full house in the middle", "full_house_middle"),
    ("three of a kind in the front", "trips_front"),
)
"""What earns a bonus, by its bit in `settle.bonus_hands`, with its name in the controls."""

_PLACES: Final = ("front", "middle", "back")
_ORDER: Final = ("CP-5", "CP-6", "CP-I2")

REASONS: Final[dict[int, Reason]] = {
    settle.BOTH_SURRENDERED: Reason("both surrendered: neither wins anything", ("CP-I12",)),
    settle.SURRENDER_PAID: Reason("who surrendered pays the set amount", ("CP-12", "CP-I16")),
    settle.BOTH_NATURAL: Reason("two naturals: neither wins anything", ("CP-I8",)),
    settle.NATURAL_PAID: Reason("a natural wins at once", ("CP-11", "CP-I7")),
    settle.BOTH_FOULED: Reason("two fouled sets are equal", ("CP-I3",)),
    settle.FOUL: Reason("a fouled set loses all three hands", ("CP-5", "CP-I1", "CP-I3")),
    settle.HAND_BY_HAND: Reason("a unit for each hand", ("CP-6",)),
    settle.SWEEP + settle.TWO_FOUR: Reason("all three hands, a sweep: 4 units", ("CP-8",)),
    settle.SWEEP + settle.ONE_SIX: Reason("all three hands, a sweep: 6 units", ("CP-9",)),
    settle.TWO_OF_THREE + settle.TWO_FOUR: Reason("two hands of three: 2 units", ("CP-8", "CP-I5")),
    settle.TWO_OF_THREE + settle.ONE_SIX: Reason("two hands of three: 1 unit", ("CP-9", "CP-I5")),
    settle.FEWER_THAN_TWO + settle.TWO_FOUR: Reason(
        "nobody won two hands: neither wins anything", ("CP-8", "CP-I4")
    ),
    settle.FEWER_THAN_TWO + settle.ONE_SIX: Reason(
        "nobody won two hands: neither wins anything", ("CP-9", "CP-I4")
    ),
    settle.SWEEP + settle.OTHER: Reason("all three hands, a sweep", ("CP-14",)),
    settle.TWO_OF_THREE + settle.OTHER: Reason("two hands of three", ("CP-14", "CP-I5")),
    settle.FEWER_THAN_TWO + settle.OTHER: Reason("nobody won two hands", ("CP-14", "CP-I4")),
    CROWDED: Reason("too many players to tell every two of them apart", ("CP-1", "CP-6")),
    **{WON + i: Reason(f"{place} won", _ORDER) for i, place in enumerate(_PLACES)},
    **{EQUAL + i: Reason(f"{place} equal", _ORDER) for i, place in enumerate(_PLACES)},
    **{LOST + i: Reason(f"{place} lost", _ORDER) for i, place in enumerate(_PLACES)},
    **{
        BONUS_WON + i: Reason(f"a bonus for {hand}", ("CP-10", "CP-I6", "CP-I11"))
        for i, (hand, _) in enumerate(BONUSES)
    },
    **{
        BONUS_PAID + i: Reason(f"pays the bonus for {hand}", ("CP-10", "CP-I6", "CP-I13"))
        for i, (hand, _) in enumerate(BONUSES)
    },
}

_SIDES: Final = (
    *((WON + i, LOST + i) for i in range(len(_PLACES))),
    *((BONUS_WON + i, BONUS_PAID + i) for i in range(len(BONUSES))),
)
MIRRORED: Final = {**dict(_SIDES), **{other: mine for mine, other in _SIDES}}
"""The code from the other player's side."""
