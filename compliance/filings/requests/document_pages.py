"""The documents of a request, each on its own, for those who see the request.

A tribe's operation and its agency decide on a supplier's rules. They may open what the request
contains, and not the supplier's other documents or other versions of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse

from compliance.access.models import Person
from compliance.access.permissions import Action
from compliance.access.scope import without_access_scope
from compliance.files.archive import current_archive, read_bytes
from compliance.files.downloads import as_file
from compliance.filings.documents.writes import record_file_export
from compliance.filings.requests.pages import find_request
from compliance.filings.requests.reads import documents_of_request
from compliance.ui.pages import Page

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.access.models import Party
    from compliance.filings.documents.models import DocumentVersion


class RequestDocument(Page):
    """One document of a request: its files, and their text page by page."""

    permission = Action.SEE_FILINGS
    template_name = "requests/document.html"

    def get_subject(self) -> DocumentVersion:
        self.asked_for = find_request(self.kwargs["uuid"])
        for each in documents_of_request(self.asked_for):
            if each.uuid == self.kwargs["version"]:
                return each
        raise Http404

    @property
    def party(self) -> Party | None:
        """Return none: a person who sees the request may open its documents."""
        return None

    def get_context(self) -> dict[str, Any]:
        """Add the files with their text, and who filed it."""
        version: DocumentVersion = self.subject
        with without_access_scope():
            files = list(version.files.select_related("text"))
        return {
            "asked_for": self.asked_for,
            "version": version,
            "files": files,
            "by": Person.objects.filter(uuid=version.filed_by).first(),
        }


class DownloadRequestDocument(RequestDocument):
    """A file of a document of a request, as it was filed; the download is an event."""

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Send the file: at most 50 MB, and verified as a whole before its first byte is sent."""
        with without_access_scope():
            files = self.subject.files.select_related("version__document__owner")
            file = files.filter(place=self.kwargs["place"]).first()
        if file is None:
            raise Http404
        recorded = record_file_export(file=file, by=self.person)
        content = read_bytes(current_archive(), file.sha256)
        response = HttpResponse(content, content_type=file.media_type)
        return as_file(response, file.name, recorded=recorded)
