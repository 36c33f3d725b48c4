"""A plan dealt: the tables of an operator side by side, in order of time."""

from __future__ import annotations

import heapq
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import orjson

from games.dealing.faults.planter import Planter
from games.dealing.plan import Dealt
from games.dealing.table import DECKS, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.dealing.call import Line
    from games.dealing.plan import Plan

HEAD: Final = '{"v":1,"round":"%s","game":"%s","table":"%s","at":"%s",'


def deal_night(plan: Plan) -> Iterator[Dealt]:
    """Every round of a plan as a line of the log, in order of time, and what was planted in it."""
    tables = [_dealt(Table(plan, place), place) for place in range(len(plan.tables))]
    for _, _, dealt in heapq.merge(*tables):
        yield dealt


def _dealt(table: Table, place: int) -> Iterator[tuple[int, int, Dealt]]:
    """One table's rounds, each with the time by which it takes its turn among the tables'."""
    decks: list[str] = []
    planter = Planter(table.plan, table.name)
    for number, played in enumerate(table.rounds(), start=1):
        round_ = f"{table.plan.ids}{table.name}-{number:06d}"
        fields = _deck(table, decks)
        planting = planter.plant(
            played, {**fields, **played.line}, decks[-1] if len(set(decks)) > 1 else None
        )
        line = {**fields, **played.line} if planting is None else planting.line
        if "deck" in line:
            decks = [*decks[-1:], line["deck"]]
        at = played.at - timedelta(minutes=line.pop("minutes_back", 0))
        head = HEAD % (round_, table.plan.game, table.name, at.isoformat())
        written = head.encode() + orjson.dumps(line)[1:]
        planted = () if planting is None else planting.planted(round_)
        yield played.call.at, place, Dealt(written, planted)


def _deck(table: Table, decks: list[str]) -> Line:
    """Whether a shuffling machine is used, and which of two decks comes next (P2-1)."""
    if not table.shuffler:
        return {}
    if not table.two_decks:
        return {"shuffler": True}
    red, blue = DECKS
    return {"shuffler": True, "deck": blue if decks and decks[-1] == red else red}
