"""A round before its cards, and settled by the engine where a maximum may apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import orjson

from games.log.form import read_line
from games.log.round import Round
from games.settlement.verdict import settle_round
from games.terms import NOTHING

if TYPE_CHECKING:
    from games.planting import Line
    from games.settlement.verdict import Verdict
    from games.setup import Setup


class In(NamedTuple):
    """A seat that is dealt in."""

    seat: int
    player: str
    stakes: tuple[int, ...]


@dataclass(slots=True)
class Call:
    """What is decided before the deal."""

    at: int
    """Seconds since 1970-01-01 UTC."""
    seats: list[In]
    void: str | None = None
    banker: int = -1
    """The banker's place among the seats; -1, the house banks."""
    bank: int = 0
    house_wager: int = 0


PLACE = {"v": 1, "round": "-", "table": "-", "at": "2000-01-01T00:00:00Z"}


def settle_line(game: str, line: Line, setup: Setup, table: str = "-") -> Verdict:
    """Return the verdict on a round by itself.

    Raises:
        ValueError: it isn't a line of a log.
    """
    read = read_line(orjson.dumps({**PLACE, "game": game, **line, "table": table}))
    if not isinstance(read, Round):
        message = f"dealt a line that is none: {read.field}: {read.reason}"
        raise ValueError(message)
    return settle_round(read, setup, NOTHING)


def settle_again(game: str, line: Line, setup: Setup) -> Line:
    """Return the round with the engine's results; a seat that can't be settled is unchanged."""
    verdict = settle_line(game, line, setup)
    again = {**line}
    if verdict.house is not None:
        again["house"] = {**line["house"], "result": verdict.house["main"]}
    again["seats"] = [
        seat if expected is None else {**seat, "result": dict(expected)}
        for seat, (_, expected) in zip(line["seats"], verdict.seats, strict=True)
    ]
    return again
