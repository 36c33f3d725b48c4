"""A log as one call of the filter reads it: several tables, some of them with faults planted."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from . import bad_lines, faults
from .setups import random_setup
from .table import GAMES, as_line, deal_table

if TYPE_CHECKING:
    from collections.abc import Iterator

Round = dict[str, Any]
MIXED = "mixed"


@dataclass
class Batch:
    """Lines, the set-up to audit them by, and what was planted in which line (0 the first)."""

    game: str
    setup: dict[str, Any]
    lines: list[bytes] = field(default_factory=list)
    planted: dict[int, str] = field(default_factory=dict)


def deal_batch(game: str, seed: str, rounds: int, fault_rate: float) -> Batch:
    """Return one game's batch, or with `mixed` one of all games, whose tables share their names."""
    rng = Random(f"{game} {seed}")
    tables = [f"T{number}" for number in range(1, rng.randint(1, 4) + 1)]
    games = list(GAMES) if game == MIXED else [game]
    setup: dict[str, Any] = {}
    for one in games:
        setup = merged(setup, random_setup(rng, one, tables))
    batch = Batch(game, setup)
    share = max(1, rounds // len(tables) // len(games))
    dealt = {
        (one, name): deal_table(rng, one, name, share, setup) for one in games for name in tables
    }
    for round_ in dealing_through_the_night(rng, dealt):
        if rng.random() < fault_rate:
            name, line = faulty(rng, round_)
            batch.planted[len(batch.lines)] = name
            batch.lines.append(line)
        else:
            batch.lines.append(as_line(round_))
    end_lines_otherwise(rng, batch)
    return batch


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Merge both set-ups; where both have a value that isn't an object, the later one wins."""
    together = one | other
    for key in one.keys() & other.keys():
        if isinstance(one[key], dict) and isinstance(other[key], dict):
            together[key] = merged(one[key], other[key])
    return together


def end_lines_otherwise(rng: Random, batch: Batch) -> None:
    """End lines with CRLF, which is equivalent to LF, or leave the last line without an end."""
    if rng.random() < 0.3:
        batch.lines = [line.removesuffix(b"\n") + b"\r\n" for line in batch.lines]
    if rng.random() < 0.3 and batch.lines[-1].strip():
        batch.lines[-1] = batch.lines[-1].rstrip(b"\r\n")


def dealing_through_the_night(
    rng: Random, dealt: dict[tuple[str, str], list[Round]]
) -> Iterator[Round]:
    """Yield the tables' rounds interleaved, each table's in its order."""
    left = {table: list(rounds) for table, rounds in dealt.items()}
    while left:
        table = rng.choice(list(left))
        yield left[table].pop(0)
        if not left[table]:
            del left[table]


def faulty(rng: Random, round_: Round) -> tuple[str, bytes]:
    """Return the round with one fault, rarely with two, or damaged as a line."""
    if rng.random() < 0.15:
        return bad_lines.spoil(rng, round_)
    round_ = deepcopy(round_)
    return faults.plant(rng, round_), as_line(round_)
