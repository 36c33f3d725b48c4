"""Patterns as other programs are told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audits.instants import told
from audits.models import Pattern
from compliance.selectors.in_force import zone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from compliance.models import Party

PATTERN_FIELDS = (
    *("pattern", "operator", "game", "table", "code", "wager", "line"),
    *("rounds", "over", "under", "first", "last", "diagnosis", "state"),
)


def patterns(*, operator: Party | None = None) -> Iterator[dict[str, Any]]:
    """Every pattern whose findings are on file, of one operator or of all, oldest first."""
    found = Pattern.objects.select_related("party").exclude(findings=0).order_by("pk")
    if operator is not None:
        found = found.filter(party=operator)
    for pattern in found.iterator(chunk_size=500):
        yield {
            "pattern": str(pattern.uuid),
            "operator": pattern.party.code,
            "game": pattern.game or None,
            "table": pattern.table or None,
            "code": pattern.code,
            "wager": pattern.wager or None,
            "line": pattern.line or None,
            "rounds": pattern.rounds,
            "over": pattern.over,
            "under": pattern.under,
            "first": _told(pattern.first),
            "last": _told(pattern.last),
            "diagnosis": pattern.diagnosis or None,
            "state": pattern.state,
        }


def _told(at: datetime | None) -> str | None:
    return told(at, zone()) if at is not None else None
