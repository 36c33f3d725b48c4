"""What was said of a filing, section by section, as programs are told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from compliance.api.fields import at
from compliance.api.papers import PaperShape, papers_told

if TYPE_CHECKING:
    from compliance.selectors.remarks import Remarks


class RemarkShape(serializers.Serializer[Any]):
    """What somebody said of a section."""

    section = serializers.CharField()
    text = serializers.CharField()
    party = serializers.CharField(help_text="Whose word it is.")
    at = serializers.DateTimeField()
    papers = PaperShape(many=True)


def remarks_told(remarks: Remarks) -> list[dict[str, Any]]:
    """Each remark, by its section, the earliest first."""
    return [
        {
            "section": section,
            "text": each.comment.text,
            "party": each.comment.by_party.code,
            "at": at(each.comment.at),
            "papers": papers_told(each.papers),
        }
        for section, said in remarks.items()
        for each in said
    ]
