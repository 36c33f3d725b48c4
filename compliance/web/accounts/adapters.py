"""What our accounts do otherwise than django-allauth's."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.base import AuthProcess
from django.conf import settings
from django.shortcuts import redirect

from compliance.kept_secret import opened, sealed
from compliance.permissions import needs_second_factor
from compliance.walls import memberships_of
from compliance.web.accounts.second_factor import SET_UP_HERE

if TYPE_CHECKING:
    from django.http import HttpRequest

SECOND_FACTOR = "second factor"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Nobody registers: people come by invitation."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Not right after the sign-in in which somebody sets up the first second factor."""
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

    def get_from_email(self) -> str:
        """The configured sender of all mail."""
        return str(settings.DEFAULT_FROM_EMAIL)

    def format_email_subject(self, subject: str) -> str:
        """Names the agency before the subject."""
        return f"{settings.AGENCY_NAME}: {subject}"


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Signs in people who are known; an issuer invites nobody.

    Who comes back from an issuer signs in, and does nothing else: whoever sat down at an open
    session could join their own account there to it, and come back at any time.
    """

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Go on with a sign-in alone."""
        if sociallogin.state.get("process") != AuthProcess.LOGIN:
            raise ImmediateHttpResponse(redirect("account"))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Never."""
        return False


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Keeps secrets encrypted, and the last second factor of whoever must have one."""

    def get_totp_issuer(self) -> str:
        """What an authenticator app shows."""
        return f"{settings.AGENCY_NAME} card games"

    def encrypt(self, text: str) -> str:
        """As kept in the database."""
        return sealed(text, SECOND_FACTOR)

    def decrypt(self, encrypted_text: str) -> str:
        """As used for one sign-in."""
        return opened(encrypted_text, SECOND_FACTOR)

    def can_delete_authenticator(self, authenticator: Any) -> bool:
        """Not the last one of somebody whose role asks for it; set up another first."""
        if not needs_second_factor(memberships_of(authenticator.user)):
            return True
        others = Authenticator.objects.filter(user=authenticator.user).exclude(pk=authenticator.pk)
        return bool(others.exclude(type=Authenticator.Type.RECOVERY_CODES).exists())
