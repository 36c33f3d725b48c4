"""Webhooks: where a party's programs are told of things instead of asking again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from compliance.api.fields import at
from compliance.api.lists import PageQuery, page, page_of
from compliance.api.once import once, shown_once
from compliance.api.operation import Operation, key_in, require_sight
from compliance.api.reading import Nothing, TextField, body_of, query_of
from compliance.models import Webhook, WebhookDelivery
from compliance.permissions import Action, KeyScope
from compliance.selectors.webhooks import deliveries_of, webhooks_of
from compliance.services.webhooks import (
    end_webhook,
    make_webhook,
    resume_webhook,
    send_again,
    send_trial,
)
from compliance.webhooks.addresses import LONGEST

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class MakeWebhook(serializers.Serializer[Any]):
    """Where a program listens, and what it is told of."""

    url = TextField(
        min_length=1,
        max_length=LONGEST,
        help_text="https, on the public internet, port 443 or 8443.",
    )
    kinds = serializers.ListField(
        child=serializers.RegexField(r"^[a-z_]{1,40}$"),
        min_length=1,
        max_length=20,
        help_text="What it is told of: log_registered, log_rejected, findings_released, question, "
        "report_ready, filing_decided, restitution; in the commission answer, disclosure.",
    )


class WhyEnded(serializers.Serializer[Any]):
    """Why it is ended."""

    reason = TextField(min_length=1, max_length=500)


class WebhookShape(serializers.Serializer[Any]):
    """A webhook."""

    webhook = serializers.UUIDField()
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.CharField())
    secret = serializers.CharField(
        allow_null=True, help_text="With which deliveries are signed; shown when it is made, once."
    )
    made = serializers.DateTimeField()
    ended = serializers.DateTimeField(allow_null=True)
    stopped = serializers.DateTimeField(
        allow_null=True, help_text="Since when nothing is sent, because nobody took anything."
    )
    failing_since = serializers.DateTimeField(allow_null=True)
    last_taken = serializers.DateTimeField(allow_null=True)


class DeliveryQuery(PageQuery):
    """Which deliveries to list."""

    state = serializers.ChoiceField(WebhookDelivery.State.choices, required=False)


class DeliveryShape(serializers.Serializer[Any]):
    """Something that a webhook is told."""

    delivery = serializers.UUIDField(help_text="`webhook-id` of each time it is sent.")
    kind = serializers.CharField()
    state = serializers.ChoiceField(WebhookDelivery.State.choices)
    reason = serializers.CharField(help_text="Why it was not taken, or not yet.")
    attempts = serializers.IntegerField()
    due = serializers.DateTimeField()
    made = serializers.DateTimeField()
    ended = serializers.DateTimeField(allow_null=True)


class OfWebhooks(Operation):
    """What every operation on webhooks asks for."""

    reads = frozenset({KeyScope.WEBHOOKS})
    writes = frozenset({KeyScope.WEBHOOKS})


class Webhooks(OfWebhooks):
    """Webhooks."""

    operation = "webhooks"

    @extend_schema(parameters=[PageQuery], responses=page_of(WebhookShape))
    def get(self, request: Request) -> Response:
        """Webhooks of the key's party that were not ended, the newest first."""
        said = query_of(request, PageQuery)
        require_sight(request, Action.MANAGE_KEYS)
        return Response(page(webhooks_of(key_in(request).party), said, _told, of="webhooks"))

    @extend_schema(request=MakeWebhook, responses={201: WebhookShape})
    @once
    def post(self, request: Request) -> Response:
        """Have a program of the key's party told of things at an address.

        Each kind needs a key that may read what it tells of. It outlives the key that made it.
        """
        said = body_of(request, MakeWebhook)
        key = key_in(request)
        require_sight(request, Action.MANAGE_KEYS)
        made, secret = make_webhook(party=key.party, url=said["url"], kinds=said["kinds"], by=key)
        place = reverse("api_webhook", args=[made.uuid])
        answer = Response(_told(made) | {"secret": secret}, 201, headers={"Location": place})
        return shown_once(answer, "secret")


class OneWebhook(OfWebhooks):
    """A webhook."""

    operation = "webhook"

    @extend_schema(responses=WebhookShape)
    def get(self, request: Request, uuid: UUID) -> Response:
        """What it is told of, and whether it takes it."""
        return Response(_told(_found(request, uuid)))


class EndWebhook(OfWebhooks):
    """The end of a webhook."""

    operation = "end_webhook"

    @extend_schema(request=WhyEnded, responses=WebhookShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Send nothing more to it."""
        found = _found(request, uuid)
        reason = body_of(request, WhyEnded)["reason"]
        end_webhook(webhook=found, reason=reason, by=key_in(request))
        return _now(found)


class ResumeWebhook(OfWebhooks):
    """A webhook that was stopped."""

    operation = "resume_webhook"

    @extend_schema(request=Nothing, responses=WebhookShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Begin one again that was stopped; what failed is sent again one by one."""
        found = _found(request, uuid)
        body_of(request, Nothing)
        resume_webhook(webhook=found, by=key_in(request))
        return _now(found)


class TryWebhook(OfWebhooks):
    """A test of a webhook."""

    operation = "test_webhook"

    @extend_schema(request=Nothing, responses={201: DeliveryShape})
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Send something of the kind `test`, which tells of nothing."""
        found = _found(request, uuid)
        body_of(request, Nothing)
        return Response(_sent(send_trial(webhook=found, by=key_in(request))), 201)


class Deliveries(OfWebhooks):
    """What a webhook was told."""

    operation = "webhook_deliveries"

    @extend_schema(parameters=[DeliveryQuery], responses=page_of(DeliveryShape))
    def get(self, request: Request, uuid: UUID) -> Response:
        """What it was told in the last 30 days or is to be told, the newest first."""
        said = query_of(request, DeliveryQuery)
        webhook = _found(request, uuid)
        found = deliveries_of(webhook.party).filter(webhook=webhook)
        if "state" in said:
            found = found.filter(state=said["state"])
        return Response(page(found, said, _sent, of="deliveries"))


class AgainToWebhook(OfWebhooks):
    """A delivery that failed."""

    operation = "webhook_delivery_again"

    @extend_schema(request=Nothing, responses=DeliveryShape)
    @once
    def post(self, request: Request, uuid: UUID) -> Response:
        """Send again what failed, under the number that it has."""
        require_sight(request, Action.MANAGE_KEYS)
        found = get_object_or_404(
            WebhookDelivery.objects.select_related("webhook__party"), uuid=uuid
        )
        body_of(request, Nothing)
        send_again(delivery=found, by=key_in(request))
        found.refresh_from_db()
        return Response(_sent(found))


def _found(request: Request, uuid: UUID) -> Webhook:
    require_sight(request, Action.MANAGE_KEYS)
    return get_object_or_404(Webhook.objects.select_related("party"), uuid=uuid)


def _now(webhook: Webhook) -> Response:
    webhook.refresh_from_db()
    return Response(_told(webhook))


def _told(webhook: Webhook) -> dict[str, Any]:
    return {
        "webhook": str(webhook.uuid),
        "url": webhook.url,
        "kinds": webhook.kinds,
        "secret": None,
        "made": at(webhook.made),
        "ended": at(webhook.ended),
        "stopped": at(webhook.stopped),
        "failing_since": at(webhook.failing_since),
        "last_taken": at(webhook.last_taken),
    }


def _sent(delivery: WebhookDelivery) -> dict[str, Any]:
    return {
        "delivery": str(delivery.uuid),
        "kind": delivery.kind,
        "state": delivery.state,
        "reason": delivery.reason,
        "attempts": delivery.attempts,
        "due": at(delivery.due),
        "made": at(delivery.made),
        "ended": at(delivery.ended),
    }
