"""A time-stamping authority, called over HTTP under RFC 3161, vouches for the signing time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from reports.documents.models import Envelope, Report, ReportOrder
from reports.documents.registry import About
from reports.library.verification import check_pdf
from reports.schedules.orders import order_report
from reports.signing.envelope import open_envelope
from reports.signing.keys import NoReportKeyError, believed_authorities
from tests.compliance.games.filing import approved, maker_and_officer
from tests.reports.made import approval_letter, body_of, file_of
from tests.reports.signing.authority import NAME, stamping
from tests.reports.working import make_next

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


@pytest.fixture
def authority(tmp_path, settings):
    """Run an authority whose root is trusted."""
    with stamping(tmp_path) as (address, root):
        settings.TIMESTAMP_URL, settings.TIMESTAMP_CERTIFICATES = address, str(root)
        yield root


def signature_of(content: bytes) -> str:
    return next(check.says for check in check_pdf(content).checks if check.name == "signature")


def test_report_time_stamp_names_its_authority(authority):
    begin = datetime.now(UTC).replace(microsecond=0)
    report = approval_letter()
    envelope = report.envelopes.last()
    assert envelope.timestamped
    content = file_of(report)
    assert all(check.holds for check in check_pdf(content).checks)
    assert f"{NAME} vouches that it was signed by" in signature_of(content)
    opened = open_envelope(content, believed_authorities())
    assert begin <= opened.timestamp <= datetime.now(UTC) + timedelta(seconds=1)
    assert content.startswith(body_of(report))


def test_untrusted_timestamp_proves_nothing(authority, settings):
    report = approval_letter()
    settings.TIMESTAMP_CERTIFICATES = ""
    says = signature_of(file_of(report))
    assert "vouches that" not in says
    assert f"a timestamp of {NAME}, which is not believed here" in says
    settings.TIMESTAMP_CERTIFICATES = str(authority.with_name("nowhere.pem"))
    with pytest.raises(NoReportKeyError, match="TIMESTAMP_CERTIFICATES names"):
        believed_authorities()


def test_silent_timestamp_authority_is_retried(tmp_path, settings):
    maker, officer = maker_and_officer()
    about = About(subject=approved(maker, officer).uuid)
    with stamping(tmp_path) as (address, _):
        settings.TIMESTAMP_URL = address
    # the port is closed by now
    order_report(kind="approval_letter", about=about, by=SYSTEM)
    failed = make_next()
    assert (failed.state, bool(failed.reason)) == (ReportOrder.State.FAILED, True)
    with without_access_scope():
        assert Report.objects.count() == 1
        assert not Envelope.objects.exists()
    settings.TIMESTAMP_URL = ""
    order_report(kind="approval_letter", about=about, by=SYSTEM)
    assert make_next().state == ReportOrder.State.MADE
    with without_access_scope():
        assert [each.timestamped for each in Envelope.objects.all()] == [False]
