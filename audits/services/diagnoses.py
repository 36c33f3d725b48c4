"""Diagnosis: by which other reading on file a pattern of mis-settlements would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audits.judging.diagnosis import diagnose
from audits.judging.terms import read_terms
from compliance.archive import current_archive
from compliance.archive.content import read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from audits.models import Pattern, ReplaySegment
    from audits.selectors.share_files import Occurred


def diagnose_pattern(
    *, pattern: Pattern, day: date, night: Sequence[tuple[ReplaySegment, Occurred]]
) -> None:
    """Name the reading that explains all of a pattern, on this night and on those before.

    What one night is not explained by explains the pattern no longer.
    """
    if not pattern.code.startswith("settlement."):
        return
    readings = {_reading(share, occurred) for share, occurred in night}
    says = readings.pop() if len(readings) == 1 else ""
    if (
        pattern.nights.exclude(day=day).filter(findings__gt=0).exists()
        and says != pattern.diagnosis
    ):
        says = ""
    if says != pattern.diagnosis:
        pattern.diagnosis = says
        pattern.save(update_fields=["diagnosis"])


def _reading(share: ReplaySegment, occurred: Occurred) -> str:
    terms = read_terms(read_bytes(current_archive(), share.terms))
    diagnosis = diagnose(occurred.examples, terms)
    return "" if diagnosis is None else diagnosis.says
