"""The sections of a request, as comments name them: its papers, each pay table, what it rests on.

A paper and a table keep their key in the next version of the rules, so that whoever mends them
finds what was said beside what it was said of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from compliance.models import Document, RuleVersion

WHOLE: Final = "whole"
READINGS: Final = "readings"
LIMITS: Final = "limits"
CONDITIONS: Final = "conditions"
PAPER: Final = "papers."
PAY_TABLE: Final = "pay_tables."


def paper_section(document: Document) -> str:
    """The section that a document of the filing is, in whichever version."""
    return f"{PAPER}{document.uuid}"


def pay_table_section(table: str) -> str:
    """The section that a pay table is."""
    return f"{PAY_TABLE}{table}"


def sections_of_rules(version: RuleVersion) -> list[str]:
    """The sections of a version of a game's rules, in the order in which they are read."""
    papers = version.documents.select_related("document_version__document")
    return [
        *(paper_section(each.document_version.document) for each in papers),
        *dict.fromkeys(pay_table_section(line.table) for line in version.pay_lines.all()),
        READINGS,
        LIMITS,
    ]


def sections_of_request(version: RuleVersion) -> list[str]:
    """The sections of a request for approval of these rules."""
    return [*sections_of_rules(version), CONDITIONS, WHOLE]
