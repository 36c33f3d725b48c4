"""Forms of requests: to filter, to submit, for each step, and for conditions of approvals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django_filters import ChoiceFilter, FilterSet

from compliance.filings.definitions.coverage import is_unproven, open_sentences
from compliance.filings.documents.forms import CommentForm, PapersField
from compliance.filings.letters.forms import WordsForm
from compliance.filings.requests.approvals import ChosenReading, NewCondition, open_questions
from compliance.filings.requests.models import (
    Condition,
    ConditionMark,
    GameRequest,
    Withdrawal,
)
from compliance.filings.requests.reads import get_checklist
from compliance.filings.requests.writes import STANDARD_CONDITIONS, usual_conditions
from compliance.ui.forms import DayField, InstantField, LongField, ReasonForm
from games.explanation.words import name_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from django.forms import BoundField

    from compliance.access.models import Party
    from compliance.filings.games.models import RuleVersion
    from compliance.filings.requests.approvals import OpenQuestion
    from compliance.filings.requests.reads import ChecklistLine


APPROVING = frozenset({"approve", "approve_as_agency", "concur"})
REFUSING = frozenset({"deny", "deny_as_agency", "object"})


class RequestFilters(FilterSet):  # type: ignore[misc]
    """Which requests to show."""

    state = ChoiceFilter(choices=GameRequest.State.choices, empty_label="Any state")


class RequestForm(forms.Form):
    """The rule version to approve, the path, and the filer."""

    path = forms.ChoiceField(choices=GameRequest.Path.choices)
    asked_by = forms.ChoiceField(label="Requested by")
    rule_version = forms.ChoiceField(label="Rules of play")
    replaces = forms.BooleanField(
        label="Withdraw the request for an earlier version of this game",
        help_text="The commission then reviews only this version.",
        required=False,
        initial=True,
    )

    def __init__(
        self,
        paths: Sequence[GameRequest.Path],
        parties: Collection[Party],
        versions: Collection[RuleVersion],
        data: Any = None,
        *,
        replaces: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(data, **more)
        choices = {
            "path": [(path.value, path.label) for path in paths],
            "asked_by": [(party.code, party.name) for party in parties],
            "rule_version": [(str(each.uuid), str(each)) for each in versions],
        }
        for name, of_field in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101
            field.choices = of_field
            if name != "rule_version" and len(of_field) == 1:
                field.widget = forms.HiddenInput()
                field.initial = of_field[0][0]
        if not replaces:
            del self.fields["replaces"]


class RefuseForm(WordsForm, ReasonForm):
    """The reasons of a denial or an objection, and the words of the letter."""

    field_order = ("reason",)


class ApproveForm(WordsForm):
    """The conditions of an approval and the words of its letter.

    `seen` is the state being decided on.
    """

    seen = forms.CharField(widget=forms.HiddenInput, max_length=64)
    standard = forms.MultipleChoiceField(
        label="Standard conditions", required=False, widget=forms.CheckboxSelectMultiple
    )
    other = LongField(label="Further conditions", required=False, help_text="One per line.", rows=3)
    before_play = LongField(
        label="Further conditions to meet before internal controls may choose the game",
        required=False,
        help_text="One per line. Until each is marked as met, such controls can't be approved.",
        rows=2,
    )
    despite = LongField(
        label="Why the commission concurs without the items that are not met",
        required=False,
        help_text="It is printed in the letter, with the items.",
        rows=2,
    )
    note = LongField(required=False, rows=2, help_text="It is printed in the letter.")

    template_name = "requests/approve_form.html"
    field_order = ("standard", "other", "before_play", "despite", "note")

    def __init__(
        self,
        path: str,
        questions: Sequence[OpenQuestion] = (),
        filed: Mapping[str, str] | None = None,
        unchecked: Sequence[tuple[str, str]] = (),
        data: object = None,
        *,
        unmet: bool = False,
        unproven: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(data, **more)  # type: ignore[arg-type]
        self.unproven = unproven
        self.questions = questions
        if not unmet:
            del self.fields["despite"]
        if path == GameRequest.Path.TRIBAL:
            del self.fields["before_play"]
        for each in questions:
            self._add_question(each, (filed or {}).get(each.id, ""))
        if unchecked:
            self.fields["unchecked"] = forms.MultipleChoiceField(
                label="Sentences of the documents that no check covers",
                help_text="Read each one. Approving the game means that it is kept by other "
                "means: by surveillance, or by visits.",
                choices=unchecked,
                widget=forms.CheckboxSelectMultiple,
            )
        self.unchecked = unchecked
        self.standing = STANDARD_CONDITIONS[GameRequest.Path(path)]
        field = self.fields["standard"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(each.kind.value, each.says) for each in self.standing]
        field.initial = [each.kind.value for each in usual_conditions(GameRequest.Path(path))]

    def clean_unchecked(self) -> list[str]:
        """Require every sentence that no check covers."""
        read: list[str] = self.cleaned_data["unchecked"]
        left = len(self.unchecked) - len(read)
        if left:
            msg = f"Check each sentence after you have read it. Sentences left: {left}."
            raise forms.ValidationError(msg)
        return read

    def clean(self) -> dict[str, Any]:
        """Collect the conditions and the readings as entered."""
        data = super().clean() or {}
        kinds = data.get("standard", ())
        conditions = [each for each in self.standing if each.kind in kinds]
        for name, kind in (
            ("before_play", Condition.Kind.BEFORE_PLAY),
            ("other", Condition.Kind.OTHER),
        ):
            lines = map(str.strip, data.get(name, "").splitlines())
            conditions += [NewCondition(kind, line) for line in lines if line]
        chosen = [
            ChosenReading(
                id=each.id,
                reading=data.get(f"reading_{each.id}", ""),
                reason=data.get(f"reason_{each.id}", ""),
                allowed=tuple(data.get(f"allowed_{each.id}", ())),
            )
            for each in self.questions
        ]
        return data | {"conditions": conditions, "interpretations": chosen}

    def _add_question(self, question: OpenQuestion, filed: str) -> None:
        """Add a reading, a reason and what controls may choose; nothing is chosen beforehand."""
        id_ = question.id
        readings = [
            (name, f"{name_in_words(name)}: {says}" + (" (as filed)" if name == filed else ""))
            for name, says in question.readings.items()
        ]
        self.fields[f"reading_{id_}"] = forms.ChoiceField(
            label=f"{id_}: {question.asks}", choices=readings, widget=forms.RadioSelect
        )
        self.fields[f"reason_{id_}"] = LongField(label=f"{id_}: reason", rows=2)
        self.fields[f"allowed_{id_}"] = forms.MultipleChoiceField(
            label=f"{id_}: other readings that internal controls may choose",
            choices=readings,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )

    def decided(self) -> list[BoundField]:
        """Return the fields other than those of open questions."""
        prefixes = ("reading_", "reason_", "allowed_")
        return [field for field in self.visible_fields() if not field.name.startswith(prefixes)]

    def asked(self) -> list[tuple[OpenQuestion, BoundField, BoundField, BoundField]]:
        """Return each open question with its fields."""
        return [
            (
                each,
                self[f"reading_{each.id}"],
                self[f"reason_{each.id}"],
                self[f"allowed_{each.id}"],
            )
            for each in self.questions
        ]


def step_form(name: str, request: GameRequest) -> Callable[..., forms.Form]:
    """Return how to make the form for a step."""
    if name in REFUSING:
        return RefuseForm
    if name not in APPROVING:
        return ReasonForm
    version = request.rule_version
    is_approval = name == "approve"
    questions = open_questions(version) if is_approval else ()
    unchecked = open_sentences(version) if is_approval else ()
    unmet = name == "concur" and not all(each.is_met for each in get_checklist(request))
    return partial(
        ApproveForm,
        request.path,
        questions,
        version.interpretations,
        unchecked,
        unmet=unmet,
        unproven=is_approval and is_unproven(version),
    )


class ChecklistForm(forms.Form):
    """Which checklist lines the filing answers."""

    there = forms.TypedMultipleChoiceField(
        label="The filing contains", required=False, widget=forms.CheckboxSelectMultiple
    )
    note = LongField(required=False, rows=2)

    def __init__(self, lines: Sequence[ChecklistLine], data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        items = {str(each.item.uuid): each.item for each in lines}
        field = self.fields["there"]
        assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101
        field.choices = [(uuid, f"{item.asks} ({item.citation})") for uuid, item in items.items()]
        field.coerce = items.__getitem__
        field.initial = [
            str(each.item.uuid) for each in lines if each.tick is not None and each.tick.there
        ]


class ChecklistDocumentForm(forms.Form):
    """Files for one line of the compact's checklist."""

    received = PapersField()
    evidence_date = DayField(label="Date of the documents")


class MarkForm(forms.Form):
    """The state of a condition, and the reason."""

    mark = forms.ChoiceField(label="State", choices=ConditionMark.Mark.choices)
    until = DayField(label="Waived until", required=False)
    reason = LongField(label="Why", rows=2)


class ConditionAnswerForm(CommentForm):
    """How a condition is met, and the supporting documents."""

    text = LongField(label="How it is met", rows=3)


class WithdrawForm(ReasonForm):
    """The end of an authorization: reason and date."""

    in_effect_from = InstantField(label="Withdrawn from")


@dataclass(frozen=True)
class WithdrawalStep:
    """One step of withdrawing an approval: its labels and form."""

    label: str
    step: Withdrawal.Step
    form: type[ReasonForm]


ENDINGS: dict[str, WithdrawalStep] = {
    "notice": WithdrawalStep("Give notice of withdrawal", Withdrawal.Step.NOTICED, ReasonForm),
    "objection": WithdrawalStep(
        "Object to the withdrawal",
        Withdrawal.Step.OBJECTED,
        ReasonForm,
    ),
    "end": WithdrawalStep("Withdraw the approval", Withdrawal.Step.FINAL, WithdrawForm),
    "drop": WithdrawalStep("Drop the withdrawal", Withdrawal.Step.DROPPED, ReasonForm),
}
