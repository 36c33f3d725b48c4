"""Who asks: the roles held now, and the walls that follow from them, for one request."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from compliance.walls import memberships_of, visible_parties, within

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from compliance.models import Membership, Person


class Asked:
    """What a request may reach; set once by the middleware as `request.asked`."""

    def __init__(self, person: Person | None) -> None:
        self.person = person
        self.memberships: list[Membership] = memberships_of(person) if person else []
        self.parties = visible_parties(self.memberships)


def asked(request: HttpRequest) -> Asked:
    """Who asks and what that reaches; nobody, where a request failed before that was known."""
    return cast("Asked", getattr(request, "asked", None) or Asked(None))


class WhoAsksMiddleware:
    """Puts the walls of whoever is signed in around the whole request; of nobody, around all."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answers from inside the walls."""
        signed_in = request.user.is_authenticated
        who = Asked(cast("Person", request.user) if signed_in else None)
        request.asked = who  # type: ignore[attr-defined]
        with within(who.parties):
            return self.get_response(request)
