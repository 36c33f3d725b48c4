"""A log of any length: a night at some tables, dealt once and repeated with new ids and times."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Final

from games.simulator.night import deal_night
from games.simulator.plan import FaultPlan, Plan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from games.setup import Setup

GAME: Final = "pyramid-poker"
WEST: Final = timezone(timedelta(hours=-7))
OPENING: Final = datetime(2025, 7, 12, 11, tzinfo=WEST)
CLOSING: Final = datetime(2025, 7, 12, 23, 30, tzinfo=WEST)
DEALT: Final = 8_000
"""Rounds of a table that are dealt; the first is never player-banked and may follow any other."""
SEATS: Final = 3
"""A round takes some 550 bytes."""
FAULTS: Final = ("wrong_main", "wrong_three_card", "wrong_six_card", "layout_pays")
ONE_IN: Final = 4_000
"""One round in this many has one of the faults."""


def write_long_log(path: Path, setup: Setup, rounds: int) -> None:
    """Write `rounds` rounds of the set-up's tables, one table after another, in one night."""
    tables = tuple(sorted(setup.limits))
    part = path.with_suffix(".part")
    with part.open("wb") as log:
        for place, table in enumerate(tables):
            count = rounds * (place + 1) // len(tables) - rounds * place // len(tables)
            log.writelines(_repeated(table, _behind_the_time(setup, table), count))
    part.rename(path)


def _behind_the_time(setup: Setup, table: str) -> list[str]:
    """Return what follows the time in the first rounds of a table."""
    faults = tuple(FaultPlan(name=name, rate=Fraction(1, ONE_IN)) for name in FAULTS)
    plan = Plan(
        game=GAME, tables=(table,), opening=OPENING, setup=setup, seats=SEATS, pace=1, faults=faults
    )
    dealt = islice(deal_night(replace(plan, seed="bench")), DEALT)
    return [each.line.decode().split('"at":"', 1)[1].split('",', 1)[1] for each in dealt]


def _repeated(table: str, tails: list[str], count: int) -> Iterator[bytes]:
    begin, end = int(OPENING.timestamp()), int(CLOSING.timestamp())
    second, head = -1, ""
    for number in range(count):
        now = begin + (end - begin) * number // count
        if now != second:
            at = datetime.fromtimestamp(now, UTC).astimezone(WEST).isoformat()
            second, head = now, f'","game":"{GAME}","table":"{table}","at":"{at}",'
        yield f'{{"v":1,"round":"{table}-{number:08d}{head}{tails[number % DEALT]}\n'.encode()
