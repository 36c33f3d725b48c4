"""The filing that a report is about: a version of a game's rules with its papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compliance.selectors.games import papers_of
from reports.documents.wording import day
from reports.paper.blocks import Align, Column, Rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from compliance.models import RuleVersion


def filing_of(version: RuleVersion) -> dict[str, Any]:
    """Read a rule version and the papers it rests on."""
    return {
        "game": version.game.name,
        "number": version.number,
        "as_of": version.as_of.isoformat(),
        "rule_set": version.rule_set,
        "papers": [
            {
                "title": str(each.paper),
                "day": each.paper.evidence_date.isoformat(),
                "binding": each.binding,
                "files": [
                    {"name": file.name, "sha256": file.sha256} for file in each.paper.files.all()
                ],
            }
            for each in papers_of(version)
        ],
    }


def papers_table(papers: Sequence[Mapping[str, Any]]) -> Rows:
    """The papers of a filing, each file with its digest."""
    columns = (Column("Paper"), Column("Dated"), Column("Standing"), Column("SHA-256", Align.CODES))
    rows = tuple(
        (
            f"{paper['title']}: {file['name']}",
            day(paper["day"]),
            "Binding" if paper["binding"] else "Evidence",
            file["sha256"],
        )
        for paper in papers
        for file in paper["files"]
    )
    return Rows("papers", "Papers of the filing", columns, rows, "No papers.")
