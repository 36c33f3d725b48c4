"""What is on file about an operator from before: what a level is recommended in view of.

WAC 230-17-137(1)(d)(ii) names the prior history by its levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Max, Sum

from audits.models import Case, Pattern
from audits.selectors.sums import of_players, sum_of_cents
from compliance.walls import without_walls

if TYPE_CHECKING:
    from compliance.models import Party

MOST = 50
HELD_AGAINST = (Pattern.State.CONFIRMED, Pattern.State.CORRECTED)


@dataclass(frozen=True)
class PriorHistory:
    """Other cases, the newest first, and what was confirmed or corrected, by code."""

    cases: list[Case]
    more: bool
    """Whether there are older cases than those named."""
    decided: list[dict[str, Any]]


def prior_history(party: Party, *, but: Case | None = None) -> PriorHistory:
    """The history of an operator but for one case and what lies in it; for the commission alone."""
    with without_walls():
        cases = Case.objects.filter(party=party)
        patterns = Pattern.objects.filter(party=party, state__in=HELD_AGAINST)
        if but is not None:
            cases = cases.exclude(pk=but.pk)
            inside = but.items.filter(pattern__isnull=False, removal__isnull=True)
            patterns = patterns.exclude(pk__in=inside.values("pattern"))
        found = list(cases[: MOST + 1])
        decided = patterns.order_by("code", "state").values("code", "state").annotate(
            patterns=Count("pk"), sum_rounds=Sum("rounds"), latest=Max("last"),
            sum_over=sum_of_cents("over", of_players()),
            sum_under=sum_of_cents("under", of_players()),
        )  # fmt: skip
        return PriorHistory(found[:MOST], len(found) > MOST, [dict(each) for each in decided])
