"""Forms of releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from games.checks import describe_code

if TYPE_CHECKING:
    from collections.abc import Collection


MOST_SUPPLEMENTS = 1_000_000


class DayForm(forms.Form):
    """Release of a day as it was read."""

    supplements = forms.IntegerField(
        min_value=0, max_value=MOST_SUPPLEMENTS, widget=forms.HiddenInput
    )


class StandingForm(forms.Form):
    """A code, and whether its findings are released automatically."""

    code = forms.ChoiceField(label="Findings of")
    stands = forms.TypedChoiceField(
        choices=[("yes", "yes"), ("no", "no")],
        coerce=lambda answer: answer == "yes",
        widget=forms.HiddenInput,
        initial="yes",
    )

    def __init__(self, codes: Collection[str], data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["code"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(code, f"{describe_code(code)} ({code})") for code in codes]
