"""The checklist of a visit in words: what to check, and what was seen, for the page and the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audits.replay.findings.wording import describe_title
from audits.review.visits.models import Look, VisitDifference
from audits.review.visits.reads import items_with_looks
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from audits.replay.findings.models import Issue
    from audits.review.visits.models import Visit, VisitItem


Outcome = Look.Outcome


OF_ISSUE = {Outcome.AS_APPROVED: "Corrected", Outcome.DIFFERS: "Not corrected"}


@dataclass(frozen=True)
class CheckedItem:
    """An item of the checklist, the newest look at it, and the issue of its difference."""

    item: VisitItem
    look: Look | None
    issue: Issue | None

    @property
    def outcome(self) -> Outcome:
        """Return the result so far."""
        return Outcome(self.look.outcome) if self.look else Outcome.NOT_LOOKED_AT

    @property
    def result(self) -> str:
        """Return the result so far, in words."""
        if self.item.issue is not None and self.outcome in OF_ISSUE:
            return OF_ISSUE[self.outcome]
        return str(self.outcome.label)

    @property
    def state(self) -> str:
        """Return the kind of its mark."""
        marks = {Outcome.AS_APPROVED: "working", Outcome.DIFFERS: "failing"}
        return marks.get(self.outcome, "waiting")

    @property
    def title(self) -> str:
        """Return what to check."""
        if self.item.issue is not None:
            return describe_title(self.item.issue)
        about = f": {describe_name(self.item.about)}" if self.item.about else ""
        return f"{self.item.get_kind_display()}{about}"

    @property
    def where(self) -> str:
        """Return the table and game."""
        if self.item.issue is not None:
            return "Open issues"
        if not self.item.table:
            return "The whole floor"
        return f"Table {self.item.table}, {describe_name(self.item.game)}"


def checked_items(visit: Visit) -> list[CheckedItem]:
    """Return the checklist of a visit as it is now."""
    differences = VisitDifference.objects.filter(end__visit=visit).select_related("issue")
    issues = {each.look_id: each.issue for each in differences}
    return [
        CheckedItem(item, look, issues.get(look.pk) if look else None)
        for item, look in items_with_looks(visit)
    ]
