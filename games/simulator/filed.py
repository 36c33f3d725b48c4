"""A night of a filed game: rounds by its definition, settled right except where a fault is planted.

Only what the definition knows is used, so any filed game can be dealt. Beside the faults named here
there are those of the game's family.
"""

from __future__ import annotations

import heapq
from datetime import datetime
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Final

import orjson

from games.simulator.plan import Dealt, Planted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from games.families.filed import FiledGame
    from games.setup import Setup
    from games.simulator.plan import FaultPlan, Plan

SEATS: Final = 5
LINE_PAYS: Final = "line_pays"
"""A pay table's line is paid at other odds: `line_pays WAGER LINE ODDS`, `5` or `6/5`."""
RELATION: Final = "relation"
"""A wager that a choice places is not the multiple that it must be: `relation WAGER`."""
DRAW: Final = "draw"
"""A drawing rule is broken, and the round is settled as dealt: `draw`."""


def deal_filed_night(plan: Plan, game: FiledGame) -> Iterator[Dealt]:
    """Yield all tables' rounds in order of time."""
    tables = (_rounds(plan, game, table) for table in plan.tables)
    for _, dealt in heapq.merge(*tables, key=lambda each: each[0]):
        yield dealt


def _rounds(plan: Plan, game: FiledGame, table: str) -> Iterator[tuple[float, Dealt]]:
    chance = Random(f"{plan.seed} {plan.game} {table}")
    now = plan.opening.timestamp() + chance.randrange(3 * plan.pace)
    end = None if plan.closing is None else plan.closing.timestamp()
    number = 0
    while end is None or now < end:
        number += 1
        at = datetime.fromtimestamp(int(now), plan.opening.tzinfo)
        setup = [terms for begin, terms in plan.terms() if begin is None or begin <= at][-1]
        name = f"{plan.ids}{table}-{number:06d}"
        seats = sorted(chance.sample(range(1, SEATS + 1), chance.randint(1, 3)))
        head = {"v": 2, "round": name, "game": plan.game, "table": table, "at": at.isoformat()}
        line = {**head, **game.deal(setup, seats, table, chance)}
        planted: tuple[Planted, ...] = ()
        for fault in plan.faults:
            if not planted and _applies(fault, table, at) and chance.random() < fault.rate:
                planted = _plant(fault, line, game, setup, chance)
        yield now, Dealt(orjson.dumps(line), planted)
        now += plan.pace * (0.5 + chance.random())


def _applies(fault: FaultPlan, table: str, at: datetime) -> bool:
    return (
        fault.table in {None, table}
        and (fault.begin is None or fault.begin <= at)
        and (fault.end is None or at < fault.end)
    )


def _plant(
    fault: FaultPlan, line: dict[str, Any], game: FiledGame, setup: Setup, chance: Random
) -> tuple[Planted, ...]:
    of_family = game.plant(fault.name, line)
    if of_family is not None:
        return tuple(
            Planted(line["round"], each.code, each.seat, each.wager, each.delta, fault.name,
                    fault.name.replace("_", " "))
            for each in of_family
        )  # fmt: skip
    kind, *more = fault.name.split()
    if kind == DRAW:
        what = game.break_draw(line, setup, chance)
        return (Planted(line["round"], "play.draw", None, None, 0, DRAW, what),)
    if kind == RELATION:
        return _plant_relation(line, game, setup, *more)
    return _plant_odds(line, game.lines_reached(line, setup), *more)


def _plant_odds(
    line: dict[str, Any],
    reached: Mapping[int, Mapping[str, str]],
    wager: str,
    of: str,
    odds: str,
) -> tuple[Planted, ...]:
    """Pay a line at other odds, at every seat that has it."""
    found = []
    for seat in line["seats"]:
        paid = int(Fraction(odds) * seat["wagers"].get(wager, 0))
        delta = paid - seat["result"][wager]
        if reached[seat["seat"]].get(wager) == of and delta:
            seat["result"][wager] = paid
            found.append(
                Planted(line["round"], f"settlement.{wager}", seat["seat"], wager, delta,
                        LINE_PAYS, f"{of} paid {odds} to 1")
            )  # fmt: skip
    return tuple(found)


def _plant_relation(
    line: dict[str, Any], game: FiledGame, setup: Setup, wager: str
) -> tuple[Planted, ...]:
    """Double a wager that a choice places, and settle the hand with it."""
    for seat in line["seats"]:
        if seat["wagers"][wager]:
            seat["wagers"][wager] *= 2
            due = dict(game.due(line, setup))
            seat["result"] = dict(due[seat["seat"]])
            what = f"{wager} is twice what the choice places"
            return (
                Planted(line["round"], "wager.relation", seat["seat"], wager, 0, RELATION, what),
            )
    return ()
