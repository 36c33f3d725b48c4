"""Forms of a visit: whom it is paid to, what was seen, the word at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.web.documents.forms import PapersField
from compliance.web.fields import LongField

if TYPE_CHECKING:
    from compliance.models import Party

PICTURES = ".jpg,.jpeg,.png"


class BeginForm(forms.Form):
    """Whom the visit is paid to."""

    operator = forms.TypedChoiceField()

    def __init__(self, operators: dict[str, Party], data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["operator"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        named = [(code, party.name) for code, party in operators.items()]
        field.choices = [("", "Choose an operator"), *named]
        field.coerce = operators.__getitem__


class DifferenceForm(forms.Form):
    """What stands there instead, and photos of it."""

    seen = LongField(label="What was seen instead", rows=3)
    photos = PapersField(required=False, help_text="JPEG or PNG, up to 50 MB each.")

    def __init__(self, data: Any = None, files: Any = None, **more: Any) -> None:
        super().__init__(data, files, **more)
        self.fields["photos"].label = "Photos"
        self.fields["photos"].widget.attrs["accept"] = PICTURES

    def clean_photos(self) -> list[Any]:
        """Those that were sent; a file of another kind is no photo."""
        photos = [each for each in self.cleaned_data["photos"] if each is not None]
        for each in photos:
            if not each.name.lower().endswith(tuple(PICTURES.split(","))):
                msg = f"{each.name} is no photo: send a JPEG or PNG."
                raise forms.ValidationError(msg)
        return photos


class EndForm(forms.Form):
    """A last word on the whole visit."""

    note = LongField(label="Who was met, and what else is to be said", required=False, rows=4)
