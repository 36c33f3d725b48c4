"""Faults of payouts: one result, a table on other terms, a maximum ignored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from games.cents import in_dollars
from games.maximums import form_of_maximum
from games.planting import differences, may_bind
from games.simulator.players import bounds
from games.simulator.rounds import settle_again

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from games.planting import Fault, Line, Scene
    from games.rounding import Odds
    from games.setup import Setup


LAYOUTS: Final = {
    "pyramid-poker": {"three_card": {"straight_flush": 50}},
    "pick-2-poker": {
        "bonus_3_5_five": {"three_of_a_kind": 4}, "bonus_3_5_three": {"ace_king_queen_suited": 3},
    },
}  # fmt: skip
"""Lines in which a layout's drawing differs from the rules (PP-30, P2-19)."""

AMONG_PLAYERS: Final = ("chinese-poker", "showdown")


def wrong(key: str) -> Callable[[Scene], Fault | None]:
    """Return a fault that gets one seat's result of a key wrong."""

    def plant(scene: Scene) -> Fault | None:
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
            found = [(f"settlement.{key}", seat["seat"], key, delta)]
            if scene.game in AMONG_PLAYERS or (key == "main" and scene.banker is not None):
                found.insert(0, ("settlement.balance", None, key, delta))
            return scene.fault(line, what, *found)
        return None

    return plant


def _step(game: str, line: Line, seat: Line, key: str) -> int:
    """Return how wrong to make a result: a stake, a unit, a chip; 0 if nothing was at stake."""
    if game == "chinese-poker":
        return int(line["unit"])
    if game == "showdown":
        return int(line["chip"])
    if key == "points":
        return 0 if seat["play"] == "fold" else int(seat["wagers"]["ante"])
    return int(seat["wagers"][key])


def moved(key: str) -> Callable[[Scene], Fault | None]:
    """Return a fault that credits one player's winnings to another: the round still balances."""

    def plant(scene: Scene) -> Fault | None:
        if len(scene.dealt["seats"]) < 2:
            return None
        line = scene.altered()
        one, other = (line["seats"][place] for place in scene.others[:2])
        step = _step(scene.game, line, one, key)
        one["result"][key] += step
        other["result"][key] -= step
        what = f"{in_dollars(step)} of seat {other['seat']} went to seat {one['seat']}"
        return scene.fault(line, what, *differences(scene.dealt, line))

    return plant


def house_result(scene: Scene) -> Fault | None:
    """Settle the house's own wager against the bank wrongly."""
    wager = scene.dealt.get("house", {}).get("wager", 0)
    if not wager:
        return None
    line = scene.altered()
    delta = wager if line["house"]["result"] <= 0 else -wager
    line["house"]["result"] += delta
    what = "the house's wager against the bank was settled wrongly"
    return scene.fault(
        line,
        what,
        ("settlement.main", None, "house", delta),
        ("settlement.balance", None, "main", delta),
    )


def _by_other_terms(scene: Scene, setup: Setup, what: str) -> Fault | None:
    """Settle the round on other terms than those in effect."""
    line = settle_again(scene.game, scene.dealt, setup)
    if scene.near_maximum() or scene.near_maximum(line):
        return None
    found = differences(scene.dealt, line)
    return scene.fault(line, what, *found) if found else None


def _with_lines(setup: Setup, game: str, tables: Mapping[str, Mapping[str, Odds]]) -> Setup:
    own = setup.pay_tables.get(game, {})
    merged = {name: {**own.get(name, {}), **tables.get(name, {})} for name in {*own, *tables}}
    return replace(setup, pay_tables={**setup.pay_tables, game: merged})


def layout_pays(scene: Scene) -> Fault | None:
    """Pay what the table's layout prints, where that differs from the rules."""
    setup = _with_lines(scene.setup, scene.game, LAYOUTS[scene.game])
    return _by_other_terms(scene, setup, "the layout's pay table was paid, not that of the rules")


def paid_for_one(scene: Scene) -> Fault | None:
    """Pay odds of N to 1 as N for 1: the stake is kept."""
    tables = {
        "pyramid-poker": ("three_card", "six_card"),
        "pick-2-poker": ("bonus_3_5_five", "bonus_3_5_three", "bonus_5"),
    }[scene.game]
    paid = {name: scene.setup.lines(scene.game, name) for name in tables}
    less = {
        name: {line: max(pays - 1, 0) for line, pays in lines.items()}
        for name, lines in paid.items()
    }
    setup = _with_lines(scene.setup, scene.game, less)
    return _by_other_terms(scene, setup, "odds were paid for one, not to one")


def other_reading(
    id_: str, readings: tuple[str, str], what: str
) -> Callable[[Scene], Fault | None]:
    """Return a fault that settles by another interpretation than the one in effect."""

    def plant(scene: Scene) -> Fault | None:
        other = next(name for name in readings if name != scene.setup.reading(id_))
        chosen = {**scene.setup.interpretations, id_: other}
        return _by_other_terms(scene, replace(scene.setup, interpretations=chosen), what)

    return plant


def maximum_ignored(scene: Scene) -> Fault | None:
    """Pay a hand, or a deal, in full where a maximum aggregate applies."""
    line = _lucky(scene)
    if line is None:
        return None
    free = replace(scene.setup, max_aggregate=None, max_per_deal={})
    full = settle_again(scene.game, line, free)
    if not may_bind(scene.game, full, scene.setup):
        return None
    cut = scene.settled(line)
    what = "paid in full, above the maximum aggregate"
    form = form_of_maximum(scene.game, scene.setup)
    first_seats: dict[str, int] = {}
    owed: dict[tuple[int | None, str | None], int] = {}
    for right, paid in zip(cut["seats"], full["seats"], strict=True):
        for key in right["result"]:
            delta = paid["result"][key] - right["result"][key]
            if delta:
                first = first_seats.setdefault(right.get("player", right["seat"]), right["seat"])
                whose = {
                    "per_deal": (None, key),
                    "per_table": (None, None),
                    "per_player": (first, None),
                }.get(str(form), (right["seat"], None))
                owed[whose] = owed.get(whose, 0) + delta
    found = [("settlement.aggregate", seat, key, delta) for (seat, key), delta in owed.items()]
    return scene.fault(full, what, *found) if found else None


def _lucky(scene: Scene) -> Line | None:
    """Return the round with the game's best hand at one seat, staked at the table's maximum."""
    line = scene.altered()
    if scene.setup.max_aggregate is None and scene.game not in scene.setup.max_per_deal:
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
