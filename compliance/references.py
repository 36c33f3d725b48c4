"""Pages of `docs/reference/` that are made from the code: each room registers its own.

`manage.py write_references` makes them again; a test fails when one is stale.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_pages: dict[str, Callable[[], str]] = {}


def register(name: str, page: Callable[[], str]) -> None:
    """Add the page of a file in `docs/reference/`; a room does this in `AppConfig.ready`."""
    _pages[name] = page


def references() -> dict[Path, str]:
    """Every page's file, and what it says as the code stands."""
    folder = settings.BASE_DIR / "docs" / "reference"
    return {folder / name: page() for name, page in sorted(_pages.items())}
