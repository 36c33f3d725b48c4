"""The demonstration logs as files: simulated in subprocesses and compressed as operators do it.

`python -m audits.demonstration.logs NAME PACE FOLDER` writes one of them.
"""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from audits.demonstration.plan import logs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from audits.demonstration.plan import Log


SIDE_BY_SIDE: Final = 2
PACKED_LEVEL: Final = 1


def write_log(log: Log, place: Path) -> None:
    """Write a simulated log to a file, line by line; the bytes are the same every time."""
    with place.open("wb") as file, gzip.GzipFile("", "wb", PACKED_LEVEL, file, mtime=0) as packed:
        for _, dealt in log.rounds():
            packed.write(dealt.line + b"\n")
        for line in log.broken:
            packed.write(line + b"\n")


@contextmanager
def dealt(names: Sequence[str], pace: int, folder: Path) -> Iterator[Callable[[str], Path]]:
    """Simulate the named logs in parallel; yield a function that waits for a log's file by name."""
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        under_way = {name: pool.submit(_simulate_game, name, pace, folder) for name in names}
        try:
            yield lambda name: under_way[name].result()
        finally:
            pool.shutdown(cancel_futures=True)


def _simulate_game(name: str, pace: int, folder: Path) -> Path:
    command = [sys.executable, "-m", "audits.demonstration.logs", name, str(pace), str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)  # noqa: S603
    if done.returncode:
        raise OSError(done.returncode, os.strerror(done.returncode), str(folder / name))
    return folder / name


def main(name: str, pace: str, folder: str) -> int:
    """Write one log and return the exit status, which is the errno if writing fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process gets the signal and decides
    log = next(each for each in logs(int(pace)) if each.name == name)
    try:
        write_log(log, Path(folder) / name)
    except OSError as refused:
        return refused.errno or 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
