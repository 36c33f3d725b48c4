"""Rejected lines: each with its reason, all in a file, the first of every cause at hand."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

EXAMPLES: Final = 50
"""So many rejected lines of each cause are told in full."""

FORM: Final = "form"
FUTURE: Final = "future"
TAKEN: Final = "taken"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that is not taken, whose line it is where that could be read, and why."""

    line: int
    round: str | None
    table: str | None
    field: str | None
    reason: str
    cause: str
    """`form`, `future` or `taken`."""

    def written(self) -> bytes:
        """As the file of rejected lines has it."""
        return orjson.dumps(
            {
                "line": self.line,
                "round": self.round,
                "table": self.table,
                "cause": self.cause,
                "error": {"field": self.field, "reason": self.reason},
            }
        )

    @staticmethod
    def read(written: bytes) -> Rejected:
        """A line of the file of rejected lines."""
        told = orjson.loads(written)
        error = told["error"]
        return Rejected(
            told["line"], told["round"], told["table"], error["field"], error["reason"],
            told["cause"],
        )  # fmt: skip


class RejectedLines:
    """Rejected lines as they are met, set down in a file in the order of the log."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.causes: Counter[str] = Counter()
        self.examples: list[Rejected] = []
        self._file = path.open("wb")

    def add(self, rejected: Rejected) -> None:
        """Note a line behind all those noted before."""
        self.causes[rejected.cause] += 1
        if self.causes[rejected.cause] <= EXAMPLES:
            self.examples.append(rejected)
        self._file.write(rejected.written() + b"\n")

    def close(self) -> None:
        """Have all of it in the file."""
        self._file.close()

    def joined(self, path: Path, others: Iterable[Rejected]) -> RejectedLines:
        """These and others, which come in the order of their lines too, in a new file."""
        every = RejectedLines(path)
        for rejected in heapq.merge(self, others, key=lambda rejected: rejected.line):
            every.add(rejected)
        every.close()
        return every

    def __iter__(self) -> Iterator[Rejected]:
        with self.path.open("rb") as file:
            yield from chain(map(Rejected.read, file))
