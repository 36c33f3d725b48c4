"""The clauses of a pattern, so that it is found by any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.models import PatternClause

if TYPE_CHECKING:
    from collections.abc import Iterable

    from audits.models import Pattern


def name_clauses(*, pattern: Pattern, cites: Iterable[str]) -> None:
    """Remember that findings of a pattern rest on these; what is known stays as it is."""
    known = set(PatternClause.objects.filter(pattern=pattern).values_list("clause", flat=True))
    PatternClause.objects.bulk_create(
        [PatternClause(pattern=pattern, clause=each) for each in sorted(set(cites) - known)],
        ignore_conflicts=True,
    )
