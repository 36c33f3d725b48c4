"""Forms of the desk: which work to show, what to do with many patterns, who covers for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from audits.models import Pattern
from audits.review_steps import STEPS
from audits.selectors.desk import due_when
from audits.web.patterns.forms import LARGEST_EDITION, EditionForm, PatternFilters
from compliance import clock
from compliance.web.fields import DayField, LongField, NameField

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.db.models import QuerySet

    from audits.models import Case
    from compliance.models import Party, Person

NOBODY = "nobody"
MINE, UNIT, ALL = "mine", "unit", "all"


class WorkFilters(PatternFilters):
    """Which work to show: whose, how late, and all by which patterns are narrowed."""

    whose = forms.ChoiceField(
        required=False,
        widget=forms.HiddenInput,
        choices=[(MINE, "Mine"), (UNIT, "My unit’s"), (ALL, "All")],
    )
    due = forms.ChoiceField(
        required=False,
        choices=[
            ("", "Whenever"),
            ("late", "Late"),
            ("today", "Today"),
            ("week", "Within seven days"),
            ("escalated", "Before the supervisors"),
            ("proposed", "Waiting for a second person"),
        ],
    )
    desk = forms.ChoiceField(label="On the desk of", required=False)

    def __init__(
        self, data: Any, *, unit: Party, desks: Collection[int], people: Iterable[Person]
    ) -> None:
        super().__init__(data, inside=True)
        self._unit, self._desks = unit, desks
        state, desk = self.fields["state"], self.fields["desk"]
        assert isinstance(state, forms.ChoiceField)  # noqa: S101
        assert isinstance(desk, forms.ChoiceField)  # noqa: S101
        state.choices = [("", "Open"), ("any", "Every state"), *Pattern.State.choices]
        named = [(str(each.uuid), each.name) for each in people]
        desk.choices = [("", "Whoever"), (NOBODY, "Nobody"), *named]

    def chosen(self, found: QuerySet[Pattern]) -> QuerySet[Pattern]:
        """The work that is asked for; none where the question cannot be read."""
        found = super().chosen(found)
        if not self.is_valid():
            return found
        said = self.cleaned_data
        whose = said["whose"] or MINE
        if whose == MINE:
            found = found.filter(work__assigned_to__in=self._desks)
        elif whose == UNIT:
            found = found.filter(work__unit=self._unit)
        if said["desk"] == NOBODY:
            found = found.filter(work__assigned_to=None)
        elif said["desk"]:
            found = found.filter(work__assigned_to__uuid=said["desk"])
        return due_when(found, said["due"])

    def in_state(self, found: QuerySet[Pattern], state: str) -> QuerySet[Pattern]:
        """What is still to be decided, unless something else is asked for."""
        if state == "any":
            return found
        return super().in_state(found, state or "open")


class GiveForm(EditionForm):
    """To whom work is given; to nobody, it is free for whoever takes it."""

    to = forms.TypedChoiceField(label="Give it to")
    edition = forms.IntegerField(
        widget=forms.HiddenInput, required=False, min_value=0, max_value=LARGEST_EDITION
    )

    def __init__(self, people: Iterable[Person], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        by_uuid: dict[str, Person | None] = {str(each.uuid): each for each in people}
        field = self.fields["to"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        named = [(uuid, str(person.name)) for uuid, person in by_uuid.items() if person]
        field.choices = [("", "Choose somebody"), *named, (NOBODY, "Nobody: whoever takes it")]
        field.coerce = lambda uuid: by_uuid.get(uuid)
        field.empty_value = None


class StepOfManyForm(forms.Form):
    """One step with one reason, for many patterns."""

    step = forms.ChoiceField(
        label="Decision",
        choices=[("", "Choose one"), *((name, step.label) for name, step in STEPS.items())],
    )
    reason = LongField(label="Why", rows=3)
    until = DayField(
        label="Date",
        required=False,
        help_text="For a question, by when the operator answers; for a waiver, its end.",
    )
    case = forms.TypedChoiceField(
        required=False, help_text="For a referral: open cases on the operator of these patterns."
    )

    def __init__(self, cases: Iterable[Case], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        by_uuid = {str(each.uuid): each for each in cases}
        field = self.fields["case"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        named = [(uuid, f"{each}: {each.title}") for uuid, each in by_uuid.items()]
        field.choices = [("", "No case"), *named]
        field.coerce = by_uuid.__getitem__
        field.empty_value = None

    def clean(self) -> dict[str, Any]:
        """What the step wants besides the reason, and nothing that it does not want."""
        said = super().clean() or {}
        step = STEPS.get(said.get("step", ""))
        if step is None:
            return said
        if step.wants_date and not said.get("until") and "until" not in self.errors:
            self.add_error("until", f"“{step.label}” wants a date: {step.wants_date}.")
        if step.wants_date and said.get("until") and said["until"] <= clock.today():
            self.add_error(
                "until", f"The date ({step.wants_date}) lies in the past: give a later one."
            )
        if step.wants_case and not said.get("case") and "case" not in self.errors:
            self.add_error("case", f"“{step.label}” wants a case.")
        return said


class SaveFilterForm(forms.Form):
    """A name for the filters as they stand in the address."""

    name = NameField(label="Name", max_length=60)
    shared = forms.BooleanField(label="Share it with my unit", required=False)
    query = forms.CharField(widget=forms.HiddenInput, required=False, max_length=2000)


class RemoveFilterForm(forms.Form):
    """Which filter to remove."""

    filter = forms.UUIDField()


class CoverForm(forms.Form):
    """Who does whose work, on which days, the last one included."""

    absent = forms.TypedChoiceField(label="Who is absent")
    covering = forms.TypedChoiceField(label="Who does the work")
    first = DayField(label="First day")
    last = DayField(label="Last day")

    def __init__(
        self, absent: Iterable[Person], covering: Iterable[Person], data: Any = None
    ) -> None:
        super().__init__(data)
        for name, people in (("absent", absent), ("covering", covering)):
            by_uuid = {str(each.uuid): each for each in people}
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
            field.choices = [("", "Choose somebody"), *((u, p.name) for u, p in by_uuid.items())]
            field.coerce = by_uuid.__getitem__
