"""Comments as people write and read them: a text, and papers on file that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.selectors.documents import papers_of_parties
from compliance.web.fields import LongField

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compliance.models import DocumentVersion, Party


class CommentForm(forms.Form):
    """Something to say, with papers to show; only what is on file can be named."""

    text = LongField(label="Comment")
    papers = forms.TypedMultipleChoiceField(
        label="Documents on file that it names",
        required=False,
        widget=forms.SelectMultiple({"size": 5}),
        help_text="Hold Ctrl, or Cmd, to choose several. Whoever may not open one sees its name.",
    )

    def __init__(self, of: Iterable[Party], data: object = None, **more: Any) -> None:
        super().__init__(data, **more)  # type: ignore[arg-type]
        on_file = {str(each.uuid): each for each in papers_of_parties(of)}
        field = self.fields["papers"]
        assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101
        field.choices = [(uuid, _named(paper)) for uuid, paper in on_file.items()]
        field.coerce = on_file.__getitem__
        if not on_file:
            del self.fields["papers"]


class SectionForm(CommentForm):
    """Something to say of one section."""

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
