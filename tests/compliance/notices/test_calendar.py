"""The calendar of due dates: read by another program, at an address only its person knows."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
import vobject
from django.test import Client
from django.urls import reverse

from compliance import clock
from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.filings.controls.models import ControlsFiling
from compliance.filings.controls.writes import return_controls
from compliance.notifications.calendar import calendar_of
from compliance.notifications.due_dates import DueDate
from compliance.notifications.models import CalendarFeed, Notice
from compliance.notifications.writes import make_calendar, notify_of_deadlines, revoke_calendar
from compliance.people.writes import end_role
from compliance.project.logs import blanking
from tests.compliance.controls.filing import submitted
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import made_person, party_for, person_as

pytestmark = pytest.mark.django_db


@pytest.fixture
def returned():
    """Return the manager of a room whose controls were returned, and the answer's due date."""
    manager = person_as(Role.OPERATOR_MANAGER, "room")
    version = submitted(manager)
    return_controls(version=version, reason="Hours", days=30, by=person_as(Role.LICENSING))
    with without_access_scope():
        return manager, ControlsFiling.objects.get(version=version).due


def address(secret):
    return reverse("calendar_feed", args=[secret])


def read(answer):
    return vobject.readOne(answer.content.decode())


def test_other_program_reads_only_this_persons_days(returned):
    manager, due = returned
    answer = Client().get(address(make_calendar(by=manager)))
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert "Set-Cookie" not in answer.headers
    assert read(answer).x_published_ttl.value == "PT1H"
    (entry,) = read(answer).vevent_list
    assert entry.summary.value == "Write internal controls"
    assert entry.dtstart.value == due
    assert entry.dtend.value == due + timedelta(days=1)
    assert entry.url.value.startswith("http://localhost:8000/controls/")
    assert "The room" not in answer.content.decode()
    other = person_as(Role.OPERATOR_MANAGER, "other")
    nothing = Client().get(address(make_calendar(by=other)))
    assert "BEGIN:VEVENT" not in nothing.content.decode()
    read(nothing)


def test_calendar_text_is_folded_and_escaped():
    says = "Größe, “Bonus”; a\\b \r\nATTENDEE:mailto:x@example.org " + "赌场" * 60
    due = DueDate(key="a", on=date(2025, 3, 9), says="", outside=says, link="/x/", party=1)
    written = calendar_of([due], at=clock.now())
    assert max(map(len, written.split(b"\r\n"))) <= 75
    (entry,) = vobject.readOne(written.decode()).vevent_list
    assert entry.summary.value.split() == says.split()
    assert "attendee" not in entry.contents
    assert entry.dtend.value == date(2025, 3, 10)  # whole days, though this one has 23 hours


def test_revoked_calendar_url_opens_nothing(returned):
    manager, _ = returned
    first = make_calendar(by=manager)
    second = make_calendar(by=manager)
    assert Client().get(address(first)).status_code == 404
    assert Client().get(address(second)).status_code == 200
    revoke_calendar(by=manager)
    assert Client().get(address(second)).status_code == 404
    with pytest.raises(RefusedError, match="no calendar address to revoke"):
        revoke_calendar(by=manager)
    third = make_calendar(by=manager)
    manager.is_active = False
    manager.save()
    assert Client().get(address(third)).status_code == 404
    manager.is_active = True
    manager.save()
    with without_access_scope():
        ended_membership = Membership.objects.get(person=manager)
    end_role(
        membership=ended_membership,
        reason="left",
        by=person_as(Role.ADMINISTRATOR, "commission-unit"),
    )
    assert Client().get(address(third)).status_code == 404
    assert Client().get(address("x" * 5000)).status_code == 404


def test_secret_is_shown_once_and_never_logged(returned):
    manager, _ = returned
    browser = browser_of(manager)
    page = browser.post(reverse("make_calendar"))
    secret = re.search(r"/account/calendar/([\w-]{43})\.ics", page.text)[1]
    assert secret not in browser.get(reverse("calendar")).text
    kept = CalendarFeed.objects.get(person=manager)
    assert secret not in str(vars(kept))
    assert secret not in blanking(())(None, "", f"GET {address(secret)}")


def test_due_date_notifies_once_and_again_when_moved(returned):
    manager, _ = returned
    clerk = made_person("clerk", party_for(Role.OPERATOR_CLERK, "room"), Role.OPERATOR_CLERK)

    def notified(person):
        with without_access_scope():
            return [each.says for each in Notice.objects.filter(person=person, kind="deadline")]

    assert notify_of_deadlines() == 0  # a month away isn't soon
    with without_access_scope():
        ControlsFiling.objects.update(due=clock.today() + timedelta(days=3))
    assert notify_of_deadlines() == 2
    assert notify_of_deadlines() == 0
    assert len(notified(manager)) == 1
    assert notified(clerk) == notified(manager)  # everyone who may write them
    assert notified(person_as(Role.OPERATOR_MANAGER, "other")) == []
    with without_access_scope():
        ControlsFiling.objects.update(due=clock.today())
    assert notify_of_deadlines() == 2
    assert f"{clock.today():%b %-d, %Y}" in notified(manager)[0]
    assert "Today" in words(browser_of(manager).get(reverse("calendar")))


def test_calendar_url_is_rate_limited_per_person(returned):
    manager, _ = returned
    secret = make_calendar(by=manager)
    with clock.standing_at(clock.now()):
        answers = [Client().get(address(secret)) for _ in range(21)]
    assert [each.status_code for each in answers] == [200] * 20 + [429]
    assert answers[-1].headers["Retry-After"] == "10"  # six a minute
    assert "every few minutes" in answers[-1].text
