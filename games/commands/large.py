"""When logs are so large that reading them into columns is worth its start."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from games.kernel import cache_directory

if TYPE_CHECKING:
    from collections.abc import Sequence

WORTH_READY: Final = 16 << 20
WORTH_COMPILING: Final = 512 << 20
"""Bytes of logs from which columns are faster, with the kernels compiled before or not yet."""


def worth_it(logs: Sequence[str]) -> bool:
    """Whether the logs (without any, standard input) are large enough for columns."""
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
    told = os.fstat(sys.stdin.fileno())
    return told.st_size if stat.S_ISREG(told.st_mode) else 0
