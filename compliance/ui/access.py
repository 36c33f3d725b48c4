"""The current user, their permissions, and the handling of forms that a service rejects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.http import Http404

from compliance.access.permissions import may
from compliance.access.scope import memberships_of, visible_parties, within
from compliance.errors import NotAllowedError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.http import HttpRequest, HttpResponse

    from compliance.access.models import Membership, Party, Person
    from compliance.access.permissions import Action


class Asked:
    """What a request may access; set once by the middleware as `request.asked`."""

    def __init__(self, person: Person | None) -> None:
        self.person = person
        self.memberships: list[Membership] = memberships_of(person) if person else []
        self.parties = visible_parties(self.memberships)


def asked(request: HttpRequest) -> Asked:
    """Return the user's access; no access if the request failed before it was known."""
    return cast("Asked", getattr(request, "asked", None) or Asked(None))


class WhoAsksMiddleware:
    """Sets the access scope of the user, signed in or not, for the whole request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond within the access scope."""
        signed_in = request.user.is_authenticated
        who = Asked(cast("Person", request.user) if signed_in else None)
        request.asked = who  # type: ignore[attr-defined]
        with within(who.parties):
            return self.get_response(request)


Answer = TypeVar("Answer")


def person_of(request: HttpRequest) -> Person:
    """Return the signed-in user; respond with 404 to anyone else."""
    person = asked(request).person
    if person is None:
        raise Http404
    return person


def allows(request: HttpRequest, action: Action, party: Party | None = None) -> bool:
    """Return whether the user's roles allow an action, on a party if one is given."""
    return may(asked(request).memberships, action, party)


def require_sight(request: HttpRequest, action: Action, party: Party | None = None) -> None:
    """Respond with 404 unless the action is allowed: hidden objects look like missing ones."""
    if not allows(request, action, party):
        raise Http404


def accepted(form: forms.Form, act: Callable[[dict[str, Any]], Answer]) -> Answer | None:
    """Return the service's result for a form; None if the form was rejected and has the errors.

    Raises `Http404` if the service says that the role does not allow it.
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
