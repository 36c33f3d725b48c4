"""Documents: filed, listed and searched, read by version, compared, shared with others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, resolve_url

from compliance.access.models import Party, Person
from compliance.access.permissions import Action
from compliance.files.archive import current_archive, read_bytes
from compliance.files.downloads import as_file
from compliance.filings.documents.forms import (
    CompareForm,
    DocumentFilters,
    DocumentForm,
    ShareForm,
    VersionForm,
)
from compliance.filings.documents.models import Document, DocumentVersion
from compliance.filings.documents.reads import search_text
from compliance.filings.documents.writes import (
    file_document,
    file_version,
    receive_files,
    record_file_export,
    show_document,
)
from compliance.ui.access import allows
from compliance.ui.comparison import side_by_side
from compliance.ui.pages import ActionPage, FormPage, ListPage, Page
from compliance.ui.tables import CountColumn, DayColumn, ListTable, WhenColumn

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest


class DocumentTable(ListTable):
    """Documents, by title."""

    title = tables.Column(linkify=("document", {"uuid": tables.A("uuid")}))
    kind = tables.Column(accessor="get_kind_display", order_by="kind")
    owner = tables.Column(verbose_name="Filed by", order_by="owner__name")
    filed = CountColumn(accessor="number_of_versions", verbose_name="Versions")
    caption = "Documents"

    class Meta:
        orderable = True


class VersionTable(ListTable):
    """Versions of a document, in order."""

    number = tables.Column(
        verbose_name="Version", linkify=("document_version", {"uuid": tables.A("uuid")})
    )
    evidence_date = DayColumn(verbose_name="Date of the documents")
    at = WhenColumn(verbose_name="Filed")
    files = CountColumn(accessor="number_of_files")
    note = tables.Column()
    caption = "Versions"

    def render_number(self, value: int) -> str:
        return f"Version {value}"


class DocumentList(ListPage):
    """Documents in the access scope, and where their text matches the search."""

    permission = Action.SEE_FILINGS
    template_name = "documents/documents.html"
    table_class = DocumentTable
    filter_class = DocumentFilters
    by = None

    def get_rows(self) -> QuerySet[Document]:
        documents = Document.objects.select_related("owner")
        return documents.annotate(number_of_versions=Count("versions", distinct=True))

    def get_context(self) -> dict[str, Any]:
        context = super().get_context()
        sought = context["filters"].cleaned_data.get("sought", "")
        return context | {
            "sought": sought,
            "places": search_text(sought) if sought else [],
            "files": self.allows(Action.FILE_DOCUMENTS),
        }


class NewDocument(FormPage):
    """File a document with its first version."""

    permission = Action.FILE_DOCUMENTS
    title = "File a document"
    button = "File document"
    success_message = "{result} is on file."

    def get_form(self, data: Any = None, files: Any = None) -> DocumentForm:
        may_file = [
            each for each in Party.objects.all() if allows(self.request, self.permission, each)
        ]
        return DocumentForm(may_file, data, files)

    def act(self, data: dict[str, Any]) -> DocumentVersion:
        owner = Party.objects.get(code=data.pop("owner"))
        data["kind"] = Document.Kind(data["kind"])
        with receive_files(data.pop("papers")) as papers:
            return file_document(owner=owner, papers=papers, by=self.person, **data)

    def get_success_url(self, result: DocumentVersion) -> str:
        return resolve_url("document", uuid=result.document.uuid)


class DocumentPage(Page):
    """A document with its versions; parties read what is shared with them."""

    permission = Action.SEE_FILINGS
    template_name = "documents/document.html"

    def get_subject(self) -> Document:
        documents = Document.objects.select_related("owner")
        return get_object_or_404(documents, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Add the versions, who else sees it, and the owner's forms."""
        document: Document = self.subject
        owner = document.owner
        shown_to = document.shown_to.exclude(party=owner).values("party")
        versions = document.versions.annotate(number_of_files=Count("files", distinct=True))
        context = {
            "document": document,
            "versions": VersionTable(versions),
            "shared_with": Party.objects.filter(pk__in=shown_to),
        }
        if not allows(self.request, Action.FILE_DOCUMENTS, owner):
            return context
        files_games = allows(self.request, Action.FILE_GAMES, owner)
        return context | {
            "games": owner.games.all() if files_games else (),
            "version_form": self.form(VersionForm, "version"),
            "share_form": self.form(ShareForm, "share"),
        }


class _OwnerAction(ActionPage):
    """An action of the owner on the page of a document."""

    permission = Action.FILE_DOCUMENTS
    shown_on = DocumentPage
    get_subject = DocumentPage.get_subject

    @property
    def party(self) -> Party:
        owner: Party = self.subject.owner
        return owner

    def get_page_url(self) -> str:
        return resolve_url("document", uuid=self.kwargs["uuid"])


class NewVersion(_OwnerAction):
    """File the next version of a document."""

    form_class = VersionForm
    form_name = "version"
    success_message = "{result} is on file."

    def act(self, data: dict[str, Any]) -> DocumentVersion:
        with receive_files(data.pop("papers")) as papers:
            return file_version(document=self.subject, papers=papers, by=self.person, **data)


class ShareDocument(_OwnerAction):
    """Share a document with one more party."""

    form_class = ShareForm
    form_name = "share"
    success_message = "{subject} is shared with {result}."

    def act(self, data: dict[str, Any]) -> Party:
        party: Party = data["party"]
        show_document(document=self.subject, to=party, by=self.person)
        return party


class VersionPage(Page):
    """One version: its files, and their text page by page."""

    permission = Action.SEE_FILINGS
    template_name = "documents/version.html"

    def get_subject(self) -> DocumentVersion:
        versions = DocumentVersion.objects.select_related("document__owner")
        return get_object_or_404(versions, uuid=self.kwargs["uuid"])

    def get_context(self) -> dict[str, Any]:
        """Add the files with their text, and who filed it."""
        version: DocumentVersion = self.subject
        return {
            "version": version,
            "files": version.files.select_related("text"),
            "by": Person.objects.filter(uuid=version.filed_by).first(),
        }


class Download(VersionPage):
    """A file as it was filed; the download is an event."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Send the file: at most 50 MB, and verified as a whole before its first byte is sent."""
        files = self.subject.files.select_related("version__document__owner")
        file = get_object_or_404(files, place=self.kwargs["place"])
        recorded = record_file_export(file=file, by=self.person)
        content = read_bytes(current_archive(), file.sha256)
        response = HttpResponse(content, content_type=file.media_type)
        return as_file(response, file.name, recorded=recorded)


class CompareDocument(DocumentPage):
    """Two versions of a document, line by line."""

    template_name = "documents/compare.html"

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the choice of versions, and their differences once two are chosen."""
        versions = DocumentVersion.objects.filter(document=self.subject)
        self.choice = CompareForm(versions, request.GET or None)
        is_refused = self.choice.is_bound and not self.choice.is_valid()
        return self.show(status=422 if is_refused else 200)

    def get_context(self) -> dict[str, Any]:
        chosen = self.choice.is_valid()
        context = {"document": self.subject, "form": self.choice, "chosen": chosen}
        if not chosen:
            return context
        before, after = self.choice.cleaned_data["before"], self.choice.cleaned_data["after"]
        rows = side_by_side(_pages(before), _pages(after))
        return context | {
            "rows": rows,
            "changes": sum(row.changed for row in rows),
            "before": before,
            "after": after,
            "unread": [each for each in (before, after) if not any(_pages(each))],
        }


def _pages(of: DocumentVersion) -> list[str]:
    return [page for file in of.files.select_related("text") for page in file.text.pages]
