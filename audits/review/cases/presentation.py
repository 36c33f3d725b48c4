"""A case in words: its evidence, what was removed, and by whom, for the page and the case file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Prefetch

from audits.replay.findings.wording import describe_issue
from audits.review.cases.models import CaseItem, CaseNote
from audits.review.events import CASE_CLOSED
from compliance.access.reads import names_of
from compliance.events.models import Event
from compliance.filings.documents.models import DocumentFile
from games.cents import in_dollars

if TYPE_CHECKING:
    from audits.review.cases.models import Case, CaseRemoval


PHOTOS = frozenset({"image/jpeg", "image/png"})


@dataclass(frozen=True)
class Evidence:
    """An item of a case, with the names of those who added and removed it."""

    item: CaseItem
    by: str
    removal: CaseRemoval | None
    removed_by: str

    @property
    def heading(self) -> str:
        """Return what it is, with the number of a round or the name of a person."""
        item = self.item
        kind = "Alleged round" if item.is_alleged else str(item.get_kind_display())
        named = f"{kind}: {item.name}" if item.name else kind
        return " ".join(filter(None, (named, item.round)))

    @property
    def photos(self) -> list[DocumentFile]:
        """Return the files that a page can show."""
        return [each for each in self.files if each.media_type in PHOTOS]

    @property
    def issue(self) -> str:
        """Return its issue in one line."""
        return describe_issue(self.item.issue) if self.item.issue else ""

    @property
    def amounts(self) -> list[str]:
        """Return what players were overpaid and underpaid by its issue."""
        issue = self.item.issue
        paid = ((issue.over, "overpaid"), (issue.under, "underpaid")) if issue else ()
        return [f"{in_dollars(abs(cents))} {what}" for cents, what in paid if cents]

    @property
    def files(self) -> list[DocumentFile]:
        """Return the files of its document."""
        return list(self.item.paper.files.all()) if self.item.paper else []


@dataclass(frozen=True)
class CaseInWords:
    """A case, all that was ever added to it, and the commission's internal notes."""

    case: Case
    evidence: list[Evidence]
    notes: list[tuple[CaseNote, str]]
    level_by: str
    closing: Event | None
    """The event that last closed it."""
    closed_by: str

    @property
    def items(self) -> list[Evidence]:
        """Return the evidence, without what was removed."""
        return [each for each in self.evidence if not each.removal]

    def of(self, *kinds: CaseItem.Kind) -> list[Evidence]:
        """Return the items of some kinds."""
        return [each for each in self.items if each.item.kind in kinds]

    @property
    def removed(self) -> list[Evidence]:
        """Return what was removed."""
        return [each for each in self.evidence if each.removal]


def put_into_words(case: Case) -> CaseInWords:
    """Collect the evidence, the notes, and the names of all who worked on a case."""
    files = Prefetch("paper__files", DocumentFile.objects.order_by("place"))
    found = CaseItem.objects.filter(case=case).prefetch_related(files)
    items = [
        (each, getattr(each, "removal", None))
        for each in found.select_related("issue", "paper__document", "removal")
    ]
    notes = list(CaseNote.objects.filter(case=case))
    closing = _closing(case) if case.closed else None
    names = names_of(
        (
            *(each.by for item, removal in items for each in (item, removal) if each),
            *(each.by for each in notes),
            *(case.level_by, closing.actor if closing else None),
        )
    )
    return CaseInWords(
        case=case,
        evidence=[
            Evidence(
                item=item,
                by=names.get(item.by, ""),
                removal=removal,
                removed_by=names.get(removal.by, "") if removal else "",
            )
            for item, removal in items
        ],
        notes=[(each, names.get(each.by, "")) for each in notes],
        level_by=names.get(case.level_by, ""),
        closing=closing,
        closed_by=names.get(closing.actor, "") if closing else "",
    )


def _closing(case: Case) -> Event | None:
    closed = Event.objects.filter(object=case.uuid, type=CASE_CLOSED.name)
    return closed.order_by("at", "id").last()
