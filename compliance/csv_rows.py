"""CSV of which no spreadsheet computes a cell, whatever a log, a name or a note said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from defusedcsv import csv

if TYPE_CHECKING:
    from collections.abc import Iterable

BEGINNINGS = ("\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What some spreadsheets skip at the head of a cell, to take what follows for a formula; and the
wide signs of equality, plus, minus and at, which some read as the narrow ones."""


class CsvRows:
    """Rows written to whatever takes text; every CSV that leaves the system is written by it."""

    def __init__(self, to: Any, *, line_end: str = "\r\n") -> None:
        self._writer = csv.writer(to, lineterminator=line_end)

    def write(self, *cells: object) -> None:
        """Write one row."""
        self._writer.writerow(map(_as_text, cells))

    def write_all(self, rows: Iterable[Iterable[object]]) -> None:
        """Write rows one after the other."""
        for row in rows:
            self.write(*row)


def _as_text(cell: object) -> object:
    """A cell with a mark before it that makes it text; the library marks signs, not blanks."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(BEGINNINGS) else cell
