"""Form rendering, and shared fields: days, instants, reasons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.forms.renderers import TemplatesSetting
from django_filters import Filter

from compliance.access.models import Party
from compliance.access.permissions import OPERATOR_KINDS, PartyKind
from compliance.text import unseen_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    from django.db.models import QuerySet


EARLIEST, LATEST = 1970, 2200
LONGEST_REASON = 10_000
MOST_DOLLARS = 10_000_000
AMOUNT = re.compile(r"-?[0-9]*\.?[0-9]*")


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
    """A name or a number on one line."""

    def clean(self, value: Any) -> str:
        """Reject invisible characters."""
        text: str = super().clean(value)
        if "\n" in text:
            msg = "Write it in one line."
            raise forms.ValidationError(msg)
        _in_plain_sight(text)
        return text


class DayField(forms.DateField):
    """A calendar day."""

    def __init__(self, **more: Any) -> None:
        super().__init__(widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"), **more)

    def clean(self, value: Any) -> date | None:
        """Reject years outside the range of filings."""
        day: date | None = super().clean(value)
        _in_reach(day)
        return day


class InstantField(forms.DateTimeField):
    """A local date and time, with an offset in the hour that the clock repeats."""

    def __init__(self, **more: Any) -> None:
        more.setdefault(
            "help_text",
            "As 2025-07-12 22:15. In the hour that the clock shows twice add the offset: "
            "2025-11-02T01:30-07:00.",
        )
        super().__init__(widget=forms.DateTimeInput(format="%Y-%m-%d %H:%M"), **more)

    def clean(self, value: Any) -> datetime | None:
        """Reject years outside the range of filings."""
        instant: datetime | None = super().clean(value)
        _in_reach(instant)
        return instant


class LongField(forms.CharField):
    """A multiline text, with normalized line ends."""

    def __init__(self, *, rows: int = 4, **more: Any) -> None:
        more.setdefault("max_length", LONGEST_REASON)
        super().__init__(widget=forms.Textarea({"rows": rows}), **more)

    def clean(self, value: Any) -> str:
        """Normalize the CR LF that browsers send to line feeds; reject invisible characters."""
        text: str = super().clean(value)
        text = text.replace("\r\n", "\n")
        _in_plain_sight(text)
        return text


class DollarsField(forms.DecimalField):
    """An amount as people type it, with or without the dollar sign and commas; in cents."""

    def __init__(self, *, most: int = MOST_DOLLARS, **more: Any) -> None:
        widget = forms.TextInput({"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(widget=widget, min_value=0, max_value=most, decimal_places=2, **more)

    def to_python(self, value: Any) -> Any:
        """Remove the dollar sign and the commas; nobody writes an amount as 4e4."""
        if isinstance(value, str):
            value = value.strip().removeprefix("$").replace(",", "")
            if value and not AMOUNT.fullmatch(value):
                msg = f"“{value}” is not an amount. Write it in dollars, as $1,200.00."
                raise forms.ValidationError(msg)
        return super().to_python(value)

    def clean(self, value: Any) -> Any:
        """Return the amount in cents."""
        amount = super().clean(value)
        return None if amount is None else int(amount * 100)

    def prepare_value(self, value: Any) -> Any:
        """Show cents as dollars; leave user input unchanged."""
        return f"{value / 100:.2f}" if isinstance(value, int) else value


class RowField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One of the rows that the user may see, by its code or its UUID."""

    def __init__(self, rows: Callable[[], QuerySet[Any]], *, by: str = "code", **more: Any) -> None:
        super().__init__(None, to_field_name=by, **more)
        self._rows = rows

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Look the rows up for each form: the access scope is that of its request."""
        field = super().__deepcopy__(memo)
        field.queryset = self._rows()
        return field


class PartyField(RowField):
    """One of the parties that the user may see, by code, without units of the commission."""

    def __init__(self, parties: Callable[[], QuerySet[Party]] | None = None, **more: Any) -> None:
        super().__init__(parties or _all_parties, **more)

    def label_from_instance(self, obj: Party) -> str:
        """Show the name."""
        return obj.name


def _all_parties() -> QuerySet[Party]:
    found = Party.objects.exclude(kind=PartyKind.COMMISSION_UNIT)
    return found.order_by("name", "code")


class OperatorField(PartyField):
    """One of the operators that the user may see, by code."""

    def __init__(self, **more: Any) -> None:
        super().__init__(lambda: Party.objects.filter(kind__in=OPERATOR_KINDS), **more)


class PartyFilter(Filter):  # type: ignore[misc]
    """A filter by party."""

    field_class: type[PartyField] = PartyField

    def __init__(self, field_name: str = "party", **more: Any) -> None:
        more = {"label": "Party", "empty_label": "Any party"} | more
        super().__init__(field_name, **more)


class OperatorFilter(PartyFilter):
    """A filter by operator."""

    field_class = OperatorField

    def __init__(self, field_name: str = "party", **more: Any) -> None:
        super().__init__(field_name, **{"label": "Operator", "empty_label": "Any operator"} | more)


class DayFilter(Filter):  # type: ignore[misc]
    """A filter by day."""

    field_class = DayField


class ReasonForm(forms.Form):
    """The reason, which most steps require."""

    reason = LongField(label="Why")


class FormRenderer(TemplatesSetting):
    """The layout of every form: the list of errors first, then label, hint and error by field."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
