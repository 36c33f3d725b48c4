"""Rounds settled again by the engine itself: where a maximum aggregate may bind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from games.judge.sequence import NOTHING
from games.judge.verdict import judge
from games.round_log.form import read_line
from games.round_log.round import Round

if TYPE_CHECKING:
    from games.dealing.call import Line
    from games.judge.verdict import Verdict
    from games.setup import Setup

PLACE = {"v": 1, "round": "-", "table": "-", "at": "2000-01-01T00:00:00Z"}


def may_bind(game: str, line: Line, setup: Setup, *, reached: bool = False) -> bool:
    """Whether what the seats won is above a maximum of the set-up; with `reached`, or at it."""
    most = setup.max_per_hand
    spare = 1 if reached else 0
    if most is not None and game == "pyramid-poker" and game not in setup.max_per_deal:
        return any(
            sum(won for won in seat["result"].values() if won > 0) + spare > most
            for seat in line["seats"]
        )
    return any(
        sum(seat["result"][key] for seat in line["seats"] if seat["result"][key] > 0) + spare > most
        for key, most in setup.max_per_deal.get(game, {}).items()
    )


def judged(game: str, line: Line, setup: Setup, table: str = "-") -> Verdict:
    """What the judge says of a round by itself.

    Raises:
        ValueError: it is no line of a log.
    """
    read = read_line(orjson.dumps({**PLACE, "game": game, **line, "table": table}))
    if not isinstance(read, Round):
        message = f"dealt a line that is none: {read.field}: {read.reason}"
        raise ValueError(message)
    return judge(read, setup, NOTHING)


def resettled(game: str, line: Line, setup: Setup) -> Line:
    """The round with the results that the engine settles it to; a seat it cannot is as it was."""
    verdict = judged(game, line, setup)
    again = {**line}
    if verdict.house is not None:
        again["house"] = {**line["house"], "result": verdict.house["main"]}
    again["seats"] = [
        seat if expected is None else {**seat, "result": dict(expected)}
        for seat, (_, expected) in zip(line["seats"], verdict.seats, strict=True)
    ]
    return again
