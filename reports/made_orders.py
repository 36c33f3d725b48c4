"""Who is told that an ordered report was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from reports.models import Report

_then: list[Callable[[Report], None]] = []


def then(does: Callable[[Report], None]) -> None:
    """Have something done whenever an ordered report is made, before its order is done with.

    It is done again if the worker dies on the way, so that it must not mind that.
    """
    if does not in _then:
        _then.append(does)


def tell_made(report: Report) -> None:
    """Do what follows from a report that was made."""
    for does in _then:
        does(report)
