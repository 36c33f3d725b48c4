"""Forms by which documents are filed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.models import Document
from compliance.papers.kinds import ENDINGS
from compliance.web.fields import DayField, LongField, NameField

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

    from compliance.models import Party


class SeveralFiles(forms.ClearableFileInput):
    """The browser's own control, which lets several files be chosen."""

    allow_multiple_selected = True


class PapersField(forms.FileField):
    """One file or several; whether they are taken is for the service to say."""

    def __init__(self, **more: Any) -> None:
        more.setdefault("help_text", f"One or several of {', '.join(ENDINGS)}; up to 50 MB each.")
        super().__init__(
            label="Files", widget=SeveralFiles, allow_empty_file=True, max_length=None, **more
        )

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        """Every file that was sent."""
        sent = data if isinstance(data, list | tuple) else [data]
        return [super(PapersField, self).clean(each, initial) for each in sent or [None]]


class VersionForm(forms.Form):
    """The files of a version, and the day they speak of."""

    papers = PapersField()
    evidence_date = DayField(
        label="Day of the papers",
        help_text="The day that they print; where they print none, the day from which they hold.",
    )
    note = LongField(required=False, rows=2)


class FileForm(VersionForm):
    """A new document: whose, of what kind, its title."""

    owner = forms.ChoiceField(label="Filed by")
    kind = forms.ChoiceField(choices=Document.Kind.choices)
    title = NameField(max_length=120)
    field_order = ("owner", "kind", "title", "papers", "evidence_date", "note")

    def __init__(self, parties: dict[str, Party], data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        field = self.fields["owner"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(code, party.name) for code, party in parties.items()]


class ShowForm(forms.Form):
    """To whom a document is shown."""

    party = forms.SlugField(
        label="Code of the party", max_length=32, help_text="What programs call it, as twin-rivers."
    )


class SearchForm(forms.Form):
    """What to look for in the text of documents."""

    sought = forms.CharField(label="Text", required=False, max_length=200)
