"""Logs to parse: good lines of all five games in many spellings, and lines with changed bytes."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import orjson

from games.log.reader import ColumnReader
from tests.bench.simulated import GAMES, rounds

if TYPE_CHECKING:
    import random

    from games.log.form import Rejection
    from games.log.round import Round

TIMES = (
    "2026-11-17T20:15:03-08:00",
    "2024-02-29T23:59:59.123456Z",
    "2000-12-31T00:00:00.5+14:00",
    "1969-12-31T23:59:59Z",
    "2026-06-30T23:59:60Z",
    "2026-11-17t20:15:03.1234567z",
)
LATER = {
    "dealer_id": "d-1",
    "supervisor_id": "s" * 64,
    "shift": "grün",
    "shoe": "shoe-9",
    "video": "cam 4, 20:14",
    "irregularities": ["card face up"],
    "meters": {"grand": 1},
}
BYTES = b'"{}[],: 0123456789-.eEJo=AKQshdcx_\\\t\r\x00\xff'


def deal(seed: int) -> dict[str, list[dict[str, Any]]]:
    return {game: list(rounds(game, 20, seed)) for game in GAMES}


def decorate(line: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return the same round with optional fields, in another order of keys."""
    line = {
        **line,
        "round": chance.choice(["a", "T1-0001", "x" * 64]),
        "table": chance.choice(["T1", "z" * 32]),
        "at": chance.choice(TIMES),
    }
    extras = {
        "from": TIMES[0],
        "deck": chance.choice(["red", "", 'b"lue', "grün"]),
        "decks": chance.choice([1, 6, 100]),
        "shuffler": chance.random() < 0.5,
        "void": chance.choice([None, None, "power failure"]),
        "x_shift": chance.choice([{"a": [1]}, 7, -1, 1.5, "day", "t\u00e4g", True, None]),
        "x_b": "b",
    }
    if chance.random() < 0.4:  # mostly of version 2, as it must be; some say 1
        line["v"] = chance.choice([2, 2, 2, 1])
        extras |= LATER
    line |= {key: value for key, value in extras.items() if chance.random() < 0.15}
    if line["game"] == "pyramid-poker" and chance.random() < 0.4:
        line |= {"banker": 1, "bank": chance.choice([0, 10**12])}
        line["house"] = {**line["house"], "wager": 500, "result": -500}
    if chance.random() < 0.2:
        line["seats"] = [{**seat, "x_hand": "1"} for seat in line["seats"]]
    if chance.random() < 0.3:
        line = shuffled(line, chance)
        line["seats"] = [shuffled(seat, chance) for seat in line["seats"]]
    return line


def shuffled(value: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    keys = list(value)
    chance.shuffle(keys)
    return {key: value[key] for key in keys}


def spelled(line: dict[str, Any], chance: random.Random) -> bytes:
    """Return the line as orjson writes it, or with Python's spaces and escapes."""
    return json.dumps(line).encode() if chance.random() < 0.3 else orjson.dumps(line)


def damaged(line: bytes, chance: random.Random) -> bytes:
    """Change, leave out, insert or repeat some bytes; never a newline."""
    raw = bytearray(line)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        place, kind = chance.randrange(len(raw)), chance.random()
        if kind < 0.5:
            raw[place] = chance.choice(BYTES + bytes(raw[max(0, place - 3) : place + 3]))
        elif kind < 0.7:
            del raw[place]
        elif kind < 0.85:
            raw.insert(place, chance.choice(BYTES))
        else:
            first = chance.randrange(len(raw))
            raw[place:place] = raw[first : first + chance.randrange(1, 30)]
    return bytes(raw).replace(b"\n", b" ")


def read(log: bytes) -> tuple[dict[int, Round], dict[int, bytes | Rejection]]:
    """Return what the column parser accepts, and what it leaves to the scalar one, by line."""
    accepted: dict[int, Round] = {}
    odd: dict[int, bytes | Rejection] = {}
    for block in ColumnReader(io.BytesIO(log)).blocks():
        for columns in block.columns:
            accepted |= zip(columns.lines.tolist(), columns.to_rounds(), strict=True)
        odd |= block.odd
        assert block.first_line + block.lines - 1 >= max([*accepted, *odd])
    return accepted, odd
