"""The law on a day and through the years; what the commission adds to it and verifies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from compliance import clock
from compliance.law.values import Grade
from compliance.permissions import Action
from compliance.selectors.law import law_rules
from compliance.services.law import add_law_value, controls_that_no_longer_hold, verify_law
from compliance.web.acting import accepted, allows, person_of, require_sight
from compliance.web.fields import DayField, LongField, NameField
from compliance.web.lists import dollars

if TYPE_CHECKING:
    from datetime import date

    from django.http import HttpRequest, HttpResponse

    from compliance.law.values import LawRule, LawValue

LARGEST = 10**12


class DayForm(forms.Form):
    """On which day."""

    on = DayField(label="The law on", required=False)


class ValueForm(forms.Form):
    """A value that holds from a day on, and how that is known."""

    from_date = DayField(label="Holds from")
    value = NameField(
        required=False,
        max_length=500,
        help_text="Amounts in cents, as 40000 for $400. Nothing, where nobody has read it.",
    )
    verified_through = DayField(label="Verified through")
    citation = NameField(max_length=120)
    filing = NameField(max_length=60, required=False, help_text="As WSR 23-17-123.")
    grade = forms.ChoiceField(
        label="How sure", choices=[(each.value, each.value) for each in Grade]
    )
    source = LongField(label="Where it was read", rows=2)

    def __init__(self, rule: LawRule, data: object = None) -> None:
        super().__init__(data, prefix="add")  # type: ignore[arg-type]
        self.rule = rule

    def clean_value(self) -> int | str | None:
        """A number, where the rule's values are numbers; else the text as it is."""
        text: str = self.cleaned_data["value"].strip()
        if not text:
            return None
        if not all(isinstance(each.value, int | None) for each in self.rule.values):
            return text
        plain = text.replace(",", "")
        few = plain.lstrip("0")[:14] or "0"
        if not (plain.isascii() and plain.isdigit()) or int(few) > LARGEST:
            msg = f"A whole number of {self.rule.unit} is wanted here, as 40000."
            raise forms.ValidationError(msg)
        return int(few)


class VerifyForm(forms.Form):
    """Somebody looked: the newest value still held on a day."""

    through = DayField(label="Still held on")
    source = LongField(label="Where this was looked up", rows=2)

    def __init__(self, data: object = None) -> None:
        super().__init__(data, prefix="verify")  # type: ignore[arg-type]


@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What the law allowed on a day, and one rule through the years where one is chosen."""
    return _page(request, request.GET.get("rule", ""))


@login_required
@require_POST
def add(request: HttpRequest, rule: str) -> HttpResponse:
    """Add a value to a rule."""
    found = _kept(request, rule)
    form = ValueForm(found, request.POST)
    made = accepted(
        form,
        lambda said: add_law_value(
            rule=rule, by=person_of(request), **(said | {"grade": Grade(said["grade"])})
        ),
    )
    if made is None:
        return _page(request, rule, add_form=form, status=422)
    touched = controls_that_no_longer_hold(made.from_date)
    messages.success(request, "The value is on file.")
    for version, problems in touched:
        text = f"{str(version).capitalize()}, would not hold from {made.from_date} on: "
        messages.warning(request, text + problems[0].says)
    return redirect(f"{reverse('law')}?rule={rule}")


@login_required
@require_POST
def verify(request: HttpRequest, rule: str) -> HttpResponse:
    """Note that a rule's newest value still held on a day."""
    _kept(request, rule)
    form = VerifyForm(request.POST)
    made = accepted(form, lambda said: verify_law(rule=rule, by=person_of(request), **said))
    if made is None:
        return _page(request, rule, verify_form=form, status=422)
    messages.success(request, f"The value is verified through {made.through}.")
    return redirect(f"{reverse('law')}?rule={rule}")


def _kept(request: HttpRequest, rule: str) -> LawRule:
    require_sight(request, Action.KEEP_LAW)
    found = law_rules().get(rule)
    if found is None:
        raise Http404
    return found


def _page(
    request: HttpRequest,
    rule: str,
    *,
    add_form: ValueForm | None = None,
    verify_form: VerifyForm | None = None,
    status: int = 200,
) -> HttpResponse:
    rules = law_rules()
    if rule and rule not in rules:
        raise Http404
    form = DayForm(request.GET if "on" in request.GET else None)
    on = clock.today()
    if form.is_bound:
        if form.is_valid():
            on = form.cleaned_data["on"] or on
        else:
            status = 422
    chosen = rules.get(rule)
    keeps = chosen is not None and allows(request, Action.KEEP_LAW)
    context: dict[str, Any] = {
        "form": form if form.is_bound else DayForm(initial={"on": on}),
        "on": on,
        "rows": [(each, told_value(each.on(on), on)) for each in rules.values()],
        "chosen": chosen,
        "line": [told_value(each, on) for each in reversed(chosen.values)] if chosen else [],
        "add_form": (add_form or ValueForm(chosen)) if chosen and keeps else None,
        "verify_form": (verify_form or VerifyForm()) if keeps else None,
    }
    return render(request, "law/page.html", context, status=status)


def told_value(value: LawValue | None, on: date) -> dict[str, Any] | None:
    """A value as pages say it; None where there is none."""
    if value is None:
        return None
    return {
        "value": value,
        "says": _said(value),
        "conditional": dollars(value.conditional_value) if value.conditional_value else "",
        "carried": value.carried_forward(on),
    }


def _said(value: LawValue) -> str:
    if value.value is None:
        return "Not known: nobody has read it"
    if not isinstance(value.value, int):
        return str(value.value).replace("_", " ")
    return dollars(value.value) if value.unit == "cents" else f"{value.value:,} {value.unit}"
