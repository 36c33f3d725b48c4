"""bank.cover: a bank smaller than the main wagers against it (PP-24)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.findings import Finding, Severity, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import Terms

CODE: Final = "bank.cover"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "Bank does not cover the wagers against it"


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding if the bank doesn't cover every main wager, the house's too (PP-I10)."""
    if round_.banker is None or not round_.played or terms.before.after_rejection:
        return
    against = round_.house.wager + sum(
        seat.wagers["main"] for seat in round_.seats if seat.seat != round_.banker
    )
    if terms.setup.reading("PP-I10") == "max_payout":
        against *= 3
    if round_.bank < against:
        ids = cites("PP-24", "PP-I10")
        yield Finding(CODE, logged=round_.bank, expected=against, cites=ids)


def plant(scene: Scene) -> Fault | None:
    """Make the bank smaller than the wagers against it."""
    if scene.banker is None:
        return None
    line = scene.altered()
    against = line["house"]["wager"] + sum(seat["wagers"]["main"] for seat in line["seats"])
    if against < 2:
        return None
    line["bank"] = against // 2
    what = f"a bank of {in_dollars(against // 2)} against wagers of {in_dollars(against)}"
    return scene.fault(line, what, (CODE, None, None))
