"""Wagers over columns: within the table's limits and the legal cap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.kernel import jit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from games.round_log.columns import Columns
    from games.setup import Setup

NO_MOST = 2**62


@jit
def check_limits(wager, first_seat, table, bounds, certain):  # type: ignore[no-untyped-def]
    """Leaves certain the rounds in which a wager is 0 or within its table's bounds."""
    for row in range(certain.size):
        least, most = bounds[table[row], 0], bounds[table[row], 1]
        for seat in range(first_seat[row], first_seat[row + 1]):
            amount = wager[seat]
            if amount != 0 and (amount < least or amount > most):
                certain[row] = 0


class Limits:
    """What a set-up says of one game's wagers, for tables by their codes."""

    def __init__(self, game: str, setup: Setup) -> None:
        rules = setup.rules(game)
        self._setup = setup
        self._keys = tuple(rules.wagers)
        self._cap = setup.cap if rules.house_banked and setup.cap is not None else NO_MOST
        self._judged = bool(setup.limits) or self._cap < NO_MOST

    def check(
        self, columns: Columns, tables: NDArray[np.int64], names: Sequence[str],
        certain: NDArray[np.uint8],
    ) -> None:  # fmt: skip
        """Leave certain only rounds within the limits; `names` are the tables by code."""
        if not self._judged:
            return
        for key in self._keys:
            bounds = np.array([self._bounds(name, key) for name in names], np.int64)
            check_limits(
                columns.seats.numbers[f"wager_{key}"], columns.first_seat, tables, bounds, certain
            )

    def _bounds(self, table: str, key: str) -> tuple[int, int]:
        least, most = self._setup.limits.get(table, {}).get(key, (0, NO_MOST))
        return least, min(most, self._cap)
