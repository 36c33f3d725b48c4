"""Papers that an operator hands in with an answer or a disclosure: on file like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.services.documents import file_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from compliance.actor import Asker
    from compliance.models import DocumentVersion, Party
    from compliance.permissions import Action
    from compliance.services.documents import Paper

LONGEST_TITLE = 120


def filed_by_operator(
    *, party: Party, title: str, papers: Sequence[Paper], day: date, by: Asker, action: Action
) -> list[DocumentVersion]:
    """File these as one document of the operator, with what it does by `action`; nothing of none.

    Refuses as `file_evidence` does.
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
