"""A player's bank: not covered, out of turn, and what house and banker wager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cards import RANKS
from games.cents import in_dollars
from games.dealing.faults.scene import Must, Scene, Wrong
from games.judge.bank import ODDS_WAGERS, least_of_a_banker

if TYPE_CHECKING:
    from games.dealing.call import Line


def _banker(line: Line) -> Line:
    seat: Line = next(seat for seat in line["seats"] if seat["seat"] == line["banker"])
    return seat


def not_covered(scene: Scene) -> Wrong | None:
    """The bank is smaller than the wagers against it (PP-24)."""
    if scene.banker is None:
        return None
    line = scene.altered()
    against = line["house"]["wager"] + sum(seat["wagers"]["main"] for seat in line["seats"])
    if against < 2:
        return None
    line["bank"] = against // 2
    what = f"a bank of {in_dollars(against // 2)} against wagers of {in_dollars(against)}"
    return Wrong(line, [Must("bank.cover", None, None, 0, what)])


def out_of_turn(scene: Scene) -> Wrong | None:
    """A player banks right after another did (PP-22)."""
    if scene.before is None or "banker" not in scene.before or scene.bank_next:
        return None
    if scene.banker is not None or len(scene.dealt["seats"]) < 2:
        return None
    line = scene.altered()
    banker = line["seats"][scene.others[0]]
    against = sum(seat["wagers"]["main"] for seat in line["seats"])
    banker["wagers"]["main"] = 0
    banker["low"] = _sorted(banker)[1]  # the middle card never fouls
    for key in ODDS_WAGERS:
        least = least_of_a_banker(scene.table, key, scene.setup) or 1
        banker["wagers"][key] = max(banker["wagers"][key], least)
    line |= {"banker": banker["seat"], "bank": 3 * against}
    line["house"] |= {"wager": 0, "result": 0}
    what = f"seat {banker['seat']} banked right after a round that a player banked"
    return Wrong(scene.settled(line), [Must("bank.turn", None, None, 0, what)])


def house_wagers_too_much(scene: Scene) -> Wrong | None:
    """The house wagers more against the bank than the banker did against the house (PP-25)."""
    if scene.banker is None or scene.before is None or "banker" in scene.before:
        return None
    line = scene.altered()
    banker = _banker(line)
    wagered = sum(
        seat["wagers"]["main"]
        for seat in scene.before["seats"]
        if seat["player"] == banker["player"]
    )
    line["bank"] += 3 * (wagered + 1_000)
    line["house"]["wager"] = wagered + 1_000
    what = f"the house wagered $10.00 more than seat {banker['seat']} the round before"
    return Wrong(scene.settled(line), [Must("bank.house_wager", None, None, 0, what)])


def banker_on_main(scene: Scene) -> Wrong | None:
    """The banker has a main wager (PP-26)."""
    if scene.banker is None:
        return None
    line = scene.altered()
    banker = _banker(line)
    least, most = scene.setup.limits.get(scene.table, {}).get("main", (500, 500))
    cap = most if scene.setup.cap is None else min(most, scene.setup.cap)
    if cap < least:
        return None
    banker["wagers"]["main"] = least
    what = f"seat {banker['seat']} banked and wagered on main too"
    return Wrong(scene.settled(line), [Must("bank.wager", banker["seat"], "main", 0, what)])


def banker_below_minimum(scene: Scene) -> Wrong | None:
    """The banker's three_card or six_card is below the minimum (PP-26)."""
    if scene.banker is None:
        return None
    key = scene.chance.choice(ODDS_WAGERS)
    least = least_of_a_banker(scene.table, key, scene.setup)
    if not least:
        return None
    line = scene.altered()
    banker = _banker(line)
    banker["wagers"][key] = least // 2
    what = f"seat {banker['seat']} banked with less than the minimum on {key}"
    return Wrong(scene.settled(line), [Must("bank.wager", banker["seat"], key, 0, what)])


def banker_fouls(scene: Scene) -> Wrong | None:
    """The banker's fouled hand is not set again (PP-27)."""
    if scene.banker is None:
        return None
    line = scene.altered()
    banker = _banker(line)
    lowest, middle, highest = _sorted(banker)
    if middle[0] in (lowest[0], highest[0]):
        return None
    banker["low"] = highest
    what = f"seat {banker['seat']} banked with a fouled hand"
    return Wrong(scene.settled(line), [Must("setting.banker", banker["seat"], None, 0, what)])


def _sorted(seat: Line) -> list[str]:
    return sorted(seat["cards"].split(), key=lambda card: RANKS.index(card[0]))
