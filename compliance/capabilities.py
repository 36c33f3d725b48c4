"""What the system can do so far, in sentences: each room registers its own when Django starts.

The home page and `make audit` tell it; nothing is listed before it works.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Capability:
    """One thing that works today; `url_name` is the page where one sees it, if there is one."""

    title: str
    says: str
    order: int
    url_name: str = ""


_capabilities: dict[str, Capability] = {}


def register(capability: Capability) -> None:
    """Add what a room can do; a room does this in `AppConfig.ready`."""
    _capabilities[capability.title] = capability


def capabilities() -> list[Capability]:
    """Everything the system can do so far, in order."""
    return sorted(_capabilities.values(), key=lambda each: (each.order, each.title))
