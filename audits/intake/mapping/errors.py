"""What is wrong with a mapping, a file or a row, in a sentence for the person who submits it."""

from __future__ import annotations

from audits.intake.segments.rejections import RefusedLogError


class MappingError(ValueError):
    """A mapping that cannot be used; the message says where and what to write."""


class TableError(RefusedLogError):
    """A file that cannot be read as the mapping says."""


class RowError(ValueError):
    """A row that does not make a round; `target` is the field it was to fill."""

    def __init__(self, message: str, target: str) -> None:
        super().__init__(message)
        self.target = target
