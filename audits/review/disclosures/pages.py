"""Pages of own disclosures: operators make them, the commission reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.shortcuts import get_object_or_404, resolve_url
from django.template.defaultfilters import truncatechars

from audits.commission import operators
from audits.review.cases.models import Case
from audits.review.disclosures.models import Disclosure
from audits.review.disclosures.writes import add_to_case, disclose
from compliance.access.permissions import Action
from compliance.access.reads import name_of_asker
from compliance.filings.documents.forms import PapersField
from compliance.filings.documents.reads import cited_documents
from compliance.filings.documents.writes import receive_files
from compliance.ui.access import allows
from compliance.ui.forms import DayField, LongField, NameField
from compliance.ui.pages import ActionPage, ListPage, Page
from compliance.ui.tables import DayColumn, ListTable, WhenColumn

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from audits.review.cases.models import CaseItem
    from compliance.access.models import Party


class DisclosureTable(ListTable):
    """Disclosures, newest first."""

    day = DayColumn(verbose_name="Gambling day", linkify=("disclosure", {"uuid": tables.A("uuid")}))
    party = tables.Column(verbose_name="Operator")
    table = tables.Column()
    facts = tables.Column(verbose_name="What happened")
    at = WhenColumn(verbose_name="Reported")
    caption = "Own disclosures"

    def render_facts(self, value: str) -> str:
        return truncatechars(value, 120)


class DisclosureForm(forms.Form):
    """What happened, where, and what was done about it."""

    operator = forms.TypedChoiceField()
    day = DayField(label="Gambling day", help_text="The day on which it happened.")
    table = NameField(required=False, max_length=32)
    round = NameField(
        required=False, max_length=64, help_text="Its number in the log, such as T3-000123."
    )
    facts = LongField(label="What happened", rows=6)
    done = LongField(label="What you have done about it", required=False, rows=3)
    papers = PapersField(required=False)

    def __init__(
        self, parties: dict[str, Party], data: Any = None, files: Any = None, **more: Any
    ) -> None:
        super().__init__(data, files, **more)
        field = self.fields["operator"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        field.choices = [(code, party.name) for code, party in parties.items()]
        field.coerce = parties.__getitem__


class CaseField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """Choice of a case, by its number and title."""

    def label_from_instance(self, obj: Case) -> str:
        """Show both."""
        return f"{obj}: {obj.title}"


class CaseForm(forms.Form):
    """Choice of an open case of an operator."""

    case = CaseField(Case.objects.none(), to_field_name="uuid", empty_label="Choose a case")

    def __init__(self, party: Party, data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["case"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101
        field.queryset = Case.objects.filter(party=party, state=Case.State.OPEN)


class DisclosureList(ListPage):
    """Disclosures: an operator's own, or those of every operator."""

    permission = Action.SEE_DISCLOSURES
    template_name = "audits/disclosures/disclosures.html"
    table_class = DisclosureTable

    def get_rows(self) -> QuerySet[Disclosure]:
        return Disclosure.objects.select_related("party")

    def get_context(self) -> dict[str, Any]:
        return super().get_context() | {"discloses": self.allows(Action.DISCLOSE)}


class NewDisclosure(ActionPage):
    """Report an irregularity."""

    permission = Action.DISCLOSE
    template_name = "audits/disclosures/new.html"
    success_message = "Your report is on file. The commission can read it now."
    kept_as = "disclosure"

    def get_form(self, data: Any = None, files: Any = None) -> DisclosureForm:
        parties = {
            code: party
            for code, party in operators().items()
            if allows(self.request, Action.DISCLOSE, party)
        }
        given = self.request.GET
        about = {name: given[name] for name in ("day", "table") if name in given}
        return DisclosureForm(parties, data, files, initial=about)

    def act(self, data: dict[str, Any]) -> Disclosure:
        with receive_files(data.pop("papers")) as papers:
            return disclose(party=data.pop("operator"), papers=papers, by=self.person, **data)

    def get_success_url(self, result: Disclosure) -> str:
        return resolve_url("disclosure", uuid=result.uuid)


class DisclosurePage(Page):
    """A disclosure as it was made; the commission adds it to a case."""

    permission = Action.SEE_DISCLOSURES
    template_name = "audits/disclosures/disclosure.html"

    def get_subject(self) -> Disclosure:
        found = Disclosure.objects.select_related("party")
        return get_object_or_404(found, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Add who made it, its documents, and the open cases of the operator."""
        disclosure: Disclosure = self.subject
        keeps = self.allows(Action.KEEP_CASES)
        is_open = Case.objects.filter(party=disclosure.party, state=Case.State.OPEN)
        form = self.refused or (CaseForm(disclosure.party) if keeps and is_open.exists() else None)
        return {
            "disclosure": disclosure,
            "by": name_of_asker(disclosure.by),
            "papers": cited_documents(disclosure.papers.all()).get(disclosure.pk, []),
            "keeps": keeps,
            "form": form,
        }


class AddToCase(ActionPage):
    """Add the disclosure to a case."""

    permission = Action.KEEP_CASES
    shown_on = DisclosurePage
    success_message = "The disclosure was added to the case."
    get_subject = DisclosurePage.get_subject
    returns_to = ("disclosure", "uuid")

    def get_form(self, data: Any = None, files: Any = None) -> CaseForm:
        return CaseForm(self.subject.party, data)

    def act(self, data: dict[str, Any]) -> CaseItem:
        return add_to_case(disclosure=self.subject, case=data["case"], by=self.person)

    def get_success_url(self, result: CaseItem) -> str:
        return resolve_url("case", uuid=result.case.uuid)
