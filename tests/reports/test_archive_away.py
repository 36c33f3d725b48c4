"""While the archive is down, reports wait like all else; failed ones are released at once."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.events.models import Event
from compliance.jobs.models import Job
from compliance.retention.verification import archive_problem
from reports.documents.models import ReportOrder
from reports.documents.registry import About
from reports.schedules.models import Delivery, Way
from reports.schedules.orders import order_report
from reports.schedules.subscriptions import subscribe
from tests.compliance.games.filing import approved, maker_and_officer
from tests.compliance.jobs.due import make_jobs_due
from tests.compliance.people import party_for, person_as, signed_in, with_second_factor
from tests.reports.working import make_next, send_next

if TYPE_CHECKING:
    from pathlib import Path

    from compliance.filings.requests.models import Approval

pytestmark = pytest.mark.django_db
NOBODY = 65534


@pytest.fixture
def archive(settings, tmp_path) -> Path:
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    return tmp_path / "archive"


@pytest.fixture
def approval(archive: Path) -> Approval:
    return approved(*maker_and_officer())


def ordered(approval: Approval) -> ReportOrder:
    about = About(subject=approval.uuid, party=party_for(Role.SUPPLIER, "maker"))
    return order_report(kind="approval_letter", about=about, by=SYSTEM)


def state(order: ReportOrder) -> tuple[str, int]:
    order.refresh_from_db()
    return order.state, Job.objects.get(subject=order.pk).faults if order.state == "waiting" else 0


@pytest.mark.parametrize("how", ["unmounted", "no folder"])
def test_report_waits_while_archive_is_away(approval, archive, how):
    order = ordered(approval)
    away = archive.rename(archive.with_name("away"))
    if how == "no folder":
        archive.write_text("not a folder")
    for _ in range(5):  # more often than an order may fail
        make_jobs_due()
        assert make_next() is None
        assert state(order) == ("waiting", 0)
    make_jobs_due()
    shutil.rmtree(archive) if archive.is_dir() else archive.unlink()
    away.rename(archive)
    assert make_next().state == "made"


def test_delivery_waits_while_archive_is_away(archive):
    maker, officer = maker_and_officer()
    party = party_for(Role.SUPPLIER, "maker")
    subscribe(party=party, way=Way.MAIL, by=maker)
    ordered(approved(maker, officer))
    assert make_next().state == "made"
    away = archive.rename(archive.with_name("away"))
    for _ in range(8):  # more often than a delivery is postponed
        assert send_next().state == "waiting"
        with without_access_scope():
            assert Delivery.objects.get().reason.startswith("Waiting for the archive.")
            make_jobs_due()
    shutil.rmtree(archive)
    away.rename(archive)
    assert send_next().state == "sent"


def test_failed_reports_are_released_together(approval, settings, client, capsys):
    key, settings.REPORT_KEY = settings.REPORT_KEY, "/nowhere/key.p12"
    maker = party_for(Role.SUPPLIER, "maker")
    about = About(party=maker)
    orders = [ordered(approval), order_report(kind="controls_as_approved", about=about, by=SYSTEM)]
    while make_next():
        pass
    assert {state(order)[0] for order in orders} == {"failed"}
    settings.REPORT_KEY = key
    agent = person_as(Role.AGENT)
    with_second_factor(agent)
    page = signed_in(client, agent).get(reverse("report_orders")).text
    assert f"Retry all failed reports ({len(orders)})" in page
    client.post(reverse("retry_failed_orders"))
    assert {state(order)[0] for order in orders} == {"waiting"}
    assert Event.objects.filter(type="report.ordered", actor=agent.uuid).count() == len(orders)
    ReportOrder.objects.update(state="failed")
    call_command("retry_failed")
    assert f"Reports being retried: {len(orders)}." in capsys.readouterr().out
    while make_next():
        pass
    assert [state(order)[0] for order in orders] == ["made", "failed"]  # there is none to report


def test_read_only_archive_is_a_problem_in_words(archive):
    assert archive_problem() == ""
    (archive / "aside").chmod(0o500)
    as_root = os.geteuid() == 0  # every folder is open to root
    if as_root:
        os.seteuid(NOBODY)
    try:
        assert archive_problem() == "It cannot be written: Permission denied."
    finally:
        if as_root:
            os.seteuid(0)
