"""People who must have a second factor can do nothing until they set one up and use it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils.http import urlencode

from compliance.access.permissions import needs_second_factor
from compliance.errors import RefusedError
from compliance.ui.access import asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpRequest, HttpResponse

    from compliance.access.models import Membership, Person


# The pages needed to set one up, and to sign out.
OPEN_WITHOUT = frozenset(
    {
        "account_logout",
        "account_reauthenticate",
        "mfa_index",
        "mfa_activate_totp",
        "mfa_add_webauthn",
        "mfa_generate_recovery_codes",
        "mfa_view_recovery_codes",
        "mfa_download_recovery_codes",
        "mfa_reauthenticate",
    }
)
PROGRAMS = "/api/v1/"
SET_UP_HERE = "second_factor_set_up_here"
TELLS = (
    "You need a second factor to sign in. "
    "Set up an authenticator app or a security key here; everything else opens after that."
)
TELLS_OLD = (
    "You signed in before your account had a second factor. Sign in again, and use it this time."
)


class SecondFactorMiddleware:
    """Redirects pages to second-factor setup; comes after `WhoAsksMiddleware`.

    A session that began with only the password ends once a second factor was set up elsewhere:
    otherwise a thief with the password would only need to sign in first.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond, unless a second factor is required first."""
        who = asked(request)
        if request.path.startswith(PROGRAMS):  # sessions do not work there
            return self.get_response(request)
        if who.person is None or not owes_second_factor(who.person, who.memberships):
            return self.get_response(request)
        if not is_mfa_enabled(who.person):
            if _name(request) in OPEN_WITHOUT:
                return self.get_response(request)
            return _refuse(request, TELLS, "mfa_index")
        if not _used(request, who.person):
            logout(request)
            return _refuse(request, TELLS_OLD, "account_login")
        return self.get_response(request)


def owes_second_factor(person: Person, memberships: Iterable[Membership]) -> bool:
    """Return whether a role or a reset requires a person to sign in with a second factor."""
    return person.needs_second_factor or needs_second_factor(memberships)


def is_second_factor_fresh(request: HttpRequest, person: Person) -> bool:
    """Return whether a second factor was used in this session within the last few minutes."""
    since = time.time() - settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    records = get_authentication_records(request, person)
    return is_mfa_enabled(person) and any(
        each.get("method") == "mfa" and each.get("at", 0) > since for each in records
    )


def to_second_factor(person: Person, then: str) -> str:
    """Return where to use or set up a second factor before going on to `then`."""
    types = Authenticator.objects.filter(user=person).values_list("type", flat=True)
    if not types:
        return reverse("mfa_index")
    by_code = Authenticator.Type.TOTP in types
    name = "mfa_reauthenticate" if by_code else "mfa_reauthenticate_webauthn"
    return f"{reverse(name)}?{urlencode({'next': then})}"


def second_factor_used(request: HttpRequest, person: Person) -> bool:
    """Return whether a person has a second factor, and used it or set it up in this session."""
    return is_mfa_enabled(person) and _used(request, person)


def require_second_factor(request: HttpRequest, person: Person) -> None:
    """Reject what a password alone must not create, such as a key that works without a password."""
    if not second_factor_used(request, person):
        msg = "Sign in with a second factor first."
        raise RefusedError(msg)


def _used(request: HttpRequest, person: Person) -> bool:
    """Return whether this session signed in with a second factor, or set it up."""
    records = get_authentication_records(request, person)
    return request.session.get(SET_UP_HERE) == person.pk or any(
        each.get("method") == "mfa" for each in records
    )


def _name(request: HttpRequest) -> str | None:
    try:
        return resolve(request.path_info).url_name
    except Resolver404:
        return None


def _refuse(request: HttpRequest, tells: str, leads_to: str) -> HttpResponse:
    messages.warning(request, tells)
    return redirect(leads_to)
