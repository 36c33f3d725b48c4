"""Who acts through a form, what they may, and what becomes of a form that a service refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.http import Http404

from compliance.permissions import may
from compliance.services.refused import NotAllowedError, RefusedError
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.http import HttpRequest

    from compliance.models import Party, Person
    from compliance.permissions import Action

Answer = TypeVar("Answer")


def person_of(request: HttpRequest) -> Person:
    """Whoever is signed in; nothing is there for anybody else."""
    person = asked(request).person
    if person is None:
        raise Http404
    return person


def allows(request: HttpRequest, action: Action, party: Party | None = None) -> bool:
    """Whether the roles of whoever asks allow an action, on a party where one is given."""
    return may(asked(request).memberships, action, party)


def require_sight(request: HttpRequest, action: Action, party: Party | None = None) -> None:
    """Answer 404 unless the action is allowed: what is not open looks like what is not there."""
    if not allows(request, action, party):
        raise Http404


def accepted(form: forms.Form, act: Callable[[dict[str, Any]], Answer]) -> Answer | None:
    """What the service answered to a form; None where the form says now why it was not accepted.

    Raises `Http404` where the service says that the role does not allow it.
    """
    if not form.is_valid():
        return None
    try:
        return act(form.cleaned_data)
    except NotAllowedError as closed:
        raise Http404 from closed
    except RefusedError as refused:
        form.add_error(None, str(refused))
        return None
