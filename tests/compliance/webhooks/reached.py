"""A webhook of a party and its deliveries, for tests that try every address as everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.utils import timezone

from compliance.access.scope import without_access_scope
from compliance.encryption import WEBHOOK, sealed
from compliance.notifications.models import Webhook, WebhookDelivery

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.access.models import Party, Person

NO_WEBHOOKS: dict[str, Any] = {"webhook": uuid4(), "webhook_delivery": uuid4()}


def webhooks_made_for(party: Party, manager: Person, asked: Collection[str]) -> dict[str, Any]:
    if not NO_WEBHOOKS.keys() & set(asked):
        return {}
    now = timezone.now()
    with without_access_scope():
        webhook = Webhook.objects.create(
            party=party, url="https://example.com/", kinds=[], by=manager.uuid, made=now,
            secret=sealed("whsec_", WEBHOOK),
        )  # fmt: skip
        delivery = WebhookDelivery.objects.create(webhook=webhook, kind="test", body="{}", made=now)
    return {"webhook": webhook.uuid, "webhook_delivery": delivery.uuid}
