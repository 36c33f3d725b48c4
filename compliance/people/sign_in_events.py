"""Record an event for every sign-in, failed sign-in and credential change.

django-allauth offers only signals to hook into; each handler only calls `_note`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.signals import password_changed, password_reset, user_logged_in
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
)
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.db import transaction
from django.dispatch import receiver

from compliance.access.models import Person
from compliance.access.permissions import needs_second_factor
from compliance.access.rate_limit import address_of
from compliance.access.scope import memberships_of
from compliance.events.actor import ANYONE
from compliance.events.record import record
from compliance.people import events
from compliance.people.devices import know_device
from compliance.people.passkeys import digest_of
from compliance.people.second_factor import SET_UP_HERE, second_factor_used
from compliance.people.sign_in_limits import clear_account

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.events.actor import Actor
    from compliance.events.types import EventType


def _from(request: HttpRequest | None) -> dict[str, str]:
    if request is None:
        return {"address": "", "browser": ""}
    return {
        "address": address_of(request),
        "browser": request.headers.get("User-Agent", "")[:200],
    }


@transaction.atomic
def _note(
    kind: EventType,
    *,
    by: Person | Actor,
    about: Person | None,
    personal: dict[str, str],
    carries: dict[str, Any] | None = None,
) -> None:
    record(kind, by=by, about=about, carries=carries, personal=personal)


@receiver(user_logged_in)
def _signed_in(request: HttpRequest, user: Person, **_: Any) -> None:
    methods = [
        m.get("method", "") for m in request.session.get("account_authentication_methods", [])
    ]
    _note(
        events.SESSION_BEGAN,
        by=user,
        about=user,
        carries={"methods": methods},
        personal=_from(request),
    )
    if not needs_second_factor(memberships_of(user)) or second_factor_used(request, user):
        know_device(request, user)


@receiver(user_logged_out)
def _signed_out(request: HttpRequest, user: Person | None, **_: Any) -> None:
    if user is not None:
        _note(events.SESSION_ENDED, by=user, about=user, personal=_from(request))


@receiver(user_login_failed)
def _sign_in_failed(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    claimed = str(credentials.get("email") or credentials.get("username") or "")[:254]
    person = Person.objects.filter(email__iexact=claimed).first()
    _note(
        events.SIGN_IN_FAILED,
        by=ANYONE,
        about=person,
        personal={"claimed": claimed, **_from(request)},
    )


@receiver(authentication_failed)
def _second_factor_failed(request: HttpRequest, user: Person, **_: Any) -> None:
    _note(events.SECOND_FACTOR_FAILED, by=ANYONE, about=user, personal=_from(request))


@receiver(password_changed)
@receiver(password_reset)
def _password_changed(request: HttpRequest, user: Person, **_: Any) -> None:
    clear_account(user)
    _note(events.PASSWORD_CHANGED, by=user, about=user, personal=_from(request))


@receiver(authenticator_added)
def _factor_added(request: HttpRequest, user: Person, authenticator: Any, **_: Any) -> None:
    request.session[SET_UP_HERE] = user.pk
    know_device(request, user)
    _note_factor(request, events.SECOND_FACTOR_ADDED, user, authenticator)


@receiver(authenticator_removed)
def _factor_removed(request: HttpRequest, user: Person, authenticator: Any, **_: Any) -> None:
    _note_factor(request, events.SECOND_FACTOR_REMOVED, user, authenticator)


@receiver(authenticator_reset)
def _factor_reset(request: HttpRequest, user: Person, authenticator: Any, **_: Any) -> None:
    _note_factor(request, events.SECOND_FACTOR_RENEWED, user, authenticator)


def _note_factor(request: HttpRequest, event: EventType, user: Person, authenticator: Any) -> None:
    carries = {"kind": authenticator.type, "key": digest_of(authenticator)}
    _note(event, by=user, about=user, carries=carries, personal=_from(request))
