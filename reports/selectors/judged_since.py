"""Whether the night that a report tells was judged by the engine of today, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.engine import engine_version
from audits.models import GamblingDay
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from reports.documents.night_days import OF_A_DAY
from reports.inputs import read_inputs

if TYPE_CHECKING:
    from reports.models import Report


def judged_since(report: Report, engine: str | None = None) -> str:
    """Compare the findings that a nightly report tells with those of another engine.

    Empty where the engine is the same; `engine` is the one to compare with, if not today's. Ask
    within `without_walls`, and show it to those who may see findings.
    """
    here = engine or engine_version()
    if report.kind != OF_A_DAY[0] or report.day is None or report.engine in {"", here}:
        return ""
    told = f"The night was judged by engine {report.engine[:12]}, here is {here[:12]}."
    day = GamblingDay.objects.select_related("current", "party").get(
        party=report.party, day=report.day
    )
    if day.current is None or day.current.engine != here:
        return (
            f"{told} This one has not judged it: `manage.py replay --operator {day.party.code} "
            f"--day {day.day} --wait` has it judged."
        )
    before = read_inputs(read_bytes(current_archive(), report.inputs))["data"]
    if before["method"]["replay"]["digest"] == day.current.digest:
        return f"{told} Judged by this one it has the same findings, byte for byte."
    was = before["figures"]["findings"]
    return f"{told} Judged by this one it has {day.current.findings:,} findings, not {was:,}."
