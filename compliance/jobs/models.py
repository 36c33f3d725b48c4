"""Jobs, and the last runs of scheduled work."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from compliance.history import Current


class Job(Current):
    """Work that remains to be done for one row of another table.

    A finished job is deleted: its results are in that other row, written in the same transaction.
    Every row in this table is work still to do.
    """

    class State(models.TextChoices):
        """Whether a worker has leased the job."""

        PENDING = "pending", "Pending"
        RUNNING = "running", "Running"

    kind = models.CharField(max_length=24)
    subject = models.BigIntegerField(help_text="Primary key of the row that the work is about.")
    group = models.BigIntegerField(
        null=True, help_text="What the job is part of, such as the replay of a work unit."
    )
    exclusive = models.CharField(
        max_length=60, blank=True, help_text="Jobs with the same value never run at the same time."
    )
    priority = models.SmallIntegerField(default=0, help_text="Higher goes first.")
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    due = models.DateTimeField(db_default=Now(), help_text="Not taken before.")
    added = models.DateTimeField(db_default=Now())
    token = models.UUIDField(null=True, help_text="Names the worker that has the job.")
    lease_until = models.DateTimeField(null=True)
    unreturned = models.PositiveIntegerField(
        default=0,
        help_text="Leases that were taken and not given back: the worker died, or has it.",
    )
    faults = models.PositiveIntegerField(
        default=0, help_text="Tries that failed through our fault."
    )
    waits = models.PositiveIntegerField(
        default=0, help_text="Tries that ended because something else was away, full or busy."
    )
    failure = models.TextField(blank=True, help_text="Why the last try did not finish.")

    class Meta:
        ordering = ("-priority", "id")
        constraints = (
            models.UniqueConstraint(fields=("kind", "subject"), name="one_job_per_subject"),
            models.UniqueConstraint(
                fields=("exclusive",),
                condition=Q(state="running") & ~Q(exclusive=""),
                name="exclusive_jobs_run_one_at_a_time",
            ),
        )
        indexes = (
            models.Index(fields=("kind", "-priority", "id"), name="jobs_in_order"),
            models.Index(fields=("kind", "group"), name="jobs_of_a_group"),
        )

    def __str__(self) -> str:
        return f"{self.kind} job for row {self.subject}"


RETENTION, BACKUP, RESTORE, VERIFICATION = "retention", "backup", "restore", "log verification"
FULL_VERIFICATION = "full verification"
"""Names under which last runs are recorded."""


class LastRun(Current):
    """When a scheduled job or an administrator's command last ran."""

    name = models.CharField(max_length=40, primary_key=True)
    begun = models.DateTimeField(null=True, help_text="The last attempt, while it is under way.")
    done = models.DateTimeField(null=True, help_text="The last one that succeeded.")
    failing_since = models.DateTimeField(null=True)
    says = models.TextField(blank=True, help_text="The result of the last try, or why it failed.")

    def __str__(self) -> str:
        return self.name
