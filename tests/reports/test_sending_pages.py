"""Pages for ordering and delivery: what is set there arrives, and failures are fixed there."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from reports.documents.models import Report, ReportOrder
from reports.documents.registry import About
from reports.schedules.making import make_report, show_report
from reports.schedules.models import Delivery, Subscription, Way
from reports.schedules.subscriptions import subscribe
from tests.audits.replay.nights import NIGHT
from tests.compliance.controls.filing import Room
from tests.compliance.games.filing import approved, maker_and_officer
from tests.compliance.pages.browsing import browser_as, browser_of, words
from tests.compliance.people import party_for, person_as
from tests.reports.nights import closed
from tests.reports.reached import made_up_report
from tests.reports.working import make_next

pytestmark = [pytest.mark.django_db, pytest.mark.anywhere]


def test_subscription_page_pauses_and_removes():
    maker, officer = maker_and_officer()
    browser = browser_of(maker)
    address = reverse("subscriptions")
    assert "You have no subscriptions yet." in words(browser.get(address))
    data = {"to": "me:maker", "kind": "approval_letter", "about": "", "way": "application"}
    page = words(browser.post(address, data, follow=True))
    assert (
        "Letter of approval or concurrence To You, for The maker How In the application State"
        in page
    )
    assert "Paused" not in page
    assert "This is subscribed to already." in words(browser.post(address, data))
    letter = make_report(kind="approval_letter", about=About(subject=approved(maker, officer).uuid))
    assert f"New to you {letter.title}" in words(browser.get(reverse("reports")))
    assert "New to you" not in words(browser_of(officer).get(reverse("reports")))
    browser.get(reverse("report", args=[letter.uuid]))
    assert "New to you" not in words(browser.get(reverse("reports")))
    with without_access_scope():
        made = Subscription.objects.get()
    paused = browser.post(reverse("pause_subscription", args=[made.uuid]), follow=True)
    assert "Paused" in words(paused)
    browser.post(reverse("end_subscription", args=[made.uuid]))
    assert "You have no subscriptions yet." in words(browser.get(address))


def test_all_that_is_new_is_seen_at_once():
    maker = person_as(Role.SUPPLIER, "maker")
    party = party_for(Role.SUPPLIER, "maker")
    subscribe(party=party, way=Way.APPLICATION, by=maker)
    with without_access_scope():
        for number in (1, 2):
            show_report(report=made_up_report(party, number), to=party)
    browser_of(maker).post(reverse("reports_seen"))
    with without_access_scope():
        assert not Delivery.objects.filter(seen__isnull=True).exists()


def test_colleagues_subscriptions_need_a_role():
    manager = person_as(Role.OPERATOR_MANAGER, "room")
    clerk = browser_as(Role.OPERATOR_CLERK, "room")
    party = party_for(Role.OPERATOR_MANAGER, "room")
    made = subscribe(party=party, way=Way.MAIL, by=manager)
    assert manager.name not in words(clerk.get(reverse("subscriptions")))
    assert clerk.post(reverse("end_subscription", args=[made.uuid])).status_code == 404
    with without_access_scope():
        show_report(report=made_up_report(party), to=party)
    assert "Rules 1" not in words(clerk.get(reverse("deliveries")))
    assert "Rules 1" in words(browser_of(manager).get(reverse("deliveries")))


def test_day_report_is_ordered_and_retried(settings):
    room = Room()
    closed(room.party)
    agent = browser_as(Role.AGENT)
    address, ordered = reverse("order_report"), reverse("report_orders")
    asked = {"kind": "nightly", "party": room.party.code, "day": str(NIGHT)}
    refused = agent.post(address, {**asked, "day": "2025-07-11"})
    assert "has no gambling day 2025-07-11" in words(refused)
    assert "Choose the operator" in words(agent.post(address, {**asked, "party": ""}))
    assert "Waiting" in words(agent.post(address, asked, follow=True))
    key, settings.REPORT_KEY = settings.REPORT_KEY, "/nowhere/key.p12"
    make_next()
    assert "REPORT_KEY names /nowhere/key.p12" in words(agent.get(ordered, {"state": "failed"}))
    settings.REPORT_KEY = key
    agent.post(reverse("retry_order", args=[ReportOrder.objects.get().uuid]))
    assert make_next().state == "made"
    assert "This report was made before." in words(agent.post(address, asked, follow=True))
    for number in (1, 2):  # the terms in effect are reported anew, as now known
        agent.post(address, {**asked, "kind": "in_effect_on_a_day"})
        assert make_next().number == number
    with without_access_scope():
        second, first = Report.objects.filter(kind="in_effect_on_a_day")
    assert second.supplements == first
    newest = agent.get(reverse("in_effect_on_a_day", args=[room.party.code]), {"day": str(NIGHT)})
    assert newest.url == reverse("report", args=[second.uuid])


def test_operator_orders_only_its_own_tables():
    room = Room()
    manager = browser_of(room.manager)
    page = manager.get(reverse("order_report")).text
    assert 'value="nightly"' not in page
    asked = {"kind": "in_effect_on_a_day", "party": room.party.code, "day": "2025-03-01"}
    assert manager.post(reverse("order_report"), asked).status_code == 302
    person_as(Role.OPERATOR_MANAGER, "other")
    assert manager.post(reverse("order_report"), {**asked, "party": "other"}).status_code == 422


@pytest.mark.parametrize("name", ["reports", "report_orders", "subscriptions", "deliveries"])
def test_a_list_asks_as_much_for_many_rows_as_for_one(name, django_assert_num_queries):
    supervisor = person_as(Role.SUPERVISOR)
    unit = party_for(Role.SUPERVISOR)
    browser = browser_of(supervisor)
    subscribe(party=unit, way=Way.MAIL, by=supervisor)

    def another(number: int) -> None:
        party = party_for(Role.OPERATOR_MANAGER, f"room-{number}")
        subscribe(party=unit, way=Way.MAIL, by=supervisor, about=party)
        with without_access_scope():
            show_report(report=made_up_report(party, number), to=unit)
        ReportOrder.objects.create(
            uuid=uuid4(), kind="nightly", about=f"{number}",
            number=1, party=party, ordered="2025-01-01T00:00Z", state="failed", reason="x",
        )  # fmt: skip

    another(1)
    browser.get(reverse("home"))  # the first request of a session records it
    with CaptureQueriesContext(connection) as one:
        assert browser.get(reverse(name)).status_code == 200
    another(2)
    another(3)
    with django_assert_num_queries(len(one)):
        browser.get(reverse(name))
