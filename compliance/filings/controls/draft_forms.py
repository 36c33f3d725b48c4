"""Forms for the sections of a draft."""

from __future__ import annotations

from typing import Any

from django import forms

from compliance.filings.controls.content import DAYS, LONGEST_TEXT, TEXTS
from compliance.filings.controls.presentation import HEADINGS
from compliance.ui.forms import DollarsField, LongField

CLOCK = "%H:%M"
HINTS = {
    "departments": "Which departments there are, who heads each, and to whom they report.",
    "irregularities": "What is done when a card is missing, exposed or misdealt, and who decides.",
    "surveillance": "What is in view of a camera, and how long video is kept.",
}


class PartForm(forms.Form):
    """One part of the draft; `seen` is the digest of the part as shown on the page."""

    kept_in = ""
    """The field that stores the whole part, if there is one."""
    usual: Any = ""
    """What that field shows before anything is saved."""

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)

    def __init__(self, part: str, data: Any = None, *, value: Any = None, seen: str = "") -> None:
        self.part = part
        super().__init__(data, initial={"seen": seen, **self.shows(value)})

    def shows(self, value: Any) -> dict[str, Any]:
        """Return the field values for a saved part."""
        return {self.kept_in: self.usual if value is None else value}

    @property
    def value(self) -> Any:
        """Return the part to save from a completed form."""
        return self.cleaned_data[self.kept_in]


class TimeOfDay(forms.TimeField):
    """A time of day in hours and minutes."""

    def __init__(self, **more: Any) -> None:
        widget = forms.TimeInput({"type": "time"}, CLOCK)
        super().__init__(widget=widget, input_formats=[CLOCK], **more)


class TextForm(PartForm):
    """A prose section."""

    kept_in = "text"

    text = LongField(max_length=LONGEST_TEXT, required=False, rows=14)

    def __init__(self, part: str, data: Any = None, **more: Any) -> None:
        super().__init__(part, data, **more)
        self.fields["text"].label = HEADINGS[part]
        self.fields["text"].help_text = HINTS.get(part, "")


class HoursForm(PartForm):
    """The hours of operation, day by day."""

    def __init__(self, part: str, data: Any = None, **more: Any) -> None:
        super().__init__(part, data, **more)
        for day in DAYS:
            for end in ("opens", "closes"):
                label = f"{day.capitalize()} {end}"
                self.fields[f"{day}_{end}"] = TimeOfDay(label=label, required=False)

    @property
    def days(self) -> list[tuple[Any, Any]]:
        """Return the opening and closing fields of each day."""
        return [(self[f"{day}_opens"], self[f"{day}_closes"]) for day in DAYS]

    def as_on_the_first_day(self) -> None:
        """Copy the times of the first day to all others."""
        kept = self.data.copy()  # type: ignore[attr-defined]
        for day in DAYS[1:]:
            for end in ("opens", "closes"):
                kept[f"{day}_{end}"] = kept.get(f"{DAYS[0]}_{end}", "")
        self.data = kept

    def shows(self, value: Any) -> dict[str, Any]:
        """Return opening and closing times for each day that is open."""
        spans = {day: span for day, span in (value or {}).items() if span}
        opens = {f"{day}_opens": span[0] for day, span in spans.items()}
        return opens | {f"{day}_closes": span[1] for day, span in spans.items()}

    def clean(self) -> None:
        """Reject a day with only one of its times."""
        for day in DAYS:
            ends = [self.cleaned_data.get(f"{day}_{end}") for end in ("opens", "closes")]
            if (ends[0] is None) != (ends[1] is None) and f"{day}_opens" not in self.errors:
                msg = "Give both times, or none for a day on which the room is closed."
                self.add_error(f"{day}_opens", msg)

    @property
    def value(self) -> Any:
        """Return opening and closing times by day; closed days are left out."""
        said = self.cleaned_data
        return {
            day: [f"{said[f'{day}_{end}']:%H:%M}" for end in ("opens", "closes")]
            for day in DAYS
            if said[f"{day}_opens"] is not None
        }


class CutOffForm(PartForm):
    """The end of the gambling day: 6:00 a.m. unless specified."""

    kept_in = "cut_off"
    usual = "06:00"

    cut_off = TimeOfDay(label=HEADINGS["cut_off"])

    @property
    def value(self) -> Any:
        """Return the time in the format for programs."""
        return f"{self.cleaned_data['cut_off']:%H:%M}"


class SubmissionForm(PartForm):
    """How long after the cut-off the round log is submitted, in whole hours."""

    kept_in = "hours"
    usual = 6

    hours = forms.IntegerField(
        label="Hours after the cut-off to submit the round log", min_value=0, max_value=72
    )


class CashToleranceForm(PartForm):
    """How far a table's cash and its rounds may differ."""

    kept_in = "tolerance"
    usual = None

    tolerance = DollarsField(
        label=HEADINGS["cash_tolerance"],
        required=False,
        help_text="In dollars, for a table and a span of time. Without it, a difference of more "
        "than $200 becomes a finding.",
    )


class VoidReasonsForm(PartForm):
    """The reasons for which a round may be voided."""

    reasons = LongField(
        label=HEADINGS["void_reasons"], required=False, rows=8, help_text="One in each line."
    )

    def shows(self, value: Any) -> dict[str, Any]:
        """Return one reason per line."""
        return {"reasons": "\n".join(value or [])}

    @property
    def value(self) -> Any:
        """Return the lines that are not empty."""
        lines = (line.strip() for line in self.cleaned_data["reasons"].splitlines())
        return [line for line in lines if line]


FORMS: dict[str, type[PartForm]] = {
    **dict.fromkeys(TEXTS, TextForm),
    "hours": HoursForm,
    "cut_off": CutOffForm,
    "submission_hours": SubmissionForm,
    "cash_tolerance": CashToleranceForm,
    "void_reasons": VoidReasonsForm,
}
