"""Letters of decisions: one is ordered for each approval and each denial, without being asked for.

The database says which decisions have no letter yet, so that none is lost while nothing runs, and
none is made twice. The letter is shown to its holder as soon as it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from compliance.actor import SYSTEM
from compliance.models import Approval, Denial
from compliance.walls import without_walls
from reports.documents.kinds import About
from reports.documents.letters import APPROVAL_LETTER, DENIAL_LETTER
from reports.models import ReportOrder
from reports.services.orders import order_report

if TYPE_CHECKING:
    from uuid import UUID

MOST_AT_ONCE = 200


def order_letters() -> int:
    """Order the letters of decisions that have none; how many orders were placed."""
    with without_walls():
        due = [
            (kind.name, decision)
            for kind, decisions in ((APPROVAL_LETTER, Approval), (DENIAL_LETTER, Denial))
            for decision in _without_letter(decisions, kind.name)
        ]
        for kind, decision in due:
            order_report(kind=kind, about=About(subject=decision), by=SYSTEM)
    return len(due)


def _without_letter(decisions: type[Approval | Denial], kind: str) -> list[UUID]:
    ordered = ReportOrder.objects.filter(kind=kind, subject=OuterRef("uuid"))
    due = decisions.objects.filter(~Exists(ordered)).order_by("pk")
    return list(due.values_list("uuid", flat=True)[:MOST_AT_ONCE])
