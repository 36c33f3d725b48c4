"""What a party has to do, and by when: each room names its own sources when Django starts.

The home page lists it; whatever reminds people asks for the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from compliance.models import Party
    from compliance.permissions import Action


@dataclass(frozen=True, kw_only=True)
class Due:
    """One thing to do, told to whoever may do it; `on` is None where nothing sets a day.

    `query` is what a list is asked for, where the thing is one of its views.
    """

    says: str
    action: Action
    url_name: str
    args: tuple[str, ...] = ()
    query: str = ""
    on: date | None = None

    @property
    def link(self) -> str:
        """Where it is done."""
        return f"{reverse(self.url_name, args=self.args)}{self.query and f'?{self.query}'}"


_sources: dict[str, Callable[[Party], Iterable[Due]]] = {}


def register(name: str, source: Callable[[Party], Iterable[Due]]) -> None:
    """Add a source of what a party has to do; a room does this in `AppConfig.ready`."""
    _sources[name] = source


def due_of(party: Party) -> list[Due]:
    """All that a party has to do: by its day, and last what has none."""
    found = [each for name in sorted(_sources) for each in _sources[name](party)]
    return sorted(found, key=lambda each: (each.on is None, (each.on and each.on.toordinal()) or 0))
