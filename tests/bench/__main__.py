"""`make bench`: measure and write docs/reference/performance.md.

    .venv/bin/python -m tests.bench [engine] [rounds] [history] [event-log] [reports] [queue] [find]
    [load]

Without names it runs all of them; sections that aren't measured stay as they were. `BENCH_ROUNDS`
is the number of rounds in the longest log: one million by default. `tests/bench/load.py` lists what
sizes the load.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench import engine, find, history, load, queue, reports
from tests.bench.rounds import Measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.bench.measure import Row

REPORT: Final = Path("docs/reference/performance.md")

HEAD: Final = """# Performance, measured

Made by `make bench`; nothing here is typed. Both sides of a ratio ran on the same machine, in the
same minutes, each on one core. Speeds are things a second of processor time, the best of several
runs and the median in brackets. Figures move from machine to machine; what is asked of the engine
is ratios. `.venv/bin/python -m tests.bench NAME` measures one section and leaves the others.
"""

COLUMNS: Final = """| what | ours | beside | ratio | asked | goal | |
| --- | --- | --- | --- | --- | --- | --- |
"""

ROUNDS: Final = """A night of Pyramid Poker at the three tables of a card room of the demonstration,
dealt by `games.simulator` under its controls with voids, player-banked rounds and one wrongly
settled round in a thousand, and repeated under new ids and times; all of it in one gambling day,
the hardest case for memory. The commands run as a person would call them, on SQLite, without
workers; their start is in their time. Measured with ten million rounds by

    BENCH_ROUNDS=10000000 .venv/bin/python -m tests.bench rounds

"""

QUEUE: Final = f"""{queue.FINDINGS:,} findings in some thousand issues, inserted as rows; SQLite. Of
each page the milliseconds of the processor in 95 of 100 cases, and in the median; a file is fetched
to its end.

"""

FIND: Final = f"""{queue.FINDINGS:,} findings of {find.OPERATORS} operators in files, as replays
leave them; SQLite. Of each page the milliseconds of the processor in 95 of 100 cases, and in the
median.

"""

Answer = tuple[str, bool]
"""The text of a section, and whether it meets all its targets."""


def main(*names: str) -> int:
    """Measure, print and write; return 1 if a target is missed, 2 for an unknown name."""
    if unknown := [name for name in names if name not in SECTIONS]:
        sys.stderr.write(f"{', '.join(unknown)}: measured are {', '.join(SECTIONS)}.\n")
        return 2
    kept, all_met = _kept(), True
    for name, (title, measure) in SECTIONS.items():
        if not names or name in names:
            text, met = measure()
            kept[title] = f"\n## {title}\n\n{_measured_on()}\n\n{text}"
            all_met = all_met and met
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    sections = (kept[title] for title, _ in SECTIONS.values() if title in kept)
    REPORT.write_text(HEAD + "".join(sections), "utf-8")
    return 0 if all_met else 1


def _kept() -> dict[str, str]:
    """Return the sections of the existing report, by title."""
    if not REPORT.exists():
        return {}
    _, *sections = REPORT.read_text("utf-8").split("\n## ")
    return {each.split("\n", 1)[0]: f"\n## {each}" for each in sections}


def _engine() -> Answer:
    engine.warm()
    return _table(engine.rows())


def _rounds() -> Answer:
    measured = Measured()
    table, met = _table(measured.rows())
    growth = measured.growth()
    sys.stdout.write(growth)
    return ROUNDS + table + growth, met


def _history() -> Answer:
    text, met = _table(history.rows())
    return history.TEXT + text, met


def _event_log() -> Answer:
    """Measure how far the signed log is behind its events, in a process with a database."""
    answer = subprocess.run(
        [sys.executable, "-m", "tests.bench.event_log"], check=True, capture_output=True, text=True
    )
    lines = "".join(f"- {line}\n" for line in answer.stdout.splitlines())
    sys.stdout.write(lines)
    return lines, True


def _documents() -> Answer:
    return _table(reports.rows())


def _queue() -> Answer:
    text, met = _table(queue.rows())
    return QUEUE + text, met


def _find() -> Answer:
    text, met = _table(find.rows())
    return FIND + text, met


def _load() -> Answer:
    text, met = _table(load.rows())
    return load.TEXT + text, met


def _table(rows: Iterable[Row]) -> Answer:
    text, met = COLUMNS, True
    sys.stdout.write(COLUMNS)
    for row in rows:
        sys.stdout.write(f"{row}\n")
        sys.stdout.flush()
        text += f"{row}\n"
        met = met and row.met
    return text, met


def _measured_on() -> str:
    return f"Measured on {datetime.now(UTC):%Y-%m-%d} at commit {_commit()}: {_machine()}."


def _commit() -> str:
    answer = subprocess.run(
        ["git", "describe", "--always", "--dirty"], check=False, capture_output=True, text=True
    )
    return answer.stdout.strip() or "unknown"


def _machine() -> str:
    name = platform.processor() or platform.machine()
    cpu = Path("/proc/cpuinfo")
    if cpu.exists():
        lines = cpu.read_text("utf-8").splitlines()
        name = next((line.split(": ")[1] for line in lines if line.startswith("model name")), name)
    return f"{name}, Python {platform.python_version()}"


SECTIONS: Final[dict[str, tuple[str, Callable[[], Answer]]]] = {
    "engine": ("The engine", _engine),
    "rounds": ("Rounds from submission to findings", _rounds),
    "history": ("Years of nights", _history),
    "event-log": ("The event log", _event_log),
    "reports": ("Reports as PDF", _documents),
    "queue": ("The queue with a million findings on file", _queue),
    "find": ("Search and pages over a million findings", _find),
    "load": ("A thousand sign-ins, ten submissions at once, and a night", _load),
}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
