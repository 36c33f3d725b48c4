"""Text for a terminal or a file: lines no wider than the reader's window."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NARROWEST = 40
WIDEST = 100
"""Longer lines are hard to read, however wide the window."""


def page_width() -> int:
    """Columns to write in: the window's, within reason; 80 where there is no window."""
    if not sys.stdout.isatty():
        return 80
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def paragraph(text: str, width: int, *, first: str = "", indent: int = 0) -> list[str]:
    """Text in lines, indented; `first` stands in the indent of the first line."""
    lead = first.ljust(indent) if len(first) < indent or not first else f"{first} "
    return textwrap.wrap(
        text,
        width,
        initial_indent=lead,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def columns(rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Rows of cells under each other; the columns in `right` end together, the others begin so."""
    table = [list(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
