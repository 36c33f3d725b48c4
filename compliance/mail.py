"""What all email has in common, and the policy for sending: retry, then leave it to a person."""

from __future__ import annotations

import smtplib
from contextlib import contextmanager
from datetime import timedelta
from traceback import format_exc
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.mail import EmailMessage

from compliance.jobs import queue
from compliance.jobs.work import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django.db.models import QuerySet

    from compliance.jobs.queue import Lease


PUT_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720))
"""After the first, second, … attempt; there is one more attempt after the last pause."""

NOT_SENT = (OSError, ValueError, smtplib.SMTPException)
"""Raised when an email could not be sent."""

log = structlog.get_logger(__name__)


class InVainError(Exception):
    """It will never be sent, however often it is tried; the message says why."""


def sending(
    run: Callable[[Lease], None],
    give_up: Callable[[int, str], None],
    *,
    unavailable: tuple[type[Exception], ...] = NOT_SENT,
    **policy: Any,
) -> Kind:
    """Return a kind of work that sends something."""
    return Kind(
        run=run,
        give_up=give_up,
        refuse=lambda subject, error: give_up(subject, str(error)),
        bad_input=(InVainError,),
        unavailable=unavailable,
        pauses=PUT_OFF,
        max_waits=len(PUT_OFF) + 1,
        **policy,
    )


@contextmanager
def noting_sent(lease: Lease) -> Iterator[None]:
    """Finish the job of an item that was sent.

    If that cannot be recorded, the lease expires by itself, and the kind says whether to send it
    again. A job that was postponed would be done again whatever its kind says.
    """
    try:
        with queue.finishing(lease):
            yield
    except queue.LeaseLostError:
        raise
    except Exception:  # noqa: BLE001  (whatever it is, it has left)
        # The trace as text: with its variables the log would contain people's names.
        log.error("sent, and not noted", kind=lease.kind, job=lease.job, trace=format_exc())


def raise_not_sent(row: QuerySet[Any], failure: Exception, **values: Any) -> NoReturn:
    """Record on a row why it was not sent, and raise the error that ends or postpones its job."""
    reason = why(failure)
    row.update(reason=reason, **values)
    if is_in_vain(failure):
        raise InVainError(reason) from failure
    raise failure


def headed(*, about: str, text: str, to: str, uuid: UUID) -> EmailMessage:
    """Return an email from the agency.

    User input cannot end a header line: the subject is put on one line, and Django rejects the
    rest. The same `uuid` makes the same `Message-ID`, so that a second copy is recognized.
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
    """Return whether the other side will never accept it, or the email cannot be written."""
    if isinstance(failure, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in failure.recipients.values())
    return isinstance(failure, ValueError)


def why(failure: Exception) -> str:
    """Return the reason for a failure, for the person who can fix it."""
    if isinstance(failure, smtplib.SMTPRecipientsRefused):
        reasons = [
            f"{code} {text.decode(errors='replace')}" for code, text in failure.recipients.values()
        ]
        return f"The mail server does not take mail for this address: {'; '.join(reasons)}"
    return f"{type(failure).__name__}: {failure}"
