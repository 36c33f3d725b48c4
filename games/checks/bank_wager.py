"""bank.wager: a banker with a main wager, or below the minimum of the other two (PP-26)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.findings import Finding, Severity, cites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.round import Round
    from games.planting import Fault, Scene
    from games.setup import Setup
    from games.terms import Terms

CODE: Final = "bank.wager"
SEVERITY: Final = Severity.MONEY
TITLE: Final = "Banker's own wagers are not what the rules require"

ODDS_WAGERS: Final = ("three_card", "six_card")


def bankers_minimum(table: str, key: str, setup: Setup) -> int | None:
    """Return the banker's own minimum of a wager, or the table's, or None without one."""
    if key in setup.banker_min:
        return setup.banker_min[key]
    limits = setup.limits.get(table, {}).get(key)
    return None if limits is None else limits[0]


def check(round_: Round, terms: Terms) -> Iterator[Finding]:
    """Yield a finding for each wrong wager of the banker; none after a rejected line."""
    if round_.banker is None or not round_.played or terms.before.after_rejection:
        return
    banker = next(seat for seat in round_.seats if seat.seat == round_.banker)
    ids = cites("PP-26")
    if banker.wagers["main"] != 0:
        yield Finding(CODE, banker.seat, "main", banker.wagers["main"], 0, cites=ids)
    for key in ODDS_WAGERS:
        least = bankers_minimum(round_.table, key, terms.setup)
        if least is not None and banker.wagers[key] < least:
            yield Finding(CODE, banker.seat, key, banker.wagers[key], least, cites=ids)


def plant(scene: Scene) -> Fault | None:
    """Give the banker a main wager, or less than the minimum of another."""
    if scene.banker is None:
        return None
    ways = [_on_main, _below_minimum]
    scene.chance.shuffle(ways)
    return ways[0](scene) or ways[1](scene)


def _on_main(scene: Scene) -> Fault | None:
    line = scene.altered()
    banker = scene.banker_in(line)
    least, most = scene.setup.limits.get(scene.table, {}).get("main", (500, 500))
    cap = most if scene.setup.cap is None else min(most, scene.setup.cap)
    if cap < least:
        return None
    banker["wagers"]["main"] = least
    what = f"seat {banker['seat']} banked and wagered on main too"
    return scene.fault(scene.settled(line), what, (CODE, banker["seat"], "main"))


def _below_minimum(scene: Scene) -> Fault | None:
    key = scene.chance.choice(ODDS_WAGERS)
    least = bankers_minimum(scene.table, key, scene.setup)
    if not least:
        return None
    line = scene.altered()
    banker = scene.banker_in(line)
    banker["wagers"][key] = least // 2
    what = f"seat {banker['seat']} banked with less than the minimum on {key}"
    return scene.fault(scene.settled(line), what, (CODE, banker["seat"], key))
