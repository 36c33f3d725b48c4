"""Rounds from the submitted log to findings on file: speed, memory, and how both grow.

`BENCH_ROUNDS` is the number of rounds in the longest log.
"""

from __future__ import annotations

import io
import json
import os
import random
import statistics
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import duckdb

from audits.intake.segments.ingestion import Intake
from audits.intake.segments.place import Days
from games.log.lines import read_rounds
from games.log.round import Round
from games.settlement.verdict import Run
from games.setup import read_setup
from tests.bench.engine import FOLDER, TYPES
from tests.bench.inside import OPERATOR
from tests.bench.installation import Installation, Ran
from tests.bench.long_log import write_long_log
from tests.bench.measure import Row, Speed, shown, speed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from typing import BinaryIO

    from games.setup import Setup

ROUNDS: Final = int(os.environ.get("BENCH_ROUNDS", "1_000_000"))
FEWEST: Final = 10_000
SEVERAL_TIMES: Final = 1_000_000
"""Anything longer is measured once."""
SAMPLE: Final = 5_000
FINDS: Final = 200
ALL_TYPES: Final = TYPES | {
    "house": "STRUCT(cards VARCHAR, low VARCHAR, wager BIGINT, result BIGINT)",
    "banker": "INTEGER", "bank": "BIGINT", "void": "VARCHAR",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Night:
    """A log submitted and replayed by the commands, in an installation of its own."""

    rounds: int
    submission: Ran
    replay: Ran
    finds: list[float]
    decoding: float
    settling: float
    """CPU seconds per round."""

    @property
    def processor(self) -> float:
        """Return the CPU seconds from the file to the findings."""
        return self.submission.processor + self.replay.processor

    def __str__(self) -> str:
        each = self.processor / self.rounds * 1e6
        times = f"{self.submission.processor:.1f} ({self.submission.clock:.1f}) | "
        times += f"{self.replay.processor:.1f} ({self.replay.clock:.1f}) | {each:.1f}"
        peaks = f"{self.submission.peak:.0f} | {self.replay.peak:.0f}"
        first, *others = self.finds
        found = f"{1e3 * first:.0f} | {1e3 * statistics.median(others):.1f} | "
        found += f"{1e3 * max(others):.1f}"
        return f"| {self.rounds:,} | {times} | {peaks} | {found} |"


COLUMNS: Final = """
The same commands over logs of growing length, processes started anew for each; in seconds of the
processor (of the clock), microseconds of the processor for a round, MiB at the peak, and
milliseconds of the clock until a round is found by its id: the first of a process, the median of
the others, the longest of the others.

| rounds | ingest | replay | a round | peak, ingest | peak, replay | first | median | longest |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


class Measured:
    """All measurements: first the rows, then the table of growth."""

    def __init__(self) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        self._nights: list[Night] = []
        self._made = Installation(FOLDER)
        self._setup = read_setup(json.loads(self._made.inside("setup").output))

    def rows(self) -> Iterator[Row]:
        """Yield the rows one after another."""
        self._night(FEWEST)  # compiles whatever isn't compiled yet
        lengths = [ROUNDS]
        while lengths[-1] // 10 >= FEWEST:
            lengths.append(lengths[-1] // 10)
        for rounds in lengths:
            self._nights.insert(0, self._night(rounds))
            sys.stderr.write(f"{self._nights[0]}\n")
        longest = self._nights[-1]
        yield from self._text(min(ROUNDS, SEVERAL_TIMES))
        yield from self._whole(longest)
        yield _flags(longest)
        yield _found(longest)
        yield from _memory(longest)
        if len(self._nights) > 1:
            yield _growth(*self._nights[-2:])

    def growth(self) -> str:
        """Return the table of all lengths."""
        return COLUMNS + "".join(f"{night}\n" for night in self._nights)

    def _night(self, rounds: int) -> Night:
        """Submit, replay, find and audit."""
        log = _log(self._setup, rounds)
        chance = random.Random(rounds)
        with log.open("rb") as lines:
            ids = [_id_near(lines, chance.randrange(log.stat().st_size)) for _ in range(FINDS)]
        with Installation(FOLDER, self._made) as made:
            submission = made.command("ingest", "--operator", OPERATOR, "--json", str(log))
            assert json.loads(submission.output)["good"] == rounds
            replay = made.command("replay", "--operator", OPERATOR, "--wait", "--json")
            answer = json.loads(replay.output)
            assert (answer["state"], answer["rounds"]) == ("done", rounds), answer
            finds = json.loads(made.inside("find", *ids).output)
            audited = json.loads(made.inside("judge").output)
        each = audited["rounds"]
        return Night(
            rounds, submission, replay, finds, audited["decoding"] / each, audited["judging"] / each
        )

    def _text(self, rounds: int) -> Iterator[Row]:
        log = _log(self._setup, rounds)
        ours = speed(partial(_segments, log, rounds), rounds, times=2)
        there = _duckdb(log, rounds, times=2)
        what = f"JSON Lines to segments with ids, tails and indexes, {rounds:,}, rounds/s"
        yield Row(what, str(ours), f"duckdb {there}", ours.best / there.best, 0.5, 1)

    def _whole(self, night: Night) -> Iterator[Row]:
        log = _log(self._setup, night.rounds)
        size = shown(log.stat().st_size)
        what = f"`ingest` and `replay` of {night.rounds:,} rounds ({size}B), s of the processor"
        ours = f"{night.processor:.1f}"
        times = 1 if night.rounds > SEVERAL_TIMES else 2
        there = night.rounds / _duckdb(log, night.rounds, times).best
        yield Row(what, ours, f"duckdb reads it in {there:.1f}", night.processor / there,
                  4, 1.5, less=True)  # fmt: skip
        plain = _plain(log, self._setup)
        mine = night.rounds / night.processor
        what = "the same in rounds/s, text to findings on file"
        yield Row(what, shown(mine), f"plain Python loop {plain}", mine / plain.best, 10, 50)
        bare = night.rounds / _bare_reading(log)
        yield Row(what, shown(mine), f"bare reading {shown(bare)}", mine / bare, 0, 0.1)


def _log(setup: Setup, rounds: int) -> Path:
    """Return a log of `rounds` rounds, written once and kept."""
    path = FOLDER / f"night-{rounds}.jsonl"
    if not path.exists():
        write_long_log(path, setup, rounds)
    return path


def _id_near(log: BinaryIO, place: int) -> str:
    """Return the id of the first round after a place in the file; near the end, of the first."""
    log.seek(place)
    log.readline()
    line = log.readline()
    if not line:
        log.seek(0)
        line = log.readline()
    return str(json.loads(line)["round"])


def _segments(log: Path, rounds: int) -> None:
    def start(day: date) -> int:
        return int(datetime(day.year, day.month, day.day, 13, tzinfo=UTC).timestamp()) * 1_000_000

    with TemporaryDirectory(dir=FOLDER) as folder:
        aside = Path(folder)
        with Intake(log="0" * 64, folder=aside / "intake", days=Days(start)) as intake:
            with log.open("rb", buffering=0) as stream:
                intake.read(stream)
            built, made = intake.compare([]), 0
            for place in built.places:
                for segment in intake.segments(place, aside):
                    made += segment.rounds
        assert made == rounds


def _duckdb(log: Path, rounds: int, times: int) -> Speed:
    """Measure duckdb's typed reader, into a table of its own, on one core."""
    with TemporaryDirectory(dir=FOLDER) as folder, duckdb.connect() as database:
        database.execute("SET threads = 1")
        database.execute("SET TimeZone = 'UTC'")
        database.execute(f"SET temp_directory = '{folder}'")
        durations = []
        for _ in range(times):
            began = time.process_time()
            database.execute(
                f"CREATE OR REPLACE TEMP TABLE rounds AS SELECT * FROM read_json('{log}', "
                f"format = 'newline_delimited', columns = {ALL_TYPES!r})"
            )
            durations.append(time.process_time() - began)
        assert database.execute("SELECT count(*) FROM rounds").fetchone() == (rounds,)
    return Speed(rounds / min(durations), rounds / statistics.median(durations))


def _plain(log: Path, setup: Setup) -> Speed:
    """Measure reading, settling and comparing line by line, with the same rules uncompiled."""
    with log.open("rb") as lines:
        sample = b"".join(next(lines) for _ in range(SAMPLE))

    def loop() -> None:
        run = Run(setup)
        for line in read_rounds(io.BytesIO(sample)):
            assert isinstance(line, Round)
            run.verdict(line)
        run.close()

    return speed(loop, SAMPLE, times=2)


def _bare_reading(log: Path) -> float:
    """Return the CPU seconds to read a file's bytes and drop them."""
    buffer = bytearray(1 << 20)
    began = time.process_time()
    with log.open("rb", buffering=0) as content:
        while content.readinto(buffer):
            pass
    return time.process_time() - began


def _flags(night: Night) -> Row:
    what = "segments to findings files, voids and wrong rounds included, rounds/s"
    ratio = night.decoding / night.settling
    return Row(what, shown(1 / night.settling), f"bare decoding {shown(1 / night.decoding)}", ratio,
               0.6, 0.85)  # fmt: skip


def _found(night: Night) -> Row:
    first, *others = night.finds
    what = f"find a round by its id among {night.rounds:,}, ms of the clock at the longest"
    median, longest = 1e3 * statistics.median(others), 1e3 * max(night.finds)
    return Row(what, f"{longest:.1f} ({median:.1f})", f"first {1e3 * first:.0f}",
               longest, 200, 50, "ms", less=True)  # fmt: skip


def _memory(night: Night) -> Iterator[Row]:
    for name, ran in (("ingest", night.submission), ("replay", night.replay)):
        what = f"memory of `{name}` of {night.rounds:,} rounds, MiB"
        yield Row(what, f"{ran.peak:.0f}", "", ran.peak, 1024, 256, "MiB", less=True)


def _growth(before: Night, night: Night) -> Row:
    what = f"a round's share at {night.rounds:,} beside {before.rounds:,} rounds, microseconds"
    mine, there = (1e6 * each.processor / each.rounds for each in (night, before))
    return Row(what, f"{mine:.2f}", f"{there:.2f}", mine / there, 1.1, 1, less=True)
