"""Pages of restitution by player: what is owed by released findings, and what was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import django_tables2 as tables
from django import forms
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from django.utils.html import format_html

from audits.intake.days.models import GamblingDay
from audits.review.restitution.reads import DayOwed, ToPay, days_with_restitution, to_pay
from audits.review.restitution.writes import confirm_restitution
from compliance import clock
from compliance.access.permissions import Action
from compliance.filings.documents.forms import PapersField
from compliance.filings.documents.writes import receive_files
from compliance.ui.filters import day as show_day
from compliance.ui.forms import DayField, DollarsField, LongField
from compliance.ui.lists import dollars
from compliance.ui.pages import ActionPage, Page
from compliance.ui.tables import DayColumn, ListTable, MoneyColumn, show_state
from games.explanation.words import describe_name

if TYPE_CHECKING:
    from datetime import date

    from django.utils.safestring import SafeString

    from audits.review.restitution.models import RestitutionPayment


MOST_ROWS = 500
CHANGED = "The amount left for this player has changed: see above whether it is already confirmed."


class PaidForm(forms.Form):
    """The player, amount, date and proof of a payment."""

    row = forms.TypedChoiceField(label="Player and table")
    cents = DollarsField(label="Amount paid, in dollars")
    paid_on = DayField(label="Paid on")
    note = LongField(label="How it was paid", required=False, rows=2)
    papers = PapersField(required=False)

    def __init__(self, rows: list[ToPay], data: Any = None, files: Any = None, **more: Any) -> None:
        super().__init__(data, files, **more)
        unpaid = {key_of(row): row for row in rows if row.left}
        field = self.fields["row"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        field.choices = [
            (key, f"{row.owed.name}, {row.owed.table}: {dollars(row.left)} left")
            for key, row in unpaid.items()
        ]
        field.coerce = unpaid.__getitem__
        field.error_messages["invalid_choice"] = CHANGED


def key_of(row: ToPay) -> str:
    """Identify the player and the amount left, so that a form sent twice is refused as outdated."""
    return "|".join((row.owed.game, row.owed.table, row.owed.player, str(row.left)))


class DayTable(ListTable):
    """Days on which players were underpaid."""

    day = DayColumn(
        verbose_name="Gambling day",
        linkify=("restitution", {"code": tables.A("party__code"), "day": tables.A("day")}),
    )
    party = tables.Column(verbose_name="Operator")
    owed = MoneyColumn()
    left = MoneyColumn(verbose_name="Left to pay")
    due = tables.Column(verbose_name="Pay by")
    caption = "By gambling day"

    def render_due(self, record: DayOwed) -> SafeString:
        """Show the last day to pay, or that everything is paid."""
        if not record.left:
            return show_state("working", "Paid")
        return show_due(record.due)


def show_due(due: date) -> SafeString:
    """Show the last day to pay, and whether it is over."""
    late = show_state("failing", "Late") if due < clock.today() else ""
    return format_html("{} {}", show_day(due), late)


class PlayerTable(ListTable):
    """What each player is owed at each table, and what was paid."""

    player = tables.Column(accessor="owed__name")
    table = tables.Column(accessor="owed__table", verbose_name="Game and table")
    owed = MoneyColumn(accessor="owed__owed")
    payments = tables.TemplateColumn(
        template_name="audits/restitution/payments.html", verbose_name="Paid"
    )
    left = MoneyColumn()
    caption = "By player and table"

    def __init__(self, rows: list[ToPay], *, pays: bool) -> None:
        super().__init__(rows)
        self._pays = pays

    def render_player(self, record: ToPay) -> str:
        """Show the pseudonym, for those who confirm payments with a link to the form."""
        if not (self._pays and record.left):
            return record.owed.name
        query = urlencode({"row": key_of(record)})
        return format_html('<a class="usa-link" href="?{}#paid">{}</a>', query, record.owed.name)

    def render_table(self, record: ToPay) -> str:
        """Show the name of the game, and the table."""
        return f"{describe_name(record.owed.game)}, {record.owed.table}"


class RestitutionDays(Page):
    """The days on which players were underpaid, by released findings."""

    permission = Action.SEE_DISCLOSURES
    template_name = "audits/restitution/days.html"

    def get_context(self) -> dict[str, Any]:
        return {"table": DayTable(days_with_restitution()[:MOST_ROWS])}


class Restitution(ActionPage):
    """What each player is still owed for a day; the operator confirms payments."""

    permission = Action.SEE_DISCLOSURES
    post_permission = Action.CONFIRM_RESTITUTION
    template_name = "audits/restitution/day.html"
    returns_to = ("restitution", "code", "day")

    def get_subject(self) -> GamblingDay:
        days = GamblingDay.objects.select_related("party")
        return get_object_or_404(days, party__code=self.kwargs["code"], day=self.kwargs["day"])

    @cached_property
    def rows(self) -> list[ToPay]:
        """Return what each player is owed."""
        return to_pay(self.subject.party, self.subject.day)[:MOST_ROWS]

    def get_form(self, data: Any = None, files: Any = None) -> PaidForm:
        return PaidForm(self.rows, data, files, initial={"row": self.request.GET.get("row", "")})

    def act(self, data: dict[str, Any]) -> RestitutionPayment:
        row = data.pop("row")
        with receive_files(data.pop("papers")) as papers:
            return confirm_restitution(
                party=self.subject.party,
                owed=row.owed,
                left=row.left,
                papers=papers,
                by=self.person,
                **data,
            )

    def get_success_message(self, result: RestitutionPayment) -> str:
        return f"{dollars(result.cents)} is on file as paid."

    def get_context(self) -> dict[str, Any]:
        """Add the totals of the day, and the form if anything is left to pay."""
        pays = self.allows(Action.CONFIRM_RESTITUTION) and any(row.left for row in self.rows)
        of_day = (d for d in days_with_restitution(self.party) if d.day == self.subject.day)
        return {
            "day": self.subject,
            "table": PlayerTable(self.rows, pays=pays),
            "owed": sum(row.owed.owed for row in self.rows),
            "left": sum(row.left for row in self.rows),
            "due": next((show_due(each.due) for each in of_day if each.left), ""),
            "form": (self.refused or self.get_form()) if pays or self.refused else None,
        }
