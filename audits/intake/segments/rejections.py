"""Errors for refused logs, rejected lines and damaged segments."""

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


class RefusedLogError(ValueError):
    """The whole log is refused; the message says why and what to do."""


class EmptyLogError(RefusedLogError):
    """The log has no lines."""


class BrokenLogError(RefusedLogError):
    """The file is damaged, cut off, a decompression bomb or not UTF-8.

    `line` is the line where reading ended; `cause` is one of `cut_off`, `damaged`, `bomb`,
    `window`, `encoding`.
    """

    def __init__(self, message: str, *, line: int, cause: str) -> None:
        super().__init__(message)
        self.line = line
        self.cause = cause


class NotALogError(RefusedLogError):
    """Hardly any line is a round, so this is some other file."""


class TooManyTablesError(RefusedLogError):
    """The log has more tables than any card room."""


class RemovedRoundsError(RefusedLogError):
    """The log adds to or corrects rounds that are no longer kept."""


class DamagedSegmentError(ValueError):
    """A segment, an index or a file of tails is not as it was written; `path` is the file."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(f"{path} is damaged, make it again from the evidence: {why}")
        self.path = path


EXAMPLES: Final = 50
"""Maximum examples of rejected lines per cause."""

FORM: Final = "form"
FUTURE: Final = "future"
ID_TAKEN: Final = "taken"
OVERLAPS: Final = "overlaps"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejected line, its round and table if they could be read, and the reason."""

    line: int
    round: str | None
    table: str | None
    field: str | None
    reason: str
    cause: str
    """`form`, `future`, `taken` or `overlaps`."""

    def written(self) -> bytes:
        """Return the line for the file of rejected lines."""
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
        """Parse a line of the file of rejected lines."""
        fields = orjson.loads(written)
        error = fields["error"]
        return Rejected(
            fields["line"], fields["round"], fields["table"], error["field"], error["reason"],
            fields["cause"],
        )  # fmt: skip


class RejectedLines:
    """Rejected lines, written to a file in log order as they are found."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.causes: Counter[str] = Counter()
        self.examples: list[Rejected] = []
        self._file = path.open("wb")

    def add(self, rejected: Rejected) -> None:
        """Add a line that comes after all earlier ones."""
        self.causes[rejected.cause] += 1
        if self.causes[rejected.cause] <= EXAMPLES:
            self.examples.append(rejected)
        self._file.write(rejected.written() + b"\n")

    def close(self) -> None:
        """Flush and close the file."""
        self._file.close()

    def joined(self, path: Path, others: Iterable[Rejected]) -> RejectedLines:
        """Merge these with other rejected lines, also sorted by line, into a new file."""
        every = RejectedLines(path)
        for rejected in heapq.merge(self, others, key=lambda rejected: rejected.line):
            every.add(rejected)
        every.close()
        return every

    def __iter__(self) -> Iterator[Rejected]:
        with self.path.open("rb") as file:
            yield from chain(map(Rejected.read, file))
