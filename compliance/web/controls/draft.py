"""The draft of internal controls as a form: saved whole or not, submitted when nothing is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from compliance import clock
from compliance.choices import OPERATOR_KINDS
from compliance.controls.content import DAYS, LONGEST_TEXT, TEXTS, Problem
from compliance.models import ControlsDraft, ControlsVersion, Party
from compliance.permissions import Action
from compliance.services.controls import (
    NotReadyError,
    problems_with,
    save_draft,
    submit_controls,
)
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.controls.told import HEADINGS
from compliance.web.fields import LongField

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

MOST_OF_GAMES = 200_000
CLOCK = "%H:%M"


class TimeOfDay(forms.TimeField):
    """A time of day in hours and minutes."""

    def __init__(self, **more: Any) -> None:
        widget = forms.TimeInput({"type": "time"}, CLOCK)
        super().__init__(widget=widget, input_formats=[CLOCK], **more)


class GamesField(LongField):
    """Games and tables as JSON: what a replay needs, by game and table."""

    def clean(self, value: Any) -> Any:
        """Read the JSON; what it says is judged with the other sections."""
        text = super().clean(value)
        if not text.strip():
            return {}
        try:
            read = json.loads(text, parse_constant=_no_amount, parse_float=_no_amount)
            plain = all("\0" not in each and each.isascii() for each in _texts(read))
        except RecursionError as deep:
            msg = "This is nested too deeply to be games and tables."
            raise forms.ValidationError(msg) from deep
        except json.JSONDecodeError as wrong:
            msg = f"Line {wrong.lineno}, column {wrong.colno}: {wrong.msg}. Nothing was saved."
            raise forms.ValidationError(msg) from wrong
        except ValueError as wrong:
            raise forms.ValidationError(str(wrong)) from wrong
        if not isinstance(read, dict):
            msg = 'Games are written as {"pyramid-poker": {"tables": {…}}}.'
            raise forms.ValidationError(msg)
        if not plain:
            msg = "Names of games, tables, wagers and readings are plain letters and digits."
            raise forms.ValidationError(msg)
        return read


class DraftForm(forms.Form):
    """Every section; `content` and `fields_of` turn it into what is kept and back."""

    edition = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)

    def __init__(self, data: object = None, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)  # type: ignore[arg-type]
        for name, heading in TEXTS.items():
            self.fields[name] = LongField(label=heading, max_length=LONGEST_TEXT, required=False)
        for day in DAYS:
            for end, word in (("opens", "opens"), ("closes", "closes")):
                label = f"{day.capitalize()} {word}"
                self.fields[f"{day}_{end}"] = TimeOfDay(label=label, required=False)
        self.fields["cut_off"] = TimeOfDay(label=HEADINGS["cut_off"])
        self.fields["hand_in_hours"] = forms.IntegerField(
            label="Hours after the cut-off to hand in the round log", min_value=0, max_value=72
        )
        self.fields["void_reasons"] = LongField(
            label=HEADINGS["void_reasons"], required=False, help_text="One in each line."
        )
        self.fields["games"] = GamesField(
            label=HEADINGS["games"],
            required=False,
            rows=16,
            max_length=MOST_OF_GAMES,
            help_text="JSON: by game its tables, by table the least and the most of each wager in "
            "cents, the chosen readings and the maximum aggregate.",
        )
        self.fields["games_swap_only"] = forms.BooleanField(
            label="Only games are swapped (may be approved verbally first)", required=False
        )

    def clean(self) -> None:
        """Refuse a day of which only one end is given."""
        for day in DAYS:
            ends = [self.cleaned_data.get(f"{day}_{end}") for end in ("opens", "closes")]
            if (ends[0] is None) != (ends[1] is None) and f"{day}_opens" not in self.errors:
                msg = "Give both times, or none for a day on which the room is closed."
                self.add_error(f"{day}_opens", msg)


def content_of(cleaned: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a form that was filled in."""
    hours = {
        day: [f"{cleaned[f'{day}_{end}']:%H:%M}" for end in ("opens", "closes")]
        for day in DAYS
        if cleaned[f"{day}_opens"] is not None
    }
    lines = (line.strip() for line in cleaned["void_reasons"].splitlines())
    return {
        "texts": {name: cleaned[name] for name in TEXTS if cleaned[name]},
        "hours": hours,
        "cut_off": f"{cleaned['cut_off']:%H:%M}",
        "hand_in_hours": cleaned["hand_in_hours"],
        "void_reasons": [line for line in lines if line],
        "games": cleaned["games"],
    }


def fields_of(content: dict[str, Any]) -> dict[str, Any]:
    """What the form shows of controls that were kept."""
    shown = {name: content.get("texts", {}).get(name, "") for name in TEXTS}
    for day, span in content.get("hours", {}).items():
        if span:
            shown[f"{day}_opens"], shown[f"{day}_closes"] = span
    return {
        **shown,
        "cut_off": content.get("cut_off", "06:00"),
        "hand_in_hours": content.get("hand_in_hours", 6),
        "void_reasons": "\n".join(content.get("void_reasons", [])),
        "games": json.dumps(content.get("games", {}), indent=2),
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Write the controls of an operator: save them, or submit them as the next version."""
    operator = get_object_or_404(Party, code=code)
    require_sight(request, Action.WRITE_CONTROLS, operator)
    if operator.kind not in OPERATOR_KINDS:
        raise Http404
    if request.method != "POST":
        return _shown(request, operator, _opened(operator))
    form = DraftForm(request.POST)
    if "submit" in request.POST:
        require_sight(request, Action.SUBMIT_CONTROLS, operator)
        return _submitted(request, operator, form)
    draft = accepted(form, lambda cleaned: _saved(request, operator, cleaned))
    if draft is None:
        return _shown(request, operator, form, status=422)
    messages.success(request, "The draft is saved.")
    return redirect("controls_draft", code=operator.code)


def _opened(operator: Party) -> DraftForm:
    """The draft as it stands; before there is one, the newest version as the place to start."""
    draft = ControlsDraft.objects.filter(operator=operator).first()
    if draft is not None:
        return DraftForm(initial={**fields_of(draft.content), "edition": draft.edition})
    newest = ControlsVersion.objects.filter(operator=operator).order_by("number").last()
    content = newest.content if newest is not None else {}
    return DraftForm(initial={**fields_of(content), "edition": 0})


def _saved(request: HttpRequest, operator: Party, cleaned: dict[str, Any]) -> ControlsDraft:
    return save_draft(
        operator=operator,
        content=content_of(cleaned),
        edition=cleaned["edition"],
        by=person_of(request),
    )


def _submitted(request: HttpRequest, operator: Party, form: DraftForm) -> HttpResponse:
    problems: list[Problem] = []

    def submit(cleaned: dict[str, Any]) -> ControlsVersion:
        try:
            with transaction.atomic():
                _saved(request, operator, cleaned)
                return submit_controls(
                    operator=operator,
                    content=content_of(cleaned),
                    by=person_of(request),
                    games_swap_only=cleaned["games_swap_only"],
                )
        except NotReadyError as not_ready:
            problems.extend(not_ready.problems)
            raise

    version = accepted(form, submit)
    if version is None:
        return _shown(request, operator, form, problems, status=422)
    messages.success(request, f"Version {version.number} is submitted.")
    return redirect("controls_version", uuid=version.uuid)


def _shown(
    request: HttpRequest,
    operator: Party,
    form: DraftForm,
    problems: list[Problem] | None = None,
    status: int = 200,
) -> HttpResponse:
    draft = ControlsDraft.objects.filter(operator=operator).select_related("saved_by").first()
    if problems is None and draft is not None and not form.is_bound:
        problems = problems_with(operator, draft.content, clock.today())
    context = {
        "operator": operator,
        "form": form,
        "draft": draft,
        "problems": problems or [],
        "submits": allows(request, Action.SUBMIT_CONTROLS, operator),
        "days": [(day.capitalize(), form[f"{day}_opens"], form[f"{day}_closes"]) for day in DAYS],
        "texts": [form[name] for name in TEXTS],
    }
    return render(request, "controls/draft.html", context, status=status)


def _no_amount(word: str) -> None:
    msg = f"{word[:20]} is no amount: amounts are whole numbers of cents. Nothing was saved."
    raise ValueError(msg)


def _texts(data: Any) -> list[str]:
    if isinstance(data, str):
        return [data]
    if isinstance(data, dict):
        return [text for key, each in data.items() for text in (key, *_texts(each))]
    if isinstance(data, list):
        return [text for each in data for text in _texts(each)]
    return []
