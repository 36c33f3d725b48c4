"""Internal controls as an operator might write them; tests change one entry at a time."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from compliance.filings.controls.content import TEXTS

GOOD: dict[str, Any] = {
    "texts": dict.fromkeys(TEXTS, "As the house does it."),
    "hours": {"friday": ["10:00", "04:00"], "saturday": ["00:00", "00:00"]},
    "cut_off": "06:00",
    "submission_hours": 6,
    "void_reasons": ["power failure"],
    "games": {
        "pyramid-poker": {
            "tables": {
                "T1": {
                    "main": [500, 40_000],
                    "three_card": [100, 10_000],
                    "six_card": [100, 10_000],
                }
            },
            "max_aggregate": {"six_card": 500_000},
        },
        "pick-2-poker": {
            "tables": {
                "T2": {
                    "ante": [500, 20_000],
                    "bonus_3_5": [500, 10_000],
                    "bonus_5": [500, 20_000],
                    "play": [500, 40_000],
                }
            }
        },
    },
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the good controls with one entry changed, added, or (given `...`) left out."""
    data = deepcopy(GOOD)
    *parents, last = path.split("/")
    place = data
    for parent in parents:
        place = place[parent]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data
