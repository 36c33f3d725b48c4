"""Paid wrongly: one result, a whole table by another pay table or reading, a maximum ignored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.dealing.aggregate import may_bind, resettled
from games.dealing.faults.scene import Must, Scene, Wrong, differences
from games.dealing.stakes import bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.dealing.call import Line
    from games.setup import Setup

LAYOUTS: Final = {
    "pyramid-poker": {"three_card": {"straight_flush": 50}},
    "pick-2-poker": {
        "bonus_3_5_five": {"three_of_a_kind": 4}, "bonus_3_5_three": {"ace_king_queen_suited": 3},
    },
}  # fmt: skip
"""Lines in which a layout's drawing differs from the rules (PP-30, P2-19)."""

AMONG_PLAYERS: Final = ("chinese-poker", "showdown")


def wrong(key: str) -> Callable[[Scene], Wrong | None]:
    """One seat's result of a key is not what the rules give."""

    def plant(scene: Scene) -> Wrong | None:
        if scene.near_maximum():
            return None
        line = scene.altered()
        for place in scene.others:
            seat = line["seats"][place]
            step = _step(scene.game, line, seat, key)
            if step == 0:
                continue
            result = seat["result"][key]
            steps = (step,) if result < 0 else (-step, step)
            delta = scene.chance.choice(steps)
            seat["result"][key] += delta
            side = "too much" if delta > 0 else "too little"
            what = f"seat {seat['seat']} was paid {in_dollars(abs(delta))} {side} on {key}"
            found = [Must(f"settlement.{key}", seat["seat"], key, delta, what)]
            if scene.game in AMONG_PLAYERS or (key == "main" and scene.banker is not None):
                found.insert(0, Must("settlement.balance", None, key, delta, what))
            return Wrong(line, found)
        return None

    return plant


def _step(game: str, line: Line, seat: Line, key: str) -> int:
    """By how much a result is set wrong: a stake, a unit, a chip; 0 where nothing was at stake."""
    if game == "chinese-poker":
        return int(line["unit"])
    if game == "showdown":
        return int(line["chip"])
    if key == "points":
        return 0 if seat["play"] == "fold" else int(seat["wagers"]["ante"])
    return int(seat["wagers"][key])


def moved(key: str) -> Callable[[Scene], Wrong | None]:
    """What one player won is credited to another: the round still balances."""

    def plant(scene: Scene) -> Wrong | None:
        if len(scene.dealt["seats"]) < 2:
            return None
        line = scene.altered()
        one, other = (line["seats"][place] for place in scene.others[:2])
        step = _step(scene.game, line, one, key)
        one["result"][key] += step
        other["result"][key] -= step
        what = f"{in_dollars(step)} of seat {other['seat']} went to seat {one['seat']}"
        return Wrong(line, differences(scene.dealt, line, what))

    return plant


def house_result(scene: Scene) -> Wrong | None:
    """The house's own wager against the bank is settled wrongly."""
    wager = scene.dealt.get("house", {}).get("wager", 0)
    if not wager:
        return None
    line = scene.altered()
    delta = wager if line["house"]["result"] <= 0 else -wager
    line["house"]["result"] += delta
    what = "the house's wager against the bank was settled wrongly"
    return Wrong(
        line,
        [
            Must("settlement.main", None, "house", delta, what),
            Must("settlement.balance", None, "main", delta, what),
        ],
    )


def _by_other_terms(scene: Scene, setup: Setup, what: str) -> Wrong | None:
    """The round as it is settled under other terms than those that bind."""
    line = resettled(scene.game, scene.dealt, setup)
    if scene.near_maximum() or scene.near_maximum(line):
        return None
    found = differences(scene.dealt, line, what)
    return Wrong(line, found) if found else None


def _with_lines(setup: Setup, game: str, tables: Mapping[str, Mapping[str, int]]) -> Setup:
    own = setup.pay_tables.get(game, {})
    merged = {name: {**own.get(name, {}), **tables.get(name, {})} for name in {*own, *tables}}
    return replace(setup, pay_tables={**setup.pay_tables, game: merged})


def layout_pays(scene: Scene) -> Wrong | None:
    """The table pays what its layout prints, where that differs from the rules."""
    setup = _with_lines(scene.setup, scene.game, LAYOUTS[scene.game])
    return _by_other_terms(scene, setup, "the layout's pay table was paid, not that of the rules")


def paid_for_one(scene: Scene) -> Wrong | None:
    """Odds of N to 1 are paid as N for 1: the stake is kept."""
    tables = {
        "pyramid-poker": ("three_card", "six_card"),
        "pick-2-poker": ("bonus_3_5_five", "bonus_3_5_three", "bonus_5"),
    }[scene.game]
    rules = scene.setup.rules(scene.game).pay_tables
    own = scene.setup.pay_tables.get(scene.game, {})
    paid = {name: {**rules[name].lines, **own.get(name, {})} for name in tables}
    less = {
        name: {line: max(pays - 1, 0) for line, pays in lines.items()}
        for name, lines in paid.items()
    }
    setup = _with_lines(scene.setup, scene.game, less)
    return _by_other_terms(scene, setup, "odds were paid for one, not to one")


def other_reading(
    id_: str, readings: tuple[str, str], what: str
) -> Callable[[Scene], Wrong | None]:
    """The table is settled by another reading of an open question than the one that binds."""

    def plant(scene: Scene) -> Wrong | None:
        other = next(name for name in readings if name != scene.setup.reading(id_))
        chosen = {**scene.setup.interpretations, id_: other}
        return _by_other_terms(scene, replace(scene.setup, interpretations=chosen), what)

    return plant


def maximum_ignored(scene: Scene) -> Wrong | None:
    """A hand, or a deal, is paid in full where a maximum aggregate binds."""
    line = _lucky(scene)
    if line is None:
        return None
    free = replace(scene.setup, max_per_hand=None, max_per_deal={})
    full = resettled(scene.game, line, free)
    if not may_bind(scene.game, full, scene.setup):
        return None
    cut = scene.settled(line)
    what = "paid in full, above the maximum aggregate"
    per_deal = scene.game in scene.setup.max_per_deal
    owed: dict[tuple[int | None, str | None], int] = {}
    for right, paid in zip(cut["seats"], full["seats"], strict=True):
        for key in right["result"]:
            delta = paid["result"][key] - right["result"][key]
            if delta:
                whose = (None, key) if per_deal else (right["seat"], None)
                owed[whose] = owed.get(whose, 0) + delta
    found = [
        Must("settlement.aggregate", seat, key, delta, what) for (seat, key), delta in owed.items()
    ]
    return Wrong(full, found) if found else None


def _lucky(scene: Scene) -> Line | None:
    """The round with the best hand of the game at one seat, staked as high as the table allows."""
    line = scene.altered()
    if scene.setup.max_per_hand is None and scene.game not in scene.setup.max_per_deal:
        return None
    if scene.banker is not None or not scene.others:
        return None
    seat = line["seats"][scene.others[0]]
    if scene.game == "pyramid-poker":
        seat |= {"cards": "As Ks Qs", "low": "Ks"}
        line["house"] |= {"cards": "Js Ts 2d", "low": "Ts"}
        for key in ("three_card", "six_card"):
            seat["wagers"][key] = bounds(scene.setup, scene.table, key)[1]
    elif scene.game == "pick-2-poker":
        if any(
            card in {"As", "Ks", "Qs", "Js", "Ts"}
            for card in " ".join(
                hand["cards"] for hand in (line["house"], *line["seats"]) if hand is not seat
            ).split()
        ):
            return None
        seat |= {"cards": "As Ks Qs Js Ts", "play": "five"}
        seat.pop("three", None)
        seat["wagers"]["play"] = seat["wagers"]["ante"]
        if scene.setup.reading("P2-I10") == "bonus_5":
            seat["wagers"]["bonus_3_5"] = bounds(scene.setup, scene.table, "bonus_3_5")[1]
    else:
        return None
    return line
