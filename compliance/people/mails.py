"""Emails to people about their access: an invitation, a reset of their second factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from compliance.access.models import Membership
from compliance.access.permissions import needs_second_factor
from compliance.events.signing import is_rehearsal
from compliance.mail import headed

if TYPE_CHECKING:
    from uuid import UUID

    from django.core.mail import EmailMessage

    from compliance.people.models import AccessChange, Invitation


def send(mail: EmailMessage) -> None:
    """Send an email, unless what it is about only happens in a rehearsal."""
    if not is_rehearsal():
        mail.send()


def invitation_mail(invitation: Invitation, secret: str) -> EmailMessage:
    """Return the email that invites an address to a role."""
    context = {
        "agency": settings.AGENCY_NAME,
        "invitation": invitation,
        "link": f"{settings.SITE_URL}{reverse('accept_invitation', args=[secret])}",
        "second_factor": needs_second_factor([Membership(role=invitation.role)]),
    }
    return headed(
        about=f"you are invited to {invitation.party}",
        text=render_to_string("people/invitation.txt", context),
        to=invitation.email,
        uuid=invitation.uuid,
    )


def second_factor_mail(change: AccessChange, *, uuid: UUID) -> EmailMessage:
    """Return the email about a reset of a person's second factor; it cannot be turned off."""
    assert change.person is not None  # noqa: S101
    removed = change.state == change.State.CONFIRMED
    context = {
        "agency": settings.AGENCY_NAME,
        "change": change,
        "removed": removed,
        "link": f"{settings.SITE_URL}{reverse('own_reset')}",
    }
    return headed(
        about="your second factor was removed"
        if removed
        else "a reset of your second factor was proposed",
        text=render_to_string("accounts/second_factor_reset.txt", context),
        to=change.person.email,
        uuid=uuid,
    )
