"""A late or failed report raises an alarm until it is made."""

from __future__ import annotations

from datetime import timedelta

import pytest

from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from reports.documents.models import ReportOrder
from reports.documents.registry import About
from reports.schedules.making import make_report
from reports.schedules.nights import order_nights
from reports.schedules.orders import order_letters, order_report
from reports.schedules.watch import reports
from tests.compliance.controls.filing import Room
from tests.compliance.games.filing import approved, maker_and_officer
from tests.reports.nights import about, closed
from tests.reports.working import make_next

pytestmark = pytest.mark.django_db


def test_report_is_late_after_two_hours():
    day = closed(Room().party)
    with clock.standing_at(day.closes + timedelta(minutes=119)):
        assert reports().is_ok
    with clock.standing_at(day.closes + timedelta(minutes=121)):
        assert "closed over two hours ago without a report: 1" in reports().says
        make_report(kind="nightly", about=about(day))
        assert reports().is_ok


def test_failed_report_is_an_alarm_until_made(settings):
    closed(Room().party)
    order_nights()
    key, settings.REPORT_KEY = settings.REPORT_KEY, "/nowhere/key.p12"
    assert make_next().state == "failed"
    assert "Reports that could not be made: 1" in reports().says
    settings.REPORT_KEY = key
    order = ReportOrder.objects.get(state="failed")
    with without_access_scope():
        order_report(kind=order.kind, about=About(party=order.party, day=order.day), by=SYSTEM)
    while make_next():
        pass
    assert reports().is_ok


def test_unprocessed_order_is_an_alarm_after_an_hour():
    approved(*maker_and_officer())
    order_letters()
    assert reports().is_ok
    order = ReportOrder.objects.get()
    ReportOrder.objects.update(ordered=order.ordered - timedelta(minutes=61))
    assert "ordered over an hour ago and are not done: 1" in reports().says


def test_failed_manual_order_raises_no_alarm():
    party = Room().party
    order_report(kind="controls_as_approved", about=About(party=party), by=SYSTEM)
    assert make_next().state == "failed"
    assert reports().is_ok
