"""Find the documents filed for a game's rules, and the sections that comments are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from compliance.filings.documents.models import DocumentVersion
from compliance.filings.documents.reads import WHOLE, CitedDocument
from compliance.filings.games.definition_sections import definition_keys

if TYPE_CHECKING:
    from compliance.filings.documents.models import Document
    from compliance.filings.games.models import RuleVersion


@dataclass(frozen=True)
class FiledDocument(CitedDocument):
    """A document of a rule version; readers of the version see its name, but not its text."""

    binding: bool


def filed_documents(version: RuleVersion) -> list[FiledDocument]:
    """Return the documents of a rule version, and whether the reader may open each."""
    rows = list(version.documents.select_related("document_version__document"))
    seen = set(
        DocumentVersion.objects.filter(
            pk__in=[each.document_version_id for each in rows]
        ).values_list("pk", flat=True)
    )
    return [
        FiledDocument(each.document_version, each.document_version_id in seen, each.binding)
        for each in rows
    ]


READINGS: Final = "readings"
LIMITS: Final = "limits"
CONDITIONS: Final = "conditions"
PAPER: Final = "papers."
PAY_TABLE: Final = "pay_tables."


def paper_section(document: Document) -> str:
    """Return the section for a document of the filing, in any version."""
    return f"{PAPER}{document.uuid}"


def pay_table_section(table: str) -> str:
    """Return the section for a pay table."""
    return f"{PAY_TABLE}{table}"


def sections_of_rules(version: RuleVersion) -> list[str]:
    """Return the sections of a version of a game's rules, in reading order."""
    papers = version.documents.select_related("document_version__document")
    definition = definition_keys() if version.definition else []
    return [
        *(paper_section(each.document_version.document) for each in papers),
        *dict.fromkeys(pay_table_section(line.table) for line in version.pay_lines.all()),
        *definition,
        READINGS,
        LIMITS,
    ]


def sections_of_request(version: RuleVersion) -> list[str]:
    """Return the sections of a request for approval of these rules."""
    return [*sections_of_rules(version), CONDITIONS, WHOLE]
