"""Reports that are being made, failed or are late, for the commission; and ordering one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.permissions import Action
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.fields import DayField
from compliance.web.keyset import cut
from reports.documents.kinds import About, document_kinds
from reports.documents.night_days import SUMMARY
from reports.documents.period import PERIODS
from reports.models import ReportOrder
from reports.selectors.watch import late_days
from reports.services.order_by_hand import BY_HAND, order_by_hand
from reports.services.orders import order_report
from reports.web.lists import DayFilters, parties_by_code

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from compliance.models import Party

MOST_LATE = 20


class Orders(tables.Table):  # type: ignore[misc]
    """Orders, the newest first, with what can be done about those that failed."""

    kind = tables.Column(
        empty_values=(), verbose_name="Report", linkify=lambda record: _made(record)
    )
    party = tables.Column(verbose_name="About", default="–")
    day = tables.DateColumn(format="N j, Y", verbose_name="Gambling day", default="–")
    number = tables.Column(attrs={"td": {"class": "amount"}, "th": {"class": "amount"}})
    ordered = tables.DateTimeColumn(format="N j, Y, g:i A T")
    state = tables.TemplateColumn(template_name="reports/order_state.html")
    caption = "Ordered reports"

    class Meta:
        orderable = False

    def render_kind(self, record: ReportOrder) -> str:
        """By its title."""
        return _title(record)


class OrderFilters(DayFilters):
    """The same, by state."""

    state = forms.ChoiceField(
        required=False, choices=[("", "Every state"), *ReportOrder.State.choices]
    )


class OrderForm(forms.Form):
    """Which report to make, about whom and which day."""

    kind = forms.ChoiceField(label="Report")
    party = forms.ChoiceField(
        label="Operator",
        required=False,
        help_text="Leave it out for what goes over all of them: the summary of a day, the "
        "commission's week or month.",
    )
    day = DayField(label="Day", help_text="Of a week or a month any of its days.")

    def __init__(self, kinds: list[str], parties: dict[str, Party], data: Any = None) -> None:
        super().__init__(data)
        self.parties = parties
        named = [("", "None"), *((code, str(each)) for code, each in parties.items())]
        titles = [(kind, document_kinds()[kind].title) for kind in kinds]
        for name, choices in (("kind", titles), ("party", named)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        """One operator, but for the summary; with or without one for a week or a month."""
        said = dict(super().clean() or {})
        if said.get("kind") == SUMMARY:
            if said.get("party"):
                self.add_error("party", "A summary goes over all operators: leave this out.")
        elif said.get("kind") in PERIODS:
            return said
        elif said.get("kind") and not said.get("party") and "party" not in self.errors:
            self.add_error("party", "Choose the operator that the report is about.")
        return said

    def about(self) -> About:
        """What was asked for."""
        said = self.cleaned_data
        return About(party=self.parties.get(said["party"]), day=said["day"])


@login_required
@require_safe
def orders(request: HttpRequest) -> HttpResponse:
    """What was ordered and how far it has come, after the days whose report is late."""
    require_sight(request, Action.SEE_FINDINGS)
    form = OrderFilters(request.GET)
    page = cut(request, _chosen(form).select_related("party", "report"))
    late = list(late_days().select_related("party")[: MOST_LATE + 1])
    context = {
        "form": form,
        "cut": page,
        "table": Orders(page.rows),
        "late": late[:MOST_LATE],
        "more": len(late) > MOST_LATE,
    }
    status = 422 if form.errors else 200
    return render(request, "reports/orders.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def order(request: HttpRequest) -> HttpResponse:
    """Order a report of a day."""
    require_sight(request, Action.SEE_CONTROLS)
    kinds = [name for name in BY_HAND if allows(request, document_kinds()[name].action)]
    form = OrderForm(kinds, parties_by_code(), request.POST if request.method == "POST" else None)
    made = None
    if form.is_bound:
        made = accepted(
            form,
            lambda said: order_by_hand(
                kind=said["kind"], about=form.about(), by=person_of(request)
            ),
        )
    if made is None:
        status = 422 if form.is_bound else 200
        return render(request, "reports/new_order.html", {"form": form}, status=status)
    if made.report is not None:
        messages.info(
            request, "This report was made before. Another follows when something changes."
        )
        return redirect("report", uuid=made.report.uuid)
    messages.success(request, "The report is ordered. It is made in a few seconds.")
    if allows(request, Action.SEE_FINDINGS):
        return redirect("report_orders")
    assert made.party is not None  # noqa: S101 - the summary is the commission's alone
    way = reverse("in_force_on_a_day", args=[made.party.code])
    return redirect(f"{way}?{urlencode({'day': str(made.day)})}")


@login_required
@require_POST
def retry(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Have a report that failed made again."""
    require_sight(request, Action.SEE_FINDINGS)
    found = get_object_or_404(ReportOrder.objects.select_related("party"), uuid=uuid)
    again = order_report(
        kind=found.kind,
        about=About(party=found.party, day=found.day, subject=found.subject, line=found.line),
        by=person_of(request),
        number=found.number,
    )
    says = again.get_state_display().lower()
    messages.success(request, f"{_title(found)}: {says}.")
    return redirect("report_orders")


def _chosen(form: OrderFilters) -> QuerySet[ReportOrder]:
    found = ReportOrder.objects.all()
    if not form.is_valid():
        return found.none()
    said = form.cleaned_data
    exact = {name: said[name] for name in ("kind", "day", "state") if said[name]}
    if said["party"]:
        exact["party"] = form.parties[said["party"]]
    return found.filter(**exact)


def _title(record: ReportOrder) -> str:
    kind = document_kinds().get(record.kind)
    return kind.title if kind else record.kind


def _made(record: ReportOrder) -> str | None:
    return reverse("report", args=[record.report.uuid]) if record.report else None
