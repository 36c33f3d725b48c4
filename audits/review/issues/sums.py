"""Sums of issues over their nights: kept up with each night, or added up again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Max, Min

from audits.replay.findings.models import Issue
from audits.replay.findings.reads import impact_of, sum_of_cents
from audits.review.issues.nights import SUMMED
from games.cents import LARGEST_SUM, clamp_cents

if TYPE_CHECKING:
    from collections.abc import Collection

    from audits.replay.findings.models import IssueNight

Names = tuple[str, str, str]
"""Table, wager and line of a part of an issue."""

Before = Mapping[str, Any]
"""The counts and edges of a night as they were."""

NAMES: Final = ("table", "wager", "line")
KEPT: Final = (*SUMMED, "first", "last", *NAMES, "impact")


def count_issue(issue: Issue) -> None:
    """Sum an issue over its nights, and name its table, wager and line where it has only one."""
    sums = issue.nights.aggregate(
        **{name: sum_of_cents(name) for name in SUMMED}, first=Min("first"), last=Max("last")
    )
    only = {
        name: next(iter(found)) if len(found) == 1 else ""
        for name in NAMES
        if (found := _names(issue, name))
    }
    for name, value in {**sums, **only}.items():
        setattr(issue, name, value)
    _write(issue)


def _names(issue: Issue, name: str) -> set[str]:
    """Return up to two of the tables, wagers or lines at which an issue has findings."""
    parts = issue.parts.filter(findings__gt=0).order_by()
    return set(parts.values_list(name, flat=True).distinct()[:2])


def _write(issue: Issue) -> None:
    issue.impact = impact_of(issue)
    Issue.objects.filter(pk=issue.pk).update(**{name: getattr(issue, name) for name in KEPT})


class Sums:
    """The sums of issues in a transaction that changes their nights.

    A night changes its issue's sums by what it adds, so that the cost doesn't grow with the nights
    on file. What can't be known from that night alone is added up again, once for all nights.
    """

    def __init__(self) -> None:
        self._issues: dict[int, Issue] = {}
        self._stale: set[int] = set()

    def change(
        self,
        issue: Issue,
        night: IssueNight,
        before: Before | None,
        names: Collection[Names],
        names_before: Collection[Names],
    ) -> None:
        """Replace a night in the sums; `before` is what it was, None if it is new.

        `names` are those of the night's parts with findings. The night and its parts are written.
        """
        if (known := self._issues.get(issue.pk)) is not None:
            for name in KEPT:
                setattr(issue, name, getattr(known, name))
        self._issues[issue.pk] = issue
        if not (
            _name(issue, before, names, names_before)
            and _extend(issue, night, before)
            and _add(issue, night, before)
        ):
            self._stale.add(issue.pk)

    def write(self) -> None:
        """Write the sums that changed."""
        for issue in self._issues.values():
            if issue.pk in self._stale:
                count_issue(issue)
            else:
                _write(issue)
        self._issues.clear()
        self._stale.clear()


def _add(issue: Issue, night: IssueNight, before: Before | None) -> bool:
    """Add a night's counts and amounts; return False if a sum is at its bound."""
    for name in SUMMED:
        total = getattr(issue, name)
        if total >= LARGEST_SUM:
            return False
        was = before[name] if before is not None else 0
        setattr(issue, name, clamp_cents(total + getattr(night, name) - was))
    return True


def _extend(issue: Issue, night: IssueNight, before: Before | None) -> bool:
    """Extend the period; return False if the night was its edge and is not any more."""
    for name, outer in (("first", min), ("last", max)):
        now, edge = getattr(night, name), getattr(issue, name)
        was = before[name] if before is not None else None
        if was is not None and was == edge and now != was:
            return False
        if now is not None:
            setattr(issue, name, now if edge is None else outer(edge, now))
    return True


def _name(
    issue: Issue, before: Before | None, names: Collection[Names], names_before: Collection[Names]
) -> bool:
    """Name the only table, wager and line; return False if one of the night's names is gone."""
    is_alone = issue.findings == (0 if before is None else before["findings"])
    for place, name in enumerate(NAMES):
        found = {each[place] for each in names}
        only = getattr(issue, name)
        if not is_alone:
            if {each[place] for each in names_before} - found:
                return False
            if found and found != {only}:
                # Nothing is named where there are several, or where the only one is empty.
                found = {*found, only} if only or len(found) > 1 else _names(issue, name)
        if found:
            setattr(issue, name, next(iter(found)) if len(found) == 1 else "")
    return True
