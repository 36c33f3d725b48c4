"""limit.table_min: a wager below the minimum that the operator's controls set for its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.checks.bank_wager import ODDS_WAGERS
from games.findings import CONTROLS, Finding, Severity, cites
from games.kernel import compiled, kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnTerms, Terms

CODE: Final = "limit.table_min"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "Wager below the table's approved minimum"

LIMIT_CLAUSES: Final = {"pyramid-poker": ("PP-3",), "pick-2-poker": ("P2-13",)}


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for each wager below the minimum.

    A wager of 0 isn't below a minimum: it is missing, or it may be left out. On a banker's odds
    wagers the minimum is reported as `bank.wager` (PP-26).
    """
    limits = terms.setup.limits.get(round_.table)
    if not limits:
        return
    ids = cites(CONTROLS, *LIMIT_CLAUSES.get(round_.game, ()))
    for seat in round_.seats:
        of_banker = ODDS_WAGERS if seat.seat == round_.banker else ()
        for key in terms.rules.wagers:
            amount = seat.wagers[key]
            if key in limits and 0 < amount < limits[key][0] and key not in of_banker:
                yield Finding(CODE, seat.seat, key, amount, limits[key][0], cites=ids)


@kernel
def keep_from(wager: Any, first_seat: Any, tables: Any, least: Any, certain: Any) -> None:
    """Keep certain only rounds in which every wager is 0 or at least its table's minimum."""
    for row in range(certain.size):
        lowest = least[tables[row]]
        for seat in range(first_seat[row], first_seat[row + 1]):
            if 0 < wager[seat] < lowest:
                certain[row] = 0


def screen(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds without such a wager."""
    for key in terms.rules.wagers if terms.setup.limits else ():
        wager, least = columns.seats.numbers[f"wager_{key}"], terms.bounds(key, 0, 0)
        if wager.min() < least.max():
            compiled(keep_from)(wager, columns.first_seat, terms.tables, least, certain)


def plant(scene: Scene) -> Fault | None:
    """Accept a wager below the table's minimum."""
    limits = scene.setup.limits.get(scene.table, {})
    for place, key in scene.free_wagers():
        least = limits.get(key, (0, 0))[0]
        if least > 1:
            return scene.with_wager(place, key, least // 2, "below the table's minimum")
    return None
