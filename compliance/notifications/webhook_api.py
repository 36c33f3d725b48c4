"""Webhooks: addresses where a party's programs are notified instead of asking again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.access.permissions import Action, KeyScope
from compliance.api.fields import InstantField, PageQuery, page, page_of
from compliance.api.once import once, shown_once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.reading import Nothing, TextField, body_of, query_of
from compliance.notifications.models import Webhook, WebhookDelivery
from compliance.notifications.reads import deliveries_of, webhooks_of
from compliance.notifications.webhook_requests import LONGEST
from compliance.notifications.webhooks import (
    end_webhook,
    make_webhook,
    resume_webhook,
    send_again,
    send_trial,
)

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class MakeWebhook(serializers.Serializer[Any]):
    """Where a program listens, and the notifications it receives."""

    url = TextField(
        min_length=1,
        max_length=LONGEST,
        help_text="https, on the public internet, port 443 or 8443.",
    )
    kinds = serializers.ListField(
        child=serializers.RegexField(r"^[a-z_]{1,40}$"),
        min_length=1,
        max_length=20,
        help_text="Notifications: log_registered, log_rejected, findings_released, question, "
        "report_ready, filing_decided, restitution; in the commission answer, disclosure.",
    )


class WhyEnded(serializers.Serializer[Any]):
    """Why it is ended."""

    reason = TextField(min_length=1, max_length=500)


class WebhookShape(serializers.Serializer[Any]):
    """A webhook."""

    webhook = serializers.UUIDField(source="uuid")
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.CharField())
    secret = serializers.CharField(
        source="new_secret",  # no attribute: the stored one is encrypted, and never shown again
        allow_null=True,
        help_text="With which deliveries are signed; shown once, when the webhook is created.",
    )
    made = InstantField()
    ended = InstantField(allow_null=True)
    stopped = InstantField(
        allow_null=True, help_text="Since when nothing is sent, because nothing was accepted."
    )
    failing_since = InstantField(allow_null=True)
    last_taken = InstantField(allow_null=True)


class DeliveryQuery(PageQuery):
    """Which deliveries to list."""

    state = serializers.ChoiceField(WebhookDelivery.State.choices, required=False)


class DeliveryShape(serializers.Serializer[Any]):
    """A delivery to a webhook."""

    delivery = serializers.UUIDField(
        source="uuid", help_text="`webhook-id` of each time it is sent."
    )
    kind = serializers.CharField()
    state = serializers.ChoiceField(WebhookDelivery.State.choices)
    reason = serializers.CharField(help_text="Why it was not accepted, or not yet.")
    attempts = serializers.IntegerField()
    due = InstantField(allow_null=True, help_text="When it is sent next; null once it ended.")
    made = InstantField()
    ended = InstantField(allow_null=True)


class OfWebhooks(Operation):
    """The scopes that every operation on webhooks requires."""

    reads = frozenset({KeyScope.WEBHOOKS})
    writes = frozenset({KeyScope.WEBHOOKS})


class Webhooks(OfWebhooks):
    """Webhooks."""

    operation = "webhooks"

    @extend_schema(parameters=[PageQuery], responses=page_of(WebhookShape))
    def get(self, request: Request) -> Response:
        """Current webhooks of the key's party, newest first."""
        query = query_of(request, PageQuery)
        require_sight(request, Action.MANAGE_KEYS)
        webhooks = webhooks_of(key_in(request).party)
        return Response(page(webhooks, query, WebhookShape, of="webhooks"))

    @extend_schema(request=MakeWebhook, responses={201: WebhookShape})
    @once
    def post(self, request: Request) -> Response:
        """Create a webhook for a program of the key's party.

        Each kind needs a key that may read its subject. The webhook outlives the key.
        """
        body = body_of(request, MakeWebhook)
        key = key_in(request)
        require_sight(request, Action.MANAGE_KEYS)
        webhook, secret = make_webhook(party=key.party, by=key, **body)
        address = reverse("api_webhook", args=[webhook.uuid])
        data = WebhookShape(webhook).data | {"secret": secret}
        return shown_once(Response(data, 201, headers={"Location": address}), "secret")


class OneWebhook(OfWebhooks):
    """A webhook."""

    operation = "webhook"

    @extend_schema(responses=WebhookShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """Its notifications, and whether it accepts them."""
        return Response(WebhookShape(find_webhook(request, uuid)).data)


class EndWebhook(OfWebhooks):
    """The end of a webhook."""

    operation = "end_webhook"

    @extend_schema(request=WhyEnded, responses=WebhookShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Send nothing more to it."""
        webhook = find_webhook(request, uuid)
        reason = body_of(request, WhyEnded)["reason"]
        end_webhook(webhook=webhook, reason=reason, by=key_in(request))
        return _now(webhook)


class ResumeWebhook(OfWebhooks):
    """A webhook that was stopped."""

    operation = "resume_webhook"

    @extend_schema(request=Nothing, responses=WebhookShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Resume a stopped webhook; retry failed deliveries one by one."""
        webhook = find_webhook(request, uuid)
        body_of(request, Nothing)
        resume_webhook(webhook=webhook, by=key_in(request))
        return _now(webhook)


class TryWebhook(OfWebhooks):
    """A test of a webhook."""

    operation = "test_webhook"

    @extend_schema(request=Nothing, responses={201: DeliveryShape})
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Send a delivery of the kind `test`, which has no subject."""
        webhook = find_webhook(request, uuid)
        body_of(request, Nothing)
        return Response(_sent(send_trial(webhook=webhook, by=key_in(request))), 201)


class Deliveries(OfWebhooks):
    """The deliveries of a webhook."""

    operation = "webhook_deliveries"

    @extend_schema(parameters=[DeliveryQuery], responses=page_of(DeliveryShape))
    def get(self, request: Request, uuid: UUID) -> Response:
        """Pending deliveries, and those of the last 30 days, newest first."""
        query = query_of(request, DeliveryQuery)
        webhook = find_webhook(request, uuid)
        deliveries = deliveries_of(webhook.party).filter(webhook=webhook)
        if "state" in query:
            deliveries = deliveries.filter(state=query["state"])
        return Response(page(deliveries, query, DeliveryShape, of="deliveries"))


class AgainToWebhook(OfWebhooks):
    """A delivery that failed."""

    operation = "webhook_delivery_again"

    @extend_schema(request=Nothing, responses=DeliveryShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Retry a failed delivery, under the same number."""
        require_sight(request, Action.MANAGE_KEYS)
        delivery = get_object_or_404(
            WebhookDelivery.objects.select_related("webhook__party"), uuid=uuid
        )
        body_of(request, Nothing)
        send_again(delivery=delivery, by=key_in(request))
        return Response(_sent(delivery))


def find_webhook(request: Request, uuid: UUID) -> Webhook:
    """Return a webhook that the key may manage."""
    require_sight(request, Action.MANAGE_KEYS)
    return get_object_or_404(Webhook.objects.select_related("party"), uuid=uuid)


def _now(webhook: Webhook) -> Response:
    webhook.refresh_from_db()
    return Response(WebhookShape(webhook).data)


def _sent(delivery: WebhookDelivery) -> dict[str, Any]:
    now = deliveries_of(delivery.webhook.party).get(pk=delivery.pk)
    return DeliveryShape(now).data
