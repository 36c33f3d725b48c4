"""The reports one may see, and those of them that are new to whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from compliance.choices import PartyKind
from compliance.models import Party
from compliance.permissions import Action
from compliance.web.acting import allows, person_of, require_sight
from compliance.web.fields import DayField
from compliance.web.keyset import cut
from reports.documents.kinds import document_kinds
from reports.models import Delivery, Report, ReportVisibility
from reports.selectors.reports import about
from reports.services.deliveries import note_seen

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

MOST_NEW = 10


class Reports(tables.Table):  # type: ignore[misc]
    """Reports, the newest first."""

    title = tables.Column(linkify=("report", {"uuid": tables.A("uuid")}))
    reference = tables.Column()
    shown_to = tables.Column(empty_values=(), verbose_name="Shown to")
    made = tables.DateTimeColumn(accessor="at", format="N j, Y, g:i A")
    pages = tables.Column()
    caption = "Reports"

    class Meta:
        orderable = False

    def render_shown_to(self, record: Report) -> str:
        """The parties beside the commission."""
        return ", ".join(str(each.party) for each in record.shown_to.all()) or "The commission"


def kind_choices() -> list[tuple[str, str]]:
    """Every kind of report by its title, and all of them."""
    kinds = sorted(document_kinds().values(), key=lambda kind: kind.title)
    return [("", "Every kind"), *((kind.name, kind.title) for kind in kinds)]


def parties_by_code() -> dict[str, Party]:
    """Parties that reports are about, of those that exist for whoever asks."""
    found = Party.objects.exclude(kind=PartyKind.COMMISSION_UNIT).order_by("name", "code")
    return {each.code: each for each in found}


class DayFilters(forms.Form):
    """What lists of reports are asked for by: kind, party, day; all of it lives in the address."""

    kind = forms.ChoiceField(required=False)
    party = forms.ChoiceField(required=False)
    day = DayField(label="Gambling day", required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.parties = parties_by_code()
        named = [("", "Every party"), *((code, str(each)) for code, each in self.parties.items())]
        for name, choices in (("kind", kind_choices()), ("party", named)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = choices

    @property
    def asked(self) -> bool:
        """Whether anything is asked for."""
        return any(self.data.get(name) for name in self.fields)


@login_required
@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    """The reports one may see, after those that are new to whoever asks."""
    require_sight(request, Action.SEE_REPORTS)
    form = DayFilters(request.GET)
    inside = allows(request, Action.SEE_FINDINGS)
    outside = ReportVisibility.objects.exclude(party__kind=PartyKind.COMMISSION_UNIT)
    shown = Prefetch("shown_to", outside.select_related("party"))
    found = _chosen(form)
    page = cut(request, found.prefetch_related(shown) if inside else found)
    new = Delivery.objects.filter(
        person=person_of(request), seen__isnull=True, report__envelopes__isnull=False
    )
    first = list(new.select_related("report").distinct().order_by("-pk")[: MOST_NEW + 1])
    context = {
        "form": form,
        "cut": page,
        "table": Reports(page.rows, exclude=() if inside else ("shown_to",)),
        "new": first[:MOST_NEW],
        "more": len(first) > MOST_NEW,
        "inside": inside,
        "orders": allows(request, Action.SEE_CONTROLS),
    }
    status = 422 if form.errors else 200
    return render(request, "reports/reports.html", context, status=status)


@login_required
@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """Nothing is new any more to whoever asks."""
    require_sight(request, Action.SEE_REPORTS)
    note_seen(by=person_of(request))
    messages.success(request, "No report is new to you now. They stay in the list.")
    return redirect("reports")


def _chosen(form: DayFilters) -> QuerySet[Report]:
    found = Report.objects.all()
    if not form.is_valid():
        return found.none()
    said = form.cleaned_data
    if said["kind"]:
        found = found.filter(kind=said["kind"])
    if said["party"]:
        found = about(found, form.parties[said["party"]])
    if said["day"]:
        found = found.filter(day=said["day"])
    return found
