"""Round logs for tests and benchmarks: simulated rounds of all five games, to be placed anywhere.

Some thousands of rounds are dealt; a log of any length repeats them with new ids and times, as if
the same table continued through the night.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from games.rule_set import SLUGS
from games.simulator.night import deal_night
from games.simulator.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAMES = SLUGS
BEGIN = datetime(2025, 7, 12, 18, 0, tzinfo=UTC)

Line = dict[str, Any]
PLACE = {"round": "R-1", "table": "T1", "at": "2025-07-12T18:00:00Z"}
LEFT_OUT = ("shuffler", "deck")
"""What depends on the rounds before, as these may be put in any order."""


def rounds(game: str, count: int, seed: int) -> Iterator[Line]:
    """Yield played rounds of a game without findings."""
    plan = Plan(game=game, tables=("T1",), opening=BEGIN, seed=str(seed))
    lines = (orjson.loads(dealt.line) for dealt in deal_night(plan))
    for line in islice((line for line in lines if "void" not in line), count):
        yield {key: value for key, value in line.items() if key not in LEFT_OUT}


def write_log(path: Path, settled: list[Line], count: int, tables: int = 12) -> None:
    """Write a log of `count` rounds: settled rounds repeated, table by table in order of play."""
    heads, tails = [], []
    for line in settled:
        rest = {
            key: value
            for key, value in line.items()
            if key not in ("v", "round", "game", "table", "at")
        }
        heads.append(f'","game":"{line["game"]}","table":"')
        tails.append(orjson.dumps(rest)[1:].decode() + "\n")
    with path.open("w", encoding="ascii", newline="\n") as log:
        for number in range(count):
            table = f"T{number * tables // count + 1}"
            place = number % len(settled)
            at = (BEGIN + timedelta(seconds=number % 30_000)).isoformat()
            if number * tables // count != (number - 1) * tables // count:
                began = number
            at = (BEGIN + timedelta(milliseconds=400 * (number - began))).isoformat(
                timespec="seconds"
            )
            log.write(
                f'{{"v":1,"round":"{table}-{number:07d}{heads[place]}{table}","at":"{at}",{tails[place]}'
            )
