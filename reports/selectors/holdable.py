"""Reports, as things that a legal hold can be placed on."""

from __future__ import annotations

from compliance.holdable import Found, Kind
from reports.models import Report


def _report(reference: str) -> Found | None:
    report = Report.objects.filter(reference=reference).select_related("party").first()
    if report is None:
        return None
    return Found(report.uuid, report.uuid, f"report {report.reference}", report.party)


KINDS = (Kind("report", "Report", "Write its reference, as it is printed on it.", _report),)
