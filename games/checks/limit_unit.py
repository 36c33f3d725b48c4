"""limit.unit: Chinese Poker for a unit over $10."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.findings import Finding, Severity, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnTerms, Terms

CODE: Final = "limit.unit"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "Unit played for is more than ten dollars"

LARGEST_UNIT: Final = 1_000


def check(round_: Round, _terms: Terms) -> Iterator[Finding]:
    """Yield a finding for a unit over the largest (CP-3)."""
    if round_.unit > LARGEST_UNIT:
        yield Finding(CODE, logged=round_.unit, expected=LARGEST_UNIT, cites=cites("CP-3"))


def screen(columns: Columns, _terms: ColumnTerms, certain: Certain) -> None:
    """Keep certain only rounds without such a unit."""
    units = columns.rounds.numbers.get("unit")
    if units is not None:
        certain[units > LARGEST_UNIT] = 0


def plant(scene: Scene) -> Fault | None:
    """Agree on a unit over $10."""
    if "unit" not in scene.dealt:
        return None
    line = scene.altered()
    line["unit"] = 2 * LARGEST_UNIT
    return scene.fault(scene.settled(line), "played for units of $20.00", (CODE, None, None))
