"""Beat's hourly tick: each night is reported once, whatever happens to clocks and power."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import time_machine
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from audits.intake.days.models import GamblingDay
from audits.tasks import night
from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.clock import standing_at
from reports.documents.models import Report
from reports.schedules.making import make_report
from reports.schedules.models import Way
from reports.schedules.subscriptions import subscribe
from reports.tasks import all_nights, make_ordered, nights, send
from tests.audits.replay.nights import dealt, on_file
from tests.audits.replay.working import work
from tests.compliance.controls.filing import Room, local
from tests.compliance.pages.browsing import browser_of
from tests.compliance.people import person_as
from tests.reports.nights import about, inputs_of, played

pytestmark = pytest.mark.django_db


def tick() -> None:
    """Do everything that beat does within an hour."""
    night()
    with without_access_scope():
        work()
    nights()
    while make_ordered():  # each call does a task's maximum, on a slow machine one report
        pass
    while send():
        pass


def nightly() -> list[Report]:
    with without_access_scope():
        return list(Report.objects.filter(kind="nightly").order_by("day", "number"))


def test_report_made_during_release_is_shown_next():
    room = Room()
    day = played(room.party, rounds=4)
    report = make_report(kind="nightly", about=about(day))
    with without_access_scope():  # a release that preceded any report of the day
        GamblingDay.objects.filter(pk=day.pk).update(released=timezone.now())
    browser, address = browser_of(room.manager), reverse("report", args=[report.uuid])
    assert browser.get(address).status_code == 404
    all_nights()
    assert browser.get(address).status_code == 200


def sunday(number: int, month: int) -> date:
    """Return the n-th Sunday of a month of next year, because today's key signs reports."""
    first = date(timezone.now().year + 1, month, 1)
    return first + timedelta(days=6 - first.weekday(), weeks=number - 1)


@pytest.mark.parametrize(
    ("number", "month", "instants"),
    [
        (2, 3, ("01:59:00-08:00", "03:00:00-07:00")),
        (1, 11, ("01:30:00-07:00", "01:30:00-08:00")),
    ],
    ids=["spring", "autumn"],
)
def test_clock_change_night_is_reported_once(number, month, instants):
    """Clocks change on the second Sunday in March and the first in November (15 U.S.C. 260a)."""
    changed = sunday(number, month)
    day = changed - timedelta(days=1)
    room = Room()
    person_as(Role.AGENT)
    rounds = dealt(4, day=day, tables=("T1",))
    for each, at in zip(rounds[2:], instants, strict=True):
        each["at"] = f"{changed}T{at}"
        each.pop("from", None)
    noon = local(changed.year, changed.month, changed.day, 12)
    with time_machine.travel(noon - timedelta(seconds=1), tick=False) as clock:
        with without_access_scope(), standing_at(noon):  # the database's clock is not moved
            on_file(room.party, rounds)
        tick()
        assert nightly() == []
        for minutes in (0, 30, 60, 120):
            clock.move_to(noon + timedelta(minutes=minutes))
            tick()
    (report,) = nightly()
    assert (report.day, report.number) == (day, 1)
    assert inputs_of(report)["data"]["figures"]["rounds"] == 4


def test_nights_of_a_power_outage_are_made_and_sent_once():
    room = Room()
    agent = person_as(Role.AGENT)
    with without_access_scope():
        unit = Membership.objects.get(person=agent).party
    subscribe(party=unit, way=Way.MAIL, by=agent, kind="nightly")
    first = sunday(1, 6) + timedelta(days=1)
    monday = local(first.year, first.month, first.day, 11)
    with time_machine.travel(monday, tick=False) as clock:
        tick()
        assert nightly() == []
        clock.move_to(monday + timedelta(days=7, hours=2))
        tick()
        clock.move_to(monday + timedelta(days=7, hours=3))
        night()
        nights()
        send()
    missed = [first + timedelta(days=number) for number in range(7)]
    assert [(each.day, each.number) for each in nightly()] == [(day, 1) for day in missed]
    assert len(mail.outbox) == 7
    assert {tuple(each.to) for each in mail.outbox} == {(agent.email,)}
    assert room.party.name not in "".join(each.body for each in mail.outbox)
