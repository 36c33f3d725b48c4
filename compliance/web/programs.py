"""What programs of a party use, on pages: made with a secret that is shown once, ended, tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib import messages
from django.shortcuts import get_object_or_404

from compliance.models import Party
from compliance.permissions import Action
from compliance.services.refused import RefusedError
from compliance.web.accounts.second_factor import second_factor_used
from compliance.web.acting import accepted, person_of, require_sight
from compliance.web.fields import ReasonForm

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.http import HttpRequest

Made = TypeVar("Made")


def party_of(request: HttpRequest, code: str) -> Party:
    """A party whose programs are looked after; nothing is there for anybody else."""
    party = get_object_or_404(Party, code=code)
    require_sight(request, Action.MANAGE_KEYS, party)
    return party


def made_once(
    request: HttpRequest, form: forms.Form, make: Callable[[dict[str, Any]], Made], *, what: str
) -> Made | None:
    """What was made, with its secret; None where the form says now why nothing was.

    A password alone makes nothing that works without one.
    """
    if not second_factor_used(request, person_of(request)):
        form.add_error(None, f"Sign in with a second factor to make {what}.")
    return accepted(form, make)


def say(request: HttpRequest, act: Callable[[], object], done: str) -> None:
    """Do it, and tell on the next page that it was done, or why not."""
    try:
        act()
    except RefusedError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, done)


def say_with_reason(
    request: HttpRequest, act: Callable[[str], object], *, why: str, done: str
) -> None:
    """The same for what needs a reason; `why` asks for it."""
    form = ReasonForm(request.POST)
    if form.is_valid():
        say(request, lambda: act(form.cleaned_data["reason"]), done)
    else:
        messages.error(request, f"Say why {why}. {form.errors['reason'][0]}")
