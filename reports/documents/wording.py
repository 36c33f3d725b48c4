"""Wording shared by all reports: amounts, days, people, findings by code, filings and sources."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from compliance.access.models import Person
from compliance.clock import zone
from compliance.filings.games.reads import filed_documents
from games.cents import in_dollars
from reports.rendering.blocks import Align, Column, Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
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


ZONES = {-420: "PDT", -480: "PST"}
"""Names of the agency's time zone by its minutes from UTC."""


def instant(iso: str) -> str:
    """Format an instant from RFC 3339, in its own time zone."""
    at = datetime.fromisoformat(iso)
    return f"{at:%B %-d, %Y}, {clock(at)} {_zone(at)}"


def hours(first: str, last: str) -> str:
    """Format from when to when: the times alone, as a gambling day is known by its date."""
    begin, end = datetime.fromisoformat(first), datetime.fromisoformat(last)
    if clock(begin) == clock(end) and end - begin < HOUR:
        return f"{clock(begin)} {_zone(begin)}"
    if _zone(begin) != _zone(end):
        return f"{clock(begin)} {_zone(begin)} to {clock(end)} {_zone(end)}"
    return f"{clock(begin)} to {clock(end)} {_zone(begin)}"


TIME = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?!:)")


def times_in_words(text: str) -> str:
    """Replace the local times in a text (`2025-07-12 21:09`) by how people write them."""
    return TIME.sub(
        lambda found: instant(local(datetime.fromisoformat(found[0]).replace(tzinfo=zone()))), text
    )


HOUR = timedelta(hours=1)


def clock(at: datetime) -> str:
    """Format a time of day."""
    return f"{at:%-I:%M} {'a.m.' if at.hour < NOON else 'p.m.'}"


NOON = 12


def _zone(at: datetime) -> str:
    offset = at.utcoffset()
    minutes = int(offset.total_seconds() // 60) if offset else 0
    if minutes in ZONES:
        return ZONES[minutes]
    sign = "−" if minutes < 0 else "+"
    whole, rest = divmod(abs(minutes), 60)
    return f"UTC{sign}{whole}{f':{rest:02}' if rest else ''}"


def join(texts: Sequence[str]) -> str:
    """Join texts as in a sentence: "T1, T2 and T3"."""
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))


def lower(text: str) -> str:
    """Return a sentence's text to be read inside another."""
    return text[:1].lower() + text[1:]


def counted(count: int, what: str) -> str:
    """Return a count with its noun, adding an s for the plural."""
    return f"{count:,} {what}{'s' if count != 1 else ''}"


def unsettled(issues: Iterable[Mapping[str, Any]]) -> int:
    """Count rounds that could not be settled: each has one finding that says so.

    Reports made earlier had one code per issue.
    """
    codes = (each for issue in issues for each in issue.get("codes") or [issue])
    return sum(each["findings"] for each in codes if each["code"] == "irregular")


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
