"""What our accounts do otherwise than django-allauth's."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from cryptography.fernet import Fernet
from django.conf import settings

from compliance.permissions import needs_second_factor
from compliance.walls import memberships_of

if TYPE_CHECKING:
    from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Nobody registers: people come by invitation."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def get_from_email(self) -> str:
        """The configured sender of all mail."""
        return str(settings.DEFAULT_FROM_EMAIL)

    def format_email_subject(self, subject: str) -> str:
        """Names the agency before the subject."""
        return f"{settings.AGENCY_NAME}: {subject}"


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Signs in people who are known; an issuer invites nobody."""

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
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """As used for one sign-in."""
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def can_delete_authenticator(self, authenticator: Any) -> bool:
        """Not the last one of somebody whose role asks for it; set up another first."""
        if not needs_second_factor(memberships_of(authenticator.user)):
            return True
        others = Authenticator.objects.filter(user=authenticator.user).exclude(pk=authenticator.pk)
        return bool(others.exclude(type=Authenticator.Type.RECOVERY_CODES).exists())


def _cipher() -> Fernet:
    """Bound to the installation's secret: a stolen database alone signs nobody in."""
    key = hashlib.sha256(b"second factor" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
