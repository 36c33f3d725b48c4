"""Letters about a decision as they will read, before the decision is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string

from compliance.access.scope import without_access_scope
from compliance.acts.touched import Letter
from compliance.filings.requests.models import Approval, Denial
from reports.documents.letters import APPROVAL_LETTER, DENIAL_LETTER
from reports.documents.registry import About

if TYPE_CHECKING:
    from compliance.history import Recorded


def preview_letter(decision: Recorded) -> Letter | None:
    """Return the letter about an approval or a denial; None about anything else."""
    kinds = {Approval: APPROVAL_LETTER, Denial: DENIAL_LETTER}
    kind = kinds.get(type(decision))
    if kind is None:
        return None
    # Those who decide read the letter, which quotes filings that only its recipients see.
    with without_access_scope():
        content = kind.compose(kind.gather(About(subject=decision.uuid)))
    html = render_to_string("reports/letter_preview.html", {"content": content})
    return Letter(title=content.title, html=html)
