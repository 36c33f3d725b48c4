"""Webhooks of a party, and what they were told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.models import Webhook, WebhookDelivery

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.models import Party


def webhooks_of(party: Party) -> QuerySet[Webhook]:
    """Webhooks of a party that were not ended, the newest first."""
    return Webhook.objects.filter(party=party, ended=None).select_related("party")


def deliveries_of(party: Party) -> QuerySet[WebhookDelivery]:
    """What a party's webhooks were told or are to be told, the newest first."""
    return WebhookDelivery.objects.filter(webhook__party=party).select_related("webhook__party")
