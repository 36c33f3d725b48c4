"""The order and the groups of the queue."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Case, Count, IntegerField, Value, When
from django.db.models.functions import Abs, Coalesce

from audits.replay.findings.models import Issue
from audits.replay.findings.reads import sum_of_cents
from audits.replay.findings.wording import title_of
from audits.review.queue.tables import is_due_today, is_late
from compliance.ui.lists import dollars
from games.explanation.words import describe_name
from games.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet


IMPACT: Final = "impact"
SORTS: Final[dict[str, tuple[str, str]]] = {
    IMPACT: ("Impact: severity, then money", "-impact"),
    "amount": ("Amount", "-moved"),
    "rounds": ("Rounds", "-rounds"),
    "due": ("Due date", "work__due"),
    "title": ("What went wrong", "headline"),
    "operator": ("Operator", "party__name"),
    "game": ("Game", "game"),
    "table": ("Table", "table"),
    "state": ("State", "state"),
    "assigned": ("Assigned to", "holder"),
    "opened": ("Opened, newest first", "-opened"),
}
"""Label and field of each order."""

SEVERITY, UNGROUPED = "severity", "none"
GROUPS: Final[dict[str, tuple[str, str]]] = {
    SEVERITY: ("Severity", "place"),
    "operator": ("Operator", "party__name"),
    "game": ("Game", "game"),
    "assigned": ("Assigned to", "holder"),
    "state": ("State", "state"),
}
PLACES: Final = (
    "Play that was not approved",
    "Procedure that protects fairness",
    "Money",
    "Notices",
)


def annotated(found: QuerySet[Issue]) -> QuerySet[Issue]:
    """Add what the queue sorts and groups by."""
    return found.annotate(
        moved=Abs("over") + Abs("under"),
        holder=Coalesce("work__assigned_to__name", Value("")),
        place=Case(
            When(code__startswith="approval.", then=0),
            When(weight=Severity.PROCEDURE, then=1),
            When(weight=Severity.MONEY, then=2),
            default=3,
            output_field=IntegerField(),
        ),
    )


def order_of(asked: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the fields by which a list is sorted, as in `order_by`; together they are unique."""
    _, first = SORTS.get(asked.get("sort") or IMPACT, SORTS[IMPACT])
    if asked.get("reverse"):
        first = first.removeprefix("-") if first[0] == "-" else f"-{first}"
    group = group_of(asked)
    fields = [*([group] if group else []), first, "-impact", "-rounds", "pk"]
    seen: dict[str, str] = {}
    for each in fields:
        seen.setdefault(each.removeprefix("-"), each)
    return tuple(seen.values())


def group_of(asked: Mapping[str, Any]) -> str:
    """Return the field by which a list is grouped; empty if it is not."""
    name = asked.get("group") or SEVERITY
    return "" if name == UNGROUPED else GROUPS.get(name, GROUPS[SEVERITY])[1]


@dataclass(frozen=True)
class Row:
    """An issue as the list shows it."""

    issue: Issue
    title: str
    is_late: bool
    is_due_today: bool
    remarks: list[str]


def row_of(issue: Issue) -> Row:
    """Return an issue for the list; `work` and `proposal` must be selected."""
    proposal = getattr(issue, "proposal", None)
    remarks = [
        str(issue.get_state_display()),
        f"assigned to {issue.work.assigned_to}" if issue.work.assigned_to else "unassigned",
        "escalated" if issue.work.escalated and issue.open else "",
        "back after a decision" if issue.open and issue.changed_since else "",
        f"decision proposed by {proposal.by.name}" if proposal else "",
    ]
    late, today = is_late(issue), is_due_today(issue)
    return Row(issue, title_of(issue), late, today, [each for each in remarks if each])


@dataclass
class Group:
    """Issues of a page that belong together, and what all of the list's come to."""

    name: str = ""
    count: int = 0
    moved: int = 0
    rows: list[Row] = field(default_factory=list)

    @property
    def sums(self) -> str:
        """Return how many there are, and how much money."""
        many = f"{self.count:,} issue{'' if self.count == 1 else 's'}"
        return f"{many}, {dollars(self.moved)}" if self.moved else many


def grouped(shown: Iterable[Issue], found: QuerySet[Issue], by: str) -> list[Group]:
    """Return the issues of a page in their groups; the sums are of everything found."""
    if not by:
        return [Group(rows=[row_of(each) for each in shown])]
    sums = (
        found.order_by()
        .values(by)
        .annotate(count=Count("pk"), over=sum_of_cents("over"), under=sum_of_cents("under"))
    )
    groups = {
        each[by]: Group(_name(by, each[by]), each["count"], each["over"] + each["under"])
        for each in sums
    }
    on_page: dict[Any, Group] = {}
    for issue in shown:
        value: Any = issue
        for part in by.split("__"):
            value = getattr(value, part)
        on_page.setdefault(value, groups[value]).rows.append(row_of(issue))
    return list(on_page.values())


def _name(by: str, value: Any) -> str:
    if by == "place":
        return PLACES[value]
    if by == "state":
        return str(Issue.State(value).label)
    if by == "game":
        return describe_name(value) if value else "No game"
    return str(value) or "Unassigned"
