"""Pages of licenses and their changes, and of compacts with their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.shortcuts import get_object_or_404, resolve_url

from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import Action, PartyKind
from compliance.filings.licenses.models import (
    Compact,
    CompactValue,
    License,
    LicenseChange,
    LicenseClass,
)
from compliance.filings.licenses.reads import compact_value
from compliance.filings.licenses.writes import (
    add_compact_item,
    add_compact_value,
    change_license,
    enter_compact,
    grant_license,
)
from compliance.law.values import Grade
from compliance.ui.forms import DayField, LongField, NameField, ReasonForm, RowField
from compliance.ui.pages import ActionPage, FormPage, ListPage, Page
from compliance.ui.tables import DayColumn, ListTable

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest


def compact_today(_: HttpRequest, party: Party) -> list[dict[str, Any]]:
    """Return each rule with its value in effect today and the next one, if one is on file."""
    today = clock.today()
    rules = []
    for rule in CompactValue.Rule:
        later = CompactValue.objects.filter(
            compact__agency=party, rule=rule, from_date__gt=today
        ).order_by("from_date", "id")
        row = {"value": compact_value(party, rule, today), "next": later.first()}
        if any(row.values()):
            rules.append({"rule": CompactValue(rule=rule).name} | row)
    return rules


LARGEST = 10**12


class LicenseTable(ListTable):
    """Licenses, by holder."""

    holder = tables.Column(order_by="holder__name")
    kind = tables.Column(accessor="get_kind_display", order_by="kind", verbose_name="Class")
    number = tables.Column(linkify=("license", {"uuid": tables.A("uuid")}))
    from_date = DayColumn(verbose_name="From")
    to_date = DayColumn(verbose_name="Until")
    caption = "Licenses"

    class Meta:
        orderable = True


class LicenseForm(forms.Form):
    """A license as granted."""

    holder = RowField(lambda: Party.objects.all())
    kind = forms.ChoiceField(label="Class", choices=LicenseClass.choices)
    number = NameField(max_length=40)
    issuer = RowField(lambda: Party.objects.all(), label="Granted by")
    from_date = DayField(label="From")
    to_date = DayField(label="Until", required=False)


class LicenseChangeForm(ReasonForm):
    """A change to a license, and its date."""

    effect = forms.ChoiceField(label="Change", choices=LicenseChange.Effect.choices)
    from_date = DayField(label="From")
    field_order = ("effect", "from_date", "reason")


class CompactForm(forms.Form):
    """A compact or an amendment."""

    agency = RowField(lambda: Party.objects.filter(kind=PartyKind.TRIBAL_AGENCY))
    title = NameField(max_length=120)
    from_date = DayField(label="From")
    source = LongField(rows=2)


class CompactValueForm(forms.Form):
    """A value of a compact."""

    compact = RowField(lambda: Compact.objects.all(), by="uuid")
    rule = forms.ChoiceField(choices=CompactValue.Rule.choices)
    from_date = DayField(label="From")
    value = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="A whole number; amounts in cents. Leave it empty if it is unknown.",
    )
    grade = forms.ChoiceField(
        label="How sure", choices=[(each.value, each.value) for each in Grade]
    )
    citation = NameField(max_length=120)


class CompactItemForm(forms.Form):
    """A line of a compact's checklist."""

    compact = RowField(lambda: Compact.objects.all(), by="uuid")
    asks = LongField(label="What a filing must contain", rows=2, max_length=1_000)
    citation = NameField(max_length=120, help_text="Where the compact requires it.")


class LicenseList(ListPage):
    """Licenses and compacts of the parties that the user may see."""

    permission = Action.SEE_FILINGS
    template_name = "licenses/licenses.html"
    table_class = LicenseTable
    by = None

    def get_rows(self) -> QuerySet[License]:
        return licenses_in_scope()

    def get_context(self) -> dict[str, Any]:
        compacts = Compact.objects.filter(agency__in=Party.objects.values("pk"))
        return super().get_context() | {
            "compacts": compacts.select_related("agency").prefetch_related("values", "items"),
            "keeps": self.allows(Action.KEEP_LICENSES),
        }


def licenses_in_scope() -> QuerySet[License]:
    """Return the licenses of the parties in the access scope."""
    licenses = License.objects.filter(holder__in=Party.objects.values("pk"))
    return licenses.select_related("holder", "issuer")


class LicensePage(Page):
    """One license and its changes."""

    permission = Action.SEE_FILINGS
    template_name = "licenses/license.html"

    def get_subject(self) -> License:
        """Return the license; the access scope decides who sees it."""
        return get_object_or_404(licenses_in_scope(), uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Add the changes, and the form for another."""
        license: License = self.subject
        keeps = self.allows(Action.KEEP_LICENSES)
        return {
            "license": license,
            "changes": license.changes.all(),
            "form": self.form(LicenseChangeForm, "change") if keeps else None,
        }


class ChangeLicense(ActionPage):
    """Suspend, restore, revoke or end a license."""

    permission = Action.KEEP_LICENSES
    form_class = LicenseChangeForm
    form_name = "change"
    shown_on = LicensePage
    success_message = "{result}."
    get_subject = LicensePage.get_subject

    @property
    def party(self) -> Party:
        holder: Party = self.subject.holder
        return holder

    def act(self, data: dict[str, Any]) -> LicenseChange:
        data["effect"] = LicenseChange.Effect(data["effect"])
        return change_license(license=self.subject, by=self.person, **data)

    def get_page_url(self) -> str:
        return resolve_url("license", uuid=self.kwargs["uuid"])


class _Entry(FormPage):
    """A form that adds something to the list of licenses and compacts."""

    permission = Action.KEEP_LICENSES
    success_message = "{result} is on file."

    def get_page_url(self) -> str:
        return resolve_url("licenses")


class NewLicense(_Entry):
    """Add a license."""

    form_class = LicenseForm
    title = button = "Add a license"

    def act(self, data: dict[str, Any]) -> License:
        data["kind"] = LicenseClass(data["kind"])
        return grant_license(by=self.person, **data)


class NewCompact(_Entry):
    """Add a compact."""

    form_class = CompactForm
    title = button = "Add a compact"

    def act(self, data: dict[str, Any]) -> Compact:
        return enter_compact(by=self.person, **data)


class NewCompactValue(_Entry):
    """Add a value of a compact."""

    form_class = CompactValueForm
    title = button = "Add a compact value"

    def act(self, data: dict[str, Any]) -> CompactValue:
        data |= {"rule": CompactValue.Rule(data["rule"]), "grade": Grade(data["grade"])}
        return add_compact_value(by=self.person, **data)


class NewCompactItem(_Entry):
    """Add a line to a compact's checklist."""

    form_class = CompactItemForm
    title = button = "Add a checklist item"

    def act(self, data: dict[str, Any]) -> Any:
        return add_compact_item(by=self.person, **data)
