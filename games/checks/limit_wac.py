"""limit.wac: a single wager above the legal maximum for house-banked games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.checks.limit_table_max import keep_to
from games.checks.limit_table_min import LIMIT_CLAUSES
from games.findings import Finding, Severity, cites
from games.kernel import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnTerms, Terms

CODE: Final = "limit.wac"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "Wager above the legal limit in effect on that date"


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for each wager above the cap; the system adds the citation by date."""
    cap = terms.setup.cap
    if cap is None or not terms.rules.house_banked:
        return
    ids = cites(*LIMIT_CLAUSES.get(round_.game, ()), "WAC 230-15-140(1)")
    for seat in round_.seats:
        for key in terms.rules.wagers:
            if seat.wagers[key] > cap:
                yield Finding(CODE, seat.seat, key, seat.wagers[key], cap, cites=ids)


def screen(columns: Columns, terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds without such a wager."""
    cap = terms.setup.cap
    if cap is None or not terms.rules.house_banked:
        return
    for key in terms.rules.wagers:
        wager = columns.seats.numbers[f"wager_{key}"]
        if wager.max() > cap:
            caps = terms.bounds("", 1, cap)  # the same at every table
            compiled(keep_to)(wager, columns.first_seat, terms.tables, caps, certain)


def plant(scene: Scene) -> Fault | None:
    """Accept a wager above what the law or the compact allows."""
    cap = scene.setup.cap
    if cap is None:
        return None
    for place, key in scene.free_wagers():
        return scene.with_wager(place, key, cap + 500, "above what the law allows")
    return None
