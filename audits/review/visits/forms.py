"""Forms of a visit: its operator, what was seen, and a closing remark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.filings.documents.forms import PapersField
from compliance.ui.forms import DayField, LongField, OperatorField

if TYPE_CHECKING:
    from collections.abc import Sequence

PICTURES = ".jpg,.jpeg,.png"


class BeginForm(forms.Form):
    """The operator to visit."""

    operator = OperatorField(empty_label="Choose an operator")


class PlanForm(forms.Form):
    """A visit to plan."""

    operator = OperatorField(empty_label="Choose an operator")
    day = DayField(label="Day of the visit")
    purpose = LongField(label="Purpose", required=False, rows=3)


class DifferenceForm(forms.Form):
    """What was found instead, with photos."""

    seen = LongField(label="What you see instead", rows=3)
    photos = PapersField(required=False, help_text="JPEG or PNG, up to 50 MB each.")

    def __init__(self, data: Any = None, files: Any = None, **more: Any) -> None:
        super().__init__(data, files, **more)
        self.fields["photos"].label = "Photos"
        self.fields["photos"].widget.attrs["accept"] = PICTURES

    def clean_photos(self) -> list[Any]:
        """Refuse files that are not photos."""
        photos: list[Any] = self.cleaned_data["photos"]
        for each in photos:
            if not each.name.lower().endswith(tuple(PICTURES.split(","))):
                msg = f"{each.name} is not a photo. Upload a JPEG or PNG file."
                raise forms.ValidationError(msg)
        return photos


class EndForm(forms.Form):
    """A closing remark on the whole visit."""

    note = LongField(label="Who you met, and anything else to note", required=False, rows=4)
    why_not = LongField(label="Why these were not inspected", required=False, rows=3)

    def __init__(self, data: Any = None, *, left: Sequence[str] = (), **more: Any) -> None:
        super().__init__(data, **more)
        if left:
            self.fields["why_not"].required = True
            self.fields["why_not"].help_text = f"Not inspected yet: {'; '.join(left)}."
        else:
            del self.fields["why_not"]
