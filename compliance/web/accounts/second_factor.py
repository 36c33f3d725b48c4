"""Roles that ask for a second factor reach nothing until one is set up, and was used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.authentication import get_authentication_records
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

from compliance.permissions import needs_second_factor
from compliance.web.who_asks import asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from compliance.models import Person

# What is needed to set one up, and to leave.
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
    "Your role asks for a second factor at every sign-in. "
    "Set up an authenticator app or a security key here; everything else opens after that."
)
TELLS_OLD = (
    "You signed in before your account had a second factor. Sign in again, and use it this time."
)


class SecondFactorMiddleware:
    """Stands behind `WhoAsksMiddleware`; pages are led to the set-up.

    A session that began with the password alone ends once a second factor was set up elsewhere:
    otherwise whoever has stolen a password would only need to sign in first.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answers, unless a second factor is owed."""
        who = asked(request)
        if request.path.startswith(PROGRAMS):  # there a session opens nothing
            return self.get_response(request)
        if who.person is None or not needs_second_factor(who.memberships):
            return self.get_response(request)
        if not is_mfa_enabled(who.person):
            if _name(request) in OPEN_WITHOUT:
                return self.get_response(request)
            return _refuse(request, TELLS, "mfa_index")
        if not _used(request, who.person):
            logout(request)
            return _refuse(request, TELLS_OLD, "account_login")
        return self.get_response(request)


def second_factor_used(request: HttpRequest, person: Person) -> bool:
    """Whether somebody has a second factor, and this session used it or set it up."""
    return is_mfa_enabled(person) and _used(request, person)


def _used(request: HttpRequest, person: Person) -> bool:
    """Whether this session signed in with a second factor, or is the one that set it up."""
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
