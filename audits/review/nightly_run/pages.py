"""Page of an operator's checklist."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from audits.replay.findings.models import Issue
from audits.replay.findings.wording import describe_title
from audits.review.issues.questions import waiting_for_an_answer
from audits.review.nightly_run.checklist import SHOWN_DAYS, CheckedDay, recent_days
from audits.review.restitution.reads import days_with_restitution
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
        sees = self.allows(Action.SEE_DISCLOSURES)
        owed = {each.day: each for each in days_with_restitution(party)} if sees else {}
        waiting = set(waiting_for_an_answer().filter(party=party).values_list("pk", flat=True))
        released = Issue.objects.filter(party=party, released__isnull=False)
        return {
            "operator": party,
            "days": [
                {
                    "checked": each,
                    "missing": _describe_missing(each),
                    "issues": [
                        (issue, describe_title(issue), issue.pk in waiting)
                        for issue in released.filter(
                            Q(nights__findings__gt=0), nights__day=each.day.day
                        ).distinct()
                    ],
                    "owed": owed.get(each.day.day),
                }
                for each in recent_days(party, clock.now())
            ],
            "shown_days": SHOWN_DAYS,
            "questions": len(waiting),
            "submits": self.allows(Action.SUBMIT_ROUNDS),
            "discloses": self.allows(Action.DISCLOSE),
        }


def _describe_missing(checked: CheckedDay) -> list[dict[str, Any]]:
    """Return what a day lacks, with what the operator said of it; cash has its own list."""
    return [
        {
            "lack": lack,
            "title": describe_code(lack.code),
            "game": describe_name(lack.game) if lack.game else "",
            "explanations": checked.explanations_of(lack),
        }
        for lack in checked.missing
        if lack.code != "night.cash"
    ]
