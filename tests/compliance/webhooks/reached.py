"""A webhook of a party and what it was told, for tests that try every address as everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.utils import timezone

from compliance.kept_secret import sealed
from compliance.models import Webhook, WebhookDelivery
from compliance.services.webhooks import SECRET
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Collection

    from compliance.models import Party, Person

NO_WEBHOOKS: dict[str, Any] = {"webhook": uuid4(), "webhook_delivery": uuid4()}


def webhooks_made_for(party: Party, manager: Person, asked: Collection[str]) -> dict[str, Any]:
    if not NO_WEBHOOKS.keys() & set(asked):
        return {}
    now = timezone.now()
    with without_walls():
        webhook = Webhook.objects.create(
            party=party, url="https://example.com/", kinds=[], by=manager.uuid, made=now,
            secret=sealed("whsec_", SECRET),
        )  # fmt: skip
        delivery = WebhookDelivery.objects.create(
            webhook=webhook, kind="test", body="{}", made=now, due=now
        )
    return {"webhook": webhook.uuid, "webhook_delivery": delivery.uuid}
