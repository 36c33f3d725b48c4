"""Wagers that are missing, unrelated, or outside the limits; units and players too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.chinese_poker.play import LARGEST_UNIT
from games.dealing.faults.scene import Must, Scene, Wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.dealing.call import Line
    from games.setup import Setup

FREE: Final = {
    "pyramid-poker": ("main", "three_card", "six_card"),
    "pick-2-poker": ("bonus_3_5",),
    "casino-version": ("ante",),
}
"""Wagers that may be altered; in Casino Version the buy-in follows the ante."""


def _staked(scene: Scene, line: Line, place: int, key: str, amount: int) -> Line:
    """The round with another wager of a seat, and a bank that still covers it."""
    wagers = line["seats"][place]["wagers"]
    if key == "main" and "bank" in line:
        line["bank"] += 3 * max(0, amount - wagers[key])
    wagers[key] = amount
    if scene.game == "casino-version":
        wagers["buy_in"] = amount
    return scene.settled(line)


def _keys(scene: Scene) -> Iterator[tuple[int, str]]:
    """A seat and a wager of it, in an order of chance."""
    keys = list(FREE[scene.game])
    if scene.bank_next and "main" in keys:
        keys.remove("main")
    if scene.game == "pick-2-poker" and scene.setup.reading("P2-I10") == "bonus_3_5":
        return
    scene.chance.shuffle(keys)
    for place in scene.others:
        for key in keys:
            yield place, key


def left_out(scene: Scene) -> Wrong | None:
    """A mandatory wager is not placed."""
    for place, key in _keys(scene):
        line, number = scene.altered(), scene.dealt["seats"][place]["seat"]
        what = f"seat {number} was dealt in without a wager on {key}"
        if scene.game == "casino-version":
            line["seats"][place]["wagers"]["buy_in"] = 0
            found = [
                Must("wager.missing", number, "buy_in", 0, what),
                Must("wager.relation", number, "buy_in", 0, what),
            ]
            return Wrong(scene.settled(line), found)
        line = _staked(scene, line, place, key, 0)
        return Wrong(line, [Must("wager.missing", number, key, 0, what)])
    return None


def play_unrelated(scene: Scene) -> Wrong | None:
    """The play wager is twice the ante where it must equal it, or the other way round (P2-4)."""
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        if seat["play"] != "fold":
            ante = seat["wagers"]["ante"]
            seat["wagers"]["play"] = ante if seat["play"] == "three" else 2 * ante
            what = f"seat {seat['seat']} played {seat['play']} for the wrong multiple of the ante"
            found = [Must("wager.relation", seat["seat"], "play", 0, what)]
            return Wrong(scene.settled(line), found)
    return None


def bonus_unrelated(scene: Scene) -> Wrong | None:
    """The optional bonus does not equal the ante (P2-3)."""
    if scene.setup.reading("P2-I10") != "bonus_5":
        return None
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        least, most = _limits(scene.setup, scene.table, "bonus_5")
        wagers = seat["wagers"]
        if wagers["bonus_5"] and most >= wagers["ante"] > least:
            wagers["bonus_5"] = least
            what = f"seat {seat['seat']} placed a bonus that does not equal the ante"
            found = [Must("wager.relation", seat["seat"], "bonus_5", 0, what)]
            return Wrong(scene.settled(line), found)
    return None


def buy_in_unrelated(scene: Scene) -> Wrong | None:
    """The buy-in is twice the ante (CV-I9)."""
    _, most = _limits(scene.setup, scene.table, "buy_in")
    for place in scene.others:
        line = scene.altered()
        seat = line["seats"][place]
        if 2 * seat["wagers"]["ante"] <= most:
            seat["wagers"]["buy_in"] *= 2
            what = f"seat {seat['seat']} bought in for twice the ante"
            found = [Must("wager.relation", seat["seat"], "buy_in", 0, what)]
            return Wrong(scene.settled(line), found)
    return None


def _limits(setup: Setup, table: str, key: str) -> tuple[int, int]:
    """Limits as they are judged; without any, room enough."""
    least, most = setup.limits.get(table, {}).get(key, (1, 10**9))
    return least, most if setup.cap is None else min(most, setup.cap)


def under_minimum(scene: Scene) -> Wrong | None:
    """A wager below the table's minimum is taken."""
    limits = scene.setup.limits.get(scene.table, {})
    for place, key in _keys(scene):
        least = limits.get(key, (0, 0))[0]
        if least > 1:
            return _outside(scene, place, key, least // 2, "below the table's minimum")
    return None


def over_maximum(scene: Scene) -> Wrong | None:
    """A wager above the table's maximum is taken."""
    limits = scene.setup.limits.get(scene.table, {})
    for place, key in _keys(scene):
        if key in limits:
            return _outside(scene, place, key, limits[key][1] + 500, "above the table's maximum")
    return None


def over_cap(scene: Scene) -> Wrong | None:
    """A wager above what the law or the compact allows is taken."""
    cap = scene.setup.cap
    if cap is None:
        return None
    for place, key in _keys(scene):
        return _outside(scene, place, key, cap + 500, "above what the law allows")
    return None


def _outside(scene: Scene, place: int, key: str, amount: int, where: str) -> Wrong:
    """Every limit that a wager of this amount is outside of."""
    line = _staked(scene, scene.altered(), place, key, amount)
    seat = line["seats"][place]
    what = f"seat {seat['seat']} wagered {in_dollars(amount)} on {key}, {where}"
    found = []
    for name in ("ante", "buy_in") if key == "ante" else (key,):
        least, most = scene.setup.limits.get(scene.table, {}).get(name, (0, 10**12))
        if amount < least:
            found.append(Must("limit.table_min", seat["seat"], name, 0, what))
        if amount > most:
            found.append(Must("limit.table_max", seat["seat"], name, 0, what))
        if scene.setup.cap is not None and amount > scene.setup.cap:
            found.append(Must(scene.cap_code, seat["seat"], name, 0, what))
    return Wrong(line, found)


def unit_too_large(scene: Scene) -> Wrong:
    """Players agree on a unit over $10 (CP-3)."""
    line = scene.altered()
    line["unit"] = 2 * LARGEST_UNIT
    what = "played for units of $20.00"
    return Wrong(scene.settled(line), [Must("limit.unit", None, None, 0, what)])


def one_alone(scene: Scene) -> Wrong:
    """One player alone is dealt in, in a game of players against each other."""
    line = scene.altered()
    del line["seats"][1:]
    if "dealer" in line:
        line["dealer"] = line["seats"][0]["seat"]
    line["seats"][0]["result"] = dict.fromkeys(line["seats"][0]["result"], 0)
    what = "one player alone was dealt in"
    return Wrong(
        line,
        [Must("irregular", None, None, 0, what), Must("limit.players", None, None, 0, what)],
    )


def too_many(scene: Scene) -> Wrong | None:
    """More players are dealt in than may be."""
    most = 6 if scene.game == "casino-version" else scene.setup.players
    if most is None or scene.bank_next or scene.banker is not None:
        return None
    line = scene.altered()
    cards = len(line["house"]["cards"].split())
    players = {seat["player"] for seat in line["seats"]}
    wanted = most + 1 - (len(line["seats"]) if scene.game == "casino-version" else len(players))
    if scene.game == "pick-2-poker" and 5 * (len(line["seats"]) + wanted + 1) > 52:
        return None
    pattern = next((seat for seat in line["seats"] if seat.get("play") in (None, "fold")), None)
    if pattern is None:
        return None
    cards = len(pattern["cards"].split())
    number = max(seat["seat"] for seat in line["seats"])
    for more in range(1, wanted + 1):
        hand = scene.unused(line, cards)
        seat = {**pattern, "seat": number + more, "player": f"p-extra-{more}"}
        seat["cards"] = " ".join(hand)
        if "low" in seat:
            seat["low"] = sorted(hand, key=lambda card: "23456789TJQKA".index(card[0]))[1]
        seat["wagers"], seat["result"] = dict(pattern["wagers"]), dict(pattern["result"])
        line["seats"].append(seat)
    what = f"more than {most} players were dealt in"
    return Wrong(scene.settled(line), [Must("limit.players", None, None, 0, what)])
