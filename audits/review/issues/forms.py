"""Forms to filter issues and to take steps on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django_filters import ChoiceFilter, Filter, FilterSet

from audits.replay.findings.models import Issue
from audits.replay.findings.queries import Sight, find_issues_with
from audits.replay.findings.reads import chosen_issues, codes_on_file, issues_in_state
from audits.replay.findings.wording import title_of
from compliance.access.permissions import Action
from compliance.errors import RefusedError
from compliance.filings.documents.forms import PapersField
from compliance.filings.requests.reads import game_names
from compliance.ui.access import allows, asked
from compliance.ui.forms import (
    DayField,
    DayFilter,
    DollarsField,
    LongField,
    NameField,
    OperatorFilter,
)
from games.checks import CODES
from games.explanation.words import describe_name
from games.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from audits.review.cases.models import Case
    from audits.review.issues.steps import Step
    from compliance.access.models import Person


NOBODY = "nobody"
LARGEST_EDITION = 2**31 - 1


class NameFilter(Filter):  # type: ignore[misc]
    """A filter by a name."""

    field_class = NameField


class DollarsFilter(Filter):  # type: ignore[misc]
    """A filter by an amount."""

    field_class = DollarsField


class IssueFilters(FilterSet):  # type: ignore[misc]
    """Filters of the issue list, all kept in the address."""

    q = NameFilter(
        label="Search",
        max_length=64,
        help_text="A round, a table, a player, a clause as PP-28, a code, or an amount as $100.",
    )
    operator = OperatorFilter(empty_label="All operators")
    game = ChoiceFilter(choices=lambda: list(game_names().items()), empty_label="All games")
    table = NameFilter(max_length=32)
    code = ChoiceFilter(
        choices=lambda: [(code, code) for code in sorted({*CODES, *codes_on_file()})],
        empty_label="All codes",
    )
    weight = ChoiceFilter(
        label="Severity",
        choices=[(each.value, each.value.title()) for each in Severity],
        empty_label="Any severity",
    )
    state = ChoiceFilter(choices=[("open", "Open"), *Issue.State.choices], empty_label="Any state")
    moved = DollarsFilter(label="Minimum amount", help_text="Overpaid and underpaid together.")
    day = DayFilter(label="Gambling day")

    def __init__(self, data: Any, queryset: Any, *, request: HttpRequest) -> None:
        super().__init__(data, queryset, request=request)
        if not allows(request, Action.SEE_FINDINGS):  # what an agent says about it is internal
            del self.filters["state"]

    def filter_queryset(self, queryset: QuerySet[Issue]) -> QuerySet[Issue]:
        """Filter as the API does."""
        data = self.form.cleaned_data
        also: set[int] = set()
        if words := data.get("q", "").strip():
            # Issues show the first findings of each log; this searches all of them.
            sight = Sight.of(asked(self.request).memberships)
            try:
                also, self.left_out = find_issues_with(sight, words, operator=data.get("operator"))
            except RefusedError as refused:
                self.not_searched = str(refused)
        return chosen_issues(self.filter_state(queryset, data.get("state", "")), data, also=also)

    left_out = 0
    """Findings that the search has not read yet."""
    not_searched = ""
    """Why the search read only the first findings of each log."""

    def filter_state(self, queryset: QuerySet[Issue], state: str) -> QuerySet[Issue]:
        """Filter by state; return all if none is given."""
        return issues_in_state(queryset, state)

    @property
    def narrowed(self) -> list[str]:
        """Return the filters besides the search, in the words of the page."""
        filled = [(each, self.form.data.get(each.name)) for each in self.form.visible_fields()]
        return [
            f"{each.label}: {_label_of(each.field, value)}"
            for each, value in filled
            if each.name != "q" and value
        ]


def _label_of(field: forms.Field, value: str) -> str:
    """Return the label of a value in its field's list of choices."""
    labels = {str(key): str(label) for key, label in getattr(field, "choices", ())}
    return labels.get(value, value)


class EditionForm(forms.Form):
    """An action on an issue as it was shown on a page."""

    edition = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=LARGEST_EDITION)
    shown = forms.IntegerField(
        widget=forms.HiddenInput, required=False, min_value=0, max_value=LARGEST_EDITION * 1000
    )
    """When the page was made, in seconds; if the page is out of date, later changes are listed."""

    def decide_on(self, edition: int, shown: int) -> None:
        """Let a refused form be sent again for the issue as it is shown now."""
        kept = self.data.copy()  # type: ignore[attr-defined]
        kept[self.add_prefix("edition")] = str(edition)
        kept[self.add_prefix("shown")] = str(shown)
        self.data = kept


class GiveForm(EditionForm):
    """The new assignee; without one, the issue is unassigned."""

    to = forms.TypedChoiceField(label="Assign to")
    note = LongField(label="Note", required=False, rows=2)
    edition = forms.IntegerField(
        widget=forms.HiddenInput, required=False, min_value=0, max_value=LARGEST_EDITION
    )

    def __init__(self, people: Iterable[Person], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        by_uuid: dict[str, Person | None] = {str(each.uuid): each for each in people}
        field = self.fields["to"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        named = [(uuid, str(person.name)) for uuid, person in by_uuid.items() if person]
        field.choices = [("", "Choose a person"), *named, (NOBODY, "Nobody: unassigned")]
        field.coerce = lambda uuid: by_uuid.get(uuid)
        field.empty_value = None


class StepForm(EditionForm):
    """The reason, and what else a step requires."""

    until = DayField()
    case = forms.TypedChoiceField()
    reason = LongField(label="Why", rows=3)
    notice = LongField(
        label="Message to the operator",
        required=False,
        rows=3,
        help_text="The operator reads this once the issue is released. The reason stays internal.",
    )
    confirmed = forms.BooleanField(required=False)

    def __init__(
        self,
        step: Step,
        cases: Collection[Case],
        warnings: Collection[str],
        data: Any = None,
        **more: Any,
    ) -> None:
        super().__init__(data, **more)
        self.fields["reason"].label = step.words
        if not step.closes:
            del self.fields["notice"]
        if warnings:
            self.fields["confirmed"].label = " ".join((*warnings, "Go on."))
        else:
            del self.fields["confirmed"]
        if step.wants_date:
            self.fields["until"].label = step.wants_date.capitalize()
        else:
            del self.fields["until"]
        if step.wants_case:
            by_uuid = {str(each.uuid): each for each in cases}
            field = self.fields["case"]
            assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
            named = [(uuid, f"{each}: {each.title}") for uuid, each in by_uuid.items()]
            field.choices = [("", "Choose a case"), *named]
            field.coerce = by_uuid.__getitem__
        else:
            del self.fields["case"]


class SplitForm(EditionForm):
    """Which findings of an issue become an issue of their own."""

    tables = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Tables"
    )
    lines = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Wagers and lines"
    )
    first = DayField(label="From gambling day", required=False)
    last = DayField(label="To gambling day", required=False)
    reason = LongField(label="Why", rows=3)

    def __init__(self, issue: Issue, data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        parts = issue.parts.filter(findings__gt=0).order_by()
        tables = sorted({each.table for each in parts} - {""})
        lines = sorted({(each.wager, each.line) for each in parts})
        self._lines = {f"{number}": each for number, each in enumerate(lines)}
        for name, choices in (
            ("tables", [(each, each) for each in tables]),
            ("lines", [(number, _name_line(*each)) for number, each in self._lines.items()]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
            field.choices = choices
            if len(choices) < MANY:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """Name the wagers and lines."""
        data = super().clean() or {}
        return data | {"lines": [self._lines[number] for number in data.get("lines", ())]}


MANY = 2
"""With a single table or line there is nothing to choose."""


def _name_line(wager: str, line: str) -> str:
    return ", ".join(map(describe_name, filter(None, (wager, line)))) or "No wager"


class MergeForm(EditionForm):
    """The issue that takes over the findings of another."""

    into = forms.TypedChoiceField(label="Into")
    reason = LongField(label="Why", rows=3)

    def __init__(self, issues: Iterable[Issue], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        by_uuid = {str(each.uuid): each for each in issues}
        field = self.fields["into"]
        assert isinstance(field, forms.TypedChoiceField)  # noqa: S101
        named = [(uuid, title_of(each)) for uuid, each in by_uuid.items()]
        field.choices = [("", "Choose an issue"), *named]
        field.coerce = by_uuid.__getitem__


class AnswerForm(forms.Form):
    """The operator's answer, or what it says without being asked, with supporting documents."""

    text = LongField(label="Answer", rows=5)
    papers = PapersField(required=False)


class NoteForm(forms.Form):
    """A note for the commission alone."""

    text = LongField(label="Note", rows=3)
