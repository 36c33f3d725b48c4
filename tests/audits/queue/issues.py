"""Issues for tests of the queue, as a replay leaves them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from audits.replay.findings.models import Issue, IssueVisibility
from audits.review.issues.assignments import due_of
from audits.review.issues.models import Work
from compliance.access.scope import without_access_scope

if TYPE_CHECKING:
    from compliance.access.models import Party, Person

OPENED = datetime(2025, 7, 14, 19, tzinfo=UTC)  # a Monday, noon in Washington


def issue_of(party: Party, *, seen_by: Party, table: str = "T1", **fields: Any) -> Issue:
    """Create an operator's issue that is shown to the commission's unit."""
    opened = fields.pop("opened", OPENED)
    values = {
        "code": "settlement.three_card",
        "wager": "three_card",
        "line": "straight_flush",
        "weight": "money",
        "findings": 3,
        "rounds": 3,
        **fields,
    }
    values.setdefault("cause", f"{values['code']} {table} {values['wager']} {values['line']}")
    with without_access_scope():
        made = Issue.objects.create(
            party=party, game="pyramid-poker", table=table, opened=opened, **values
        )
        IssueVisibility.objects.create(shown=made, party=seen_by)
    return made


def work_on(*, issue: Issue, unit: Party) -> Work:
    """Queue an issue, unless it is queued, without the event that settling writes."""
    with without_access_scope():
        values = {"unit": unit, "due": due_of(issue)}
        return Work.objects.get_or_create(issue=issue, defaults=values)[0]


def unit_of_agent(agent: Person) -> Party:
    with without_access_scope():
        return agent.memberships.get().party
