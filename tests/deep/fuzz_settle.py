"""Fuzz the filter by coverage: `python -m tests.deep.fuzz_settle [CORPUS] [-runs=N]`.

Whatever the bytes, every line ends in an answer of the contract's form. Options are libFuzzer's.
"""

from __future__ import annotations

import io
import sys

import atheris

with atheris.instrument_imports(include=["games"]):
    from games.judge.run import Run
    from games.round_log.lines import read_rounds
    from games.setup import Setup
    from tests.games.answer_checked import answered


def one_input(data: bytes) -> None:
    run = Run(Setup())
    for read in read_rounds(io.BytesIO(data)):
        answered(read, run)
    run.close()


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
