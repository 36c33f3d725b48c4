"""Forms by which a round is looked for: by its number, or by its table and the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.web.fields import DayField, NameField

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compliance.models import Party

TIMES = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M%p", "%I:%M:%S %p", "%I %p", "%I%p"]


class IdForm(forms.Form):
    """Which round to look for."""

    id = NameField(
        label="Number of the round",
        max_length=64,
        help_text="As it stands in the log or on a report: T3-000123.",
    )


class TimeForm(forms.Form):
    """At which table, and about when."""

    operator = forms.ChoiceField()
    table = NameField(max_length=32, help_text="As its sign says: T3.")
    day = DayField(
        label="Date", help_text="By the calendar: after midnight it is the date of the morning."
    )
    time = forms.TimeField(
        label="About what time",
        input_formats=TIMES,
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
        error_messages={"invalid": "Write a time as 21:40 or 9:40 PM."},
        help_text="As the clock of the place showed it, 21:40 or 9:40 PM.",
    )
    second = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, operators: Mapping[str, Party], data: Any = None) -> None:
        super().__init__(data)
        self._operators = operators
        if len(operators) == 1:
            del self.fields["operator"]
            return
        field = self.fields["operator"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        named = sorted((party.name, code) for code, party in operators.items())
        field.choices = [("", "Choose an operator"), *((code, name) for name, code in named)]

    def operator_asked(self) -> Party:
        """Whose table it is."""
        code = self.cleaned_data.get("operator") or next(iter(self._operators))
        return self._operators[code]
