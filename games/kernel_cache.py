"""Where Numba stores its compiled code, for many processes at once.

Two processes that compile one function for different arguments at the same time give their code the
same file name, and a process that loads it later calls machine code made for other arguments. So
saving is serialized. Compiling is serialized too, so that the second process loads what the first
compiled: it takes seconds, which all processes that start together would otherwise spend.

The cache only saves time: on a full disk a kernel is compiled, used, and not stored.
"""

from __future__ import annotations

import fcntl
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final, TextIO

import numba
from numba.core import caching

_numba: Any = numba  # its type hints omit the configuration
_caching: Any = caching

PATIENCE: Final = 120
"""Seconds; no function takes this long to compile."""


class _Place(_caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Only the folder named by the sources: next to the code, Numba would find stale kernels."""

    _locator_classes = (_caching.UserProvidedCacheLocator,)


class KernelCache(_caching.FunctionCache):  # type: ignore[misc]
    """Numba's own cache, whose index is read and written by one process at a time."""

    _impl_class = _Place
    _turns: ClassVar[dict[Path, TextIO]] = {}

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        folder = Path(_numba.config.CACHE_DIR)
        self._lock = folder / "lock"
        self._turn = folder / f"{function.__module__}.{function.__qualname__}.turn"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code compiled for a signature, or None if this process has to compile it."""
        found = super().load_overload(sig, target_context)
        if found is None and self._take_turn():
            found = super().load_overload(sig, target_context)
            if found is not None:
                self._end_turn()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the code compiled for a signature, if there is room."""
        try:
            with suppress(OSError), self._lock.open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                super().save_overload(sig, data)
        finally:
            self._end_turn()

    def _take_turn(self) -> bool:
        """Wait until no other process compiles the function, but don't wait for one that hangs.

        The lock belongs to the process, so one that exits or forks leaves none behind.
        """
        if self._turn in self._turns:
            return False
        until = time.monotonic() + PATIENCE
        with suppress(OSError):
            lock = self._turn.open("w")
            while time.monotonic() < until:
                try:
                    fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    time.sleep(0.02)
                else:
                    self._turns[self._turn] = lock
                    return True
            lock.close()
        return False

    def _end_turn(self) -> None:
        if lock := self._turns.pop(self._turn, None):
            lock.close()


def cache_of(function: Any) -> KernelCache | None:
    """Return the cache of a function, or None if its folder can't be created."""
    try:
        return KernelCache(function)
    except RuntimeError:  # Numba's exception for it
        return None
