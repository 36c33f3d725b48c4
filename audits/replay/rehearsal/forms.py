"""Form to check a round log before it is submitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from audits.intake.forms import MappingField, check_mapping
from compliance.ui.forms import OperatorField

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.access.models import Party


class CheckForm(forms.Form):
    """A file, and the operator for whom it would be submitted."""

    operator = OperatorField(empty_label=None)
    file = forms.FileField(
        label="Round log",
        allow_empty_file=True,
        help_text="JSON Lines, plain or compressed with gzip or zstd, or a file that a mapping "
        "reads, up to 16 MiB unpacked.",
    )
    mapping = MappingField()

    def __init__(self, operators: QuerySet[Party], data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        field = self.fields["operator"]
        assert isinstance(field, OperatorField)  # noqa: S101
        field.queryset = operators

    def clean(self) -> dict[str, Any]:
        """Refuse another operator's mapping."""
        data = super().clean() or {}
        check_mapping(self, data)
        return data
