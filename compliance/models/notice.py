from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.models.kinds import Current
from compliance.models.party import Party
from compliance.models.walled import Walled
from compliance.telling import Way


class NoticeMail(Current):
    """One mail to one person about all notices that were due when it was taken.

    It is held until `held_until` while it is sent. One whose sender died in between may have left:
    it fails, and what it told of stands in the application.
    """

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting", "Waiting"
        SENDING = "sending", "Being sent"
        SENT = "sent", "Sent"
        FAILED = "failed", "Failed"
        NOT_SENT = "not_sent", "Not sent"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    reason = models.TextField(blank=True, help_text="Why it was not sent, or not yet.")
    attempts = models.PositiveIntegerField(default=0)
    due = models.DateTimeField(help_text="When it is tried next.")
    held_until = models.DateTimeField(null=True)
    made = models.DateTimeField()
    ended = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("state", "due"), name="notice_mails_that_are_due"),)

    def __str__(self) -> str:
        return f"mail about notices {self.uuid}"


class _ToParty(Walled["Notice"]):
    pass


class Notice(Current):
    """Something a person is told, by a role in `party`: gone for them when the role ends.

    `mail_due` is when a mail may tell of it, if one shall.
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
    """How a person wants to be told of one kind; without a row, as is usual for it."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=40)
    way = models.CharField(max_length=8, choices=Way)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("person", "kind"), name="a_kind_is_chosen_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.get_way_display()}"


class CalendarFeed(Current):
    """A secret address at which a person's due dates are read by a calendar, until it is revoked.

    Of its secret only the SHA-256 is kept: 256 random bits need no slow digest.
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

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("person",), condition=Q(revoked=None), name="one_calendar_of_a_person"
            ),
        )

    def __str__(self) -> str:
        return "calendar of due dates"
