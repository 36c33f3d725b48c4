"""Wording shared by all reports: amounts, days, people, findings by code, filings and sources."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from compliance.access.models import Person
from compliance.filings.games.reads import filed_documents
from games.cents import in_dollars
from games.findings import MoneyOwner, money_owner
from reports.rendering.blocks import Align, Column, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
    from uuid import UUID

    from compliance.filings.games.models import RuleVersion


def name_of(uuid: UUID) -> str:
    """Return a person's name; empty if it was removed."""
    person = Person.objects.filter(uuid=uuid).first()
    return person.name if person else ""


def local(at: datetime) -> str:
    """Format an instant to the second, in the agency's time zone."""
    return timezone.localtime(at).replace(microsecond=0).isoformat()


def dollars(cents: int) -> str:
    """Format an amount."""
    return in_dollars(cents)


def day(iso: str) -> str:
    """Format a day from its ISO date."""
    return f"{date.fromisoformat(iso):%B %-d, %Y}"


def instant(iso: str) -> str:
    """Format an instant from RFC 3339, in its own time zone."""
    at = datetime.fromisoformat(iso)
    offset = at.utcoffset()
    minutes = int(offset.total_seconds() // 60) if offset else 0
    sign = "−" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    return f"{at:%B %-d, %Y, %-I:%M %p} (UTC{sign}{hours}{f':{rest:02}' if rest else ''})"


def counted(count: int, what: str) -> str:
    """Return a count with its noun, adding an s for the plural."""
    return f"{count:,} {what}{'s' if count != 1 else ''}"


def players_money(issue: Mapping[str, Any]) -> tuple[int, int]:
    """Return the cents that players were overpaid and underpaid by an issue."""
    if money_owner(issue["code"], issue["wager"]) is not MoneyOwner.PLAYERS:
        return 0, 0
    return issue["over"], issue["under"]


def unsettled(issues: Iterable[Mapping[str, Any]]) -> int:
    """Count rounds that could not be settled: each has one finding that says so.

    Reports made earlier had one code per issue.
    """
    codes = (each for issue in issues for each in issue.get("codes") or [issue])
    return sum(each["findings"] for each in codes if each["code"] == "irregular")


def count(sums: MutableMapping[str, Any], issue: Mapping[str, Any]) -> None:
    """Add an issue's findings and its players' money to the totals of its code."""
    over, under = players_money(issue)
    sums["findings"] += issue["findings"]
    sums["over"] += over
    sums["under"] += under


def codes_table(codes: Mapping[str, Mapping[str, Any]], title: str, name: str) -> Rows:
    """Return a table with a row for each code, with the count `name` under `title`."""
    found = sorted(
        codes.items(),
        key=lambda it: (-(it[1]["over"] + it[1]["under"]), -it[1]["findings"], it[0]),
    )
    return Rows(
        "codes",
        "Findings by code",
        (
            Column("Code"),
            Column("Finding"),
            Column(title, Align.NUMBERS),
            Column("Findings", Align.NUMBERS),
            Column("Players overpaid", Align.NUMBERS),
            Column("Underpaid", Align.NUMBERS),
        ),
        tuple(
            (
                code,
                each["says"],
                f"{each[name]:,}",
                f"{each['findings']:,}",
                dollars(each["over"]),
                dollars(each["under"]),
            )
            for code, each in found
        ),
        "No findings in any round.",
    )


def filing_of(version: RuleVersion) -> dict[str, Any]:
    """Read a rule version and its documents."""
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
            for each in filed_documents(version)
        ],
    }


def documents_table(papers: Sequence[Mapping[str, Any]]) -> Rows:
    """Return a table of a filing's documents, each file with its digest."""
    columns = (
        Column("Document"),
        Column("Dated"),
        Column("Standing"),
        Column("SHA-256", Align.CODES),
    )
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
    return Rows("papers", "Documents of the filing", columns, rows, "No documents.")


DOCUMENTS = {
    "000": "the letter of approval of Pyramid Poker, with its rules and its layout",
    "001": "the commission's rules of Thirteen Card Poker (Chinese Poker)",
    "002": "the rules of Pyramid Poker",
    "003": "the letter of approval of Pick 2 Poker, with its procedures and its layout",
    "004": "the rules of Pyramid Poker, Showdown Version and Casino Version",
}


def documents_named(sources: Iterable[str]) -> Iterator[Words]:
    """Yield an explanation of the numbers that sources use for documents ("000, Rules of Play")."""
    numbers = {source.partition(",")[0] for source in sources}
    named = [f"{each} is {DOCUMENTS[each]}" for each in sorted(numbers & DOCUMENTS.keys())]
    if named:
        yield Words(f"Documents are named by number: {'; '.join(named)}.", quiet=True)
