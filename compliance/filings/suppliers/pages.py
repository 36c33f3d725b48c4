"""Pages of suppliers' records: interests, equipment, and its deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.shortcuts import get_object_or_404, resolve_url

from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import Action, PartyKind
from compliance.filings.suppliers.forms import DeliveryForm, EquipmentForm, InterestForm
from compliance.filings.suppliers.models import Delivery, Equipment, Interest
from compliance.filings.suppliers.reads import (
    find_license_problems,
    interests_on,
    licenses_of_equipment,
)
from compliance.filings.suppliers.writes import file_equipment, record_delivery, report_interest
from compliance.ui.access import allows
from compliance.ui.pages import ActionPage, FormPage, ListPage, Page
from compliance.ui.tables import DayColumn, ListTable

if TYPE_CHECKING:
    from django import forms
    from django.db.models import QuerySet


class EquipmentTable(ListTable):
    """Equipment, by kind."""

    model = tables.Column(linkify=("equipment", {"uuid": tables.A("uuid")}))
    kind = tables.Column(accessor="get_kind_display")
    maker = tables.Column()
    game = tables.Column(default="Any game")
    supplier = tables.Column(verbose_name="Filed by")
    caption = "Equipment"


class InterestTable(ListTable):
    """Interests in suppliers today, one row for each holder."""

    holder = tables.Column()
    supplier = tables.Column()
    basis = tables.Column(accessor="get_basis_display", verbose_name="Why")
    percent = tables.Column(verbose_name="Share")
    from_date = DayColumn(verbose_name="From")
    document = tables.Column(
        default="None", linkify=("document_version", {"uuid": tables.A("document__uuid")})
    )
    caption = "Substantial interests today"


class DeliveryTable(ListTable):
    """Where equipment went."""

    operator = tables.Column()
    from_date = DayColumn(verbose_name="From")
    caption = "Deliveries"


class SupplierRecords(ListPage):
    """Equipment and substantial interests of the suppliers in the access scope."""

    permission = Action.SEE_FILINGS
    template_name = "suppliers/records.html"
    table_class = EquipmentTable
    by = None

    def get_rows(self) -> QuerySet[Equipment]:
        return Equipment.objects.select_related("supplier", "game")

    def get_context(self) -> dict[str, Any]:
        suppliers = Party.objects.filter(kind=PartyKind.SUPPLIER)
        today = clock.today()
        interests = [found for each in suppliers for found in interests_on(each, today)]
        return super().get_context() | {
            "interests": InterestTable(interests) if interests else None,
            "files": any(allows(self.request, Action.FILE_DOCUMENTS, each) for each in suppliers),
        }


class _Entry(FormPage):
    """A form of a supplier that adds a record."""

    permission = Action.FILE_DOCUMENTS
    success_message = "{result} is on file."

    def suppliers(self) -> list[Party]:
        """Return the suppliers for whom the user files."""
        every = Party.objects.filter(kind=PartyKind.SUPPLIER)
        return [each for each in every if allows(self.request, Action.FILE_DOCUMENTS, each)]

    def get_page_url(self) -> str:
        return resolve_url("supplier_records")


class ReportInterest(_Entry):
    """Report a substantial interest, or that one changed or ended."""

    title = "Report a substantial interest"
    button = "Report interest"

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return InterestForm(self.suppliers(), data)

    def act(self, data: dict[str, Any]) -> Interest:
        data["supplier"] = Party.objects.get(code=data["supplier"])
        data["basis"] = Interest.Basis(data["basis"])
        return report_interest(by=self.person, **data)


class FileEquipment(_Entry):
    """File a model of equipment."""

    title = button = "File equipment"

    def get_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return EquipmentForm(self.suppliers(), data)

    def act(self, data: dict[str, Any]) -> Equipment:
        data["supplier"] = Party.objects.get(code=data["supplier"])
        data["kind"] = Equipment.Kind(data["kind"])
        return file_equipment(by=self.person, **data)


class EquipmentPage(Page):
    """One model of equipment: its licenses, whether it may be delivered, and where it went."""

    permission = Action.SEE_FILINGS
    template_name = "suppliers/equipment.html"

    def get_subject(self) -> Equipment:
        """Return the equipment; the access scope decides who sees it."""
        equipment = Equipment.objects.select_related("supplier", "game")
        return get_object_or_404(equipment, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Add the licenses on file by the numbers given, and the deliveries."""
        equipment: Equipment = self.subject
        licenses = licenses_of_equipment(equipment)
        known = {each.number for each in licenses}
        files = allows(self.request, Action.FILE_DOCUMENTS, equipment.supplier)
        return {
            "equipment": equipment,
            "licenses": licenses,
            "unknown": [each for each in equipment.license_numbers if each not in known],
            "problems": find_license_problems(equipment, clock.today()),
            "deliveries": DeliveryTable(equipment.deliveries.select_related("operator")),
            "form": self.form(DeliveryForm, "delivery") if files else None,
        }


class RecordDelivery(ActionPage):
    """Record that equipment goes to an operator."""

    permission = Action.FILE_DOCUMENTS
    form_class = DeliveryForm
    form_name = "delivery"
    shown_on = EquipmentPage
    returns_to = ("equipment", "uuid")
    success_message = "The delivery to {result.operator} is on file."
    get_subject = EquipmentPage.get_subject

    @property
    def party(self) -> Party:
        supplier: Party = self.subject.supplier
        return supplier

    def act(self, data: dict[str, Any]) -> Delivery:
        return record_delivery(equipment=self.subject, by=self.person, **data)
