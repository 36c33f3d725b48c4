"""Which files of the archive belong to reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.retention import REPORTS, Retained
from compliance.verification.archive import Kept
from reports.models import Envelope, Report

if TYPE_CHECKING:
    from collections.abc import Iterator


def files_of_reports() -> Iterator[Kept]:
    """Inputs, body and signed files of every report; ask `without_walls`."""
    for report in Report.objects.order_by("id").select_related("party").iterator():
        retained = _retained(report)
        for what, digest in (("inputs", report.inputs), ("body", report.body)):
            yield Kept(digest, f"{what} of report {report.reference}, {digest}", retained=retained)
    for signed in Envelope.objects.order_by("id").select_related("report__party").iterator():
        where = f"signed file of report {signed.report.reference}, {signed.file}"
        yield Kept(signed.file, where, retained=_retained(signed.report))


def _retained(report: Report) -> Retained:
    named = {report.uuid, report.party.uuid} if report.party else {report.uuid}
    return Retained(REPORTS, report.at, frozenset(named))
