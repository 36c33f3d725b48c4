"""Kernels: scalar functions on small integers that read like the clauses, and their compiled twins.

An imported kernel is the plain Python function: `explain` and a single round need nothing else, and
Numba isn't loaded. `compiled(kernel)` is the same function for loops over columns.

A kernel may use integers, tuples and arrays of integers, module constants, and other kernels
imported *by name*. Pay tables and interpretations are arguments, because a compiled cache doesn't
notice when a global changes its value.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = Path(__file__).resolve().parent

Function = TypeVar("Function", bound="Callable[..., Any]")

_kernels: set[Callable[..., Any]] = set()


def kernel(function: Function) -> Function:
    """Mark a function as a kernel, which stays the plain function."""
    _kernels.add(function)
    return function


def is_kernel(thing: object) -> bool:
    """Return whether an object is a function marked as a kernel."""
    return isinstance(thing, FunctionType) and thing in _kernels


@cache
def sources_digest() -> str:
    """Return the SHA-256 of all Python sources of the engine, on which compiled kernels depend."""
    digest = hashlib.sha256()
    for source in sorted(GAMES.rglob("*.py")):
        digest.update(source.relative_to(GAMES).as_posix().encode() + b"\0")
        digest.update(source.read_bytes() + b"\0")
    return digest.hexdigest()


def cache_directory() -> Path:
    """Return the folder of compiled kernels, named by the sources: stale ones give wrong verdicts.

    Numba itself does not see an edit in another module or in a global (numba #1833, #9483).
    """
    root = os.environ.get("KERNEL_CACHE")
    base = Path(root) if root else GAMES.parent / "var" / "kernels"
    return base / sources_digest()[:32]


@cache
def can_keep() -> bool:
    """Return whether compiled kernels can be kept on disk; if not, each process compiles them."""
    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(directory, os.W_OK | os.X_OK)


def compiled(function: Function) -> Function:
    """Return the Numba twin of a kernel, with the same results, for compiled code and loops.

    The function is rebuilt with every kernel that it calls replaced by its twin.
    """
    return cast("Function", _twin(function))


@cache
def _twin(function: Callable[..., Any]) -> Callable[..., Any]:
    if not is_kernel(function):
        message = f"{function.__module__}.{function.__qualname__} is not marked @kernel."
        raise TypeError(message)
    plain = cast("FunctionType", function)
    names = {
        name: _twin(called)
        for name in plain.__code__.co_names
        if is_kernel(called := plain.__globals__.get(name)) and called is not plain
    }
    code = plain.__code__
    by_place = code.replace(  # Numba loses positional arguments next to keyword-only ones
        co_argcount=code.co_argcount + code.co_kwonlyargcount, co_kwonlyargcount=0
    )
    rebuilt = FunctionType(
        by_place,
        {**plain.__globals__, **names},
        plain.__name__,
        plain.__defaults__,
        plain.__closure__,
    )
    rebuilt.__module__ = plain.__module__
    rebuilt.__qualname__ = plain.__qualname__
    return cast("Callable[..., Any]", jit(rebuilt, allocates=False))


def jit(function: Callable[..., Any], *, allocates: bool = True, inline: bool = False) -> Any:
    """Compile for one thread without the GIL, cached on disk under the sources' digest.

    A kernel allocates nothing. Declaring that avoids counting references atomically on every call
    to the columns it is given: two to ten times faster where kernels call kernels.

    With `inline`, it is copied into its callers, which pays where a call passes dozens of arrays.

    Never use `parallel=True`: it dies in forked workers (OpenMP) or aborts under threads
    (workqueue). Loops over columns are compiled with this too; whatever they call must be
    `compiled(kernel)`.
    """
    import numba  # takes seconds to import, and a single round doesn't need it

    directory = cache_directory()
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(directory)
    try:
        njit: Any = numba.njit  # its type hints omit `_nrt`
        made = njit(nogil=True, _nrt=allocates, forceinline=inline)(function)
        if can_keep():
            from games.kernel_cache import cache_of

            if cache := cache_of(function):
                made._cache = cache
        return made
    finally:
        settings.CACHE_DIR = before
