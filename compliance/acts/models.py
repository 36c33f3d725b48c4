from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from compliance.changes import CurrentManager
from compliance.history import Current


class ProposedAct(Current):
    """An act that one person proposed and a second person confirms, or turns down.

    `address` is the page that does it, and `answers` is its form as the proposer filled it in. The
    act is checked again when it is confirmed, so a proposal has no end.
    """

    class State(models.TextChoices):
        """The state of a proposal."""

        PROPOSED = "proposed", "Waiting for a second person"
        CONFIRMED = "confirmed", "Confirmed"
        TURNED_DOWN = "turned_down", "Turned down"
        WITHDRAWN = "withdrawn", "Withdrawn"

    OPEN: ClassVar = State.PROPOSED

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    title = models.CharField(max_length=300)
    address = models.CharField(max_length=300)
    answers = models.TextField(help_text="As a browser sends them.")
    permission = models.CharField(max_length=40, help_text="Required of the second person.")
    state = models.CharField(max_length=12, choices=State, default=State.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided = models.DateTimeField(null=True)
    reason = models.TextField(blank=True, help_text="Why it was turned down or withdrawn.")

    objects = CurrentManager["ProposedAct"]()

    class Meta:
        ordering = ("-proposed", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("address",),
                condition=Q(state="proposed"),
                name="an_act_is_proposed_once_at_a_time",
            ),
            models.CheckConstraint(
                name="an_act_is_confirmed_by_a_second_person",
                condition=~Q(state="confirmed", decided_by=F("proposed_by")),
            ),
            models.CheckConstraint(
                name="a_decided_act_has_its_decider",
                condition=Q(state="proposed", decided_by=None, decided=None)
                | (~Q(state="proposed") & Q(decided_by__isnull=False, decided__isnull=False)),
            ),
        )

    def __str__(self) -> str:
        return self.title
