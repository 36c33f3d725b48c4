"""Help pages: deciding an issue, and the glossary."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.conf import settings

from audits.review.help.diagram import diagram, rows
from audits.review.help.glossary import GLOSSARY
from audits.review.issues.assignments import DAYS_TO_DECIDE
from compliance.access.permissions import Action
from compliance.law.business_days import SHORT
from compliance.ui.pages import Page
from compliance.ui.tables import ListTable
from games.checks import CODES, describe_code


class StepTable(ListTable):
    """The steps between the states of an issue."""

    label = tables.Column(verbose_name="Step")
    of = tables.Column(verbose_name="From")
    to = tables.Column()
    wants = tables.Column(verbose_name="Requires")
    caption = "Steps"
    compact = True


class Deciding(Page):
    """The states of an issue and the steps between them."""

    permission = Action.SEE_FINDINGS
    template_name = "audits/help/deciding.html"

    def get_context(self) -> dict[str, Any]:
        """Draw the diagram, and list the deadlines by severity."""
        return {
            "drawn": diagram(),
            "steps": StepTable(rows()),
            "above": settings.SECOND_APPROVAL_ABOVE,
            "days": [
                (severity, f"{days} {'business days' if days < SHORT else 'days'}")
                for severity, days in DAYS_TO_DECIDE.items()
            ],
        }


class Glossary(Page):
    """The terms of the regulation and the product's own."""

    template_name = "audits/help/glossary.html"

    def get_context(self) -> dict[str, Any]:
        """Return the terms, and the titles of findings with their codes."""
        findings = sorted(
            (describe_code(code), code) for code in CODES if not code.startswith("settlement")
        )
        return {"terms": GLOSSARY, "findings": findings}
