"""Findings that no round carries: of a day, of a visit. They have patterns like all others."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from django.db.models import Max, Min, Sum

from audits.models import Finding, Pattern, PatternNight, PatternVisibility
from audits.selectors.commission import commission_unit
from audits.services.clauses import name_clauses
from audits.services.release import release_as_standing
from audits.services.work import work_on
from compliance import clock
from games.judge.finding import weight

if TYPE_CHECKING:
    from datetime import date

    from compliance.models import Party


def pattern_of_cause(
    *, party: Party, code: str, game: str = "", table: str = "", wager: str = "", line: str = ""
) -> Pattern:
    """The open pattern of a cause, or a new one after the last that was decided."""
    cause = {"party": party, "game": game, "table": table, "code": code, "wager": wager,
             "line": line}  # fmt: skip
    found = Pattern.objects.filter(open=True, **cause).first()
    if found is not None:
        return found
    made = Pattern.objects.create(
        **cause,
        weight=weight(code),
        opened=clock.now(),
        again_after=Pattern.objects.filter(open=False, **cause).order_by("-pk").first(),
    )
    PatternVisibility.objects.create(shown=made, party=commission_unit())
    work_on(pattern=made, unit=commission_unit())
    release_as_standing(pattern=made)
    return made


def count_night(pattern: Pattern, day: date) -> None:
    """Count a pattern's night again, and the pattern over its nights."""
    holding = pattern.shown_findings.filter(day=day).exclude(standing=Finding.Standing.GONE)
    name_clauses(pattern=pattern, cites=set(chain(*holding.values_list("cites", flat=True))))
    figures = holding.aggregate(first=Min("at"), last=Max("at"))
    PatternNight.objects.update_or_create(
        pattern=pattern,
        day=day,
        defaults={"findings": holding.count(), "rounds": 0, "over": 0, "under": 0, **figures},
    )
    over_all = pattern.nights.aggregate(
        findings=Sum("findings"), first=Min("first"), last=Max("last")
    )
    for name, value in over_all.items():
        setattr(pattern, name, value)
    pattern.save(update_fields=list(over_all))
