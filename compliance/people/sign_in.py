"""Sign-in: differences from django-allauth, and counting of attempts."""

from __future__ import annotations

import time
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.forms import ResetPasswordForm
from allauth.account.utils import filter_users_by_email
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.base import AuthProcess
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.exceptions import ValidationError
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.dateformat import format as formatted
from django.utils.timezone import localtime

from compliance.access.rate_limit import address_of
from compliance.access.scope import memberships_of
from compliance.encryption import SECOND_FACTOR, opened, sealed
from compliance.people.devices import device_token
from compliance.people.second_factor import SET_UP_HERE, owes_second_factor
from compliance.people.sign_in_limits import (
    ACCOUNT,
    ADDRESS,
    DEVICE,
    RESET,
    SIGN_IN,
    Attempt,
    TooManyAttemptsError,
    begin_attempt,
    take_back,
)

if TYPE_CHECKING:
    from django.http import HttpRequest

    from compliance.access.models import Person


SOURCES = {
    DEVICE: "on this device. Try again after {time}.",
    ADDRESS: "from your network. Try again after {time}, or use a device on which you have "
    "signed in before.",
    ACCOUNT: "for this account from new devices. Try again after {time}, or use a device on "
    "which you have signed in before.",
}


def counted(
    request: HttpRequest, what: str, *, login: str = "", person: Person | None = None
) -> Attempt:
    """Count an attempt; if it is too early, raise `ValidationError` with the time to try again."""
    if person is None:
        person = next(iter(filter_users_by_email(login)), None)
    try:
        return begin_attempt(
            what,
            person=person,
            login=login,
            address=address_of(request),
            token=device_token(request),
        )
    except TooManyAttemptsError as early:
        whole_minute = localtime(early.until).replace(second=0, microsecond=0)
        time = formatted(whole_minute + timedelta(minutes=1), "g:i a T")
        says = f"Too many {what} {SOURCES[early.source].format(time=time)}"
        raise ValidationError(says, code="too_many_attempts") from None


class _Counted:
    """Counts the codes entered in a form, and uncounts the right one."""

    user: Person

    def clean_code(self) -> str:
        """Check a code if no wait is in progress."""
        attempt = counted(context.request, SIGN_IN, person=self.user)
        code: str = super().clean_code()  # type: ignore[misc]
        take_back(attempt)
        return code


class CodeForm(_Counted, AuthenticateForm):  # type: ignore[misc]
    """The form for a second factor's code at sign-in."""


class ConfirmCodeForm(_Counted, ReauthenticateForm):  # type: ignore[misc]
    """The form for a second factor's code when a session asks for it again."""


class ResetForm(ResetPasswordForm):  # type: ignore[misc]
    """The form that requests an email with a link to a new password."""

    def clean_email(self) -> str:
        """Limit how many emails are sent."""
        counted(context.request, RESET, login=self.cleaned_data["email"])
        address: str = super().clean_email()
        return address


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Disables registration: people come by invitation."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False."""
        return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Check a password if no wait is in progress; wrong ones are counted."""
        attempt = counted(request, SIGN_IN, login=credentials.get("email", ""))
        person = super().authenticate(request, **credentials)
        if person is not None:
            take_back(attempt)
        return person

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Return False right after the sign-in that sets up the first second factor."""
        user = self.request.user
        first = user.is_authenticated and (
            not is_mfa_enabled(user) or self.request.session.get(SET_UP_HERE) == user.pk
        )
        if first:
            signed_in = get_authentication_records(self.request, user)
            limit = time.time() - settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
            if any(each["at"] > limit for each in signed_in):
                return False
        return bool(super().is_reauthentication_required(app=app, **more))

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Require the second factor again from people who have one.

        Otherwise, a password and an open session would be enough to add a second factor or show
        recovery codes.
        """
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [each for each in methods if each["id"] != "reauthenticate"] or methods

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Start the link with SITE_URL: a visitor controls the host and port of a request."""
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
        return f"{settings.SITE_URL}{path.replace('UID-KEY', quote(key))}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email from a template; none of ours contains the host of a request."""
        super().send_mail(template_prefix, email, {**context, "site": settings.SITE_URL})

    def get_from_email(self) -> str:
        """Return the configured sender of all email."""
        return str(settings.DEFAULT_FROM_EMAIL)

    def format_email_subject(self, subject: str) -> str:
        """Put the agency's name before the subject."""
        return f"{settings.AGENCY_NAME}: {subject}"


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Signs in known people; an identity provider cannot add new ones.

    A return from the provider signs in, and does nothing else: otherwise anyone at an open session
    could connect their own provider account to it, and come back at any time.
    """

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Continue only with a sign-in."""
        if sociallogin.state.get("process") != AuthProcess.LOGIN:
            raise ImmediateHttpResponse(redirect("account"))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Return False."""
        return False


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Encrypts secrets, and keeps the last second factor of people who must have one."""

    def get_totp_issuer(self) -> str:
        """Return the name shown in an authenticator app."""
        return f"{settings.AGENCY_NAME} card games"

    def encrypt(self, text: str) -> str:
        """Encrypt for the database."""
        return sealed(text, SECOND_FACTOR)

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt for one sign-in."""
        return opened(encrypted_text, SECOND_FACTOR)

    def can_delete_authenticator(self, authenticator: Any) -> bool:
        """Return False for the last one of a person whose role requires a second factor."""
        if not owes_second_factor(authenticator.user, memberships_of(authenticator.user)):
            return True
        others = Authenticator.objects.filter(user=authenticator.user).exclude(pk=authenticator.pk)
        return bool(others.exclude(type=Authenticator.Type.RECOVERY_CODES).exists())


class InTurn(PBKDF2PasswordHasher):
    """Django's own hasher and hashes, computed one at a time."""

    turn: ClassVar[Lock] = Lock()

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Wait for a turn, then hash."""
        with self.turn:
            return super().encode(password, salt, iterations)
