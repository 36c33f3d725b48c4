"""Fields that several forms have: days, instants, reasons, in the browser's own controls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from compliance.plain_sight import unseen_in

if TYPE_CHECKING:
    from datetime import date, datetime

EARLIEST, LATEST = 1970, 2200
LONGEST_REASON = 10_000
MOST_DOLLARS = 10_000_000


def _in_reach(value: date | None) -> None:
    if value is not None and not EARLIEST <= value.year <= LATEST:
        msg = f"A year from {EARLIEST} to {LATEST} is wanted here."
        raise forms.ValidationError(msg)


def _in_plain_sight(text: str) -> None:
    if found := unseen_in(text):
        line, sign = found
        msg = f"Line {line} holds a sign that nobody sees ({sign}). Take it out."
        raise forms.ValidationError(msg)


class NameField(forms.CharField):
    """A name or a number in one line."""

    def clean(self, value: Any) -> str:
        """Refuse what nobody sees."""
        text: str = super().clean(value)
        if "\n" in text:
            msg = "Write it in one line."
            raise forms.ValidationError(msg)
        _in_plain_sight(text)
        return text


class DayField(forms.DateField):
    """A day of the calendar."""

    def __init__(self, **more: Any) -> None:
        super().__init__(widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"), **more)

    def clean(self, value: Any) -> date | None:
        """Refuse years that no filing can speak of."""
        day: date | None = super().clean(value)
        _in_reach(day)
        return day


class InstantField(forms.DateTimeField):
    """A date and time at the places of play; with an offset where the clock shows it twice."""

    def __init__(self, **more: Any) -> None:
        more.setdefault(
            "help_text",
            "As 2025-07-12 22:15. In the hour that the clock shows twice add the offset: "
            "2025-11-02T01:30-07:00.",
        )
        super().__init__(widget=forms.DateTimeInput(format="%Y-%m-%d %H:%M"), **more)

    def clean(self, value: Any) -> datetime | None:
        """Refuse years that no filing can speak of."""
        instant: datetime | None = super().clean(value)
        _in_reach(instant)
        return instant


class LongField(forms.CharField):
    """A text of several lines, with line ends as everywhere else in the system."""

    def __init__(self, *, rows: int = 4, **more: Any) -> None:
        more.setdefault("max_length", LONGEST_REASON)
        super().__init__(widget=forms.Textarea({"rows": rows}), **more)

    def clean(self, value: Any) -> str:
        """Browsers send CR LF; files and programs do not. Refuse what nobody sees."""
        text: str = super().clean(value)
        text = text.replace("\r\n", "\n")
        _in_plain_sight(text)
        return text


class DollarsField(forms.DecimalField):
    """An amount as people type it, with or without the sign and the thousands; in cents."""

    def __init__(self, *, most: int = MOST_DOLLARS, **more: Any) -> None:
        widget = forms.TextInput({"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(widget=widget, min_value=0, max_value=most, decimal_places=2, **more)

    def to_python(self, value: Any) -> Any:
        """Take the sign of the dollar and the commas out."""
        if isinstance(value, str):
            value = value.strip().removeprefix("$").replace(",", "")
        return super().to_python(value)

    def clean(self, value: Any) -> Any:
        """Tell the amount in cents."""
        amount = super().clean(value)
        return None if amount is None else int(amount * 100)

    def prepare_value(self, value: Any) -> Any:
        """Show cents as dollars; what somebody typed stays as it is."""
        return f"{value / 100:.2f}" if isinstance(value, int) else value


class ReasonForm(forms.Form):
    """Why: what most steps ask for."""

    reason = LongField(label="Why")
