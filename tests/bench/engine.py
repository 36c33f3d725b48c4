"""The engine compared with what a user would pick instead: settlement, reading, memory, startup."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import eval7  # type: ignore[import-untyped]
import numpy as np
import phevaluator  # type: ignore[import-untyped]
import pyarrow.parquet as pq
import treys  # type: ignore[import-untyped]

from games.commands.definitions import definition_named
from games.families.filed import with_definition
from games.log.form import LineObject
from games.log.parquet import ColumnWriter, read_groups, to_table
from games.log.reader import Block, ColumnReader
from games.planting import DECK
from games.screens.pyramid import Screen
from games.screens.run import SCREENS, ColumnRun
from games.settlement.outcomes import game as rules_of_play
from games.setup import Setup
from games.terms import NOTHING
from tests.bench.measure import Row, Speed, shown, speed
from tests.bench.numpy_settlement import flags
from tests.bench.simulated import GAMES, rounds, write_log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.log.columns import Columns

FOLDER = Path("var/bench")
SEED = 1
ROUNDS = 300_000
MANY_ROUNDS = 1_200_000


def log_of(game: str, count: int) -> Path:
    """Return a clean log of a game, dealt once and kept."""
    path = FOLDER / f"{game}-{SEED}-{count}.jsonl"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        clean = [line for line in rounds(game, 3000, SEED) if "banker" not in line]
        write_log(path.with_suffix(".part"), clean, count)
        path.with_suffix(".part").rename(path)
    return path


def parquet_of(game: str, rounds: int) -> Path:
    """Return the same in Parquet."""
    path = log_of(game, rounds).with_suffix(".parquet")
    if not path.exists():
        to_parquet(game, log_of(game, rounds), path.with_suffix(".part"))
        path.with_suffix(".part").rename(path)
    return path


def to_parquet(game: str, log: Path, path: Path) -> None:
    """Convert a log of regular rounds."""
    writer = ColumnWriter(path, game)
    with log.open("rb", buffering=0) as stream:
        for block in ColumnReader(stream).blocks():
            for columns in block.columns:
                writer.write(to_table(game, columns))
    writer.close()


def columns_of(game: str, rounds: int) -> Columns:
    """Return the first row group in memory."""
    return next(read_groups(parquet_of(game, rounds))).columns


def rows() -> Iterator[Row]:
    """Yield all measurements, one after another."""
    yield from pyramid()
    yield from other_games()
    yield from families()
    yield from parquet()
    yield from json_lines()
    yield memory()
    yield start()


def pyramid() -> Iterator[Row]:
    """Settle, compare and flag Pyramid Poker compared with NumPy, public evaluators and memory."""
    columns = columns_of("pyramid-poker", ROUNDS)
    seats, rounds = columns.seats, columns.rounds
    count = int(columns.first_seat[-1])
    keys = ("main", "three_card", "six_card")
    certain = np.ones(len(columns), np.uint8)
    screen = Screen(Setup())
    ours = speed(lambda: screen.sift(columns, certain), count, times=15)
    assert certain.all()
    owner = np.repeat(np.arange(len(columns)), np.diff(columns.first_seat))
    house = [rounds.cards[f"house_{place}"][owner] for place in (1, 2, 3)]
    own = [seats.cards[f"card_{place}"] for place in (1, 2, 3)]
    wagers = [seats.numbers[f"wager_{key}"] for key in keys]
    results = [seats.numbers[f"result_{key}"] for key in keys]
    assert not flags(own, seats.cards["low"], house, wagers, results).any()
    plain = speed(lambda: flags(own, seats.cards["low"], house, wagers, results), count, times=3)
    what = "Pyramid Poker, settle + compare + flag, seats/s"
    yield Row(what, str(ours), f"NumPy {plain}", ours.best / plain.best, 15, 50)
    name, best = max(evaluators().items(), key=lambda item: item[1].best)
    yield Row(what, str(ours), f"{name}, five cards {best}", ours.best / best.best, 20, 50)
    block = np.arange(1 << 25)  # zeros would be a single page of memory, read over and over
    read = speed(lambda: block.max(), block.nbytes)
    bytes_a_seat = 4 + 48 + 7 * len(columns) / count
    bandwidth = ours.best * bytes_a_seat / read.best
    what = "the same as a part of the core's read bandwidth, bytes/s"
    yield Row(what, shown(ours.best * bytes_a_seat), str(read), bandwidth, 0, 0.45)


def evaluators() -> dict[str, Speed]:
    """Measure the public calls of evaluators on PyPI, on five cards that were parsed before."""
    chance = random.Random(SEED)
    hands = [chance.sample(range(52), 5) for _ in range(20_000)]
    of_eval7 = [[eval7.Card(DECK[card]) for card in hand] for hand in hands]
    of_treys = [[treys.Card.new(DECK[card]) for card in hand] for hand in hands]
    evaluator = treys.Evaluator()
    return {
        "eval7": speed(lambda: [eval7.evaluate(hand) for hand in of_eval7], len(hands)),
        "phevaluator": speed(
            lambda: [phevaluator.evaluate_cards(*hand) for hand in hands], len(hands)
        ),
        "treys": speed(lambda: [evaluator.evaluate([], hand) for hand in of_treys], len(hands)),
    }


def other_games() -> Iterator[Row]:
    """Measure the other four games against the same kernels uncompiled."""
    setup = Setup()
    for name in GAMES:
        if name == "pyramid-poker":
            continue
        columns = columns_of(name, ROUNDS // 10)
        certain = np.ones(len(columns), np.uint8)
        screen: Any = import_module(f"games.screens.{SCREENS[name]}").Screen(setup)
        ours = speed(lambda s=screen, c=columns, k=certain: s.sift(c, k),  # type: ignore[misc]
                     int(columns.first_seat[-1]))  # fmt: skip
        assert certain.all()
        played = [columns.round(row) for row in range(200)]
        settle = rules_of_play(name).settle
        plain = speed(
            lambda rounds=played, settle=settle: [settle(one, setup) for one in rounds],  # type: ignore[misc]
            sum(len(one.seats) for one in played),
            times=3,
        )
        what = f"{name}, settle + compare + flag, seats/s"
        yield Row(what, str(ours), f"uncompiled {plain}", ours.best / plain.best, 100, 1000)


def families() -> Iterator[Row]:
    """Measure the kernels of each family against its own audit, uncompiled."""
    chance = random.Random(SEED)
    for slug in ("three-card-poker", "mini-baccarat", "pai-gow-poker"):
        setup = with_definition(Setup(), definition_named(slug))
        filed: Any = setup.filed[slug]
        head = {"v": 2, "round": "r", "game": slug, "table": "T", "at": "2025-07-12T12:00:00Z"}
        lines = [head | filed.deal(setup, (1, 2, 3), "T", chance) for _ in range(300)]
        played = [filed.read(LineObject(line, "", 1)) for line in lines]
        screen = filed.screen(setup)
        columns = screen.columns(played * 100)
        assert screen.sift(columns).all()
        ours = speed(lambda s=screen, c=columns: s.sift(c), len(columns.cards))  # type: ignore[misc]
        plain = speed(
            lambda f=filed, p=played, s=setup: [f.settle(one, s, NOTHING) for one in p],  # type: ignore[misc]
            sum(len(one.seats) for one in played),
            times=3,
        )
        what = f"{slug}, family {filed.definition.family}, settle + compare + flag, seats/s"
        yield Row(what, str(ours), f"uncompiled {plain}", ours.best / plain.best, 500, 1000)


def parquet() -> Iterator[Row]:
    """Measure Parquet to flags against decoding the same columns and doing nothing."""
    path = parquet_of("pyramid-poker", ROUNDS)

    def settle_columns() -> None:
        run = ColumnRun(Setup())
        for group in read_groups(path):
            result = run.settle(Block(1, group.rows, (group.columns,), group.odd))
            assert not list(result.line_verdicts)
            del group, result  # as a replay does

    def bare() -> None:
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                file.read_row_group(group, use_threads=False)

    ours, theirs = speed(settle_columns, ROUNDS), speed(bare, ROUNDS)
    what = "Parquet to flags, all findings and ids, rounds/s"
    yield Row(what, str(ours), f"bare decoding {theirs}", ours.best / theirs.best, 0.6, 0.85)


TYPES = {
    "v": "INTEGER", "round": "VARCHAR", "game": "VARCHAR", "table": "VARCHAR", "at": "TIMESTAMPTZ",
    "decks": "INTEGER", "house": "STRUCT(cards VARCHAR, low VARCHAR)",
    "seats": "STRUCT(seat INTEGER, player VARCHAR, cards VARCHAR, low VARCHAR,"
    " wagers STRUCT(main BIGINT, three_card BIGINT, six_card BIGINT),"
    " result STRUCT(main BIGINT, three_card BIGINT, six_card BIGINT))[]",
}  # fmt: skip


def json_lines() -> Iterator[Row]:
    """Measure JSON Lines to checked columns, and to Parquet, against duckdb's typed reader."""
    log = log_of("pyramid-poker", ROUNDS)

    def parse() -> None:
        rows_read = 0
        with log.open("rb", buffering=0) as stream:
            for block in ColumnReader(stream).blocks():
                rows_read += sum(len(columns) for columns in block.columns)
        assert rows_read == ROUNDS

    database = duckdb.connect()
    database.execute("SET threads = 1")
    database.execute("SET TimeZone = 'UTC'")

    def theirs() -> None:
        database.execute(
            f"CREATE OR REPLACE TEMP TABLE rounds AS SELECT * FROM read_json('{log}', "
            f"format = 'newline_delimited', columns = {TYPES!r})"
        )

    there = speed(theirs, ROUNDS, times=3)
    ours = speed(parse, ROUNDS)
    comparison = f"duckdb {there}"
    what = "JSON Lines to checked columns, rounds/s"
    yield Row(what, str(ours), comparison, ours.best / there.best, 2, 5)
    path = FOLDER / "written.parquet"
    ours = speed(lambda: to_parquet("pyramid-poker", log, path), ROUNDS, times=3)
    what = "the same with Parquet written"
    yield Row(what, str(ours), comparison, ours.best / there.best, 0.5, 1)


_PEAK = """
import sys
from pathlib import Path
from games.commands.convert import run
run([sys.argv[1], "--to", sys.argv[2]])
told = Path("/proc/self/status").read_text()  # ru_maxrss counts what the parent took before
print(told.split("VmHWM:")[1].split()[0])
"""


def memory() -> Row:
    """Measure the peak memory of converting more than a million rounds."""
    log = log_of("pyramid-poker", MANY_ROUNDS)
    answer = subprocess.run(
        [sys.executable, "-c", _PEAK, str(log), str(FOLDER / "converted")],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    peak = int(answer.stdout.split()[-1]) / 1024
    size = log.stat().st_size / 2**20
    what = f"memory to convert {MANY_ROUNDS:,} rounds, MiB"
    return Row(what, f"{peak:.0f}", f"{size:.0f} MiB of text", peak, 1024, 256, "MiB", less=True)


def start() -> Row:
    """Measure a warm start of the filter, for one round, in wall-clock seconds."""
    with log_of("pyramid-poker", ROUNDS).open("rb") as log:
        line = log.readline()
    durations = []
    for _ in range(10):
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "games", "settle"], input=line, check=True, capture_output=True
        )
        durations.append(time.perf_counter() - begin)
    what = "warm start of `settle` for one round, seconds"
    median = sorted(durations)[len(durations) // 2]
    ours = f"{min(durations):.2f} ({median:.2f})"
    return Row(what, ours, f"{os.cpu_count()} cores", min(durations), 1.5, 0.4, "s", less=True)


def warm() -> None:
    """Compile before anything is measured."""
    for name in GAMES:
        with log_of(name, ROUNDS // 10).open("rb") as log:
            first = b"".join(log.readlines(1 << 20))
        for block in ColumnReader(io.BytesIO(first)).blocks():
            list(ColumnRun(Setup()).settle(block).line_verdicts)
