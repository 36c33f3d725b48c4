"""The law on a day and over the years; values the commission adds and verifies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404
from django.urls import reverse

from compliance import clock
from compliance.access.permissions import Action
from compliance.acts.checked import Check, CheckedPage
from compliance.acts.touched import describe_rounds, rounds_on_file
from compliance.filings.controls.reads import find_noncompliant_controls
from compliance.law.presentation import describe_amount, law_table, rule_table
from compliance.law.reads import law_rules, newest_addition
from compliance.law.values import Grade
from compliance.law.writes import add_law_value, verify_law
from compliance.people.passkeys import SignedAction
from compliance.ui.filters import day
from compliance.ui.forms import DayField, DollarsField, LongField, NameField
from compliance.ui.pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from django.http import HttpRequest, HttpResponse

    from compliance.law.models import LawAddition, LawVerification
    from compliance.law.values import LawRule, LawValue


LARGEST = 1_000_000
GRADES = [
    (Grade.CONFIRMED.value, "Confirmed: the official text or filing was read"),
    (Grade.SECONDARY.value, "Secondary: from the press or a directory"),
    (Grade.INFERRED.value, "Inferred: it follows from other sources"),
    (Grade.UNKNOWN.value, "Unknown: there is a new value, but nobody has read it"),
]
UNUSUAL = 50
"""The change, in percent, from which a new amount or number is pointed out as unusual."""


class DayForm(forms.Form):
    """The day to look up."""

    on = DayField(label="The law on")


def read_day(request: HttpRequest) -> tuple[DayForm, date]:
    """Return the form as in the address, and its day; today if there is none or it is invalid."""
    today = clock.today()
    form = DayForm({"on": request.GET.get("on") or today})
    return form, form.cleaned_data["on"] if form.is_valid() else today


class ValueForm(forms.Form):
    """A value in effect from a day on, and its source; amounts are typed in dollars."""

    from_date = DayField(label="In effect from")
    value = forms.Field(required=False)
    verified_through = DayField(label="Verified through")
    citation = NameField(max_length=120)
    filing = NameField(max_length=60, required=False, help_text="As WSR 23-17-123.")
    grade = forms.ChoiceField(label="How sure", choices=GRADES)
    source = LongField(label="Where it was read", rows=2)

    def __init__(self, rule: LawRule, data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self.rule = rule
        self.fields["value"] = value_field(rule)
        self.newest = newest_addition(rule.name)
        if self.newest is not None:
            self.fields["supersedes"] = forms.BooleanField(
                label=f"The value from {day(self.newest.from_date)} was wrong: this one takes its "
                "place",
                required=False,
            )

    def clean_grade(self) -> Grade:
        """Return the grade."""
        return Grade(self.cleaned_data["grade"])

    def clean(self) -> dict[str, Any]:
        """Name the addition that it supersedes; an empty text is no value."""
        data = super().clean() or {}
        wrong = data.pop("supersedes", False)
        if data.get("value") == "":
            data["value"] = None
        return data | {"supersedes": self.newest if wrong else None}


def value_field(rule: LawRule) -> forms.Field:
    """Return the field for a value of this rule: dollars, a whole number of its unit, or words."""
    leave_empty = "Leave it empty if nobody has read it."
    if not all(isinstance(each.value, int | None) for each in rule.values):
        return NameField(label="Value", required=False, max_length=500, help_text=leave_empty)
    if rule.unit == "cents":
        return DollarsField(
            label="Amount in dollars", required=False, help_text=f"As $400.00. {leave_empty}"
        )
    return forms.IntegerField(
        label=f"Number of {rule.unit}",
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text=leave_empty,
    )


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


class LawAction(SignedAction):
    """An action on the page of a rule."""

    permission = Action.KEEP_LAW
    shown_on = LawPage

    def get_subject(self) -> LawRule:
        return find_rule(self.kwargs["rule"])

    get_shown_subject = get_subject

    def get_page_url(self) -> str:
        return url_of_rule(self.kwargs["rule"])


class AddLawValue(LawAction, CheckedPage):
    """Propose a value of a rule, which a second person confirms."""

    success_message = "The value is on file."

    def get_form(self, data: Any = None, files: Any = None) -> ValueForm:
        return ValueForm(self.subject, data, prefix="add")

    def get_second_permission(self) -> Action:
        return Action.KEEP_LAW

    def act(self, data: dict[str, Any]) -> LawAddition:
        return add_law_value(rule=self.subject.name, by=self.person, **data)

    def describe(self, result: LawAddition, data: dict[str, Any]) -> Check:
        """Compare it with the value before, and name the controls that would not comply."""
        rule: LawRule = self.subject
        since = day(result.from_date)
        now = law_rules()[rule.name].values[-1]
        before = law_rules(without=result)[rule.name].values[-1]
        touches = [
            f"{rule.says}: {describe_amount(now)} from {since} on, after "
            f"{describe_amount(before)} from {day(before.from_)} on.",
            describe_rounds(rounds_on_file(since=result.from_date), since)
            + " A replay started from now on uses the new value.",
        ]
        if result.supersedes is not None:
            touches.append(
                f"The value from {day(result.supersedes.from_date)} counts no more. It stays on "
                "file as superseded."
            )
        for version, problems in find_noncompliant_controls(result.from_date):
            name = str(version)
            name = f"{name[:1].upper()}{name[1:]}"
            text = f"{name}, would not comply from {since} on: {problems[0].says}"
            more = len(problems) - 1
            touches.append(f"{text} This version has {more} more such limits." if more else text)
        return Check(
            title=f"{rule.says}: {describe_amount(now)} from {since} on",
            touches=tuple(touches),
            warnings=tuple(warn_of_change(before, now)),
        )


def warn_of_change(before: LawValue, now: LawValue) -> Iterator[str]:
    """Yield a warning if a number differs from the one before by more than is usual."""
    if not (isinstance(before.value, int) and isinstance(now.value, int) and before.value):
        return
    percent = (now.value - before.value) * 100 / before.value
    if abs(percent) >= UNUSUAL:
        way = "more" if percent > 0 else "less"
        yield (
            f"{describe_amount(now)} is {abs(percent):,.0f} % {way} than "
            f"{describe_amount(before)}. Make sure that no digit is missing and none is added."
        )


class VerifyLaw(LawAction):
    """Record that a rule's newest value was still in effect on a day."""

    form_class = VerifyForm
    form_name = "verify"
    success_message = "The value is verified through {result.through}."

    def act(self, data: dict[str, Any]) -> LawVerification:
        return verify_law(rule=self.subject.name, by=self.person, **data)
