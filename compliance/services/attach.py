"""Papers named in a comment or an answer: on file, of a party concerned, seen by who writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.models import (
    ConditionAnswer,
    ConditionAttachment,
    ControlsAttachment,
    ControlsComment,
    DocumentVersion,
    RequestAttachment,
)
from compliance.services.refused import RefusedError
from compliance.walls import seen_by, within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compliance.actor import Asker
    from compliance.models import Party, RequestComment

MOST_PAPERS = 20


def require_papers(papers: Sequence[DocumentVersion], *, of: Sequence[Party], by: Asker) -> None:
    """Refuse papers of anybody else, papers that the writer cannot see, and too many."""
    if len(papers) > MOST_PAPERS:
        msg = f"A comment names up to {MOST_PAPERS} documents; these are {len(papers)}."
        raise RefusedError(msg)
    keys = {each.pk for each in papers}
    owners = [each.pk for each in of]
    with within(seen_by(by)):
        found = DocumentVersion.objects.filter(pk__in=keys, document__owner__in=owners)
        if found.count() < len(papers):
            msg = "A comment names documents of its own parties, each once. Choose from the list."
            raise RefusedError(msg)


def attach(
    comment: ControlsComment | RequestComment | ConditionAnswer, papers: Sequence[DocumentVersion]
) -> None:
    """Name papers in a comment that was just made, before its event is recorded."""
    for place, paper in enumerate(papers):
        if isinstance(comment, ControlsComment):
            ControlsAttachment(comment=comment, paper=paper, place=place).save()
        elif isinstance(comment, ConditionAnswer):
            ConditionAttachment(comment=comment, paper=paper, place=place).save()
        else:
            RequestAttachment(comment=comment, paper=paper, place=place).save()
