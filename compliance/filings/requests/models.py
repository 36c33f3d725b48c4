from typing import ClassVar

from django.db import models
from django.db.models import Q

from compliance.access.managers import Scoped, ScopedHistory
from compliance.access.models import Party
from compliance.filings.documents.models import Attachment, DocumentVersion
from compliance.filings.games.models import RuleVersion
from compliance.filings.licenses.models import CompactItem
from compliance.history import Current, History, Recorded

_OVER = ("closed", "denied", "taken_back", "objected")


class _OfAsker(Scoped["GameRequest"]):
    lookup = "asked_by__shown_to__party"
    shared = True


class _OfHolder(ScopedHistory["Approval"]):
    lookup = "party__shown_to__party"
    shared = True


class GameRequest(Current):
    """A request to approve a rule version, on the commercial or the tribal path, and its state.

    Decisions are history (`Approval`, `Denial`); the request only has the current state.
    """

    class Path(models.TextChoices):
        """The type of tables: commercial or tribal."""

        COMMERCIAL = "commercial", "Commercial card rooms"
        TRIBAL = "tribal", "Tribal operations"

    class State(models.TextChoices):
        """The state of a request."""

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
    """Final states: the same approval may be requested again."""

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
    """An approval of exactly one state of one thing: who, when, which digest, which conditions.

    `subject` is a rule version or a version of internal controls; `digest` is what was decided on.
    """

    class Kind(models.TextChoices):
        """Who approved, and in which form."""

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
    interpretations = models.JSONField(
        null=True,
        help_text="How the approver reads each open question of the rules: the reading, the "
        "reason, and the other readings that internal controls may choose.",
    )

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
    """A condition of an approval: something to meet, which can be checked."""

    class Kind(models.TextChoices):
        """The kind of requirement, which says how it is checked and what it blocks."""

        CONTROLS_FIRST = "controls_first", "Internal controls are approved first"
        LICENSED_MAKERS = "licensed_makers", "Equipment from licensed makers and distributors"
        NO_MARKETING = "no_marketing", "No marketing before the license"
        AS_FILED = "as_filed", "Played under the rules as filed"
        SUBSTANTIAL_INTEREST = "substantial_interest", "Review of substantial interests"
        AGENCY_FIRST = "agency_first", "The tribal agency approves first"
        COMPACT_SUPPLEMENT = "compact_supplement", "What the compact asks for besides"
        OTHER = "other", "Other"
        BEFORE_PLAY = "before_play", "Met before internal controls choose the game"

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
    """A finding on a condition: met, not met, or waived until a day, with a reason."""

    class Mark(models.TextChoices):
        """The state of the condition."""

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
    """The holder's answer to a condition: that it is met, and the evidence.

    It is not binding: the commission decides the condition's state (`ConditionMark`).
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
    """A comment on a section of a request under review.

    `section` names a section of the request; NULL, on the oldest, means the request as a whole.
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
    """The denial or closing of a request, or an objection to it, with the reasons."""

    request = models.ForeignKey(GameRequest, on_delete=models.PROTECT, related_name="denials")
    reasons = models.TextField()
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"denial of {self.request}"


class Withdrawal(Recorded):
    """The withdrawal of an authorization: a notice with reasons, an optional objection, the end.

    Under WAC 230-15-045 the holder may object; the approval stays in effect until `Withdrawal` is
    final.
    """

    class Step(models.TextChoices):
        """The steps of a withdrawal."""

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


class RequestAttachment(Attachment):
    """A document cited in a comment on a request."""

    comment = models.ForeignKey(
        RequestComment, on_delete=models.PROTECT, related_name="attachments"
    )

    class Meta(Attachment.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("comment", "paper"), name="a_comment_on_a_request_names_a_paper_once"
            ),
        )


class ConditionAttachment(Attachment):
    """A document cited in an answer to a condition, as evidence that it is met."""

    comment = models.ForeignKey(
        ConditionAnswer, on_delete=models.PROTECT, related_name="attachments"
    )

    class Meta(Attachment.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("comment", "paper"), name="an_answer_on_a_condition_names_a_paper_once"
            ),
        )


class CompactTick(Recorded):
    """A tribal agency's finding on a checklist line of a request; the last one counts."""

    request = models.ForeignKey(GameRequest, on_delete=models.PROTECT, related_name="ticks")
    item = models.ForeignKey(CompactItem, on_delete=models.PROTECT, related_name="ticks")
    there = models.BooleanField()
    note = models.TextField(blank=True)
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{'there' if self.there else 'not there'}: {self.item}"


class ChecklistDocument(Recorded):
    """A document that an operation uploaded for one line of its compact's checklist."""

    request = models.ForeignKey(GameRequest, on_delete=models.PROTECT, related_name="supplement")
    item = models.ForeignKey(CompactItem, on_delete=models.PROTECT, related_name="documents")
    document_version = models.ForeignKey(
        DocumentVersion, on_delete=models.PROTECT, related_name="+"
    )
    by = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")

    def __str__(self) -> str:
        return f"{self.document_version}, for: {self.item}"
