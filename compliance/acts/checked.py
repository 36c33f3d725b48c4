"""Pages of acts that cannot easily be undone: users check their answers before anything happens."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.shortcuts import redirect, render

from compliance.acts.writes import propose_act
from compliance.events.signing import Confirmation, confirming
from compliance.people.passkeys import ANSWER
from compliance.ui.access import accepted
from compliance.ui.filters import day, when
from compliance.ui.forms import DollarsField
from compliance.ui.lists import dollars
from compliance.ui.pages import ActionPage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.forms import BoundField
    from django.http import HttpRequest, HttpResponse, QueryDict

    from compliance.access.permissions import Action
    from compliance.acts.models import ProposedAct
    from compliance.acts.touched import Letter


CHECKED, CHANGE = "checked", "change"
"""Fields of the page that shows the answers: what was shown, and the button that goes back."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """What users read before an act: what it is, what it touches, and its letters."""

    title: str
    touches: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    letters: tuple[Letter, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()

    def digest(self) -> str:
        """Return the digest of what is shown; letters follow from the rest."""
        shown = [self.title, self.answers, self.touches, self.warnings]
        return hashlib.sha256(json.dumps(shown).encode()).hexdigest()


class CheckedPage(ActionPage):
    """An action in two steps: the form, then a page that shows what it would do.

    To find that out, the act is carried out and rolled back. What is confirmed is what was shown:
    if something changed meanwhile, the user checks it again.
    """

    check_button: str = "Confirm"

    def is_checked(self) -> bool:
        """Return whether this act is checked first; override if only some are."""
        return True

    def get_second_permission(self) -> Action | None:
        """Return the permission of the second person who must confirm it; None if nobody must."""
        return None

    def describe(self, result: Any, data: dict[str, Any]) -> Check:
        """Return what the act does, in the transaction in which it was just tried."""
        raise NotImplementedError

    def post(self, request: HttpRequest, **address: Any) -> HttpResponse:
        """Show what it would do; do it, or propose it, once the user has checked that."""
        if not self.is_checked():
            return super().post(request, **address)
        answers = without_steps(request.POST)
        if CHANGE in request.POST:
            return self.show_entered(self.get_form(answers))
        form = self.get_form(answers)
        check = self.rehearse(form)
        if check is None:
            return self.show_refused(form)
        if request.POST.get(CHECKED) != check.digest():
            return self.show_check(check, answers)
        permission = self.get_second_permission()
        if permission is None:
            return super().post(request, **address)
        return self.propose(check, answers, permission)

    def rehearse(self, form: forms.Form) -> Check | None:
        """Carry the act out, describe it, and roll it back; None if the form was rejected."""
        check = None
        with transaction.atomic():
            with confirming(Confirmation(self.person.uuid)):
                result = accepted(form, self.act)
            if not form.errors:
                found = self.describe(result, form.cleaned_data)
                check = Check(**vars(found) | {"answers": tuple(list_answers(form))})
            transaction.set_rollback(True)
        # The act may have changed it in memory as well.
        self.subject = self.get_subject()
        return check

    def show_check(self, check: Check, answers: QueryDict) -> HttpResponse:
        """Show the answers and what the act touches."""
        context = {
            "check": check,
            "digest": check.digest(),
            "carried": [(name, one) for name, each in answers.lists() for one in each],
            "changed": CHECKED in self.request.POST,
            "second": self.get_second_permission() is not None,
            "button": self.check_button,
            "back": self.get_page_url(),
        }
        return render(self.request, "acts/check.html", context)

    def show_entered(self, form: forms.Form) -> HttpResponse:
        """Show the form again with what was entered, so that the user can change it."""
        form.is_valid()
        response = self.show_refused(form)
        if not form.errors:
            response.status_code = 200
        return response

    def propose(self, check: Check, answers: QueryDict, permission: Action) -> HttpResponse:
        """Propose the act to a second person."""
        form = self.get_form(answers)
        accepted(form, lambda _: self._propose(check, answers, permission))
        if form.errors:
            return self.show_refused(form)
        messages.success(
            self.request,
            "Nothing has changed yet: a second person was asked to confirm it.",
            extra_tags=self.kept_as or form.prefix or "",
        )
        return redirect(self.get_page_url())

    def _propose(self, check: Check, answers: QueryDict, permission: Action) -> ProposedAct:
        with self.doing():
            return propose_act(
                title=check.title,
                address=self.request.path,
                answers=answers.urlencode(),
                permission=permission,
                by=self.person,
            )


def without_steps(posted: QueryDict) -> QueryDict:
    """Return a form as it was filled in, without what the steps add to it."""
    answers = posted.copy()
    for name in (CHECKED, CHANGE, ANSWER, "csrfmiddlewaretoken"):
        answers.pop(name, None)
    return answers


def list_answers(form: forms.Form) -> Iterator[tuple[str, str]]:
    """Yield the label and the answer of each visible field that was filled in."""
    for field in form.visible_fields():
        if text := _in_words(field, form.cleaned_data.get(field.name)):
            yield str(field.label), text


def _in_words(field: BoundField, value: Any) -> str:
    if value in (None, "", [], ()):
        return ""
    if isinstance(field.field, forms.ModelChoiceField):
        return field.field.label_from_instance(value)
    if isinstance(field.field, forms.ChoiceField):
        sent = field.value()
        chosen = {str(each) for each in (sent if isinstance(sent, list) else [sent])}
        labels = dict(field.field.choices)  # type: ignore[arg-type]
        return "\n".join(str(label) for name, label in labels.items() if str(name) in chosen)
    return _show_value(field.field, value)


def _show_value(field: forms.Field, value: Any) -> str:
    if isinstance(field, DollarsField):
        return dollars(value)
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, datetime):
        return when(value)
    if isinstance(value, date):
        return day(value)
    if isinstance(value, list | tuple | set):
        return "\n".join(map(str, value))
    return str(value)
