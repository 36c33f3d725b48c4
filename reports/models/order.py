from django.db import models

from compliance.models.kinds import Current
from compliance.models.party import Party
from reports.models.report import Report


class ReportOrder(Current):
    """A report that is wanted: whether it waits, is being made, is made, or failed and why.

    The queue of tasks says only that there is work; what is to be made stands here. An order that
    is being made is held until `held_until`, and taken again after that.
    """

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting", "Waiting"
        BEING_MADE = "being_made", "Being made"
        MADE = "made", "Made"
        FAILED = "failed", "Failed"

    uuid = models.UUIDField(unique=True, editable=False)
    kind = models.CharField(max_length=40)
    about = models.CharField(max_length=200)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, null=True, related_name="+")
    day = models.DateField(null=True)
    subject = models.UUIDField(null=True, db_index=True)
    line = models.BigIntegerField(null=True, help_text="Of the subject, a round log: from 1.")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=State, default=State.WAITING)
    reason = models.TextField(blank=True, help_text="Why it failed, for whoever can mend it.")
    attempts = models.PositiveIntegerField(default=0)
    held_until = models.DateTimeField(null=True)
    report = models.ForeignKey(Report, on_delete=models.PROTECT, null=True, related_name="+")
    ordered = models.DateTimeField()

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "about", "number"), name="a_report_is_ordered_once"
            ),
        )
        indexes = (
            models.Index(fields=("state",), name="orders_by_state"),
            models.Index(fields=("party", "day"), name="orders_of_a_day"),
        )

    def __str__(self) -> str:
        return f"order of {self.kind} {self.number} about {self.about}"
