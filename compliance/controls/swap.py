"""Whether two versions of internal controls differ by a swap of games alone (WAC 230-15-440(2))."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def only_games_are_swapped(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether games came, went or moved to other tables, and nothing else changed.

    A game that stays is played as before, and at a table where it stays under the same limits.
    """
    if _but(before, "games") != _but(after, "games"):
        return False
    old, new = before.get("games", {}), after.get("games", {})
    stay = old.keys() & new.keys()
    return old != new and all(_stays(old[game], new[game]) for game in stay)


def _stays(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    tables, others = old.get("tables", {}), new.get("tables", {})
    same = all(tables[table] == others[table] for table in tables.keys() & others.keys())
    return same and _but(old, "tables") == _but(new, "tables")


def _but(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key != name}
