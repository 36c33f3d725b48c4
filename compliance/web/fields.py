"""Fields that several forms have: days, instants, reasons, in the browser's own controls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unicodedata import category

from django import forms

if TYPE_CHECKING:
    from datetime import date, datetime

EARLIEST, LATEST = 1970, 2200
LONGEST_REASON = 10_000
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _in_reach(value: date | None) -> None:
    if value is not None and not EARLIEST <= value.year <= LATEST:
        msg = f"A year from {EARLIEST} to {LATEST} is wanted here."
        raise forms.ValidationError(msg)


def _in_plain_sight(text: str) -> None:
    """Refuse what cannot be seen and changes what is: control signs, and those that turn a line."""
    for number, line in enumerate(text.split("\n"), start=1):
        for sign in line:
            if sign == "\t" or (category(sign) not in {"Cc", "Cs"} and sign not in TURNING):
                continue
            msg = f"Line {number} holds a sign that nobody sees (U+{ord(sign):04X}). Take it out."
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


class ReasonForm(forms.Form):
    """Why: what most steps ask for."""

    reason = LongField(label="Why")
