"""The filter for large logs: read into columns, settled block by block, with the same answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from games.log.reader import ColumnReader
from games.screens.answers import Answers
from games.screens.run import ColumnRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from numpy.typing import NDArray

    from games.log.form import Rejection
    from games.log.reader import Block
    from games.log.round import Round
    from games.screens.run import BlockVerdicts, LineVerdict
    from games.setup import Setup

    Written = tuple[NDArray[np.int64], memoryview, NDArray[np.int64]]
    """Lines, their answers one behind the other, and where each ends."""


class Settling:
    """One call over one or more logs."""

    def __init__(self, setup: Setup, answer: Callable[[LineVerdict, str | None], None],
                 pass_on: Callable[[bytes], None],
                 read: Callable[[bytes], Round | Rejection]) -> None:  # fmt: skip
        self._run = ColumnRun(setup, read=read)
        self._answer = answer
        self._pass_on = pass_on

    def settle(self, stream: BinaryIO, log: str | None) -> Iterator[int]:
        """Answer every line of a log; yield the number of lines of each block when it is done."""
        self._run.new_log()
        writers: dict[str, Answers] = {}
        for block in ColumnReader(stream).blocks():
            for columns in block.columns:
                if columns.game not in writers:
                    writers[columns.game] = Answers(columns.game, log)
            self._block(block, self._run.settle(block), writers, log)
            yield block.lines

    def close(self) -> None:
        """Release what is on disk."""
        self._run.close()

    def _block(
        self, block: Block, verdicts: BlockVerdicts, writers: dict[str, Answers], log: str | None
    ) -> None:
        """Pass on a block's answers in the order of its lines."""
        lines, answers, behind = _merged(
            [
                (columns.lines, *writers[columns.game].write(columns, certain))
                for columns, certain in zip(block.columns, verdicts.certain, strict=True)
            ]
        )
        done = 0
        for line_verdict in verdicts.line_verdicts:
            before = int(np.searchsorted(lines, line_verdict.line))
            end = int(behind[before - 1]) if before else 0
            if end > done:
                self._pass_on(bytes(answers[done:end]))
                done = end
            self._answer(line_verdict, log)
        if done < len(answers):
            self._pass_on(bytes(answers[done:]))


def _merged(parts: list[Written]) -> Written:
    """Merge the answers of several games into the order of their lines."""
    if len(parts) == 1:
        return parts[0]
    none = np.empty(0, np.int64)
    lines = np.concatenate([none, *(part[0] for part in parts)])
    order = np.argsort(lines, kind="stable")
    pieces: list[memoryview] = []
    for _, answers, behind in parts:
        begins = [0, *behind.tolist()]
        pieces += [answers[begins[row] : begins[row + 1]] for row in range(len(behind))]
    merged = b"".join(pieces[place] for place in order.tolist())
    lengths = np.array([len(pieces[place]) for place in order.tolist()], np.int64)
    return lines[order], memoryview(merged), np.cumsum(lengths)
