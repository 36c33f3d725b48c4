"""What a filing changes: beside the version that was approved before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from compliance.models import (
    Approval,
    ControlsFiling,
    ControlsVersion,
    Document,
    GameRequest,
    RuleVersion,
)
from compliance.request_sections import paper_section
from compliance.web.controls.told import compared
from compliance.web.games.told import rules_beside

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from compliance.papers.compare import Beside
    from compliance.web.sections import Compared


@dataclass(frozen=True)
class BesideEarlier:
    """A filing beside an earlier version: the parts that differ, and the names of the others."""

    earlier: RuleVersion | ControlsVersion
    number: int
    changed: list[tuple[str, tuple[Beside, ...], str]]
    """Heading, rows, and where the texts of a paper stand beside each other, if one may see it."""
    same: list[str]


def beside_earlier(subject: UUID) -> BesideEarlier | None:
    """What a request or a version of controls changes; None where there is nothing before it."""
    filed = ControlsVersion.objects.filter(uuid=subject).first()
    if filed is not None:
        return _controls(filed)
    request = GameRequest.objects.filter(uuid=subject).select_related("rule_version").first()
    return rules_beside_earlier(request.rule_version) if request is not None else None


def rules_beside_earlier(version: RuleVersion) -> BesideEarlier | None:
    """Rules of play beside the version approved before them; beside the last, if none was."""
    before = RuleVersion.objects.filter(game=version.game_id, number__lt=version.number)
    approved = Approval.objects.filter(kind=Approval.Kind.COMMISSION).values("subject")
    earlier = before.filter(uuid__in=approved).last() or before.last()
    if earlier is None:
        return None
    sections = rules_beside(earlier, version)
    return _beside(earlier, version.number, sections, _texts(earlier, version))


def _texts(before: RuleVersion, after: RuleVersion) -> dict[str, str]:
    """Where the text of each paper, of which both hold a version, is compared; by its section."""
    held: list[dict[Document, int]] = [
        {
            each.document_version.document: each.document_version.number
            for each in version.documents.select_related("document_version__document")
        }
        for version in (before, after)
    ]
    old, new = held
    seen = set(Document.objects.filter(pk__in=[each.pk for each in new]))
    return {
        paper_section(each): f"{reverse('compare_document', args=[each.uuid])}"
        f"?before={old[each]}&after={number}"
        for each, number in new.items()
        if each in seen and old.get(each, number) != number
    }


def _controls(filed: ControlsVersion) -> BesideEarlier | None:
    before = ControlsVersion.objects.filter(operator=filed.operator_id, number__lt=filed.number)
    earlier = before.filter(filing__state=ControlsFiling.State.APPROVED).last() or before.last()
    if earlier is None:
        return None
    return _beside(earlier, filed.number, compared(earlier.content, filed.content))


def _beside(
    earlier: RuleVersion | ControlsVersion,
    number: int,
    sections: list[Compared],
    texts: Mapping[str, str] | None = None,
) -> BesideEarlier:
    links = texts or {}
    return BesideEarlier(
        earlier=earlier,
        number=number,
        changed=[
            (each.section.heading, each.rows, links.get(each.section.key, ""))
            for each in sections
            if each.changed
        ],
        same=[each.section.heading for each in sections if not each.changed],
    )
