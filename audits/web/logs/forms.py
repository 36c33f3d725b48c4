"""Forms by which round logs are handed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from audits.selectors.round_logs import find_log
from compliance.web.fields import LongField

if TYPE_CHECKING:
    from audits.models import RoundLog
    from compliance.models import Party

NO_LOG = "This operator has no log of this number or SHA-256 on file."


class AboutForm(forms.Form):
    """Whose log it is, and which one it corrects."""

    operator = forms.ChoiceField()
    corrects = forms.CharField(
        label="Corrects the log",
        required=False,
        max_length=64,
        help_text="Number or SHA-256 of a log on file whose rounds these replace, as its receipt "
        "says it. Leave it empty for a log of new rounds.",
    )
    reason = LongField(label="Why it is corrected", required=False, rows=2)

    def __init__(self, operators: dict[str, Party], data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        self._operators = operators
        field = self.fields["operator"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(code, party.name) for code, party in operators.items()]

    def clean(self) -> dict[str, Any]:
        """Look up the party and the log that are named."""
        said = super().clean() or {}
        party = self._operators.get(said.get("operator", ""))
        corrected: RoundLog | None = None
        if party is not None and (named := said.get("corrects")):
            corrected = find_log(party, named)
            if corrected is None:
                self.add_error("corrects", NO_LOG)
        if said.get("corrects") and not said.get("reason"):
            self.add_error("reason", "Say why the log is corrected.")
        if said.get("reason") and not said.get("corrects"):
            self.add_error("corrects", "A reason is given for a correction: name the log.")
        return said | {"party": party, "log": corrected}


class HandInForm(AboutForm):
    """A whole file at once: for browsers without scripts."""

    file = forms.FileField(
        label="Round log",
        allow_empty_file=True,
        max_length=None,
        help_text="JSON Lines, plain or packed by gzip or zstd; of any size. If the connection "
        "breaks, it goes on where it was.",
    )
    field_order = ("operator", "file", "corrects", "reason")


class BeginForm(AboutForm):
    """What a script says before it sends a file in pieces."""

    name = forms.CharField(max_length=1000)
    size = forms.IntegerField()
