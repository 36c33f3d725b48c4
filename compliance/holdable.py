"""What a legal hold can be placed on: each room registers its kinds when Django starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from uuid import UUID

    from compliance.models import Party


@dataclass(frozen=True)
class Found:
    """A thing: its number, what files say they are of, its name in words, whose it is."""

    uuid: UUID
    covers: UUID
    name: str
    party: Party | None


@dataclass(frozen=True)
class Kind:
    """A kind of thing. `says` tells what to write to name one; `find` answers None for nothing."""

    name: str
    label: str
    says: str
    find: Callable[[str], Found | None]


_kinds: dict[str, Kind] = {}


def register(kinds: Iterable[Kind]) -> None:
    """Have holds placed on things of these kinds; a room does this in `AppConfig.ready`."""
    _kinds.update({kind.name: kind for kind in kinds})


def kinds() -> dict[str, Kind]:
    """Every kind by its name."""
    return _kinds
