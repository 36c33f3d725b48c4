"""Documents: filed, listed and searched, read by version, compared, shown to others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.file_answers import as_file
from compliance.models import Document, DocumentFile, DocumentVersion, Party, Person
from compliance.papers.compare import side_by_side
from compliance.permissions import Action
from compliance.selectors.documents import found_in
from compliance.services.documents import (
    file_document,
    file_version,
    note_reading,
    show_document,
)
from compliance.services.received import received
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.documents.forms import FileForm, SearchForm, ShowForm, VersionForm
from compliance.web.lists import paged

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest


class Documents(tables.Table):  # type: ignore[misc]
    """Documents, by title."""

    title = tables.Column(linkify=("document", {"uuid": tables.A("uuid")}))
    kind = tables.Column(accessor="get_kind_display", order_by="kind")
    owner = tables.Column(verbose_name="Filed by", order_by="owner__name")
    filed = tables.Column(accessor="number_of_versions", verbose_name="Versions")
    caption = "Documents"

    class Meta:
        empty_text = "No document is on file here."


class CompareForm(forms.Form):
    """Which two versions to lay beside each other."""

    before = forms.ModelChoiceField(DocumentVersion.objects.none(), to_field_name="number")
    after = forms.ModelChoiceField(DocumentVersion.objects.none(), to_field_name="number")

    def __init__(self, versions: Any, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        for name in ("before", "after"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)  # noqa: S101
            field.queryset = versions


@login_required
@require_safe
def documents(request: HttpRequest) -> HttpResponse:
    """The documents one may see, and where their text says what was searched for."""
    require_sight(request, Action.SEE_FILINGS)
    form = SearchForm(request.GET)
    sought = form.cleaned_data["sought"] if form.is_valid() else ""
    found = Document.objects.select_related("owner").annotate(
        number_of_versions=Count("versions", distinct=True)
    )
    context = {
        "form": form,
        "sought": sought,
        "places": found_in(sought) if sought else [],
        "table": paged(request, Documents(found)),
        "files": allows(request, Action.FILE_DOCUMENTS),
    }
    return render(request, "documents/documents.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """File a document with its first version."""
    require_sight(request, Action.FILE_DOCUMENTS)
    parties = {
        each.code: each
        for each in Party.objects.all()
        if allows(request, Action.FILE_DOCUMENTS, each)
    }
    if request.method != "POST":
        return render(request, "documents/new.html", {"form": FileForm(parties)})
    form = FileForm(parties, request.POST, request.FILES)

    def act(said: dict[str, Any]) -> DocumentVersion:
        with received(said["papers"]) as papers:
            return file_document(
                owner=parties[said["owner"]],
                kind=Document.Kind(said["kind"]),
                title=said["title"],
                papers=papers,
                evidence_date=said["evidence_date"],
                note=said["note"],
                by=person_of(request),
            )

    version = accepted(form, act)
    if version is None:
        return render(request, "documents/new.html", {"form": form}, status=422)
    messages.success(request, f"{version} is on file.")
    return redirect("document", uuid=version.document.uuid)


@login_required
@require_safe
def document(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One document with its versions."""
    return _page(request, _document(request, uuid, Action.SEE_FILINGS))


@login_required
@require_POST
def new_version(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """File the next version of a document."""
    found = _document(request, uuid, Action.FILE_DOCUMENTS)
    form = VersionForm(request.POST, request.FILES)

    def act(said: dict[str, Any]) -> DocumentVersion:
        with received(said["papers"]) as papers:
            return file_version(
                document=found,
                papers=papers,
                evidence_date=said["evidence_date"],
                note=said["note"],
                by=person_of(request),
            )

    version = accepted(form, act)
    if version is None:
        return _page(request, found, version_form=form, status=422)
    messages.success(request, f"{version} is on file.")
    return redirect("document", uuid=found.uuid)


@login_required
@require_POST
def show(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show a document to one more party."""
    found = _document(request, uuid, Action.FILE_DOCUMENTS)
    form = ShowForm(request.POST)
    if form.is_valid():
        # The parties that one may not see are named by their code alone, and not told of.
        to = Party.objects.filter(code=form.cleaned_data["party"]).first()
        if to is None:
            form.add_error("party", "You see no party of this code. Ask the commission to show it.")
        else:
            show_document(document=found, to=to, by=person_of(request))
            messages.success(request, f"{found} is shown to {to}.")
            return redirect("document", uuid=found.uuid)
    return _page(request, found, show_form=form, status=422)


@login_required
@require_safe
def version(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """One version: its files, and what they say page by page."""
    found = _version(request, uuid)
    files = list(found.files.select_related("text"))
    by = Person.objects.filter(uuid=found.filed_by).first()
    return render(request, "documents/version.html", {"version": found, "files": files, "by": by})


@login_required
@require_safe
def download(request: HttpRequest, uuid: UUID, place: int) -> HttpResponse:
    """Hand out a file as it was filed; the reading is an event."""
    found = _version(request, uuid)
    file = get_object_or_404(
        DocumentFile.objects.select_related("version__document__owner"), version=found, place=place
    )
    note_reading(file=file, by=person_of(request))
    # A file has 50 MB at most; it is verified as a whole before its first byte goes out.
    content = read_bytes(current_archive(), file.sha256)
    return as_file(HttpResponse(content, content_type=file.media_type), file.name)


@login_required
@require_safe
def compare(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Two versions of a document beside each other, line by line."""
    found = _document(request, uuid, Action.SEE_FILINGS)
    form = CompareForm(DocumentVersion.objects.filter(document=found), request.GET or None)
    chosen = form.is_bound and form.is_valid()
    context: dict[str, Any] = {"document": found, "form": form, "chosen": chosen}
    if chosen:
        before, after = form.cleaned_data["before"], form.cleaned_data["after"]
        rows = side_by_side(_pages(before), _pages(after))
        context |= {
            "rows": rows,
            "changes": sum(row.changed for row in rows),
            "before": before,
            "after": after,
            "unread": [each for each in (before, after) if not any(_pages(each))],
        }
    status = 422 if form.is_bound and not chosen else 200
    return render(request, "documents/compare.html", context, status=status)


def _pages(of: DocumentVersion) -> list[str]:
    return [page for file in of.files.select_related("text") for page in file.text.pages]


def _document(request: HttpRequest, uuid: UUID, action: Action) -> Document:
    found = get_object_or_404(Document.objects.select_related("owner"), uuid=uuid)
    # What is shown to somebody may be read by them; only its owner files its next version.
    require_sight(request, action, None if action == Action.SEE_FILINGS else found.owner)
    return found


def _version(request: HttpRequest, uuid: UUID) -> DocumentVersion:
    require_sight(request, Action.SEE_FILINGS)
    return get_object_or_404(DocumentVersion.objects.select_related("document__owner"), uuid=uuid)


def _page(
    request: HttpRequest,
    found: Document,
    *,
    version_form: VersionForm | None = None,
    show_form: ShowForm | None = None,
    status: int = 200,
) -> HttpResponse:
    files = allows(request, Action.FILE_DOCUMENTS, found.owner)
    context = {
        "document": found,
        "versions": found.versions.annotate(number_of_files=Count("files", distinct=True)),
        "shown_to": Party.objects.filter(
            pk__in=found.shown_to.exclude(party=found.owner).values("party")
        ),
        "games": found.owner.games.all() if allows(request, Action.FILE_GAMES, found.owner) else (),
        "version_form": (version_form or VersionForm()) if files else None,
        "show_form": (show_form or ShowForm()) if files else None,
    }
    return render(request, "documents/document.html", context, status=status)
