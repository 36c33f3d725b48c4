"""Documents that an operator submits with an answer or a disclosure, filed like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.filings.documents.writes import file_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from compliance.access.models import Party
    from compliance.access.permissions import Action
    from compliance.access.scope import Asker
    from compliance.filings.documents.models import DocumentVersion
    from compliance.filings.documents.writes import ReceivedFile


LONGEST_TITLE = 120


def file_operator_documents(
    *,
    party: Party,
    title: str,
    papers: Sequence[ReceivedFile],
    day: date,
    by: Asker,
    action: Action,
) -> list[DocumentVersion]:
    """File these as one document of the operator, submitted with `action`; without any, do nothing.

    Refuses what `file_evidence` refuses.
    """
    if not papers:
        return []
    version = file_evidence(
        owner=party,
        title=title[:LONGEST_TITLE],
        papers=papers,
        evidence_date=day,
        by=by,
        action=action,
    )
    return [version]
