"""Letters about a decision as they will read, before the decision is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string

from compliance.access.scope import without_access_scope
from compliance.acts.touched import Letter
from compliance.filings.letters.models import LetterWords
from compliance.filings.requests.models import Approval, Denial
from reports.documents.letters import (
    compose_approval,
    compose_denial,
    gather_approval,
    gather_denial,
)
from reports.documents.registry import About

if TYPE_CHECKING:
    from compliance.history import Recorded


def preview_letter(decision: Recorded) -> Letter | None:
    """Return the letter about an approval or a denial; None about anything else.

    A template is shown as the newest letter of its agency would read with it.
    """
    # Those who decide read the letter, which quotes filings that only its recipients see.
    with without_access_scope():
        if isinstance(decision, Approval):
            data = gather_approval(About(subject=decision.uuid))
        elif isinstance(decision, LetterWords):
            newest = Approval.objects.filter(by_party=decision.party).last()
            if newest is None:
                return None
            data = gather_approval(About(subject=newest.uuid), decision)
        elif isinstance(decision, Denial):
            data = gather_denial(About(subject=decision.uuid))
        else:
            return None
    content = (compose_denial if isinstance(decision, Denial) else compose_approval)(data)
    html = render_to_string("reports/letter_preview.html", {"content": content})
    return Letter(title=content.title, html=html)
