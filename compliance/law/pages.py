"""The law on a day and over the years; values the commission adds and verifies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import Http404
from django.urls import reverse

from compliance import clock
from compliance.access.permissions import Action
from compliance.filings.controls.reads import find_noncompliant_controls
from compliance.law.presentation import law_table, rule_table
from compliance.law.reads import law_rules
from compliance.law.values import Grade
from compliance.law.writes import add_law_value, verify_law
from compliance.ui.forms import DayField, LongField, NameField
from compliance.ui.pages import ActionPage, Page

if TYPE_CHECKING:
    from datetime import date

    from django.http import HttpRequest, HttpResponse

    from compliance.law.models import LawAddition, LawVerification
    from compliance.law.values import LawRule


LARGEST = 10**12


class DayForm(forms.Form):
    """The day to look up."""

    on = DayField(label="The law on")


def read_day(request: HttpRequest) -> tuple[DayForm, date]:
    """Return the form as in the address, and its day; today if there is none or it is invalid."""
    today = clock.today()
    form = DayForm({"on": request.GET.get("on") or today})
    return form, form.cleaned_data["on"] if form.is_valid() else today


class ValueForm(forms.Form):
    """A value in effect from a day on, and its source."""

    from_date = DayField(label="In effect from")
    value = NameField(
        required=False,
        max_length=500,
        help_text="Amounts in cents, as 40000 for $400. Leave it empty if not verified.",
    )
    verified_through = DayField(label="Verified through")
    citation = NameField(max_length=120)
    filing = NameField(max_length=60, required=False, help_text="As WSR 23-17-123.")
    grade = forms.ChoiceField(
        label="How sure", choices=[(each.value, each.value) for each in Grade]
    )
    source = LongField(label="Where it was read", rows=2)

    def __init__(self, rule: LawRule, data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self.rule = rule

    def clean_value(self) -> int | str | None:
        """Return a number if the rule's values are numbers; else the text as it is."""
        text: str = self.cleaned_data["value"].strip()
        if not text:
            return None
        if not all(isinstance(each.value, int | None) for each in self.rule.values):
            return text
        digits = text.replace(",", "")
        first_digits = digits.lstrip("0")[:14] or "0"
        if not (digits.isascii() and digits.isdigit()) or int(first_digits) > LARGEST:
            msg = f"Enter a whole number of {self.rule.unit}, as 40000."
            raise forms.ValidationError(msg)
        return int(first_digits)

    def clean_grade(self) -> Grade:
        """Return the grade."""
        return Grade(self.cleaned_data["grade"])


class VerifyForm(forms.Form):
    """A check that the newest value was still in effect on a day."""

    through = DayField(label="Still in effect on")
    source = LongField(label="Where you looked it up", rows=2)


class LawPage(Page):
    """What the law allowed on a day, or one rule over the years."""

    template_name = "law/page.html"

    def get_subject(self) -> LawRule | None:
        """Return the rule in the address; None for all rules on a day."""
        name = self.request.GET.get("rule", "")
        return find_rule(name) if name else None

    def get(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show the page; an invalid day shows today, and says so."""
        return self.show(status=200 if read_day(request)[0].is_valid() else 422)

    def get_context(self) -> dict[str, Any]:
        """Collect the values, and the forms of a rule."""
        rule: LawRule | None = self.subject
        if rule is None:
            form, on = read_day(self.request)
            table = law_table(law_rules().values(), on, url_of_rule)
            return {"form": form, "on": on, "table": table}
        context: dict[str, Any] = {"rule": rule, "table": rule_table(rule)}
        if self.allows(Action.KEEP_LAW):
            context["add_form"] = self.form(partial(ValueForm, rule), "add")
            context["verify_form"] = self.form(VerifyForm, "verify")
        return context


def find_rule(name: str) -> LawRule:
    """Return a rule, or raise Http404."""
    rule = law_rules().get(name)
    if rule is None:
        raise Http404
    return rule


def url_of_rule(name: str) -> str:
    """Return the page of a rule."""
    return f"{reverse('law')}?rule={name}"


class LawAction(ActionPage):
    """An action on the page of a rule."""

    permission = Action.KEEP_LAW
    shown_on = LawPage

    def get_subject(self) -> LawRule:
        return find_rule(self.kwargs["rule"])

    get_shown_subject = get_subject

    def get_page_url(self) -> str:
        return url_of_rule(self.kwargs["rule"])


class AddLawValue(LawAction):
    """Add a value to a rule."""

    success_message = "The value is on file."

    def get_form(self, data: Any = None, files: Any = None) -> ValueForm:
        return ValueForm(self.subject, data, prefix="add")

    def act(self, data: dict[str, Any]) -> LawAddition:
        return add_law_value(rule=self.subject.name, by=self.person, **data)

    def respond(self, result: LawAddition) -> HttpResponse:
        for version, problems in find_noncompliant_controls(result.from_date):
            name = str(version).capitalize()
            text = f"{name}, would not comply from {result.from_date} on: {problems[0].says}"
            messages.warning(self.request, text)
        return super().respond(result)


class VerifyLaw(LawAction):
    """Record that a rule's newest value was still in effect on a day."""

    form_class = VerifyForm
    form_name = "verify"
    success_message = "The value is verified through {result.through}."

    def act(self, data: dict[str, Any]) -> LawVerification:
        return verify_law(rule=self.subject.name, by=self.person, **data)
