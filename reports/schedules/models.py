from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.access.managers import Scoped
from compliance.access.models import Party
from compliance.history import Current
from reports.documents.models import Report


class Way(models.TextChoices):
    """How a report reaches a person. What comes by email is also new in the application."""

    APPLICATION = "application", "In the application"
    MAIL = "mail", "By mail"
    FOLDER = "folder", "Into the folder of the party"


class _OfRecipientsParty(Scoped["Subscription"]):
    pass


class Subscription(Current):
    """A request to receive reports: for a person, or for a party's people or folder.

    `party` limits it to what is shown to that party, and to people who hold a role in it. An empty
    `kind` means every kind; an empty `about` means reports about any party.
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


class _OfReceivingParty(Scoped["Delivery"]):
    pass


class Delivery(Current):
    """One report on its way to one recipient: a person, or the folder of a party.

    There is one row per report and recipient, however many subscriptions match, so nothing is sent
    twice. A job sends it. If the sender of an email died, it may have been sent: the delivery
    fails, and a person decides whether to send it again.
    """

    JOBS: ClassVar[dict[str, str]] = {Way.MAIL: "report_mail", Way.FOLDER: "report_file"}
    """The kind of job that sends a report, by its way."""

    class State(models.TextChoices):
        """How far the delivery has come."""

        WAITING = "waiting", "Waiting"
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
    attempts = models.PositiveIntegerField(default=0, help_text="How often it was tried.")
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
            models.Index(fields=("state",), name="deliveries_by_state"),
            models.Index(fields=("person", "seen"), name="deliveries_new_to_a_person"),
        )

    def __str__(self) -> str:
        return f"delivery of {self.report.reference}"
