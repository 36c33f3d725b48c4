"""Forms to filter and open cases, add evidence, and recommend a level."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django import forms
from django_filters import CharFilter, ChoiceFilter, FilterSet

from audits.commission import people_who_may
from audits.review.cases.models import Case, CaseItem
from audits.review.cases.reads import APPARENT, chosen_cases
from audits.review.cases.writes import Gathered
from compliance.access.permissions import Action
from compliance.filings.documents.forms import PapersField
from compliance.ui.forms import (
    DayField,
    InstantField,
    LongField,
    NameField,
    OperatorField,
    OperatorFilter,
)

if TYPE_CHECKING:
    from django.db.models import QuerySet


LARGEST_EDITION = 2**31 - 1
Kind = CaseItem.Kind


class CaseFilters(FilterSet):  # type: ignore[misc]
    """Filters of the case list, all kept in the address."""

    operator = OperatorFilter()
    state = ChoiceFilter(choices=Case.State.choices, empty_label="Any state")
    level = ChoiceFilter(
        label="Recommended",
        choices=[(APPARENT, "Nothing yet: apparent violation"), *Case.Level.choices],
        empty_label="Any level",
        method="keep",
    )
    sought = CharFilter(
        label="Number or title", max_length=120, help_text="As CR 2026-00012.", method="keep"
    )

    def keep(self, rows: QuerySet[Case], name: str, value: str) -> QuerySet[Case]:
        """Filter as the API does."""
        return chosen_cases(rows, {name: value})


class _OpeningForm(forms.Form):
    """A new case with its UUID in the form, so that a double click opens only one."""

    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4, required=False)


class OpenForm(_OpeningForm):
    """A new case: its operator, the reason, and its first item."""

    operator = OperatorField(empty_label="Choose an operator")
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
    text = LongField(label="What the player or the operator says", required=False, rows=4)

    def clean(self) -> dict[str, Any]:
        """Build the case's first item."""
        data = super().clean() or {}
        kind, number, text = (data.get(name, "") for name in ("kind", "round", "text"))
        begins = None
        if kind or number:
            begins = Gathered(kind=Kind(kind or Kind.ROUND), text=text, round=number)
        elif text:
            self.add_error("kind", "Say what this is: a complaint, a disclosure, or a round.")
        return data | {"begins_with": begins}


class IssueCaseForm(_OpeningForm):
    """A new case that begins with an issue, so its operator is known."""

    title = NameField(max_length=120)
    reason = LongField(label="Why it is opened", rows=3)


OWN_FORM = frozenset({Kind.ISSUE, Kind.PERSON, Kind.VIOLATION, Kind.VIDEO})


class GatherForm(forms.Form):
    """An item to add to a case, with supporting documents."""

    kind = forms.ChoiceField(
        label="What it is",
        choices=[
            ("", "Choose what it is"),
            *((each.value, each.label) for each in Kind if each not in OWN_FORM),
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
        label="Day of the evidence",
        required=False,
        help_text="The day that the documents are about.",
    )

    def clean(self) -> dict[str, Any]:
        """Require an evidence date if there are documents."""
        data = super().clean() or {}
        if data.get("papers") and not data.get("evidence_date") and not self.errors:
            self.add_error("evidence_date", "Enter the day that the documents are about.")
        return data


class PersonForm(forms.Form):
    """A person in a case."""

    name = NameField(
        label="Name and part in the case",
        max_length=200,
        help_text="As “Jo Park, dealer at T3” or “d-17, dealer in the log”.",
    )
    text = LongField(label="What this person did or saw", required=False, rows=3)


class ViolationForm(forms.Form):
    """An alleged violation, by section."""

    name = NameField(label="Section", max_length=60, help_text="As WAC 230-15-140 or RCW 9.46.170.")
    text = LongField(label="What is alleged", rows=3)

    def clean_name(self) -> str:
        """Require a section of the WAC or the RCW."""
        section = " ".join(str(self.cleaned_data["name"]).upper().split())
        if not SECTION.fullmatch(section):
            msg = "This is not a section. Write it as WAC 230-15-140 or RCW 9.46.170."
            raise forms.ValidationError(msg)
        return section


SECTION = re.compile(
    r"(WAC \d{3}-\d{2}-\d{3,5}|RCW \d{1,2}[A-Z]?\.\d{2,3}\.\d{3,4})(\(\w+\))*", re.ASCII
)


class VideoForm(forms.Form):
    """A video recording, and where to look in it."""

    name = NameField(label="Camera or recording", max_length=200, help_text="As “Camera 12, T3”.")
    begins = InstantField(label="From")
    ends = InstantField(label="To", required=False, help_text="")
    text = LongField(label="What it shows", rows=3)

    def clean(self) -> dict[str, Any]:
        """Require that it ends after it begins."""
        data = super().clean() or {}
        if data.get("begins") and data.get("ends") and data["ends"] < data["begins"]:
            self.add_error("ends", "This is before the beginning.")
        return data


class KeeperField(forms.TypedChoiceField):
    """An agent or a supervisor."""

    def __init__(self, **more: Any) -> None:
        super().__init__(empty_value=None, **more)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """List the people of the commission as of now."""
        field = super().__deepcopy__(memo)
        people = {str(each.uuid): each for each in people_who_may(Action.KEEP_CASES)}
        field.choices = [("", "Choose a person"), *((u, p.name) for u, p in people.items())]
        field.coerce = people.__getitem__
        return field


class LeadForm(forms.Form):
    """The lead agent."""

    lead = KeeperField(label="Lead agent")


class TaskForm(forms.Form):
    """Something to do in a case."""

    what = NameField(label="Task", max_length=200)
    assigned_to = KeeperField(label="Assigned to")
    due = DayField(label="Due")


class ComplaintForm(_OpeningForm):
    """A player's complaint, as it was received."""

    operator = OperatorField(empty_label="Choose an operator")
    patron = NameField(label="Who complains", max_length=120)
    contact = NameField(label="Telephone, email or address", required=False, max_length=200)
    received = DayField(label="Received on")
    table = NameField(required=False, max_length=32)
    played = InstantField(label="When it happened", required=False)
    text = LongField(label="What the player says", rows=5)


class RoundOfComplaintForm(forms.Form):
    """The round of a complaint, or what was searched without success."""

    round_id = NameField(
        label="Round", required=False, max_length=64, help_text="Leave empty if none is on file."
    )
    searched = LongField(
        label="What you searched",
        required=False,
        rows=3,
        help_text="Tables, times and logs that you looked at.",
    )


class ComplaintAnswerForm(forms.Form):
    """The answer to the player."""

    answer = LongField(label="Answer to the player", rows=5)


class FactsForm(forms.Form):
    """The title and facts; `edition` is that of the page on which they were written."""

    edition = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=LARGEST_EDITION)
    title = NameField(max_length=120)
    facts = LongField(
        required=False,
        rows=12,
        max_length=100_000,
        help_text="What was found, when and where, who was affected, and by how much.",
    )


class LevelForm(forms.Form):
    """A level in the commission's words; `was` is the level shown when it was chosen."""

    was = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)
    level = forms.ChoiceField(choices=[("", "Choose a level"), *Case.Level.choices])
    reason = LongField(label="Why", rows=4)


class CaseNoteForm(forms.Form):
    """A note for the commission alone."""

    text = LongField(label="Note", rows=3)
