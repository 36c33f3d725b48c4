"""What the commission has approved, for anybody to read: games, whose word it was, since when.

Approvals of the tribes' agencies and of operators' controls are not here: they tell of an operator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.models import Approval, Person, RuleVersion, Withdrawal
from compliance.walls import without_walls

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID


@dataclass(frozen=True)
class Published:
    """A rule version with the commission's approval of it, and who gave it."""

    version: RuleVersion
    approval: Approval
    by: str
    withdrawn: datetime | None
    """From when on the approval holds no more."""


def published(*, slug: str | None = None, version: UUID | None = None) -> list[Published]:
    """Approved rule versions, by the game's name and the newest first; of one game, or one."""
    with without_walls():
        approvals = {
            each.subject: each
            for each in Approval.objects.filter(
                kind=Approval.Kind.COMMISSION, subject_type=RuleVersion._meta.label_lower
            ).select_related("by_party", "party")
        }
        found = RuleVersion.objects.filter(uuid__in=approvals).select_related("game__supplier")
        if slug is not None:
            found = found.filter(game__slug=slug)
        if version is not None:
            found = found.filter(uuid=version)
        ended = Withdrawal.objects.filter(step=Withdrawal.Step.FINAL)
        withdrawn = dict(ended.values_list("approval", "in_effect_from"))
        people = Person.objects.filter(uuid__in=[each.by for each in approvals.values()])
        names = dict(people.values_list("uuid", "name"))
        return [
            Published(
                each,
                approvals[each.uuid],
                names.get(approvals[each.uuid].by, ""),
                withdrawn.get(approvals[each.uuid].pk),
            )
            for each in found.order_by("game__name", "-number")
        ]
