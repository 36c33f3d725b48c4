"""What webhooks are told, on its way: taken one by one, signed, sent, put off, given up.

At least once: where the sender died nobody knows whether it arrived, so it is sent again under the
number it had. One receiver that answers nothing costs the others little: it is asked once a minute.
"""

from __future__ import annotations

import http.client
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from compliance.actor import SYSTEM
from compliance.event_types import webhooks as events
from compliance.kept_secret import opened
from compliance.models import Webhook, WebhookDelivery
from compliance.selectors.api_keys import is_answered_for
from compliance.sending import HELD, PUT_OFF
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.services.webhooks import SECRET, leave_what_waits
from compliance.walls import without_walls
from compliance.webhooks.addresses import UnreachableError
from compliance.webhooks.post import Answer, post
from compliance.webhooks.signature import signed_headers

if TYPE_CHECKING:
    from datetime import datetime

QUIET = timedelta(minutes=1)
GIVEN_UP = timedelta(days=3)
KEPT = timedelta(days=30)
GONE = 410
NOBODY = "Nobody of the party could make a webhook any more."
SEALED_ELSEWHERE = (
    "Its secret cannot be read, because this system's SECRET_KEY has changed. End the webhook, "
    "make a new one, and give its secret to your program."
)
BROKEN = "Something failed on our side and is in the log. It is tried again."
State = WebhookDelivery.State

log = structlog.get_logger(__name__)


class NotTakenError(Exception):
    """The other side answered, and did not take it; the message says why."""

    def __init__(self, says: str, answer: Answer) -> None:
        super().__init__(says)
        self.answer = answer


def send_next() -> WebhookDelivery | None:
    """Take what is due longest, and send it; None where nothing is due."""
    with without_walls():
        delivery = _take()
        if delivery is None:
            return None
        try:
            answer = _send(delivery)
        except NotTakenError as failure:
            _failed(delivery, str(failure), failure.answer)
        except (RefusedError, UnreachableError) as failure:
            _failed(delivery, str(failure))
        except (OSError, http.client.HTTPException) as failure:
            _failed(delivery, f"{type(failure).__name__}: {failure}"[:400])
        except Exception:  # whatever it is: the next one must go out
            log.exception("a webhook could not be told", delivery=str(delivery.uuid))
            _failed(delivery, BROKEN)
        else:
            _taken(delivery, answer)
        delivery.refresh_from_db()
        return delivery


def forget_old() -> None:
    """Remove what ended long ago; that it failed stands in the log."""
    with without_walls():
        WebhookDelivery.objects.filter(ended__lt=timezone.now() - KEPT).delete()


def _take() -> WebhookDelivery | None:
    now = timezone.now()
    free = Q(state=State.WAITING, due__lte=now) | Q(state=State.SENDING, held_until__lt=now)
    due = WebhookDelivery.objects.filter(
        free,
        Q(webhook__quiet_until=None) | Q(webhook__quiet_until__lte=now),
        webhook__ended=None,
        webhook__stopped=None,
    )
    for delivery in due.order_by("due", "pk").select_related("webhook__party")[:20]:
        if WebhookDelivery.objects.filter(free, pk=delivery.pk, attempts=delivery.attempts).update(
            state=State.SENDING, held_until=now + HELD, attempts=F("attempts") + 1
        ):
            delivery.refresh_from_db(fields=["state", "attempts"])
            return delivery
    return None


def _send(delivery: WebhookDelivery) -> Answer:
    webhook = delivery.webhook
    if not is_answered_for(webhook.party):
        raise RefusedError(NOBODY)
    try:
        secret = opened(webhook.secret, SECRET)
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
    raise NotTakenError(says, answer)


def _taken(delivery: WebhookDelivery, answer: Answer) -> None:
    now = timezone.now()
    if _move(delivery, state=State.SENT, reason="", answer=answer.begins, ended=now):
        Webhook.objects.filter(pk=delivery.webhook_id).update(
            last_taken=now, failing_since=None, quiet_until=None
        )


def _failed(delivery: WebhookDelivery, reason: str, answer: Answer | None = None) -> None:
    """Put it off, longer each time; fail after the last; stop a webhook that nobody hears."""
    now = timezone.now()
    said = {"reason": reason, "answer": answer.begins if answer else ""}
    webhook = delivery.webhook
    with transaction.atomic():
        if delivery.attempts > len(PUT_OFF):
            if _move(delivery, state=State.FAILED, ended=now, **said):
                carries = {"kind": delivery.kind, "number": str(delivery.uuid)}
                record(
                    events.FAILED,
                    by=SYSTEM,
                    party=webhook.party,
                    about=webhook,
                    reason=reason,
                    carries=carries,
                )
        else:
            due = now + PUT_OFF[delivery.attempts - 1]
            _move(delivery, state=State.WAITING, due=due, **said)
        Webhook.objects.filter(pk=webhook.pk).update(
            failing_since=Coalesce("failing_since", now), quiet_until=now + QUIET
        )
        if answer is not None and answer.status == GONE:
            _stop(webhook, "It was answered with 410: nobody is there any more.", now)
        elif webhook.failing_since and webhook.failing_since <= now - GIVEN_UP:
            _stop(webhook, f"Nothing was taken for {GIVEN_UP.days} days. At last: {reason}", now)


def _stop(webhook: Webhook, reason: str, at: datetime) -> None:
    if Webhook.objects.filter(pk=webhook.pk, stopped=None, ended=None).update(stopped=at):
        leave_what_waits(webhook, reason)
        log.warning("a webhook was stopped", webhook=str(webhook.uuid))
        record(events.STOPPED, by=SYSTEM, party=webhook.party, about=webhook, reason=reason)


def _move(delivery: WebhookDelivery, **values: object) -> int:
    """Change a delivery that is still held by whoever took it."""
    held = WebhookDelivery.objects.filter(
        pk=delivery.pk, state=State.SENDING, attempts=delivery.attempts
    )
    return held.update(held_until=None, **values)
