"""Where Numba keeps what it compiled, for many processes at once.

Two processes that compile one function for different arguments at the same time give their code the
same file name, and whoever loads it later calls machine code made for other arguments. So one saves
after the other.
"""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

_numba: Any = numba  # its type hints leave the configuration out
_caching: Any = caching


class KernelCache(_caching.FunctionCache):  # type: ignore[misc]
    """Numba's own cache; its index is read and written by one process at a time."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._lock = Path(_numba.config.CACHE_DIR) / "lock"

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save what was compiled for a signature."""
        with self._lock.open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            super().save_overload(sig, data)
