"""Forms of patterns: which of them to show, and what goes with a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Exists, OuterRef, Q

from audits.findings_in_words import name_in_words
from audits.models import Case, Pattern, PatternNight
from compliance.choices import OPERATOR_KINDS
from compliance.models import Party
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
        exact = {name: said[name] for name in ("game", "table", "code", "weight") if said[name]}
        found = found.filter(**exact)
        if said["operator"]:
            found = found.filter(party=self._parties[said["operator"]])
        if state := said.get("state"):
            found = found.filter(Q(open=True) if state == "open" else Q(state=state))
        if said["day"]:
            nights = PatternNight.objects.filter(
                pattern=OuterRef("pk"), day=said["day"], findings__gt=0
            )
            found = found.filter(Exists(nights))
        return found


class StepForm(forms.Form):
    """Why, and what else a step asks for; `edition` is that of the page it was decided on."""

    edition = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=LARGEST_EDITION)
    until = DayField()
    case = forms.TypedChoiceField()
    reason = LongField(label="Why", rows=3)

    def __init__(self, step: Step, cases: Collection[Case], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
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

    def decide_on(self, edition: int) -> None:
        """Let what was refused be sent again for the pattern as it is shown now."""
        kept = self.data.copy()  # type: ignore[attr-defined]
        kept[self.add_prefix("edition")] = str(edition)
        self.data = kept


class NoteForm(forms.Form):
    """Something to remember, for the commission alone."""

    text = LongField(label="Note", rows=3)
