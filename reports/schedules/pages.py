"""Pages of orders for the commission: pending, failed or late reports, and new orders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.urls import reverse
from django.utils.http import urlencode
from django_filters import ChoiceFilter

from compliance.access.permissions import Action
from compliance.ui.forms import DayField, PartyField
from compliance.ui.pages import ActionPage, ListPage
from compliance.ui.tables import CountColumn, DayColumn, ListTable, WhenColumn
from reports.documents.days import PERIODS, SUMMARY
from reports.documents.models import ReportOrder
from reports.documents.registry import About, document_kinds
from reports.schedules.forms import DayFilters
from reports.schedules.orders import BY_HAND, order_by_hand, order_report, retry_failed_orders
from reports.schedules.watch import late_days

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse


MOST_LATE = 20
State = ReportOrder.State


class OrderTable(ListTable):
    """Orders, newest first, with actions for failed ones."""

    kind = tables.Column(
        verbose_name="Report",
        linkify=lambda record: (
            reverse("report", args=[record.report.uuid]) if record.report else None
        ),
    )
    party = tables.Column(verbose_name="About", default="–")
    day = DayColumn(verbose_name="Gambling day", default="–")
    number = CountColumn()
    ordered = WhenColumn()
    state = tables.TemplateColumn(template_name="reports/order_state.html")
    caption = "Ordered reports"

    def render_kind(self, record: ReportOrder) -> str:
        return title_of(record)


def title_of(order: ReportOrder) -> str:
    """Return the title of a report that was ordered."""
    kind = document_kinds().get(order.kind)
    return kind.title if kind else order.kind


class OrderFilters(DayFilters):
    """The same filters, and the state."""

    state = ChoiceFilter(choices=State.choices, empty_label="Any state")


class OrderList(ListPage):
    """Orders and their progress, after the days whose report is late."""

    permission = Action.SEE_FINDINGS
    template_name = "reports/orders.html"
    table_class = OrderTable
    filter_class = OrderFilters

    def get_rows(self) -> QuerySet[ReportOrder]:
        return ReportOrder.objects.select_related("party", "report")

    def get_context(self) -> dict[str, Any]:
        """Add the late days, and how many orders failed."""
        late = list(late_days().select_related("party")[: MOST_LATE + 1])
        return super().get_context() | {
            "late": late[:MOST_LATE],
            "more": len(late) > MOST_LATE,
            "failed": ReportOrder.objects.filter(state=State.FAILED).count(),
        }


class OrderForm(forms.Form):
    """The report to make: its kind, party and day."""

    kind = forms.ChoiceField(label="Report")
    party = PartyField(
        label="Operator",
        required=False,
        empty_label="None",
        help_text="Leave this out for a report on all operators: the summary of a day, or the "
        "commission's week or month.",
    )
    day = DayField(label="Day", help_text="For a week or a month, any of its days.")

    def __init__(self, data: Any, kinds: list[str]) -> None:
        super().__init__(data)
        field = self.fields["kind"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(kind, document_kinds()[kind].title) for kind in kinds]

    def clean(self) -> dict[str, Any]:
        """Require an operator, except for a summary (none) and a week or month (optional)."""
        data = dict(super().clean() or {})
        if data.get("kind") == SUMMARY:
            if data.get("party"):
                self.add_error("party", "A summary covers all operators. Leave this out.")
        elif data.get("kind") in PERIODS:
            return data
        elif data.get("kind") and not data.get("party") and "party" not in self.errors:
            self.add_error("party", "Choose the operator that the report is about.")
        return data


class NewOrder(ActionPage):
    """Order a report of a day."""

    permission = Action.SEE_CONTROLS
    template_name = "reports/new_order.html"

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        kinds = document_kinds()
        return OrderForm(data, [name for name in BY_HAND if self.allows(kinds[name].action)])

    def act(self, data: dict[str, Any]) -> ReportOrder:
        """Order it, unless it was made before."""
        about = About(party=data["party"], day=data["day"])
        return order_by_hand(kind=data["kind"], about=about, by=self.person)

    def respond(self, result: ReportOrder) -> HttpResponse:
        """Show the report that was made before, or where to wait for it."""
        if result.report is not None:
            messages.info(
                self.request,
                "This report was made before. A new one is made when something changes.",
            )
            return redirect("report", uuid=result.report.uuid)
        messages.success(self.request, "The report is ordered. It takes a few seconds.")
        if self.allows(Action.SEE_FINDINGS):
            return redirect("report_orders")
        assert result.party is not None  # noqa: S101 - only the commission orders a summary
        address = reverse("in_effect_on_a_day", args=[result.party.code])
        return redirect(f"{address}?{urlencode({'day': str(result.day)})}")


class RetryOrder(ActionPage):
    """Retry a report that failed."""

    permission = Action.SEE_FINDINGS

    def get_subject(self) -> ReportOrder:
        orders = ReportOrder.objects.select_related("party")
        return get_object_or_404(orders, uuid=self.kwargs["uuid"])

    def get_page_url(self) -> str:
        return resolve_url("report_orders")

    def act(self, data: dict[str, Any]) -> ReportOrder:
        order = self.subject
        return order_report(
            kind=order.kind,
            about=About(party=order.party, day=order.day, subject=order.subject, line=order.line),
            by=self.person,
            number=order.number,
        )

    def get_success_message(self, result: ReportOrder) -> str:
        return f"{title_of(self.subject)}: {result.get_state_display().lower()}."


class RetryFailedOrders(ActionPage):
    """Retry every report that failed."""

    permission = Action.SEE_FINDINGS
    success_message = "Failed reports being retried: {result:,}."

    def get_page_url(self) -> str:
        return resolve_url("report_orders")

    def act(self, data: dict[str, Any]) -> int:
        return retry_failed_orders(by=self.person)
