"""What the wagers of games with published odds may come to: baccarat, blackjack, games of sets.

Their odds are counted once for each definition (`python -m games odds`), so nothing is counted
here. They are exact where a deck is shuffled for each round and no choice makes a difference.

All others are hints. A shoe that is dealt through moves chances from round to round, without a
bound that is known: a player who counts cards may wager only when the tie or insurance is likely.
And how well a game of sets can be played was never counted.

In baccarat, one thing is exact from any shoe: the two hands get their first two cards before
anything is decided, so of two different totals each hand has the higher one as often as the other.
A player who knows the result before wagering is on the right side too often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from games.families.stud.bounds import LEVELS, Net
from games.statistics.chances import Chance
from games.statistics.evidence import TILTS, UPWARD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.definition.model import Definition
    from games.statistics.evidence import Floats

BACCARAT: Final = "baccarat"
HIGHER_HAND: Final = "higher_first_two_cards"
"""Wagers on a hand of baccarat, by whether its first two cards have the higher total."""
SAME_DECK: Final = "set"
"""The family whose deck is shuffled for each round."""
STAKES: Final = {"blackjack": 4, "set": 1}
"""By family, how many times the main wager its net result counts."""


def net_of_family(definition: Definition) -> Net | None:
    """Return how the net result of a main wager is read; None if it hits or misses."""
    stakes = STAKES.get(definition.family)
    return None if stakes is None else Net(definition.base, stakes, (definition.base,))


def chances_by_odds(
    definition: Definition, counted: Sequence[Mapping[str, Any]]
) -> dict[str, Chance]:
    """Return the chances of wagers under any of the pay tables and readings that were counted.

    A wager that was not counted exactly under each of them is left out.
    """
    found: dict[str, Chance] = {}
    for number, each in enumerate(counted):
        of_this = dict(_chances(definition, each["odds"]))
        found = {
            key: chance.joined(found[key]) if number else chance
            for key, chance in of_this.items()
            if key in found or not number
        }
    if definition.family == BACCARAT:
        found[HIGHER_HAND] = Chance.of(
            [np.array([[[0.5, 0.0, 0.5]]])], is_exact=True, by_table=False
        )
    return found


def _chances(definition: Definition, odds: Sequence[Mapping[str, Any]]) -> list[tuple[str, Chance]]:
    stakes = STAKES.get(definition.family)
    found = []
    for each in odds:
        wager = each["wager"]
        if wager == definition.base and stakes is not None:
            found.append((wager, _net(each, stakes)))
        elif each["exact"] is not None:
            hit = np.array([[[0.0, 1 - each["hit"], each["hit"]]]])
            is_exact = definition.family == SAME_DECK and each["strategy"] == "none"
            chance = Chance.of([hit], is_exact=is_exact, by_table=True)
            found.append((wager, chance._replace(is_hint=not is_exact)))
    return found


def _net(odds: Mapping[str, Any], stakes: int) -> Chance:
    mean, variance = -float(odds["edge"]) / stakes, float(odds["variance"]) / stakes**2
    chance = Chance.bounded(two_point_bound(mean, variance), LEVELS)
    return chance._replace(mean=mean, variance=variance, is_hint=True)


def two_point_bound(mean: float, variance: float) -> Floats:
    """Return by tilt the most that the log mean of e^(tilt x) can be, for x from -1 to 1.

    Of all that has this mean and variance and is at most 1, it is largest for what is 1 or one
    other value (G. Bennett, Journal of the American Statistical Association 57, 1962, 33-45).
    Downward nothing is known: a player may play as badly as the player likes.
    """
    reach = 1 - mean
    top = variance / (variance + reach**2)
    low = mean - variance / reach
    powers = np.log(top * np.exp(TILTS) + (1 - top) * np.exp(TILTS * low))
    bound: Floats = np.where(UPWARD, powers, -TILTS)
    return bound
