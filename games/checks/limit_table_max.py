"""limit.table_max: a wager above the maximum that the operator's controls set for its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.checks.limit_table_min import LIMIT_CLAUSES
from games.findings import CONTROLS, Finding, Severity, cites
from games.kernel import compiled, kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnTerms, Terms

CODE: Final = "limit.table_max"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "Wager above the table's approved maximum"

NO_MAXIMUM: Final = 2**62


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for each wager above the maximum."""
    limits = terms.setup.limits.get(round_.table)
    if not limits:
        return
    ids = cites(CONTROLS, *LIMIT_CLAUSES.get(round_.game, ()))
    for seat in round_.seats:
        for key in terms.rules.wagers:
            if key in limits and seat.wagers[key] > limits[key][1]:
                yield Finding(CODE, seat.seat, key, seat.wagers[key], limits[key][1], cites=ids)


@kernel
def keep_to(wager: Any, first_seat: Any, tables: Any, most: Any, certain: Any) -> None:
    """Keep certain only rounds in which no wager is above its table's maximum."""
    for row in range(certain.size):
        highest = most[tables[row]]
        for seat in range(first_seat[row], first_seat[row + 1]):
            if wager[seat] > highest:
                certain[row] = 0


def screen(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds without such a wager."""
    for key in terms.rules.wagers if terms.setup.limits else ():
        wager, most = columns.seats.numbers[f"wager_{key}"], terms.bounds(key, 1, NO_MAXIMUM)
        if wager.max() > most.min():
            compiled(keep_to)(wager, columns.first_seat, terms.tables, most, certain)


def plant(scene: Scene) -> Fault | None:
    """Accept a wager above the table's maximum."""
    limits = scene.setup.limits.get(scene.table, {})
    for place, key in scene.free_wagers():
        if key in limits:
            amount = limits[key][1] + 500
            return scene.with_wager(place, key, amount, "above the table's maximum")
    return None
