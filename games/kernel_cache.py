"""Where Numba keeps what it compiled, for many processes at once.

Two processes that compile one function for different arguments at the same time give their code the
same file name, and whoever loads it later calls machine code made for other arguments. So one saves
after the other. And one compiles after the other, so that the second loads what the first made:
it takes seconds, which processes that begin together would all spend.

What is kept saves time and nothing else: on a full disk a kernel is compiled, used, and not kept.
"""

from __future__ import annotations

import fcntl
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final, TextIO

import numba
from numba.core import caching

_numba: Any = numba  # its type hints leave the configuration out
_caching: Any = caching

PATIENCE: Final = 120
"""Seconds; no function takes so long to compile."""


class _Place(_caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Only the folder that the sources name: beside the code Numba would find stale kernels."""

    _locator_classes = (_caching.UserProvidedCacheLocator,)


class KernelCache(_caching.FunctionCache):  # type: ignore[misc]
    """Numba's own cache; its index is read and written by one process at a time."""

    _impl_class = _Place
    _turns: ClassVar[dict[Path, TextIO]] = {}

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        folder = Path(_numba.config.CACHE_DIR)
        self._lock = folder / "lock"
        self._turn = folder / f"{function.__module__}.{function.__qualname__}.turn"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; None when it is for this process to compile it."""
        found = super().load_overload(sig, target_context)
        if found is None and self._take_turn():
            found = super().load_overload(sig, target_context)
            if found is not None:
                self._end_turn()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save what was compiled for a signature, if there is room."""
        try:
            with suppress(OSError), self._lock.open("w") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                super().save_overload(sig, data)
        finally:
            self._end_turn()

    def _take_turn(self) -> bool:
        """Wait until no other process compiles the function, but not for one that hangs.

        The lock is the process's own: one that ends or forks leaves none behind.
        """
        if self._turn in self._turns:
            return False
        until = time.monotonic() + PATIENCE
        with suppress(OSError):
            held = self._turn.open("w")
            while time.monotonic() < until:
                try:
                    fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    time.sleep(0.02)
                else:
                    self._turns[self._turn] = held
                    return True
            held.close()
        return False

    def _end_turn(self) -> None:
        if held := self._turns.pop(self._turn, None):
            held.close()


def cache_of(function: Any) -> KernelCache | None:
    """The cache of a function; None where its folder cannot be made."""
    try:
        return KernelCache(function)
    except RuntimeError:  # Numba's word for it
        return None
