"""Note what webhooks are to be told, in the transaction of what it tells."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.conf import settings

from compliance import clock
from compliance.choices import PartyKind
from compliance.models import Webhook, WebhookDelivery
from compliance.models.event import timestamp
from compliance.permissions import roles_for

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from uuid import UUID

    from compliance.models import Event
    from compliance.telling import NoticeKind, Telling


def expect_webhooks(tellings: Collection[Telling], of: Event | None = None) -> None:
    """Note it for each webhook of the parties whose programs are told; ask outside of all walls."""
    parties = {party.pk for telling in tellings for party in telling.programs}
    if not parties:
        return
    serving = list(
        Webhook.objects.filter(party__in=parties, ended=None, stopped=None).select_related("party")
    )
    now = clock.now()
    made: dict[tuple[int, str, str], WebhookDelivery] = {}
    for telling in tellings:
        named = {party.pk for party in telling.programs}
        for webhook in serving:
            if webhook.party_id in named and is_told(webhook, telling.kind):
                body = body_of(telling.kind.name, telling.link, telling.numbers, of)
                made.setdefault(
                    (webhook.pk, telling.kind.name, telling.link),
                    WebhookDelivery(
                        webhook=webhook, kind=telling.kind.name, body=body, made=now, due=now
                    ),
                )
    WebhookDelivery.objects.bulk_create(made.values())


def is_told(webhook: Webhook, kind: NoticeKind) -> bool:
    """Whether a webhook asked for a kind, and anybody of its party could be told of it."""
    asked = kind.for_programs and kind.name in webhook.kinds
    return asked and bool(roles_for(kind.action, PartyKind(webhook.party.kind)))


def body_of(kind: str, link: str, numbers: Mapping[str, UUID], of: Event | None = None) -> str:
    """What is sent: numbers and a link. Names, days and money are read with a key."""
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
