"""The trend: a night beside the nights before it, by their reports.

Nothing is counted again. A night without a report is named, and is not zero.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from compliance.files.archive import current_archive, read_bytes
from compliance.law.gambling_day import DAY
from reports.documents.models import Report
from reports.documents.registry import read_inputs
from reports.documents.wording import counted, dollars
from reports.documents.wording import day as day_in_words
from reports.rendering.blocks import Align, Column, Rows, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from audits.intake.days.models import GamblingDay
    from reports.rendering.blocks import Block

NIGHTS = 28
"""Nights before this one whose reports are read: four weeks, so that weekdays weigh alike."""
LISTED = 7
NAMES = ("rounds", "handle", "win", "findings", "received", "owed")


def trend_before(day: GamblingDay, kind: str) -> list[dict[str, Any]]:
    """Return the sums of the nights before a day that have a report, the newest first."""
    made = Report.objects.filter(
        kind=kind, party=day.party, day__gte=day.day - NIGHTS * DAY, day__lt=day.day
    )
    newest = {each.day: each for each in made.order_by("day", "number")}
    archive = current_archive()
    return [
        {
            "day": report.day.isoformat(),
            "report": report.reference,
            **sums_of_night(read_inputs(read_bytes(archive, report.inputs))["data"]),
        }
        for report in reversed(newest.values())
        if report.day is not None
    ]


def sums_of_night(data: Mapping[str, Any]) -> dict[str, int]:
    """Return what is compared between nights, as a night's report has it."""
    tables, figures = data["performance"]["tables"], data["figures"]
    return {
        "rounds": figures["rounds"],
        "handle": sum(each["handle"] for each in tables),
        "win": sum(each["win"] for each in tables),
        **{name: figures[name] for name in ("findings", "received", "owed")},
    }


def trend_blocks(data: Mapping[str, Any]) -> Iterator[Block]:
    """Yield this night, the seven before it, and the average of four weeks."""
    before = data.get("trend")
    if before is None:
        return
    if not before:
        yield Words(f"Trend: none of the {NIGHTS} nights before this one has a report.", quiet=True)
        return
    by_day = {each["day"]: each for each in before}
    tonight = date.fromisoformat(data["day"])
    rows = [_row("This night", sums_of_night(data))]
    for back in range(1, LISTED + 1):
        day = (tonight - back * DAY).isoformat()
        found = by_day.get(day)
        name = day_in_words(day)
        rows.append(_row(name, found) if found else (name, "No report", *["–"] * 7))
    sums = {name: sum(each[name] for each in before) for name in NAMES}
    rows.append(_row(f"Average of {counted(len(before), 'reported night')}", sums, len(before)))
    yield Rows(
        "trend",
        f"Trend: this night, the {LISTED} before it, and the average of the reports of {NIGHTS}",
        (
            Column("Night"),
            *(
                Column(title, Align.NUMBERS)
                for title in (
                    *("Rounds", "Handle", "House win", "Hold", "Findings", "Per 1,000"),
                    *("Overpaid", "Underpaid"),
                )
            ),
        ),
        tuple(rows),
    )


def _row(name: str, sums: Mapping[str, Any], nights: int = 1) -> tuple[str, ...]:
    """Return the sums by night; rates are of the sums, which are not rounded."""
    rounds, handle = sums["rounds"], sums["handle"]
    each = {column: round(sums[column] / nights) for column in NAMES}
    return (
        name,
        f"{each['rounds']:,}",
        dollars(each["handle"]),
        dollars(each["win"]),
        f"{sums['win'] / handle:.2%}".replace("-", "−") if handle else "–",
        f"{each['findings']:,}",
        f"{sums['findings'] * 1000 / rounds:,.1f}" if rounds else "–",
        dollars(each["received"]),
        dollars(each["owed"]),
    )
