"""Forms of cases: which to show, opening one, what is put into it, the level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django import forms

from audits.models import Case, CaseItem
from audits.selectors.cases import APPARENT, chosen_cases
from audits.services.cases import Gathered
from compliance.web.documents.forms import PapersField
from compliance.web.fields import DayField, LongField, NameField, ReasonForm

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.models import Party

LARGEST_EDITION = 2**31 - 1
Kind = CaseItem.Kind


class CaseFilters(forms.Form):
    """Which cases to show; all of it lives in the address."""

    operator = forms.ChoiceField(required=False)
    state = forms.ChoiceField(required=False, choices=[("", "Every state"), *Case.State.choices])
    level = forms.ChoiceField(
        label="Recommended",
        required=False,
        choices=[
            ("", "Every level"),
            (APPARENT, "Nothing yet: apparent violation"),
            *Case.Level.choices,
        ],
    )
    sought = NameField(
        label="Number or title", required=False, max_length=120, help_text="As CR 2026-00012."
    )

    def __init__(self, operators: dict[str, Party], data: Any) -> None:
        super().__init__(data)
        self._operators = operators
        field = self.fields["operator"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        named = [(code, party.name) for code, party in operators.items()]
        field.choices = [("", "Every operator"), *named]

    def chosen(self, found: QuerySet[Case]) -> QuerySet[Case]:
        """Those of some cases that are asked for; none where the question cannot be read."""
        if not self.is_valid():
            return found.none()
        operator = self._operators.get(self.cleaned_data["operator"])
        return chosen_cases(found, self.cleaned_data | {"operator": operator})


class _OpeningForm(forms.Form):
    """A new case, which the form names: sent twice, by a double click, it opens one."""

    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4, required=False)


class OpenForm(_OpeningForm):
    """A new case: on whom, why, and what it begins with."""

    operator = forms.ChoiceField()
    title = NameField(max_length=120, help_text="In a few words, as “Straight flushes at T3”.")
    reason = LongField(label="Why it is opened", rows=3)
    kind = forms.ChoiceField(
        label="What it begins with",
        choices=[
            ("", "Nothing yet"),
            *((each.value, each.label) for each in (Kind.ROUND, Kind.COMPLAINT, Kind.DISCLOSURE)),
        ],
        required=False,
    )
    round = NameField(
        required=False, max_length=64, help_text="The number it has in the log, as T3-000123."
    )
    text = LongField(label="What the patron or the operator says", required=False, rows=4)

    def __init__(self, operators: dict[str, Party], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self._operators = operators
        field = self.fields["operator"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [
            ("", "Choose an operator"),
            *((code, party.name) for code, party in operators.items()),
        ]

    def clean(self) -> dict[str, Any]:
        """Look up the operator, and put together what the case begins with."""
        said = super().clean() or {}
        kind, number, text = (said.get(name, "") for name in ("kind", "round", "text"))
        begins = None
        if kind or number:
            begins = Gathered(kind=Kind(kind or Kind.ROUND), text=text, round=number)
        elif text:
            self.add_error("kind", "Say what this is: a complaint, a disclosure, or a round.")
        party = self._operators.get(said.get("operator", ""))
        return said | {"party": party, "begins_with": begins}


class PatternCaseForm(_OpeningForm):
    """A new case that begins with a pattern: its operator is known."""

    title = NameField(max_length=120)
    reason = LongField(label="Why it is opened", rows=3)


class GatherForm(forms.Form):
    """Something that is put into a case, with the papers that show it."""

    kind = forms.ChoiceField(
        label="What it is",
        choices=[
            ("", "Choose what it is"),
            *((each.value, each.label) for each in Kind if each != Kind.PATTERN),
        ],
    )
    round = NameField(
        required=False,
        max_length=64,
        help_text="Of a round: the number it has in the log, as T3-000123.",
    )
    text = LongField(label="What it says", required=False, rows=4)
    papers = PapersField(required=False)
    evidence_date = DayField(
        label="Day of the evidence", required=False, help_text="The day that the papers speak of."
    )

    def clean(self) -> dict[str, Any]:
        """Papers come with the day they speak of."""
        said = super().clean() or {}
        said["papers"] = [each for each in said.get("papers") or () if each is not None]
        if said["papers"] and not said.get("evidence_date") and not self.errors:
            self.add_error("evidence_date", "Say which day the papers speak of.")
        return said


class FactsForm(forms.Form):
    """The title and the facts; `edition` is that of the page they were written on."""

    edition = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=LARGEST_EDITION)
    title = NameField(max_length=120)
    facts = LongField(
        required=False,
        rows=12,
        max_length=100_000,
        help_text="What was found, when and where, whom it touched and by how much.",
    )


class LevelForm(forms.Form):
    """A level in the commission's words; `was` is the level on the page that it was decided on."""

    was = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)
    level = forms.ChoiceField(choices=[("", "Choose a level"), *Case.Level.choices])
    reason = LongField(label="Why", rows=4)


class CaseNoteForm(forms.Form):
    """Something to remember, for the commission alone."""

    text = LongField(label="Note", rows=3)


class TakeOutForm(ReasonForm):
    """Why an item is taken out of its case; a page shows one for each item."""

    def __init__(self, item: CaseItem, data: Any = None) -> None:
        super().__init__(data, prefix="out", auto_id=f"id_{item.uuid}_%s")
