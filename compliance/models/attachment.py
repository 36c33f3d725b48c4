"""Papers that a comment or an answer names: versions of documents, exactly as they were filed."""

from typing import ClassVar

from django.db import models

from compliance.models.approval import ConditionAnswer, RequestComment
from compliance.models.controls import ControlsComment
from compliance.models.document import DocumentVersion
from compliance.models.kinds import History


class Attachment(History):
    """One paper that a comment names; a subclass names the comment, and is proven with it."""

    part_of: ClassVar[str] = "comment"

    paper = models.ForeignKey(DocumentVersion, on_delete=models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField()

    class Meta:
        abstract = True
        ordering = ("place",)

    def __str__(self) -> str:
        return str(self.paper)


class ControlsAttachment(Attachment):
    """A paper named in a comment on internal controls."""

    comment = models.ForeignKey(
        ControlsComment, on_delete=models.PROTECT, related_name="attachments"
    )

    class Meta(Attachment.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("comment", "paper"), name="a_comment_on_controls_names_a_paper_once"
            ),
        )


class RequestAttachment(Attachment):
    """A paper named in a comment on a request."""

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
    """A paper named in an answer to a condition, to show that it is met."""

    comment = models.ForeignKey(
        ConditionAnswer, on_delete=models.PROTECT, related_name="attachments"
    )

    class Meta(Attachment.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("comment", "paper"), name="an_answer_on_a_condition_names_a_paper_once"
            ),
        )
