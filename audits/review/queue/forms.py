"""Forms of the queue: filters, actions on many issues, and cover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django_filters import BooleanFilter, ChoiceFilter

from audits.commission import unit_of
from audits.replay.findings.models import Issue
from audits.review.issues.assignments import due_when, queues_of, reviewers
from audits.review.issues.forms import NOBODY, IssueFilters
from audits.review.issues.steps import STEPS
from audits.review.queue.order import GROUPS, IMPACT, SEVERITY, SORTS, UNGROUPED
from compliance import clock
from compliance.access.permissions import Action
from compliance.ui.access import allows, person_of
from compliance.ui.forms import DayField, LongField, NameField

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.http import HttpRequest, QueryDict

    from audits.review.cases.models import Case
    from compliance.access.models import Person


MINE, UNIT, ALL = "mine", "unit", "all"
ARRANGED = ("sort", "reverse", "group")
"""Fields of the address that arrange the list and leave nothing out."""


class QueueFilters(IssueFilters):
    """Filters of the queue: whose and how late, besides all filters of issues."""

    whose = ChoiceFilter(
        label="Whose",
        widget=forms.HiddenInput,
        choices=[(MINE, "Mine"), (UNIT, "My unit’s"), (ALL, "All")],
    )
    due = ChoiceFilter(
        label="Due",
        choices=[
            ("late", "Late"),
            ("today", "Today"),
            ("week", "Within seven days"),
            ("escalated", "Escalated to the supervisors"),
            ("proposed", "Waiting for a second approval"),
        ],
        empty_label="Any time",
    )
    queue = ChoiceFilter(label="Assigned to", empty_label="Anyone")
    sort = ChoiceFilter(
        label="Sort by",
        choices=[(name, label) for name, (label, _) in list(SORTS.items())[1:]],
        empty_label=SORTS[IMPACT][0],
    )
    group = ChoiceFilter(
        label="Group by",
        choices=[
            *((name, label) for name, (label, _) in list(GROUPS.items())[1:]),
            (UNGROUPED, "Nothing"),
        ],
        empty_label=GROUPS[SEVERITY][0],
    )
    reverse = BooleanFilter(label="Reverse order", widget=forms.CheckboxInput)

    def __init__(self, data: QueryDict, queryset: QuerySet[Issue], *, request: HttpRequest) -> None:
        """Show the user's own work by default, or everyone's to users who do not review."""
        said = data.copy()
        said["whose"] = whose_of(request, data)
        super().__init__(said, queryset, request=request)
        people = [(str(each.uuid), each.name) for each in reviewers()]
        self.filters["queue"].extra["choices"] = [(NOBODY, "Nobody"), *people]
        self.filters["state"].extra |= {
            "choices": [("any", "Any state"), *Issue.State.choices],
            "empty_label": "Open",
        }

    def filter_queryset(self, queryset: QuerySet[Issue]) -> QuerySet[Issue]:
        """Filter by whose it is and how late, too."""
        found, data = super().filter_queryset(queryset), self.form.cleaned_data
        person = person_of(self.request)
        if data["whose"] == MINE:
            found = found.filter(work__assigned_to__in=queues_of(person))
        elif data["whose"] == UNIT:
            found = found.filter(work__unit=unit_of(person))
        if data["queue"] == NOBODY:
            found = found.filter(work__assigned_to=None)
        elif data["queue"]:
            found = found.filter(work__assigned_to__uuid=data["queue"])
        return due_when(found, data["due"])

    def filter_state(self, queryset: QuerySet[Issue], state: str) -> QuerySet[Issue]:
        """Show open issues unless another state is requested."""
        return queryset if state == "any" else super().filter_state(queryset, state or "open")

    @property
    def narrowed(self) -> list[str]:
        """Leave out what only arranges the list."""
        arranged = {str(self.form.fields[name].label) for name in ARRANGED}
        return [each for each in super().narrowed if each.partition(":")[0] not in arranged]


def whose_of(request: HttpRequest, data: QueryDict) -> str:
    """Return whose work an address asks for."""
    own = MINE if allows(request, Action.REVIEW_FINDINGS) else ALL
    return data.get("whose") or own


class StepOfManyForm(forms.Form):
    """One step with one reason, for many issues."""

    step = forms.ChoiceField(
        label="Decision",
        choices=[("", "Choose one"), *((name, step.label) for name, step in STEPS.items())],
    )
    reason = LongField(label="Why", rows=3)
    notice = LongField(
        label="Message to the operators",
        required=False,
        rows=3,
        help_text="For a decision: the operator reads it once the issue is released.",
    )
    until = DayField(
        label="Date",
        required=False,
        help_text="For a question, by when the operator answers; for a waiver, its end.",
    )
    confirmed = forms.BooleanField(
        label="Also decide issues with a proposed decision, a pending answer, or rounds that the "
        "cause does not explain",
        required=False,
    )
    case = forms.TypedChoiceField(
        required=False, help_text="For a referral: open cases on the operator of these issues."
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
        """Require what the step needs besides the reason, and drop what it does not need."""
        data = super().clean() or {}
        step = STEPS.get(data.get("step", ""))
        if step is None:
            return data
        if step.wants_date and not data.get("until") and "until" not in self.errors:
            self.add_error("until", f"“{step.label}” requires a date: {step.wants_date}.")
        if step.wants_date and data.get("until") and data["until"] <= clock.today():
            self.add_error(
                "until", f"The date ({step.wants_date}) is in the past. Enter a later one."
            )
        if step.wants_case and not data.get("case") and "case" not in self.errors:
            self.add_error("case", f"“{step.label}” requires a case.")
        return data


class SaveFilterForm(forms.Form):
    """A name for the current filters in the URL."""

    name = NameField(label="Name", max_length=60)
    shared = forms.BooleanField(label="Share with my unit", required=False)
    query = forms.CharField(widget=forms.HiddenInput, required=False, max_length=2000)


class RemoveFilterForm(forms.Form):
    """Choice of a filter to remove."""

    filter = forms.UUIDField()


class CoverForm(forms.Form):
    """Who covers for whom, on which days, including the last one."""

    absent = forms.TypedChoiceField(label="Who is absent")
    covering = forms.TypedChoiceField(label="Who covers")
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
            field.choices = [("", "Choose a person"), *((u, p.name) for u, p in by_uuid.items())]
            field.coerce = by_uuid.__getitem__
