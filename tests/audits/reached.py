"""One replay and one released pattern of a party, for tests that try every address as everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from audits.models import PatternVisibility
from compliance.walls import without_walls
from tests.audits.desk.patterns import pattern_of
from tests.audits.replay.ledger_rows import commission, made_replay

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.models import Party

NO_AUDITS: dict[str, Any] = {"replay": uuid4(), "pattern": uuid4()}


def audits_of(party: Party, asked: Collection[str]) -> dict[str, Any]:
    """What the names asked for need, and no more."""
    made: dict[str, Any] = {}
    if "replay" in asked:
        made["replay"] = made_replay(code=party.code).uuid
    if "pattern" in asked:
        pattern = pattern_of(party, seen_by=commission())
        with without_walls():
            PatternVisibility.objects.create(shown=pattern, party=party)
        made["pattern"] = pattern.uuid
    return made
