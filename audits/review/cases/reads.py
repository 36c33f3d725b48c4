"""Find cases and an operator's prior history."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Max, Sum

from audits.replay.findings.models import Issue
from audits.replay.findings.reads import of_players, sum_of_cents
from audits.review.cases.models import Case
from compliance.access.scope import without_access_scope
from compliance.retention.reads import HoldTarget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from compliance.access.models import Party


NUMBER = re.compile(r"(?:CR\s*)?(\d{4})-(\d{1,9})", re.IGNORECASE)
APPARENT = "apparent"
"""An apparent violation: no level is recommended yet."""


def chosen_cases(found: QuerySet[Case], chosen: Mapping[str, Any]) -> QuerySet[Case]:
    """Filter cases by `operator` (a party), `state`, `level` and `sought`."""
    if operator := chosen.get("operator"):
        found = found.filter(party=operator)
    if state := chosen.get("state"):
        found = found.filter(state=state)
    if level := chosen.get("level"):
        found = found.filter(level="" if level == APPARENT else level)
    sought = chosen.get("sought", "")
    if number := NUMBER.fullmatch(sought):
        return found.filter(year=int(number[1]), serial=int(number[2]))
    return found.filter(title__icontains=sought) if sought else found


MOST = 50
COUNTED_AGAINST = (Issue.State.CONFIRMED, Issue.State.CORRECTED)


@dataclass(frozen=True)
class PriorHistory:
    """Other cases, newest first, and confirmed or corrected issues by code."""

    cases: list[Case]
    more: bool
    """Whether there are older cases than those listed."""
    decided: list[dict[str, Any]]


def prior_history(party: Party, *, but: Case | None = None) -> PriorHistory:
    """Return an operator's history, except one case and its items; for the commission alone."""
    with without_access_scope():
        cases = Case.objects.filter(party=party)
        issues = Issue.objects.filter(party=party, state__in=COUNTED_AGAINST)
        if but is not None:
            cases = cases.exclude(pk=but.pk)
            inside = but.items.filter(issue__isnull=False, removal__isnull=True)
            issues = issues.exclude(pk__in=inside.values("issue"))
        found = list(cases[: MOST + 1])
        decided = issues.order_by("code", "state").values("code", "state").annotate(
            issues=Count("pk"), sum_rounds=Sum("rounds"), latest=Max("last"),
            sum_over=sum_of_cents("over", of_players()),
            sum_under=sum_of_cents("under", of_players()),
        )  # fmt: skip
        return PriorHistory(found[:MOST], len(found) > MOST, [dict(each) for each in decided])


def find_case_to_hold(name: str) -> HoldTarget | None:
    """Find a case by its number; a hold on it covers everything of its operator."""
    number = NUMBER.fullmatch(name)
    if number is None:
        return None
    found = Case.objects.filter(year=int(number[1]), serial=int(number[2]))
    case = found.select_related("party").first()
    if case is None:
        return None
    return HoldTarget(case.uuid, case.party.uuid, f"case {case}: all of {case.party}", case.party)
