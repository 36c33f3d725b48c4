"""What a package that opens issues shows on their page: it registers this in `hooks`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from audits.replay.findings.models import Issue


@dataclass(frozen=True)
class OpenersPart:
    """A part of the page of issues whose code begins so, for the commission alone.

    `shows` takes the issue, and whether the reader sees rounds; it returns the template's `shown`.
    """

    begins: str
    template: str
    shows: Callable[..., Any]


_parts: dict[str, OpenersPart] = {}


def register(part: OpenersPart) -> None:
    """Add a part."""
    _parts[part.begins] = part


def openers_part(issue: Issue, *, sees_rounds: bool) -> dict[str, Any]:
    """Return the template and what it shows; nothing for issues that a replay opens."""
    for part in _parts.values():
        if issue.code.startswith(part.begins):
            shown = part.shows(issue, sees_rounds=sees_rounds)
            return {"opener": part.template, "shown": shown}
    return {}
