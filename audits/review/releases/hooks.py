"""Hooks for the release of a gambling day: higher layers register what they show with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from audits.intake.days.models import GamblingDay


if TYPE_CHECKING:
    Shows = Callable[[GamblingDay], None]

_shows: list[Shows] = []


def on_release(shows: Shows) -> None:
    """Register a function that runs in the transaction that releases a day."""
    if shows not in _shows:
        _shows.append(shows)


def show_released(day: GamblingDay) -> None:
    """Run the hooks for a day that is being released."""
    for shows in _shows:
        shows(day)
