"""How problems name what they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.definition.model import Wager
    from games.definition.problems import Problems


def unknown(
    problems: Problems, where: str, what: str, name: str | None, known: Iterable[str]
) -> bool:
    """Record a name that leads nowhere, and return whether it does."""
    names = tuple(known)
    if name is None or name in names:
        return False
    listed = ", ".join(f"`{each}`" for each in names) or "none"
    problems.add(where, f"There is no {what} `{name}`; there are {listed}.")
    return True


def place_of(wager: Wager) -> str:
    """Return where a wager or another result is in the definition."""
    return f"wager.{wager.id}" if wager.of is None else f"result.{wager.id}"
