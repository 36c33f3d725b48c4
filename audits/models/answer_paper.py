from django.db import models

from audits.models.review import Decision
from compliance.models.attachment import Attachment


class AnswerPaper(Attachment):
    """A paper that an operator handed in with its answer to the commission."""

    comment = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="papers")
