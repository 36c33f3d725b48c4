"""Deliveries to webhooks: signed, sent, postponed, given up.

Delivery is at least once: if the sender died, nobody knows whether it arrived, so it is sent again
under the same number. A receiver that does not answer costs the others little: it is tried once a
minute.
"""

from __future__ import annotations

import http.client
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from cryptography.fernet import InvalidToken
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from compliance.access.reads import is_answered_for
from compliance.access.scope import without_access_scope
from compliance.encryption import WEBHOOK, opened
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.jobs import queue
from compliance.mail import noting_sent, sending
from compliance.notifications import events
from compliance.notifications.models import Webhook, WebhookDelivery
from compliance.notifications.webhook_requests import Answer, UnreachableError, post, signed_headers
from compliance.notifications.webhooks import fail_pending

if TYPE_CHECKING:
    from datetime import datetime

    from compliance.jobs.queue import Lease


QUIET = timedelta(minutes=1)
GIVEN_UP = timedelta(days=3)
DELIVERIES_KEPT = timedelta(days=30)
GONE = 410
NOBODY = "No one in the party is allowed to have a webhook any longer."
SEALED_ELSEWHERE = (
    "Its secret cannot be read, because none of this system's WEBHOOK_KEYS decrypts it. End the "
    "webhook, make a new one, and give its secret to your program."
)
BROKEN = "Something failed on our side. The cause is in the log."
NOT_REACHED = (RefusedError, UnreachableError, OSError, http.client.HTTPException)
State = WebhookDelivery.State

log = structlog.get_logger(__name__)


class NotAcceptedError(Exception):
    """The receiver answered without accepting; the message says why."""

    def __init__(self, says: str, answer: Answer) -> None:
        super().__init__(says)
        self.answer = answer


def send_delivery(lease: Lease) -> None:
    """Send one delivery; if it is not accepted, record the reason and schedule a retry."""
    with without_access_scope():
        delivery = WebhookDelivery.objects.select_related("webhook__party").get(pk=lease.subject)
        try:
            answer = _send(delivery)
        except NotAcceptedError as failure:
            if _note_failure(lease, delivery, str(failure), failure.answer):
                raise
        except NOT_REACHED as failure:
            if _note_failure(lease, delivery, _reason(failure)):
                raise
        else:
            now = timezone.now()
            with noting_sent(lease):
                WebhookDelivery.objects.filter(pk=delivery.pk).update(
                    state=State.SENT,
                    reason="",
                    answer=answer.begins,
                    ended=now,
                    attempts=F("attempts") + 1,
                )
                Webhook.objects.filter(pk=delivery.webhook_id).update(
                    last_taken=now, failing_since=None
                )


def give_up_delivery(subject: int, reason: str) -> None:
    """Mark a delivery as failed after the last attempt, with an event."""
    with without_access_scope():
        delivery = WebhookDelivery.objects.select_related("webhook__party").get(pk=subject)
        reason = delivery.reason or BROKEN
        WebhookDelivery.objects.filter(pk=subject).update(
            state=State.FAILED, reason=reason, ended=timezone.now()
        )
        record(
            events.FAILED,
            by=SYSTEM,
            party=delivery.webhook.party,
            about=delivery.webhook,
            reason=reason,
            carries={"kind": delivery.kind, "number": str(delivery.uuid)},
        )


WEBHOOK_JOBS = sending(
    send_delivery, give_up_delivery, unavailable=(NotAcceptedError, *NOT_REACHED)
)


def forget_old() -> None:
    """Remove old finished deliveries; failures remain in the log."""
    with without_access_scope():
        WebhookDelivery.objects.filter(ended__lt=timezone.now() - DELIVERIES_KEPT).delete()


def _send(delivery: WebhookDelivery) -> Answer:
    webhook = delivery.webhook
    if not is_answered_for(webhook.party):
        raise RefusedError(NOBODY)
    try:
        secret = opened(webhook.secret, WEBHOOK)
    except InvalidToken:
        raise RefusedError(SEALED_ELSEWHERE) from None
    body = delivery.body.encode()
    headers = signed_headers(
        secret,
        number=str(delivery.uuid),
        at=int(timezone.now().timestamp()),
        body=body,
    )
    headers |= {"Content-Type": "application/json", "User-Agent": "compliance-webhook/1"}
    answer = post(webhook.url, body, headers)
    if 200 <= answer.status < 300:
        return answer
    says = f"It was answered with {answer.status}."
    if 300 <= answer.status < 400:
        says += " No answer leads us elsewhere: make a webhook to the address that it leads to."
    raise NotAcceptedError(says, answer)


def _reason(failure: Exception) -> str:
    if isinstance(failure, RefusedError | UnreachableError):
        return str(failure)
    return f"{type(failure).__name__}: {failure}"[:400]


def _note_failure(
    lease: Lease, delivery: WebhookDelivery, reason: str, answer: Answer | None = None
) -> bool:
    """Record why a delivery was not accepted; return whether its webhook is still active.

    The webhook's other deliveries wait for a minute. A webhook that stays unanswered is stopped.
    """
    now, webhook = timezone.now(), delivery.webhook
    with queue.under(lease):
        WebhookDelivery.objects.filter(pk=delivery.pk).update(
            reason=reason, answer=answer.begins if answer else "", attempts=F("attempts") + 1
        )
        Webhook.objects.filter(pk=webhook.pk).update(failing_since=Coalesce("failing_since", now))
        queue.postpone(WebhookDelivery.JOB, group=webhook.pk, pause=QUIET)
        if answer is not None and answer.status == GONE:
            _stop(webhook, "The receiver answered 410: it no longer exists.", now)
        elif webhook.failing_since and webhook.failing_since <= now - GIVEN_UP:
            _stop(webhook, f"Nothing was taken for {GIVEN_UP.days} days. At last: {reason}", now)
        else:
            return True
        return False


def _stop(webhook: Webhook, reason: str, at: datetime) -> None:
    if Webhook.objects.filter(pk=webhook.pk, stopped=None, ended=None).update(stopped=at):
        fail_pending(webhook, reason)
        log.warning("a webhook was stopped", webhook=str(webhook.uuid))
        record(events.STOPPED, by=SYSTEM, party=webhook.party, about=webhook, reason=reason)
