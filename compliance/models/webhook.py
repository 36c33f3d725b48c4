from typing import ClassVar
from urllib.parse import urlsplit
from uuid import uuid4

from django.db import models

from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled


class _OfParty(Walled["Webhook"]):
    pass


class Webhook(Current):
    """An address at which a party's program is told that something happened, until it is ended.

    It is stopped by itself after days in which nobody took anything, and begun again by hand. Its
    secret is kept encrypted: each delivery is signed with it.
    """

    personal_fields: ClassVar[tuple[str, ...]] = ("secret",)

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500)
    kinds = models.JSONField(help_text="Kinds of notices that it is told of.")
    secret = models.TextField(help_text="Encrypted.")
    by = models.UUIDField(help_text="Person or key that made it.")
    made = models.DateTimeField()
    ended = models.DateTimeField(null=True)
    stopped = models.DateTimeField(null=True, help_text="Since when nothing is sent any more.")
    failing_since = models.DateTimeField(null=True, help_text="Since when nothing was taken.")
    quiet_until = models.DateTimeField(null=True, help_text="Not asked before, after a failure.")
    last_taken = models.DateTimeField(null=True)

    objects = _OfParty()

    class Meta:
        ordering = ("-made", "-id")
        indexes = (models.Index(fields=("party", "ended"), name="webhooks_of_a_party"),)

    def __str__(self) -> str:
        return f"webhook to {urlsplit(self.url).netloc}"


class _OfWebhooksParty(Walled["WebhookDelivery"]):
    lookup = "webhook__party"


class WebhookDelivery(Current):
    """One thing that a webhook is told, until it was taken: at least once, under one number.

    It is held until `held_until` while it is sent. One whose sender died in between is sent again:
    the receiver knows it by its number.
    """

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting", "Waiting"
        SENDING = "sending", "Being sent"
        SENT = "sent", "Taken"
        FAILED = "failed", "Failed"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    kind = models.CharField(max_length=40)
    body = models.TextField(help_text="As it is sent and signed, byte for byte.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    reason = models.TextField(blank=True, help_text="Why it was not taken, or not yet.")
    answer = models.TextField(blank=True, help_text="How the last answer begins.")
    attempts = models.PositiveIntegerField(default=0)
    due = models.DateTimeField(help_text="When it is tried next.")
    held_until = models.DateTimeField(null=True)
    made = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    objects = _OfWebhooksParty()

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "webhook deliveries"
        indexes = (
            models.Index(fields=("state", "due"), name="told_to_programs_when_due"),
            models.Index(fields=("webhook", "state"), name="told_to_a_program"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"
