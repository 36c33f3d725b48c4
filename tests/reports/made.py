"""Reports for tests, made through the services from decisions made through the services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.files.archive import current_archive, read_bytes
from reports.documents.registry import About
from reports.schedules.making import make_report
from tests.compliance.games.filing import approved, maker_and_officer

if TYPE_CHECKING:
    from reports.documents.models import Report


def approval_letter() -> Report:
    maker, officer = maker_and_officer()
    approval = approved(maker, officer)
    return make_report(kind="approval_letter", about=About(subject=approval.uuid))


def body_of(report: Report) -> bytes:
    return read_bytes(current_archive(), report.body)


def file_of(report: Report) -> bytes:
    """Return the newest signed file of a report."""
    envelope = report.envelopes.last()
    assert envelope is not None
    return read_bytes(current_archive(), envelope.file)
