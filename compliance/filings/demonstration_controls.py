"""The internal controls of the demonstration's operators, as they filed them.

Programs without a database simulate its nights from them, so this module imports no model.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from compliance.filings.controls.content import DAYS

TEXTS = {
    "departments": "Surveillance, security, gambling and accounting report apart from each other "
    "to the general manager.",
    "accounting": "Every table is counted each gambling day; two people sign each slip.",
    "administrative": "Nobody both records a transaction and holds what it is about.",
    "dealing": "Cards are dealt from an approved shoe or shuffler, beginning at the dealer's left.",
    "irregularities": "A round in which a card is missing or exposed is stopped, shown to a floor "
    "supervisor, and void only for the reasons listed.",
    "banking": "Where the rules let a player bank, the bank is counted before the deal and the "
    "house banks every other round.",
    "tips": "Tips go into the tip box at the table and are counted by two people.",
    "surveillance": "Every table's cards, wagers, chip tray and drop slot are in view of a camera; "
    "video is kept for seven gambling days.",
}
ALL_WEEK = {day: ["00:00", "00:00"] for day in DAYS}
EVENINGS = {day: ["10:00", "04:00"] for day in DAYS}
PYRAMID = {"main": [500, 20_000], "three_card": [100, 10_000], "six_card": [100, 10_000]}
PICK_2 = {
    "ante": [500, 10_000],
    "bonus_3_5": [500, 10_000],
    "bonus_5": [500, 10_000],
    "play": [500, 20_000],
}
THREE_CARD = {
    "ante": [500, 10_000],
    "play": [500, 10_000],
    "pair_plus": [100, 5_000],
    "six_card": [100, 5_000],
}
CHINESE = {
    "scoring": ["unit", "2-4", "1-6"],
    "bonuses": {
        "straight_flush": 4,
        "four_of_a_kind": 3,
        "full_house_middle": 1,
        "trips_front": 2,
    },
    "naturals": {"three-straights": 3, "three-flushes": 3, "six-pairs": 3, "dragon": 3},
    "surrender": 2,
    "largest_unit": 1_000,
}


def _tables(names: str, limits: dict[str, list[int]]) -> dict[str, Any]:
    return {name: dict(limits) for name in names.split()}


def _controls(hours: dict[str, list[str]], games: dict[str, Any]) -> dict[str, Any]:
    return {
        "texts": dict(TEXTS),
        "hours": hours,
        "cut_off": "06:00",
        "submission_hours": 6,
        "void_reasons": ["power failure", "card exposed by the dealer", "shuffler fault"],
        "games": games,
    }


CEDAR = _controls(
    ALL_WEEK,
    {
        "pyramid-poker": {
            "tables": _tables("T1 T2 T3", PYRAMID),
            "max_aggregate": {"three_card": 500_000, "six_card": 1_000_000},
            "interpretations": {"PP-I8": "per_deal"},
            "banker_min": {"three_card": 100, "six_card": 100},
        },
        "pick-2-poker": {"tables": _tables("T4 T5", PICK_2)},
        "chinese-poker": {"tables": {"T6": {}}, "chinese": CHINESE},
        "three-card-poker": {
            "tables": _tables("T8", THREE_CARD),
            "pay_tables": {"pair_plus": "standard"},
        },
    },
)
CEDAR_SINCE_MIDNIGHT = deepcopy(CEDAR)
CEDAR_SINCE_MIDNIGHT["games"]["three-card-poker"]["pay_tables"] = {"pair_plus": "flush_3"}
CEDAR_SINCE_MIDNIGHT["games"]["pyramid-poker"]["interpretations"]["PP-I1"] = "dealer_wins"
CEDAR_SINCE_MIDNIGHT["games"]["pyramid-poker"]["tables"]["T1"]["main"] = [1_000, 10_000]

HARBOR = _controls(
    EVENINGS,
    {
        "pyramid-poker": {
            "tables": _tables("H1 H2", {**PYRAMID, "main": [500, 40_000]}),
            "banker_min": {"three_card": 100, "six_card": 100},
        },
        "pick-2-poker": {"tables": _tables("H3", {**PICK_2, "play": [500, 20_000]})},
    },
)
HARBOR_PENDING = deepcopy(HARBOR)
HARBOR_PENDING["cut_off"] = "07:00"

TWIN_RIVERS = _controls(
    ALL_WEEK,
    {
        "pyramid-poker": {"tables": _tables("R1", {**PYRAMID, "main": [500, 50_000]})},
        "pick-2-poker": {"tables": _tables("R2", PICK_2)},
    },
)
TWIN_RIVERS_RETURNED = deepcopy(TWIN_RIVERS)
TWIN_RIVERS_RETURNED["games"]["pick-2-poker"]["tables"]["R3"] = dict(PICK_2)

WESTFORK = _controls(
    EVENINGS,
    {
        "blackjack": {
            "tables": {
                "W1": {
                    "main": [500, 20_000],
                    "insurance": [100, 10_000],
                    "twenty_one_plus_three": [100, 5_000],
                    "match_the_dealer": [100, 5_000],
                    "lucky_ladies": [100, 5_000],
                },
            },
            "pay_tables": {
                "main": "three_to_two",
                "twenty_one_plus_three": "graded",
                "match_the_dealer": "six_decks",
                "lucky_ladies": "two_hundred",
            },
            "interpretations": {"BJ-I1": "hit"},
        },
        "mini-baccarat": {
            "tables": {
                "W2": {
                    "player": [500, 30_000],
                    "banker": [500, 30_000],
                    "tie": [100, 5_000],
                    "player_pair": [100, 5_000],
                    "banker_pair": [100, 5_000],
                    "streak": [100, 5_000],
                },
            },
            "pay_tables": {"tie": "standard"},
        },
        "pai-gow-poker": {
            "tables": {"W3": {"main": [1_000, 20_000], "fortune": [100, 5_000]}},
            "pay_tables": {"fortune": "standard"},
        },
        "let-it-ride": {
            "tables": {
                "W4": {
                    **{key: [500, 5_000] for key in ("bet_1", "bet_2", "bet_3")},
                    "three_card": [100, 2_500],
                },
            },
        },
        "texas-holdem": {"tables": {"W5": {"bet": [200, 4_000]}}},
    },
)
