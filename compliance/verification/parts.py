"""The register of what `verify all` checks besides the event log: each app adds its own parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from compliance.event_log.verifier import Answer


@dataclass(frozen=True)
class Part:
    """A part of the verification, and what it checks in a few words."""

    says: str
    check: Callable[[Answer], None]
    of_database: bool
    """It needs nothing but the database, so a restored one can be checked like this."""


_parts: dict[str, Part] = {}


def register(
    name: str, says: str, check: Callable[[Answer], None], *, of_database: bool = False
) -> None:
    """Register a part; an app does this in its `hooks`. The order of registration is kept."""
    _parts[name] = Part(says, check, of_database)


def parts() -> list[Part]:
    """List the parts in the order in which they are checked."""
    return list(_parts.values())
