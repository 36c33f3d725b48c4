"""What every mail of ours has in common: its head, and what follows when it cannot be sent."""

from __future__ import annotations

import smtplib
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage

if TYPE_CHECKING:
    from uuid import UUID

HELD = timedelta(seconds=90)
"""Longer than a task may run."""
PUT_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720))
"""After the first, second, … attempt; the one after the last of them was the last."""


def headed(*, about: str, text: str, to: str, uuid: UUID) -> EmailMessage:
    """A mail from the agency.

    Nothing that somebody wrote ends a line of the head: the subject is put on one line, and Django
    refuses the rest. The same `uuid` makes the same `Message-ID`, so that a second copy is known as
    one.
    """
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return EmailMessage(
        " ".join(f"{settings.AGENCY_NAME}: {about}".split()),
        text,
        None,
        [to],
        headers={"Message-ID": f"<{uuid}@{host}>", "Auto-Submitted": "auto-generated"},
    )


def is_in_vain(failure: Exception) -> bool:
    """Whether the other side said that it will never take it, or a mail cannot be written."""
    if isinstance(failure, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in failure.recipients.values())
    return isinstance(failure, ValueError)


def why(failure: Exception) -> str:
    """The failure, for whoever can mend it."""
    if isinstance(failure, smtplib.SMTPRecipientsRefused):
        told = [
            f"{code} {text.decode(errors='replace')}" for code, text in failure.recipients.values()
        ]
        return f"The mail server does not take mail for this address: {'; '.join(told)}"
    return f"{type(failure).__name__}: {failure}"
