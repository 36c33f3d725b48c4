"""What is said of a log that is refused as a whole, and of a segment that is damaged.

A log is registered with all its good and all its rejected lines, or not at all. It is refused only
where nobody could say what its lines are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class RefusedLogError(ValueError):
    """The log is not taken, and nothing of it; the message says why and what to do."""


class EmptyLogError(RefusedLogError):
    """There is no line in the log."""


class BrokenLogError(RefusedLogError):
    """The packed data is damaged, ends early or unpacks without measure.

    `line` is the line in which reading ended; `cause` one of `cut_off`, `damaged`, `bomb`,
    `window`.
    """

    def __init__(self, message: str, *, line: int, cause: str) -> None:
        super().__init__(message)
        self.line = line
        self.cause = cause


class NotALogError(RefusedLogError):
    """Hardly a line is a round: this is some other file."""


class TooManyTablesError(RefusedLogError):
    """More tables than any card room has."""


class RemovedRoundsError(RefusedLogError):
    """The log belongs beside rounds that are not kept any more."""


class DamagedSegmentError(ValueError):
    """A segment, an index or a file of tails is not as it was written; `path` is the file."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(f"{path} is damaged, make it again from the evidence: {why}")
        self.path = path
