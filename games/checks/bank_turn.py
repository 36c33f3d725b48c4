"""bank.turn: two player-banked rounds in a row (PP-22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from games.cards import RANKS
from games.checks.bank_wager import ODDS_WAGERS, bankers_minimum
from games.findings import Finding, Severity, cites
from games.kernel import compiled, kernel
from games.terms import BANKED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.checks import Certain
    from games.log.columns import Columns
    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.terms import ColumnsBefore, Terms

CODE: Final = "bank.turn"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "A player banked two rounds in a row"


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding if a player banked in the last played round too (PP-I16)."""
    before = terms.before
    if round_.banker is None or not round_.played or before.after_rejection:
        return
    if before.played is not None and before.played.banked:
        yield Finding(CODE, cites=cites("PP-22", "PP-I16"))


@kernel
def keep_turns(banker: Any, tables: Any, carried: Any, certain: Any) -> None:
    """Keep certain only player-banked rounds after one that the house banked, or after none."""
    for row in range(certain.size):
        table = tables[row]
        banked = banker[row] > 0
        if banked and carried[BANKED, table] == 1:
            certain[row] = 0
        carried[BANKED, table] = 1 if banked else 0


def screen_before(columns: Columns, before: ColumnsBefore, certain: Certain) -> None:
    """Keep certain only rounds that aren't banked out of turn."""
    banker = columns.rounds.numbers.get("banker")
    if banker is not None:
        compiled(keep_turns)(banker, before.tables, before.carried, certain)


def plant(scene: Scene) -> Fault | None:
    """Let a player bank right after another did."""
    if scene.before is None or "banker" not in scene.before or scene.bank_next:
        return None
    if scene.banker is not None or len(scene.dealt["seats"]) < 2:
        return None
    line = scene.altered()
    banker = line["seats"][scene.others[0]]
    against = sum(seat["wagers"]["main"] for seat in line["seats"])
    banker["wagers"]["main"] = 0
    cards = sorted(banker["cards"].split(), key=lambda card: RANKS.index(card[0]))
    banker["low"] = cards[1]  # a middle card never fouls
    for key in ODDS_WAGERS:
        least = bankers_minimum(scene.table, key, scene.setup) or 1
        banker["wagers"][key] = max(banker["wagers"][key], least)
    line |= {"banker": banker["seat"], "bank": 3 * against}
    line["house"] |= {"wager": 0, "result": 0}
    what = f"seat {banker['seat']} banked right after a round that a player banked"
    return scene.fault(scene.settled(line), what, (CODE, None, None))
