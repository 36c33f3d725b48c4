"""Page to check a round log before it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables

from audits.intake.columns import MissingTable, TableRoundsTable
from audits.intake.mapping.definition import read_definition
from audits.replay.rehearsal.forms import CheckForm
from audits.replay.rehearsal.reads import LARGEST_AT_ONCE, Rehearsal, rehearse
from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, Action
from compliance.ui.access import allows
from compliance.ui.pages import ActionPage
from compliance.ui.tables import CountColumn, ListTable
from games.checks import describe_code

if TYPE_CHECKING:
    from django import forms
    from django.http import HttpResponse


class FlaggedTable(ListTable):
    """Findings that a submission would add, by code."""

    says = tables.Column(verbose_name="Finding")
    code = tables.Column()
    count = CountColumn(verbose_name="Findings")
    caption = "What would be flagged"

    class Meta:
        orderable = False


class RejectedTable(ListTable):
    """The first lines that would be rejected."""

    line = CountColumn()
    round = tables.Column()
    field = tables.Column()
    reason = tables.Column(verbose_name="Why")
    caption = "Lines that would be rejected"

    class Meta:
        orderable = False


class CheckLog(ActionPage):
    """Check a file: show what submitting it would answer, and keep nothing."""

    permission = Action.SUBMIT_ROUNDS
    template_name = "audits/logs/check.html"
    rehearsal: Rehearsal | None = None

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        operators = Party.objects.filter(kind__in=OPERATOR_KINDS)
        own = [e.pk for e in operators if allows(self.request, Action.SUBMIT_ROUNDS, e)]
        return CheckForm(operators.filter(pk__in=own), data, files)

    def act(self, data: dict[str, Any]) -> Rehearsal:
        return rehearse(
            party=data["operator"],
            name=data["file"].name,
            content=data["file"].file,
            mapping=read_definition(data["mapping"].content) if data["mapping"] else None,
            largest=LARGEST_AT_ONCE,
        )

    def respond(self, result: Rehearsal) -> HttpResponse:
        """Show the answer on the same page: nothing was kept that another page could show."""
        self.rehearsal = result
        return self.show()

    def get_context(self) -> dict[str, Any]:
        """Add the answer, if a file was checked."""
        context = super().get_context()
        if self.rehearsal is None:
            return context
        found = self.rehearsal
        flagged = [
            {"says": describe_code(code), "code": code, "count": count}
            for code, count in found.findings.items()
        ]
        return context | {
            "found": found,
            "tables": TableRoundsTable(found.totals.tables),
            "unknown": TableRoundsTable(found.totals.unknown),
            "missing": MissingTable(found.totals.missing),
            "flagged": FlaggedTable(flagged),
            "rejected": RejectedTable(found.examples),
        }
