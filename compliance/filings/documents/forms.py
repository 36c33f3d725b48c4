"""Forms to file documents, and to comment on a filing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django_filters import CharFilter, FilterSet

from compliance.access.models import Party
from compliance.files.readers import ENDINGS
from compliance.filings.documents.models import Document, DocumentVersion
from compliance.filings.documents.reads import documents_of_parties
from compliance.ui.forms import DayField, LongField, NameField

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.core.files.uploadedfile import UploadedFile
    from django.db.models import QuerySet


class SeveralFiles(forms.ClearableFileInput):
    """The browser's own file control, with several files."""

    allow_multiple_selected = True


class PapersField(forms.FileField):
    """One or more files; the service decides whether they are accepted."""

    def __init__(self, **more: Any) -> None:
        more.setdefault("help_text", f"One or more of {', '.join(ENDINGS)}; up to 50 MB each.")
        super().__init__(
            label="Files", widget=SeveralFiles, allow_empty_file=True, max_length=None, **more
        )

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        """Return every file that was sent; none of the empty file controls."""
        sent = data if isinstance(data, list | tuple) else [data]
        files = [super(PapersField, self).clean(each, initial) for each in sent or [None]]
        return [each for each in files if each is not None]


class VersionForm(forms.Form):
    """The files of a version, and the date of their content."""

    papers = PapersField()
    evidence_date = DayField(
        label="Date of the documents",
        help_text="The date printed on them; without one, the day from which they are in effect.",
    )
    note = LongField(required=False, rows=2)


class DocumentForm(VersionForm):
    """A new document: its owner, kind and title."""

    owner = forms.ChoiceField(label="Filed by")
    kind = forms.ChoiceField(choices=Document.Kind.choices)
    title = NameField(max_length=120)
    field_order = ("owner", "kind", "title", "papers", "evidence_date", "note")

    def __init__(self, parties: Iterable[Party], data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        field = self.fields["owner"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(party.code, party.name) for party in parties]


class ShareForm(forms.Form):
    """The party that a document is shared with, by code: the form lists no hidden parties."""

    party = forms.SlugField(
        label="Code of the party", max_length=32, help_text="For example, twin-rivers."
    )

    def clean_party(self) -> Party:
        """Return the party, if the user may see it."""
        party = Party.objects.filter(code=self.cleaned_data["party"]).first()
        if party is None:
            msg = "You see no party with this code. Ask the commission to share the document."
            raise forms.ValidationError(msg)
        return party


class DocumentFilters(FilterSet):  # type: ignore[misc]
    """A search in the text of documents; the list itself stays whole."""

    sought = CharFilter(label="Text", max_length=200, method="keep")

    def keep(self, rows: QuerySet[Document], name: str, value: str) -> QuerySet[Document]:
        """Keep all rows."""
        return rows


class CompareForm(forms.Form):
    """Which two versions of a document or of internal controls to compare."""

    before: forms.ModelChoiceField[Any] = forms.ModelChoiceField(None, to_field_name="number")
    after: forms.ModelChoiceField[Any] = forms.ModelChoiceField(None, to_field_name="number")

    def __init__(self, versions: QuerySet[Any], data: Any = None) -> None:
        super().__init__(data)
        for field in self.fields.values():
            assert isinstance(field, forms.ModelChoiceField)  # noqa: S101
            field.queryset = versions


class CommentForm(forms.Form):
    """A comment with supporting documents; only documents on file can be cited."""

    text = LongField(label="Comment")
    papers = forms.TypedMultipleChoiceField(
        label="Documents on file that it cites",
        required=False,
        widget=forms.SelectMultiple({"size": 5}),
        help_text="Hold Ctrl or Cmd to choose several. Readers without access see only the name.",
    )

    def __init__(self, of: Iterable[Party], data: object = None, **more: Any) -> None:
        super().__init__(data, **more)  # type: ignore[arg-type]
        on_file = {str(each.uuid): each for each in documents_of_parties(of)}
        field = self.fields["papers"]
        assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101
        field.choices = [(uuid, _named(paper)) for uuid, paper in on_file.items()]
        field.coerce = on_file.__getitem__
        if not on_file:
            del self.fields["papers"]


class SectionForm(CommentForm):
    """A comment on one section."""

    section = forms.ChoiceField()
    field_order = ("section", "text", "papers")

    def __init__(
        self,
        sections: Iterable[tuple[str, str]],
        of: Iterable[Party],
        data: object = None,
        **more: Any,
    ) -> None:
        super().__init__(of, data, **more)
        field = self.fields["section"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = list(sections)


def _named(paper: DocumentVersion) -> str:
    return f"{paper}, {paper.document.owner}"
