"""Forms to submit a round log and to search for a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from audits.intake.mapping.reads import newest_of_visible
from audits.intake.reads import find_log
from compliance.ui.forms import DayField, LongField, NameField, OperatorField, RowField

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from audits.intake.mapping.models import LogMapping
    from compliance.access.models import Party


NO_LOG = "This operator has no log of this number or SHA-256 on file."


class MappingField(RowField):
    """One of the saved mappings that the user may see; none for a round log."""

    def __init__(self) -> None:
        super().__init__(
            newest_of_visible,
            by="uuid",
            required=False,
            label="Mapping",
            empty_label="None: the file is a round log",
            help_text="For a CSV, Excel or JSON file from your table system.",
        )

    def label_from_instance(self, obj: LogMapping) -> str:
        """Show name and version, and whose it is."""
        return f"{obj}, {obj.party}"


def check_mapping(form: forms.Form, data: dict[str, Any]) -> None:
    """Refuse another operator's mapping."""
    mapping, party = data.get("mapping"), data.get("operator")
    if mapping is not None and party is not None and mapping.party_id != party.pk:
        form.add_error("mapping", f"This mapping is not of {party}. Choose one of this operator.")


class AboutForm(forms.Form):
    """The operator of a log, how it is read, and the log that it corrects."""

    operator = OperatorField(empty_label=None)
    mapping = MappingField()
    corrects = forms.CharField(
        label="Corrects the log",
        required=False,
        max_length=64,
        help_text="The number or SHA-256, from its receipt, of a log on file whose rounds these "
        "replace. Leave this empty for a log of new rounds.",
    )
    reason = LongField(label="Why it is corrected", required=False, rows=2)

    def __init__(self, operators: QuerySet[Party], data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        field = self.fields["operator"]
        assert isinstance(field, OperatorField)  # noqa: S101
        field.queryset = operators

    def clean(self) -> dict[str, Any]:
        """Look up the corrected log."""
        data = super().clean() or {}
        party, name = data.get("operator"), data.get("corrects")
        log = find_log(party, name) if party and name else None
        check_mapping(self, data)
        if party and name and log is None:
            self.add_error("corrects", NO_LOG)
        if name and not data.get("reason"):
            self.add_error("reason", "Say why the log is corrected.")
        if data.get("reason") and not name:
            self.add_error("corrects", "You gave a reason for a correction. Enter the log, too.")
        return data | {"log": log}


class SubmissionForm(AboutForm):
    """Upload of a whole file, for browsers without scripts."""

    file = forms.FileField(
        label="Round log",
        allow_empty_file=True,
        max_length=None,
        help_text="JSON Lines, plain or compressed with gzip or zstd, of any size; or a file that "
        "a mapping reads. If the "
        "connection breaks, the upload resumes where it stopped.",
    )
    field_order = ("operator", "file", "mapping", "corrects", "reason")


class UploadForm(AboutForm):
    """What a script sends before it uploads a file in pieces."""

    name = forms.CharField(max_length=1000)
    size = forms.IntegerField()


TIMES = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M%p", "%I:%M:%S %p", "%I %p", "%I%p"]


class IdForm(forms.Form):
    """Search for a round by ID."""

    id = NameField(
        label="Round number",
        max_length=64,
        help_text="As in the log or on a report: T3-000123.",
    )


class TimeForm(forms.Form):
    """Search for rounds by table and approximate time."""

    operator = forms.ChoiceField()
    table = NameField(max_length=32, help_text="As on its sign: T3.")
    day = DayField(
        label="Date", help_text="The calendar date. After midnight, that of the morning."
    )
    time = forms.TimeField(
        label="About what time",
        input_formats=TIMES,
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
        error_messages={"invalid": "Enter a time like 21:40 or 9:40 PM."},
        help_text="Local time at the table: 21:40 or 9:40 PM.",
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
        """Return the operator of the table."""
        code = self.cleaned_data.get("operator") or next(iter(self._operators))
        return self._operators[code]
