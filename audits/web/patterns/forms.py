"""Forms of patterns: which of them to show, and what goes with a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from audits.findings_in_words import name_in_words
from audits.models import Case, Pattern
from audits.selectors.patterns import chosen_patterns, patterns_in_state
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
from compliance.web.documents.forms import PapersField
from compliance.web.fields import DayField, LongField, NameField
from games.judge.finding import CODES, Weight
from games.rule_set import SLUGS

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from audits.review_steps import Step

OPERATORS = "Every operator"
LARGEST_EDITION = 2**31 - 1


class PatternFilters(forms.Form):
    """Which patterns to show; all of it lives in the address."""

    q = NameField(
        label="Search",
        required=False,
        max_length=64,
        help_text="A round, a table, a player, a clause as PP-28, a code, or an amount as $100.",
    )
    operator = forms.ChoiceField(required=False)
    game = forms.ChoiceField(
        required=False,
        choices=[("", "Every game"), *((slug, name_in_words(slug)) for slug in SLUGS)],
    )
    table = NameField(required=False, max_length=32)
    code = forms.ChoiceField(
        required=False, choices=[("", "Every code"), *((code, code) for code in sorted(CODES))]
    )
    weight = forms.ChoiceField(
        required=False,
        choices=[("", "Every weight"), *((each.value, each.value.title()) for each in Weight)],
    )
    state = forms.ChoiceField(
        required=False,
        choices=[("", "Every state"), ("open", "Open"), *Pattern.State.choices],
    )
    moved = forms.DecimalField(
        label="Money moved, at least",
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=2,
        help_text="In dollars, both ways together.",
    )
    day = DayField(label="Gambling day", required=False)

    def __init__(self, data: Any, *, inside: bool) -> None:
        super().__init__(data)
        self._parties = {each.code: each for each in Party.objects.filter(kind__in=OPERATOR_KINDS)}
        field = self.fields["operator"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        named = sorted((party.name, code) for code, party in self._parties.items())
        field.choices = [("", OPERATORS), *((code, name) for name, code in named)]
        if not inside:  # what an agent says of it is internal
            del self.fields["state"]

    def chosen(self, found: QuerySet[Pattern]) -> QuerySet[Pattern]:
        """Those of some patterns that are asked for; none where the question cannot be read."""
        if not self.is_valid():
            return found.none()
        said = self.cleaned_data
        moved = int(said["moved"] * 100) if said["moved"] else None
        asked = said | {"moved": moved, "operator": self._parties.get(said["operator"])}
        return chosen_patterns(self.in_state(found, said.get("state", "")), asked)

    def in_state(self, found: QuerySet[Pattern], state: str) -> QuerySet[Pattern]:
        """Those in a state; every one where none is asked for."""
        return patterns_in_state(found, state)

    @property
    def narrowed(self) -> list[str]:
        """What is asked for besides the search, in the words of the page."""
        asked = [(each, self.data.get(each.name)) for each in self.visible_fields()]
        return [
            f"{each.label}: {_in_words(each.field, value)}"
            for each, value in asked
            if each.name != "q" and value
        ]


def _in_words(field: forms.Field, value: str) -> str:
    """A value as the list of its field names it."""
    named: dict[str, str] = dict(getattr(field, "choices", ()))
    return named.get(value, value)


class EditionForm(forms.Form):
    """Something that is done to a pattern as a page showed it."""

    edition = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=LARGEST_EDITION)
    shown = forms.IntegerField(
        widget=forms.HiddenInput, required=False, min_value=0, max_value=LARGEST_EDITION * 1000
    )
    """When the page was made, in seconds: what came later is told if it was overtaken."""

    def decide_on(self, edition: int, shown: int) -> None:
        """Let what was refused be sent again for the pattern as it is shown now."""
        kept = self.data.copy()  # type: ignore[attr-defined]
        kept[self.add_prefix("edition")] = str(edition)
        kept[self.add_prefix("shown")] = str(shown)
        self.data = kept


class StepForm(EditionForm):
    """Why, and what else a step asks for."""

    until = DayField()
    case = forms.TypedChoiceField()
    reason = LongField(label="Why", rows=3)

    def __init__(self, step: Step, cases: Collection[Case], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["reason"].label = step.words
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


class AnswerForm(forms.Form):
    """What the operator answers, and the papers that show it."""

    text = LongField(label="Answer", rows=5)
    papers = PapersField(required=False)

    def clean_papers(self) -> list[Any]:
        """Only files that were sent."""
        return [each for each in self.cleaned_data["papers"] or () if each is not None]


class NoteForm(forms.Form):
    """Something to remember, for the commission alone."""

    text = LongField(label="Note", rows=3)
