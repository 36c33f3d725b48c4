"""Webhooks of a party: create, end, resume, and what each is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

from compliance import clock
from compliance.access.models import ApiKey
from compliance.access.permissions import Action, PartyKind, key_may, may, roles_for
from compliance.access.reads import require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.encryption import WEBHOOK, sealed
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import timestamp
from compliance.events.record import record
from compliance.jobs import queue
from compliance.notifications import events
from compliance.notifications.kinds import notice_kinds
from compliance.notifications.models import Webhook, WebhookDelivery
from compliance.notifications.webhook_requests import new_secret, read_address
from compliance.people.api_keys import require_second_factor

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from uuid import UUID

    from compliance.access.models import Party
    from compliance.access.scope import Asker
    from compliance.events.models import Event
    from compliance.notifications.kinds import NoticeKind, Notification


def expect_webhooks(notifications: Collection[Notification], of: Event | None = None) -> None:
    """Add deliveries for the webhooks of the parties concerned; call outside any access scope."""
    parties = {party.pk for notification in notifications for party in notification.programs}
    if not parties:
        return
    serving = list(
        Webhook.objects.filter(party__in=parties, ended=None, stopped=None).select_related("party")
    )
    now = clock.now()
    made: dict[tuple[int, str, str], WebhookDelivery] = {}
    for notification in notifications:
        named = {party.pk for party in notification.programs}
        for webhook in serving:
            if webhook.party_id in named and receives(webhook, notification.kind):
                body = body_of(notification.kind.name, notification.link, notification.numbers, of)
                made.setdefault(
                    (webhook.pk, notification.kind.name, notification.link),
                    WebhookDelivery(
                        webhook=webhook, kind=notification.kind.name, body=body, made=now
                    ),
                )
    for delivery in WebhookDelivery.objects.bulk_create(made.values()):
        queue.add_jobs(WebhookDelivery.JOB, [delivery.pk], group=delivery.webhook_id)


def receives(webhook: Webhook, kind: NoticeKind) -> bool:
    """Return whether a webhook asked for a kind, and its party may be notified of it at all."""
    asked = kind.for_programs and kind.name in webhook.kinds
    return asked and bool(roles_for(kind.action, PartyKind(webhook.party.kind)))


def body_of(kind: str, link: str, numbers: Mapping[str, UUID], of: Event | None = None) -> str:
    """Return the body: numbers and a link. Names, days and money are read with an API key."""
    return json.dumps(
        {
            "type": kind,
            "timestamp": timestamp(of.at if of is not None else clock.now()),
            "data": {
                **{name: str(number) for name, number in numbers.items()},
                "link": f"{settings.SITE_URL}{link}",
            },
        }
    )


MOST = 10
TRIAL = "test"
"""The kind of a test delivery."""
State = WebhookDelivery.State


@transaction.atomic
def make_webhook(
    *, party: Party, url: str, kinds: Collection[str], by: Asker
) -> tuple[Webhook, str]:
    """Create a webhook of a party; return it with its secret, which is shown only once.

    Rejects a user outside the party, or without a second factor; an invalid or internal address; no
    kind, or one that its creator may not receive; one webhook too many.
    """
    require(by, Action.MANAGE_KEYS, party)
    own = _own(by, party)
    if not isinstance(by, ApiKey):
        require_second_factor(by)
    read_address(url)
    known = {kind.name for kind in own}
    if not kinds or not known.issuperset(kinds):
        msg = f"Choose the events that it receives: {', '.join(sorted(known))}."
        raise RefusedError(msg)
    with without_access_scope():
        serving = list(
            Webhook.objects.filter(party=party, ended=None).values_list("url", flat=True)
        )
    if len(serving) >= MOST:
        msg = f"A party has up to {MOST} webhooks. End one that is not needed any more."
        raise RefusedError(msg)
    if url in serving:
        msg = "There is already a webhook for this address. End it first to change its events."
        raise RefusedError(msg)
    secret = new_secret()
    webhook = Webhook.objects.create(
        party=party,
        url=url,
        kinds=sorted(set(kinds)),
        secret=sealed(secret, WEBHOOK),
        by=by.uuid,
        made=clock.now(),
    )
    record(events.MADE, by=by, party=party, about=webhook, carries={"kinds": webhook.kinds})
    return webhook, secret


@transaction.atomic
def end_webhook(*, webhook: Webhook, reason: str, by: Asker) -> None:
    """End a webhook, with a reason; pending deliveries are not sent. It cannot be resumed."""
    require(by, Action.MANAGE_KEYS, webhook.party)
    if not reason.strip():
        msg = "Say why the webhook is ended."
        raise RefusedError(msg)
    with without_access_scope():
        if not Webhook.objects.filter(pk=webhook.pk, ended=None).update(ended=clock.now()):
            msg = "This webhook was ended before."
            raise RefusedError(msg)
        fail_pending(webhook, f"The webhook was ended: {reason}")
    record(events.ENDED, by=by, party=webhook.party, about=webhook, reason=reason)


@transaction.atomic
def resume_webhook(*, webhook: Webhook, by: Asker) -> None:
    """Resume a stopped webhook; reject any other. Failed deliveries are resent manually."""
    require(by, Action.MANAGE_KEYS, webhook.party)
    with without_access_scope():
        resumed = Webhook.objects.filter(pk=webhook.pk, ended=None, stopped__isnull=False).update(
            stopped=None, failing_since=None
        )
    if not resumed:
        msg = "This webhook is not stopped, or another person has already restarted it."
        raise RefusedError(msg)
    record(events.RESUMED, by=by, party=webhook.party, about=webhook)


@transaction.atomic
def send_again(*, delivery: WebhookDelivery, by: Asker) -> None:
    """Retry a failed delivery now, under its number."""
    webhook = delivery.webhook
    require(by, Action.MANAGE_KEYS, webhook.party)
    with without_access_scope():
        changed = WebhookDelivery.objects.filter(
            pk=delivery.pk, state=State.FAILED, webhook__ended=None, webhook__stopped=None
        ).update(state=State.WAITING, reason="", attempts=0, ended=None)
        if changed:
            queue.add_jobs(WebhookDelivery.JOB, [delivery.pk], group=webhook.pk)
    if not changed:
        msg = (
            "You can resend only failed deliveries of an active webhook. Restart the webhook first."
        )
        raise RefusedError(msg)
    carries = {"kind": delivery.kind, "number": str(delivery.uuid)}
    record(events.RETRIED, by=by, party=webhook.party, about=webhook, carries=carries)


@transaction.atomic
def send_trial(*, webhook: Webhook, by: Asker) -> WebhookDelivery:
    """Send a test delivery without content. Only one may be pending."""
    require(by, Action.MANAGE_KEYS, webhook.party)
    with without_access_scope():
        waiting = WebhookDelivery.objects.filter(webhook=webhook, kind=TRIAL, state=State.WAITING)
        if webhook.ended or webhook.stopped or waiting.exists():
            msg = "A test is already being sent, or the webhook has ended."
            raise RefusedError(msg)
        made = WebhookDelivery.objects.create(
            webhook=webhook, kind=TRIAL, body=body_of(TRIAL, "/", {}), made=clock.now()
        )
        queue.add_jobs(WebhookDelivery.JOB, [made.pk], group=webhook.pk)
        return made


def fail_pending(webhook: Webhook, reason: str) -> None:
    """Mark pending deliveries as failed; call outside any access scope."""
    queue.cancel_jobs(WebhookDelivery.JOB, group=webhook.pk)
    WebhookDelivery.objects.filter(webhook=webhook, state=State.WAITING).update(
        state=State.FAILED, reason=reason, ended=clock.now()
    )


def kinds_for(by: Asker, party: Party) -> list[NoticeKind]:
    """Return the kinds that this person or key may choose for a webhook of this party."""
    if isinstance(by, ApiKey):
        return [kind for kind in _for_programs() if key_may(by, kind.action, party)]
    own = [membership for membership in memberships_of(by) if membership.party_id == party.pk]
    return [kind for kind in _for_programs() if may(own, kind.action, party)]


def _own(by: Asker, party: Party) -> list[NoticeKind]:
    """Return the kinds, for the party's own people and programs only; reject others."""
    theirs = (
        by.party_id == party.pk
        if isinstance(by, ApiKey)
        else may([h for h in memberships_of(by) if h.party_id == party.pk], Action.MANAGE_KEYS)
    )
    if not theirs:
        msg = f"A webhook of {party.name} is made by its own people and programs."
        raise NotAllowedError(msg)
    return kinds_for(by, party)


def _for_programs() -> list[NoticeKind]:
    return [kind for kind in notice_kinds() if kind.for_programs]
