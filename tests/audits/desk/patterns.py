"""Patterns for tests of the desk, as a replay leaves them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from audits.models import Pattern, PatternVisibility
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.models import Party, Person

OPENED = datetime(2025, 7, 14, 19, tzinfo=UTC)  # a Monday, noon in Washington


def pattern_of(party: Party, *, seen_by: Party, table: str = "T1", **fields: Any) -> Pattern:
    """A pattern of an operator that the commission's unit is shown."""
    with without_walls():
        made = Pattern.objects.create(
            party=party,
            game="pyramid-poker",
            table=table,
            opened=fields.pop("opened", OPENED),
            **{
                "code": "settlement.three_card",
                "wager": "three_card",
                "line": "straight_flush",
                "weight": "money",
                "findings": 3,
                "rounds": 3,
                **fields,
            },
        )
        PatternVisibility.objects.create(shown=made, party=seen_by)
    return made


def unit_of_agent(agent: Person) -> Party:
    with without_walls():
        return agent.memberships.get().party
