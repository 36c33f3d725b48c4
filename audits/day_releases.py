"""Who is told that a gambling day was released: rooms above register what they show with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from audits.models import GamblingDay

    Shows = Callable[[GamblingDay], None]

_shows: list[Shows] = []


def on_release(shows: Shows) -> None:
    """Have something shown in the transaction that releases a day."""
    if shows not in _shows:
        _shows.append(shows)


def show_released(day: GamblingDay) -> None:
    """Show what goes with a day that is released now."""
    for shows in _shows:
        shows(day)
