"""Code shared by the commands: set-ups, logs, errors, progress and text layout."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from games.kernel import cache_directory
from games.law import LawFileError, read_aggregate_forms, read_poker_law
from games.setup import Filed, Setup, SetupError, read_setup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


REFUSED: Final = 2

LARGEST_SETUP: Final = 1 << 24


class CallError(Exception):
    """Invalid arguments; the message is the sentence for standard error."""


def refuse(error: CallError) -> int:
    """Print why the arguments are invalid and return the exit status for that."""
    text = f"games: {error}\n"
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(text.encode("utf-8", "backslashreplace").decode())
    return REFUSED


def setup_named(path: str | None, filed: Filed = MappingProxyType({})) -> Setup:
    """Read the set-up in a file, or return the rules' defaults if there is no file.

    Raises:
        CallError: the file can't be read or isn't a set-up.
    """
    if path is None:
        return Setup()
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_SETUP + 1)
    except (OSError, ValueError) as error:
        raise CallError(cannot_read(path, error)) from None
    if len(content) > LARGEST_SETUP:
        message = f"the set-up {path} is longer than {LARGEST_SETUP:,} bytes."
        raise CallError(message)
    try:
        return read_setup(content.decode("utf-8"), filed)
    except UnicodeDecodeError:
        message = f"the set-up {path} is not UTF-8."
        raise CallError(message) from None
    except SetupError as error:
        message = f"the set-up {path} cannot be used. In {error}"
        raise CallError(message) from None


def with_law(setup: Setup, folder: str | None) -> Setup:
    """Return the set-up with what a folder of law values says by date.

    Raises:
        CallError: the folder has no such values.
    """
    if folder is None:
        return setup
    try:
        forms, poker = read_aggregate_forms(Path(folder)), read_poker_law(Path(folder))
    except LawFileError as error:
        raise CallError(str(error)) from None
    return replace(setup, aggregate_forms=forms, poker=poker)


def readable(logs: Sequence[str]) -> None:
    """Reject the call if any log can't be read, before printing answers."""
    for log in logs:
        try:
            if Path(log).is_dir():
                message = f"{log} is a folder, not a round log."
                raise CallError(message)
            Path(log).stat()
        except (OSError, ValueError) as error:
            raise CallError(cannot_read(log, error)) from None
        if not os.access(log, os.R_OK):
            message = f"{log} cannot be read: permission denied."
            raise CallError(message)


def cannot_read(path: str, error: Exception) -> str:
    """Return a sentence about a file that can't be read."""
    return cannot(f"{path} cannot be read", error)


def cannot(what: str, error: Exception) -> str:
    """Return a sentence about what failed, with the system's reason."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{what}: {why[:1].lower()}{why[1:]}."


WORTH_READY: Final = 16 << 20
WORTH_COMPILING: Final = 512 << 20
"""Bytes of logs above which columns are faster, with the kernels already compiled or not."""


def worth_it(logs: Sequence[str]) -> bool:
    """Return whether the logs (standard input if there are none) are large enough for columns."""
    try:
        size = sum(Path(log).stat().st_size for log in logs) if logs else _standard_input()
    except OSError:
        return False
    if size < WORTH_READY:
        return False
    folder = cache_directory()
    compiled = folder.is_dir() and os.access(folder, os.W_OK) and any(folder.iterdir())
    return size >= (WORTH_READY if compiled else WORTH_COMPILING)


def _standard_input() -> int:
    if sys.stdin is None:
        return 0
    status = os.fstat(sys.stdin.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


FLUSH_EACH: Final = 0.2
"""Seconds between flushes, so that the reader of a slow pipe sees answers arrive."""


class Progress:
    """Progress shown on a terminal, and nowhere else."""

    def __init__(self) -> None:
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._lines = 0
        self._next = time.monotonic() + FLUSH_EACH
        self._shown = False

    def tick(self, lines: int = 1) -> bool:
        """Count lines and return whether it is time to flush the answers."""
        self._lines += lines
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + FLUSH_EACH
        if self._terminal:
            sys.stderr.write(f"\r{self._lines:,} lines")
            self._shown = True
        return True

    def done(self) -> None:
        """End the progress line."""
        if self._shown:
            sys.stderr.write("\n")


NARROWEST = 40
WIDEST = 100
"""Longer lines are hard to read, however wide the window."""


def page_width() -> int:
    """Return the window's width in columns, within reason, or 80 if there is no window."""
    if not sys.stdout.isatty():
        return 80
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def paragraph(text: str, width: int, *, first: str = "", indent: int = 0) -> list[str]:
    """Wrap text into indented lines; `first` goes in the indent of the first line."""
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
    """Align rows of cells; the columns in `right` are right-aligned, the others left-aligned."""
    table = [list(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
