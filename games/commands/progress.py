"""How far long work has come: said on a terminal, and there only."""

from __future__ import annotations

import sys
import time
from typing import Final

FLUSH_EACH: Final = 0.2
"""Seconds after which answers are passed on, so that a slow pipe sees them come."""


class Progress:
    """Says on a terminal, and there only, how far the work has come."""

    def __init__(self) -> None:
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._lines = 0
        self._next = time.monotonic() + FLUSH_EACH
        self._shown = False

    def tick(self, lines: int = 1) -> bool:
        """Count lines; whether it is time to pass answers on."""
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
        """End the line that was written over and over."""
        if self._shown:
            sys.stderr.write("\n")
