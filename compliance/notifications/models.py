"""Notifications, their emails, calendars and webhooks."""

from typing import ClassVar
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.access.managers import Scoped
from compliance.access.models import Party
from compliance.changes import CurrentManager
from compliance.history import Current
from compliance.notifications.kinds import Way


class NoticeMail(Current):
    """One email to one person about all notifications that were due when it was created.

    A job sends it, at most once. If its sender died in between, it may have been sent: it fails,
    and its notifications are in the application.
    """

    JOB: ClassVar[str] = "notice_mail"
    """The kind of job that sends an email."""

    class State(models.TextChoices):
        """The delivery state."""

        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        FAILED = "failed", "Failed"
        NOT_SENT = "not_sent", "Not sent"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    reason = models.TextField(blank=True, help_text="Why it was not sent, or not yet.")
    made = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("state",), name="notice_mails_by_state"),)

    def __str__(self) -> str:
        return f"mail about notices {self.uuid}"


class _ToParty(Scoped["Notice"]):
    pass


class Notice(Current):
    """A notification to a person in a role in `party`: hidden when the role ends.

    `mail_due` is when an email may include it, if one should.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=40)
    says = models.CharField(max_length=400)
    link = models.CharField(max_length=200)
    event = models.UUIDField(null=True, help_text="What happened; none where a day comes near.")
    at = models.DateTimeField()
    seen = models.DateTimeField(null=True)
    mail_due = models.DateTimeField(null=True)
    mail = models.ForeignKey(
        NoticeMail, on_delete=models.PROTECT, null=True, related_name="notices"
    )

    objects = _ToParty()

    class Meta:
        ordering = ("-id",)
        indexes = (
            models.Index(fields=("person", "seen"), name="notices_new_to_a_person"),
            models.Index(
                fields=("mail_due",),
                name="notices_to_be_mailed",
                condition=Q(mail__isnull=True, mail_due__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return self.says


class NoticeChoice(Current):
    """How a person wants to be notified of one kind; without a row, the default applies."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=40)
    way = models.CharField(max_length=8, choices=Way)

    objects = CurrentManager["NoticeChoice"]()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("person", "kind"), name="a_kind_is_chosen_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.get_way_display()}"


class CalendarFeed(Current):
    """A secret address where a calendar reads a person's due dates, until it is revoked.

    Only the SHA-256 of its secret is kept: 256 random bits need no slow hash.
    """

    personal_fields: ClassVar[tuple[str, ...]] = ("secret_sha256",)

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    secret_sha256 = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField()
    revoked = models.DateTimeField(null=True)
    due = models.BigIntegerField(
        default=0, help_text="Microseconds: up to when its allowance of requests is used up."
    )

    objects = CurrentManager["CalendarFeed"]()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("person",), condition=Q(revoked=None), name="one_calendar_of_a_person"
            ),
        )

    def __str__(self) -> str:
        return "calendar of due dates"


class _OfParty(Scoped["Webhook"]):
    pass


class Webhook(Current):
    """An address where a party's program receives notifications, until the webhook is ended.

    It is stopped automatically after days without an accepted delivery, and resumed manually. Its
    secret is stored encrypted: each delivery is signed with it.
    """

    personal_fields: ClassVar[tuple[str, ...]] = ("secret",)

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500)
    kinds = models.JSONField(help_text="Kinds of events that it receives.")
    secret = models.TextField(help_text="Encrypted.")
    by = models.UUIDField(help_text="Person or key that made it.")
    made = models.DateTimeField()
    ended = models.DateTimeField(null=True)
    stopped = models.DateTimeField(null=True, help_text="When sending stopped.")
    failing_since = models.DateTimeField(null=True, help_text="When deliveries began to fail.")
    last_taken = models.DateTimeField(null=True)

    objects = _OfParty()

    class Meta:
        ordering = ("-made", "-id")
        indexes = (models.Index(fields=("party", "ended"), name="webhooks_of_a_party"),)

    def __str__(self) -> str:
        return f"webhook to {urlsplit(self.url).netloc}"


class _OfWebhooksParty(Scoped["WebhookDelivery"]):
    lookup = "webhook__party"


class WebhookDelivery(Current):
    """One delivery to a webhook, at least once, always under the same number.

    A job sends it. If its sender died in between, it is sent again: the receiver recognizes it by
    its number.
    """

    class State(models.TextChoices):
        """The delivery state."""

        WAITING = "waiting", "Waiting"
        SENT = "sent", "Taken"
        FAILED = "failed", "Failed"

    JOB: ClassVar[str] = "webhook"
    """The kind of job that sends a delivery; its group is the webhook."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.PROTECT, related_name="deliveries")
    kind = models.CharField(max_length=40)
    body = models.TextField(help_text="As it is sent and signed, byte for byte.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    reason = models.TextField(blank=True, help_text="Why it was not accepted, or not yet.")
    answer = models.TextField(blank=True, help_text="How the last answer begins.")
    attempts = models.PositiveIntegerField(default=0, help_text="How often it was sent.")
    made = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    objects = _OfWebhooksParty()

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "webhook deliveries"
        indexes = (models.Index(fields=("webhook", "state"), name="told_to_a_program"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"
