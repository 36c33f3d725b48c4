from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled
from reports.models.report import Report


class Way(models.TextChoices):
    """How a report comes to somebody. What comes by mail is also new in the application."""

    APPLICATION = "application", "In the application"
    MAIL = "mail", "By mail"
    FOLDER = "folder", "Into the folder of the party"


class _OfRecipientsParty(Walled["Subscription"]):
    pass


class Subscription(Current):
    """A wish for reports to come: of a person, or of a party for all of its people or its folder.

    `party` is the one for which it is asked: only what is shown to that party comes, and only to
    people who hold a role in it. Without a `kind` it is for every kind, without `about` for reports
    about any party.
    """

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    kind = models.CharField(max_length=40, blank=True)
    about = models.ForeignKey(Party, on_delete=models.PROTECT, null=True, related_name="+")
    way = models.CharField(max_length=12, choices=Way)
    since = models.DateTimeField()
    paused = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)

    objects = _OfRecipientsParty()

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("party", "ended"), name="subscriptions_of_a_party"),)

    def __str__(self) -> str:
        return f"subscription to {self.kind or 'every report'} for {self.party}"


class _OfReceivingParty(Walled["Delivery"]):
    pass


class Delivery(Current):
    """One report on its way to one recipient: a person, or the folder of a party.

    There is one row for each report and recipient, whatever asked for it; so nothing comes twice.
    A mail that is being sent is held until `held_until`. One whose sender died in between may have
    left: it fails, and somebody says whether it is sent again.
    """

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting", "Waiting"
        SENDING = "sending", "Being sent"
        SENT = "sent", "Sent"
        FAILED = "failed", "Failed"
        NOT_SENT = "not_sent", "Not sent"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    report = models.ForeignKey(Report, on_delete=models.PROTECT, related_name="deliveries")
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    way = models.CharField(max_length=12, choices=Way)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    reason = models.TextField(blank=True, help_text="Why it was not sent, or not yet.")
    attempts = models.PositiveIntegerField(default=0)
    due = models.DateTimeField(help_text="When it is tried next.")
    held_until = models.DateTimeField(null=True)
    made = models.DateTimeField()
    ended = models.DateTimeField(null=True, help_text="When it was sent, or given up.")
    seen = models.DateTimeField(null=True, help_text="When the person first opened the report.")

    objects = _OfReceivingParty()

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "deliveries"
        constraints = (
            models.UniqueConstraint(
                fields=("report", "person"),
                condition=Q(person__isnull=False),
                name="a_report_comes_to_a_person_once",
            ),
            models.UniqueConstraint(
                fields=("report", "party"),
                condition=Q(person__isnull=True),
                name="a_report_comes_to_a_folder_once",
            ),
            models.CheckConstraint(
                name="a_folder_is_a_party_s",
                condition=Q(way="folder", person__isnull=True)
                | (~Q(way="folder") & Q(person__isnull=False)),
            ),
        )
        indexes = (
            models.Index(fields=("state", "due"), name="deliveries_that_are_due"),
            models.Index(fields=("person", "seen"), name="deliveries_new_to_a_person"),
        )

    def __str__(self) -> str:
        return f"delivery of {self.report.reference}"
