from uuid import uuid4

from django.db import models

from audits.intake.models import RoundLog
from compliance.access.managers import ScopedHistory
from compliance.access.models import Party
from compliance.history import History, Recorded


class _OfParty(ScopedHistory["TableStatement"]):
    pass


class TableStatement(Recorded):
    """Records about tables that an operator made at once: in a log, on a page, or by API."""

    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="table_statements")
    log = models.ForeignKey(
        RoundLog, on_delete=models.PROTECT, null=True, related_name="table_statements"
    )
    by = models.UUIDField(null=True)
    at = models.DateTimeField()

    objects = _OfParty()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"records of {self.party}'s tables, {self.at:%Y-%m-%d %H:%M}"


class _OfStatement(ScopedHistory["TableRecord"]):
    lookup = "statement__party"


class TableRecord(History):
    """A record of a table or a jackpot's fund. It never changes; a later one may withdraw it."""

    part_of = "statement"

    class Subject(models.TextChoices):
        """What is recorded."""

        CASH = "cash", "Cash"
        CLOSED = "closed", "Closed"
        FUND = "fund", "Jackpot fund"
        WITHDRAWN = "withdrawn", "Withdrawn"

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    statement = models.ForeignKey(TableStatement, on_delete=models.PROTECT, related_name="records")
    line = models.BigIntegerField(null=True, help_text="In the log.")
    subject = models.CharField(max_length=10, choices=Subject)
    table = models.CharField(max_length=32, blank=True, help_text="None of a fund.")
    day = models.DateField(help_text="The gambling day; of cash, that in which its span ended.")
    begins = models.DateTimeField(null=True)
    ends = models.DateTimeField(null=True)
    opener = models.BigIntegerField(null=True, help_text="In cents, like the other amounts.")
    fills = models.BigIntegerField(null=True)
    credits = models.BigIntegerField(null=True)
    closer = models.BigIntegerField(null=True)
    drop = models.BigIntegerField(null=True)
    fund = models.CharField(max_length=32, blank=True)
    game = models.CharField(max_length=64, blank=True, help_text="Whose rounds fill the fund.")
    kind = models.CharField(max_length=16, blank=True, help_text="Of fund, as in the log.")
    before = models.BigIntegerField(null=True, help_text="The fund's balance as the day began.")
    contributions = models.BigIntegerField(null=True)
    payouts = models.BigIntegerField(null=True)
    fee = models.BigIntegerField(null=True)
    after = models.BigIntegerField(null=True, help_text="The fund's balance as the day ended.")
    reason = models.CharField(max_length=256, blank=True)
    withdraws = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, related_name="withdrawal"
    )

    objects = _OfStatement()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("-day", "table", "-id")
        indexes = (models.Index(fields=("day", "table"), name="table_records_of_a_day"),)

    def __str__(self) -> str:
        return f"{self.place}, {self.day}: {self.get_subject_display().lower()}"

    @property
    def place(self) -> str:
        """Return the name of the table or the fund."""
        return self.table or self.fund

    @property
    def win(self) -> int | None:
        """Return the table's win in cash; None for a record of something else."""
        amounts = (self.closer, self.credits, self.drop, self.opener, self.fills)
        if None in amounts:
            return None
        closer, credit, drop, opener, fills = (int(each or 0) for each in amounts)
        return closer + credit + drop - opener - fills
