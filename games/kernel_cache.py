"""Where Numba keeps what it compiled, for many processes at once.

Two processes that compile one function for different arguments at the same time give their code the
same file name, and whoever loads it later calls machine code made for other arguments. So one saves
after the other.

What is kept saves time and nothing else: on a full disk a kernel is compiled, used, and not kept.
"""

from __future__ import annotations

import fcntl
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

_numba: Any = numba  # its type hints leave the configuration out
_caching: Any = caching


class _Place(_caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Only the folder that the sources name: beside the code Numba would find stale kernels."""

    _locator_classes = (_caching.UserProvidedCacheLocator,)


class KernelCache(_caching.FunctionCache):  # type: ignore[misc]
    """Numba's own cache; its index is read and written by one process at a time."""

    _impl_class = _Place

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._lock = Path(_numba.config.CACHE_DIR) / "lock"

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save what was compiled for a signature, if there is room."""
        with suppress(OSError), self._lock.open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            super().save_overload(sig, data)


def cache_of(function: Any) -> KernelCache | None:
    """The cache of a function; None where its folder cannot be made."""
    try:
        return KernelCache(function)
    except RuntimeError:  # Numba's word for it
        return None
