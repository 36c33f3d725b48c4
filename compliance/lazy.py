"""Functions named by their path, and imported when they are first called.

Each app's `hooks.py` runs when any process starts, and few processes need what it registers.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def lazy(path: str) -> Callable[..., Any]:
    """Return the function at a path; the same for the same path, so registering twice is once."""

    def call(*given: Any, **named: Any) -> Any:
        return import_string(path)(*given, **named)

    call.__qualname__ = path
    return call
