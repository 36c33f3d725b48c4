from typing import ClassVar

from django.db import models
from django.db.models import Q

from compliance.models.game import RuleVersion
from compliance.models.kinds import Current, History, Recorded
from compliance.models.party import Party
from compliance.models.walled import Walled, WalledHistory

_OVER = ("closed", "denied", "taken_back", "objected")


class _OfAsker(Walled["GameRequest"]):
    lookup = "asked_by__shown_to__party"
    shared = True


class _OfHolder(WalledHistory["Approval"]):
    lookup = "party__shown_to__party"
    shared = True


class GameRequest(Current):
    """A request to approve a rule version, on the commercial or the tribal path, and its state.

    What was decided is history (`Approval`, `Denial`); the request only says where it stands.
    """

    class Path(models.TextChoices):
        """Whose tables it is for."""

        COMMERCIAL = "commercial", "Commercial card rooms"
        TRIBAL = "tribal", "Tribal operations"

    class State(models.TextChoices):
        """Where a request stands."""

        SUBMITTED = "submitted", "Submitted"
        INCOMPLETE = "incomplete", "Something is missing"
        CLOSED = "closed", "Closed: what was missing did not come"
        UNDER_REVIEW = "under_review", "Under review"
        SUBSTANTIAL_INTEREST = "substantial_interest", "Review of substantial interests"
        AGENCY_APPROVED = "agency_approved", "Approved by the agency"
        CONCURRENCE_SOUGHT = "concurrence_sought", "Concurrence sought"
        OBJECTED = "objected", "The commission objected"
        APPROVED = "approved", "Approved"
        DENIED = "denied", "Denied"
        TAKEN_BACK = "taken_back", "Taken back"

    OVER: ClassVar = _OVER
    """States from which nothing comes: the same may be asked for again."""

    uuid = models.UUIDField(unique=True, editable=False)
    rule_version = models.ForeignKey(RuleVersion, on_delete=models.PROTECT, related_name="requests")
    path = models.CharField(max_length=12, choices=Path)
    asked_by = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="requests")
    state = models.CharField(max_length=24, choices=State, default=State.SUBMITTED)
    due = models.DateField(null=True, blank=True)
    since = models.DateTimeField(null=True, help_text="When it came to where it stands.")

    objects = _OfAsker()

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("rule_version", "path", "asked_by"),
                condition=~Q(state__in=_OVER),
                name="a_rule_version_is_asked_for_once",
            ),
        )

    def __str__(self) -> str:
        return f"{self.rule_version}, {self.get_path_display()}"


class Approval(Recorded):
    """An approval, of exactly one state of one thing: who, when, which digest, which conditions.

    `subject` is a rule version or a version of internal controls; `digest` what was decided on.
    """

    class Kind(models.TextChoices):
        """Whose word it is, and in which form."""

        COMMISSION = "commission", "The commission's approval"
        VERBAL = "verbal", "Approved verbally, to be written"
        AGENCY = "agency", "The tribal agency's approval"
        CONCURRENCE = "concurrence", "The commission's concurrence"

    kind = models.CharField(max_length=12, choices=Kind)
    path = models.CharField(max_length=12, choices=GameRequest.Path, blank=True)
    subject_type = models.CharField(max_length=60)
    subject = models.UUIDField(db_index=True)
    digest = models.CharField(max_length=64)
    party = models.ForeignKey(
        Party, on_delete=models.PROTECT, related_name="approvals", help_text="Who may act on it."
    )
    by = models.UUIDField(help_text="Who approved.")
    by_party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    in_effect_from = models.DateTimeField()
    note = models.TextField(blank=True)

    objects = _OfHolder()  # type: ignore[assignment,misc]

    class Meta:
        ordering = ("at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "path", "subject", "party"), name="nothing_is_approved_twice"
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.subject_type} {self.subject}"


class Condition(History):
    """A condition of an approval: something to be met, which can be checked."""

    class Kind(models.TextChoices):
        """What is to be met; the first three the system can check by itself."""

        CONTROLS_FIRST = "controls_first", "Internal controls are approved first"
        LICENSED_MAKERS = "licensed_makers", "Equipment from licensed makers and distributors"
        NO_MARKETING = "no_marketing", "No marketing before the licence"
        AS_FILED = "as_filed", "Played under the rules as filed"
        SUBSTANTIAL_INTEREST = "substantial_interest", "Review of substantial interests"
        AGENCY_FIRST = "agency_first", "The tribal agency approves first"
        COMPACT_SUPPLEMENT = "compact_supplement", "What the compact asks for besides"
        OTHER = "other", "Other"

    part_of: ClassVar[str] = "approval"

    approval = models.ForeignKey(Approval, on_delete=models.PROTECT, related_name="conditions")
    place = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=24, choices=Kind)
    says = models.TextField()

    class Meta:
        ordering = ("approval_id", "place")

    def __str__(self) -> str:
        return self.says


class ConditionMark(Recorded):
    """What somebody found of a condition: met, not met, or waived until a day, with a reason."""

    class Mark(models.TextChoices):
        """How it stands."""

        MET = "met", "Met"
        NOT_MET = "not_met", "Not met"
        WAIVED = "waived", "Waived"

    condition = models.ForeignKey(Condition, on_delete=models.PROTECT, related_name="marks")
    mark = models.CharField(max_length=8, choices=Mark)
    until = models.DateField(null=True, blank=True)
    reason = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")
        constraints = (
            models.CheckConstraint(
                name="a_waiver_has_an_end", condition=~Q(mark="waived") | Q(until__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_mark_display()}: {self.condition}"


class ConditionAnswer(Recorded):
    """What whoever was approved says of a condition: that it is met, and by what one sees it.

    It binds nobody: how the condition stands is the commission's word (`ConditionMark`).
    """

    condition = models.ForeignKey(Condition, on_delete=models.PROTECT, related_name="answers")
    text = models.TextField()
    by = models.UUIDField()
    by_party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"on the condition: {self.condition}"


class RequestComment(Recorded):
    """What somebody says of a section of a request while it is under review.

    `section` is a key of `compliance.request_sections`; NULL, on the oldest, is the request whole.
    """

    request = models.ForeignKey(GameRequest, on_delete=models.PROTECT, related_name="comments")
    section = models.CharField(max_length=80, null=True)  # noqa: DJ001 - NULL is in no digest
    text = models.TextField()
    by = models.UUIDField()
    by_party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"on {self.request}"


class Denial(Recorded):
    """A request that was denied, closed, or objected to, with the reasons."""

    request = models.ForeignKey(GameRequest, on_delete=models.PROTECT, related_name="denials")
    reasons = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"denial of {self.request}"


class Withdrawal(Recorded):
    """An authorisation taken back: noticed with reasons, objected to or not, final from a day on.

    Under WAC 230-15-045 the holder may object; until `Withdrawal` is final the approval holds.
    """

    class Step(models.TextChoices):
        """How far it has come."""

        NOTICED = "noticed", "Noticed"
        OBJECTED = "objected", "Objected to"
        FINAL = "final", "Final"
        DROPPED = "dropped", "Dropped"

    approval = models.ForeignKey(Approval, on_delete=models.PROTECT, related_name="withdrawals")
    step = models.CharField(max_length=10, choices=Step)
    reason = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()
    in_effect_from = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("approval", "step"), name="a_withdrawal_takes_each_step_once"
            ),
            models.CheckConstraint(
                name="a_final_withdrawal_has_its_instant",
                condition=~Q(step="final") | Q(in_effect_from__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_step_display()}: withdrawal of {self.approval}"
