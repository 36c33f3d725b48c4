"""log.sequence: the rounds of a table run backward in time, or an id is repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.findings import RECORDS, Finding, Severity
from games.kernel import compiled, kernel
from games.terms import AT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnsBefore, Terms

CODE: Final = "log.sequence"
SEVERITY: Final = Severity.NOTICE
TITLE: Final = "Rounds out of order, or a round ID used twice"

EARLIER: Final = "earlier than the round before"


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for a time earlier than before (equal is fine) or a repeated id."""
    before = terms.before.at
    if terms.is_repeat:
        yield Finding(CODE, logged="this id stands on an earlier line", cites=(RECORDS,))
    elif before is not None and round_.at < before:
        yield Finding(CODE, logged=EARLIER, cites=(RECORDS,))


@kernel
def keep_forward(at: Any, tables: Any, voided: Any, carried: Any, certain: Any) -> None:
    """Keep certain only rounds that aren't earlier than the last, played or void."""
    for row in range(certain.size):
        table = tables[row]
        if at[row] < max(carried[AT, table], voided[row]):
            certain[row] = 0
        carried[AT, table] = at[row]


def screen_before(columns: Columns, before: ColumnsBefore, certain: Certain) -> None:
    """Keep certain only rounds in order of time; the run looks for repeated ids."""
    at = columns.rounds.numbers["at"]
    compiled(keep_forward)(at, before.tables, before.voided, before.carried, certain)


def plant(scene: Scene) -> Fault | None:
    """End a round before the one dealt before it."""
    if scene.minutes_since is None:
        return None
    line = scene.altered()
    line["minutes_back"] = scene.minutes_since + 2
    what = "logged as ended before the round that was dealt before it"
    return scene.fault(line, what, (CODE, None, None))
