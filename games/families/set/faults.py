"""Faults to plant in a line that was settled right: each says what an audit then finds."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from games.definition.set_check import MAIN
from games.families.family import Broken

if TYPE_CHECKING:
    from collections.abc import Sequence

Line = dict[str, Any]

JOKER: Final = "Jo"


def dealer_set_otherwise(line: Line) -> Sequence[Broken]:
    """Exchange a card of the dealer's lowest part with one of another rank in the highest."""
    parts = [part.split() for part in line["house"]["parts"]]
    low, high = parts[0], parts[-1]
    if low[-1][0] == high[-1][0] or JOKER in low or high[-1] == JOKER:
        return ()
    low[-1], high[-1] = high[-1], low[-1]
    line["house"]["parts"] = [" ".join(part) for part in parts]
    return [Broken("setting.dealer", None, None, 0)]


def commission_forgotten(line: Line) -> Sequence[Broken]:
    """Pay winning main wagers in full, at every seat that owes a commission."""
    found: list[Broken] = []
    for seat in line["seats"]:
        wagered, won = seat["wagers"][MAIN], seat["result"][MAIN]
        if 0 < won < wagered:
            seat["result"][MAIN] = wagered
            found += [
                Broken(f"settlement.{MAIN}", seat["seat"], MAIN, wagered - won),
                Broken("fee.commission", seat["seat"], MAIN, 0),
            ]
    return found


FAULTS: Final = MappingProxyType(
    {each.__name__: each for each in (dealer_set_otherwise, commission_forgotten)}
)
