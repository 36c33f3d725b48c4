"""What waits for the commission: what nobody has, is proposed, or is before the supervisors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Q

from audits.models import Work
from compliance.due import Due
from compliance.permissions import Action

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compliance.models import Party


def patterns_due(unit: Party) -> Iterator[Due]:
    """What is open in a unit and on no desk, proposed, and put before its supervisors."""
    left = Work.objects.filter(unit=unit, pattern__open=True).aggregate(
        free=Count("pk", filter=Q(assigned_to=None)),
        escalated=Count("pk", filter=Q(escalated__isnull=False)),
        proposed=Count("pattern__proposal"),
    )
    if free := left["free"]:
        says = "1 pattern is on nobody’s desk" if free == 1 else f"{free:,} are on nobody’s desk"
        yield Due(
            says=f"Choose a pattern and claim it: {says}",
            action=Action.REVIEW_FINDINGS,
            url_name="work",
            query="whose=unit&desk=nobody",
        )
    if proposed := left["proposed"]:
        yield Due(
            says=f"Agree to what a colleague proposed, or refuse it: {proposed:,} "
            f"{'waits' if proposed == 1 else 'wait'} for a second person",
            action=Action.REVIEW_FINDINGS,
            url_name="work",
            query="whose=unit&due=proposed",
        )
    if escalated := left["escalated"]:
        yield Due(
            says=f"Look at what was put before the supervisors: {escalated:,}",
            action=Action.ASSIGN_FINDINGS,
            url_name="work",
            query="whose=unit&due=escalated",
        )
