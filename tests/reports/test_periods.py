"""Weeks and months add up what nightly reports say, once, and again when a night changes."""

from __future__ import annotations

from datetime import date, timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.urls import reverse

from audits.intake.days.writes import supplement_day
from audits.review.releases.writes import release_day
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from reports.documents.days import MONTHLY, WEEKLY, ends_of, period_of
from reports.documents.models import Report, ReportOrder
from reports.documents.registry import About, NothingToReportError
from reports.documents.sheets import sheet_of
from reports.library.reads import Outcome, reproduce
from reports.schedules.making import make_report
from reports.schedules.nights import order_nights
from reports.schedules.periods import order_periods
from tests.audits.replay.nights import NIGHT, dealt, on_file, spoiled
from tests.audits.replay.working import work
from tests.compliance.controls.filing import Room
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import person_as
from tests.reports.made import body_of
from tests.reports.nights import TOO_MUCH, closed, inputs_of, replayed
from tests.reports.paper.sheets import LONG_NAME, text_of
from tests.reports.working import make_next

if TYPE_CHECKING:
    from audits.intake.days.models import GamblingDay

SUNDAY = NIGHT + timedelta(days=1)


def squeezed(text: str) -> str:
    return "".join(text.split())


def printed(report: Report) -> str:
    return squeezed("".join(text_of(body_of(report))))


def weekend() -> tuple[Room, GamblingDay, GamblingDay]:
    """Return a Saturday of 20 rounds, every tenth overpaid by $1; a Sunday of 10, every fifth."""
    room = Room()
    with without_access_scope():
        on_file(room.party, spoiled(dealt(20, tables=("T1",)), every=10, cents=TOO_MUCH))
        late = spoiled(dealt(10, tables=("T1",), day=SUNDAY), every=5, cents=TOO_MUCH)
        on_file(room.party, late)
    replayed(room.party)
    return room, closed(room.party), closed(room.party, SUNDAY)


def made_all() -> None:
    while make_next():
        pass


def ordered() -> int:
    """Return what a tick of beat orders, with its consequences until nothing is due."""
    placed = 0
    while more := order_nights() + order_periods():
        placed += more
        made_all()
    return placed


def of(kind: str, party: Party | None) -> Report:
    with without_access_scope():
        found = Report.objects.filter(kind=kind, party=party).order_by("number").last()
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("kind", "day", "first", "last"),
    [
        (WEEKLY, (2025, 7, 12), (2025, 7, 7), (2025, 7, 13)),
        (WEEKLY, (2025, 7, 13), (2025, 7, 7), (2025, 7, 13)),
        (WEEKLY, (2025, 12, 31), (2025, 12, 29), (2026, 1, 4)),
        (MONTHLY, (2025, 12, 31), (2025, 12, 1), (2025, 12, 31)),
        (MONTHLY, (2024, 2, 1), (2024, 2, 1), (2024, 2, 29)),
    ],
)
def test_a_week_begins_on_monday_and_a_month_has_its_days(kind, day, first, last):
    period = period_of(kind, date(*day))
    assert (period.first, period.last) == (date(*first), date(*last))
    assert ends_of(kind, period.first, period.last) == [period.last]
    assert ends_of(kind, period.first, period.last - timedelta(days=1)) == []


@pytest.mark.django_db
def test_week_adds_up_its_nights():
    room, *_ = weekend()
    assert ordered() == 2 * 2 + 2 + 2  # two nights, their summaries, the week of both
    report = of(WEEKLY, room.party)
    data, text = inputs_of(report)["data"], printed(report)
    # two of twenty rounds, and two of ten
    assert data["sums"]["received"] == 4 * TOO_MUCH
    assert data["sums"]["rounds"] == 30
    assert "30roundsauditedin2of7nights" in text
    assert "Playersoverpaid$4.00" in text
    nights = [make_report(kind="nightly", about=About(party=room.party, day=day))
              for day in (NIGHT, SUNDAY)]  # fmt: skip
    for night in nights:
        assert night.body[:16] in text
    figures = [inputs_of(night)["data"]["figures"] for night in nights]
    assert data["sums"] == {name: sum(each[name] for each in figures) for name in data["sums"]}
    days = {row[0]: row for row in sheet_of(inputs_of(report)).tables["days"].rows}
    assert days["Fri, Jul 11, 2025"][1:] == ("No report", *["–"] * 5)
    assert days["Sat, Jul 12, 2025"][2] == "20"
    assert days["Sun, Jul 13, 2025"][2] == "10"
    assert sum(each["findings"] for each in data["issues"]) == data["sums"]["findings"]
    whole = of(WEEKLY, None)
    assert inputs_of(whole)["data"]["sums"] == data["sums"]
    assert inputs_of(whole)["data"]["issues"] == data["issues"]
    for each in (report, whole):
        assert reproduce(each).outcome is Outcome.SAME


@pytest.mark.django_db
def test_late_log_makes_the_next_edition():
    room, saturday, _ = weekend()
    ordered()
    assert ordered() == 0
    with without_access_scope():
        on_file(room.party, dealt(6, tables=("T1",), ids="late-"))
        supplement_day(day=saturday)
        replayed(room.party)
    ordered()
    assert ordered() == 0
    for party in (room.party, None):
        newest = of(WEEKLY, party)
        assert newest.number == 2
        assert inputs_of(newest)["data"]["sums"]["rounds"] == 36
    with without_access_scope():
        assert not ReportOrder.objects.exclude(state="made").exists()


@pytest.mark.django_db
def test_week_waits_for_its_last_day():
    room = Room()
    with without_access_scope():
        on_file(room.party, dealt(4, tables=("T1",), day=SUNDAY))
    replayed(room.party)
    about = About(party=room.party, day=SUNDAY)
    with pytest.raises(NothingToReportError, match="is not closed"):
        make_report(kind=WEEKLY, about=about)
    with pytest.raises(NothingToReportError, match="not the last day"):
        make_report(kind=WEEKLY, about=About(party=room.party, day=NIGHT))
    assert order_periods() == 0
    closed(room.party, SUNDAY)
    ordered()
    without = sheet_of(inputs_of(of(WEEKLY, room.party))).tables["without"].rows
    nights = ("July 7, 2025 to July 12, 2025", "6", "No gambling day is on file.")
    assert without == ((room.party.name, *nights),)


@pytest.mark.django_db
def test_operator_sees_its_week_once_all_nights_are_released():
    room, saturday, sunday = weekend()
    ordered()
    browser, agent = browser_of(room.manager), person_as(Role.AGENT)
    address = reverse("report", args=[of(WEEKLY, room.party).uuid])
    release_day(day=saturday, by=agent)
    assert browser.get(address).status_code == 404
    release_day(day=sunday, by=agent)
    assert browser.get(address).status_code == 200
    whole = reverse("report", args=[of(WEEKLY, None).uuid])
    assert browser.get(whole).status_code == 404


@pytest.mark.django_db
def test_the_command_makes_a_week_named_by_any_of_its_days(settings, tmp_path):
    settings.VAR = tmp_path
    room, *_ = weekend()
    with without_access_scope():
        Party.objects.filter(pk=room.party.pk).update(name=LONG_NAME)
    ordered()
    out = StringIO()
    call = (WEEKLY, "--operator", room.party.code, "--day", "2025-07-09")
    call_command("report", *call, stdout=out, stderr=StringIO())
    report = of(WEEKLY, room.party)
    assert str(report.uuid) in out.getvalue()
    assert squeezed(LONG_NAME) in printed(report)
    assert (tmp_path / "reports" / f"{report.reference}.pdf").exists()


@pytest.mark.django_db
def test_week_is_ordered_by_any_of_its_days():
    room, *_ = weekend()
    ordered()
    agent = browser_as(Role.AGENT)
    address = reverse("order_report")
    for party in (room.party.code, ""):
        asked = {"kind": WEEKLY, "party": party, "day": "2025-07-09"}
        assert agent.post(address, asked).status_code == 302
        assert agent.post(address, asked).status_code == 302  # pressed twice: one order
        made_all()
    # the operator's second edition triggered the commission's second
    for party, number in ((room.party, 2), (None, 3)):
        report = of(WEEKLY, party)
        assert (report.number, report.day) == (number, SUNDAY)
        assert report.supplements is not None


@pytest.mark.django_db
def test_unfinished_or_empty_week_is_refused():
    room, *_ = weekend()
    agent = browser_as(Role.AGENT)
    this_week = period_of(WEEKLY, clock.today()).last - timedelta(days=6)
    for party, day, says in (
        ("", this_week, "has not ended"),
        (room.party.code, NIGHT - timedelta(days=14), "is not kept, or not closed yet"),
        ("", NIGHT - timedelta(days=14), "there is nothing to sum up"),
    ):
        asked = {"kind": WEEKLY, "party": party, "day": str(day)}
        answer = agent.post(reverse("order_report"), asked)
        assert answer.status_code == 422
        assert says in words(answer)
    assert not ReportOrder.objects.filter(kind=WEEKLY).exists()


@pytest.mark.django_db
def test_old_days_are_queried_separately():
    weekend()
    since = SUNDAY + timedelta(days=1)
    assert order_nights(since) + order_periods(since) == 0
    assert order_nights(NIGHT) == 2 * 2


@pytest.mark.django_db
def test_week_names_new_alarms_of_the_watch():
    room = Room()
    lucky = [each for each in dealt(400, tables=("T1",))
             if all("A" not in seat["cards"] for seat in each["seats"])]  # fmt: skip
    with without_access_scope():
        on_file(room.party, lucky)
        on_file(room.party, dealt(10, tables=("T1",), day=SUNDAY))
    replayed(room.party)
    while work():
        pass
    for day in (NIGHT, SUNDAY):
        closed(room.party, day)
    ordered()
    report = of(WEEKLY, room.party)
    seen = {row[3] for row in sheet_of(inputs_of(report)).tables["watched"].rows}
    assert any(each.startswith("Table T1: players' cards, aces: ") for each in seen)
    assert "Analarmisalead,neveraviolation" in printed(report)
