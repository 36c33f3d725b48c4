"""Coverage-guided fuzzing of the filter: `python -m tests.deep.fuzz_settle [CORPUS] [-runs=N]`.

Whatever the bytes, every line gets an answer in the contract's form. Options are libFuzzer's.
"""

from __future__ import annotations

import io
import sys

import atheris

with atheris.instrument_imports(include=["games"]):
    from games.log.lines import read_rounds
    from games.settlement.verdict import Run
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
