"""Page of an operator's checklist."""

from __future__ import annotations

from typing import Any

from audits.replay.findings.models import Issue
from audits.review.issues.questions import waiting_for_an_answer
from audits.review.nightly_run.checklist import SHOWN_DAYS, recent_days
from compliance import clock
from compliance.access.permissions import Action
from compliance.ui.pages import OfParty, Page
from games.checks import describe_code
from games.explanation.words import describe_name


class Checklist(OfParty, Page):
    """What was submitted for the last gambling days, what is due, and what is missing."""

    permission = Action.SEE_ROUNDS
    template_name = "audits/logs/checklist.html"

    def get_context(self) -> dict[str, Any]:
        """Collect the days, and the questions that wait for an answer."""
        party = self.subject
        days = [
            (
                each,
                [
                    (describe_code(lack.code), describe_name(lack.game), lack.table, lack.says)
                    for lack in each.missing
                ],
            )
            for each in recent_days(party, clock.now())
        ]
        released = Issue.objects.filter(party=party, released__isnull=False)
        return {
            "operator": party,
            "days": days,
            "shown_days": SHOWN_DAYS,
            "questions": waiting_for_an_answer().filter(party=party).count(),
            "released": released.count(),
            "submits": self.allows(Action.SUBMIT_ROUNDS),
        }
