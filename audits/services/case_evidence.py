"""Papers as evidence: kept byte for byte first, then put into the case."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from audits.services.cases import gather, require_open
from audits.services.work import unit_of
from compliance.permissions import Action
from compliance.services.documents import file_evidence
from compliance.services.people import require

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.models import Case, CaseItem
    from audits.services.cases import Gathered
    from compliance.models import Person
    from compliance.services.documents import Paper


def gather_papers(
    *, case: Case, what: Gathered, papers: Sequence[Paper], evidence_date: date, by: Person
) -> CaseItem:
    """File papers as evidence and put them into an open case, with what is said of them.

    Refuses what `file_evidence` and `gather` refuse.
    """
    require(by, Action.KEEP_CASES, case.party)
    require_open(case)
    paper = file_evidence(
        owner=unit_of(by),
        title=f"{case}: {what.kind.label}",
        papers=papers,
        evidence_date=evidence_date,
        by=by,
        action=Action.KEEP_CASES,
    )
    return gather(case=case, what=replace(what, paper=paper), by=by)
