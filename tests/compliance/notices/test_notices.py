"""Notifications: when something happens, within people's roles, by their choice."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.models import Event
from compliance.filings.controls.writes import return_controls
from compliance.filings.requests.writes import comment_on, take_step
from compliance.notifications.kinds import Way
from compliance.notifications.models import Notice
from compliance.notifications.writes import choose_ways, mail_due
from compliance.people.writes import end_role, give_role
from compliance.ui.lists import A_PAGE
from tests.compliance.controls.filing import submitted
from tests.compliance.games.filing import asked, filed_rules, maker_and_officer, under_review
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import made_person, party_for, person_as

pytestmark = pytest.mark.django_db


def notified(person, kind=None):
    with without_access_scope():
        found = Notice.objects.filter(person=person).order_by("pk")
        return [each.says for each in found if kind in (None, each.kind)]


def test_each_step_notifies_requester_and_next_reviewer():
    maker, officer = maker_and_officer()
    stranger = person_as(Role.SUPPLIER, "other")
    request = asked(maker, filed_rules(maker))
    assert [each.partition(": ")[2] for each in notified(officer, "filing_waits")] == [
        "submitted. The licensing unit starts the review."
    ]
    assert notified(maker) == []  # nobody is notified of their own actions
    take_step(request=request, name="review", reason="complete", by=officer)
    (says,) = notified(maker)
    assert says.endswith("under review.")
    assert notified(stranger) == []


def test_comment_notifies_only_the_other_side():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    own, unit = party_for(Role.SUPPLIER, "maker"), party_for(Role.LICENSING)
    comment_on(request=request, text="Which deck?", by=officer, by_party=unit)
    comment_on(request=request, text="One of 52.", by=maker, by_party=own)
    assert [each.partition(" commented")[0] for each in notified(maker, "filing_commented")] == [
        unit.name
    ]
    assert [each.partition(" commented")[0] for each in notified(officer, "filing_commented")] == [
        own.name
    ]
    assert "deck" not in " ".join(notified(maker))


def test_rolled_back_step_notifies_nobody():
    maker, officer = maker_and_officer()
    with transaction.atomic():
        under_review(maker, officer)
        transaction.set_rollback(True)
    assert notified(maker) == notified(officer) == []


def test_returned_controls_say_by_when_an_answer_is_due():
    manager, officer = person_as(Role.OPERATOR_MANAGER, "room"), person_as(Role.LICENSING)
    version = submitted(manager)
    return_controls(version=version, reason="Hours", days=30, by=officer)
    assert notified(officer, "filing_waits") == [
        "Internal controls of The room, version 1: submitted. "
        "The commission reviews it and decides."
    ]
    due = Event.objects.get(type="controls.returned").payload["due"]
    (says,) = notified(manager)
    assert f"{datetime.fromisoformat(due):%b %-d, %Y}" in says


def test_disabled_notification_kind_is_not_written():
    maker, officer = maker_and_officer()
    choose_ways(ways={"filing_decided": Way.NEVER}, by=maker)
    under_review(maker, officer)
    assert notified(maker) == []
    assert Event.objects.get(type="notices.chosen").payload["ways"] == {"filing_decided": "never"}
    choose_ways(ways={"filing_decided": Way.NEVER}, by=maker)  # set again, nothing happened
    assert Event.objects.filter(type="notices.chosen").count() == 1
    with pytest.raises(RefusedError, match="Your roles do not get"):
        choose_ways(ways={"issue_given": Way.HERE}, by=maker)


def test_ended_role_hides_its_notifications():
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    browser = browser_of(maker)
    assert "under review" in words(browser.get(reverse("notices")))
    uuid = str(notification_uuid(maker))
    with without_access_scope():
        ended_membership = Membership.objects.get(person=maker)
    end_role(
        membership=ended_membership,
        reason="left",
        by=person_as(Role.ADMINISTRATOR, "commission-unit"),
    )
    give_role(
        person=maker,
        party=party_for(Role.OPERATOR_CLERK, "room"),
        role=Role.OPERATOR_CLERK,
        by=None,
    )
    page = browser.get(reverse("notices"))
    assert "under review" not in words(page)
    assert "site-bell__count" not in page.text
    assert browser.get(reverse("open_notice"), {"notice": uuid}).status_code == 404


def notification_uuid(person):
    with without_access_scope():
        return Notice.objects.filter(person=person).latest("pk").uuid


def test_notification_opens_its_subject_and_is_read():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    browser, others = browser_of(maker), browser_of(officer)
    assert '<span class="site-bell__count">1</span>' in browser.get("/").text
    uuid = notification_uuid(maker)
    for nothing in (uuid, "nonsense", ""):
        assert others.get(reverse("open_notice"), {"notice": nothing}).status_code == 404
    assert others.post(reverse("read_notices"), {"notice": uuid}).status_code == 302
    assert '<span class="site-bell__count">1</span>' in browser.get("/").text
    opened = browser.get(reverse("open_notice"), {"notice": uuid})
    assert opened.url == reverse("request", args=[request.uuid])
    assert "site-bell__count" not in browser.get("/").text


def test_long_notification_list_has_constant_queries():
    clerk = person_as(Role.OPERATOR_CLERK, "room")
    room = party_for(Role.OPERATOR_CLERK, "room")
    browser = browser_of(clerk)
    browser.get("/")
    with CaptureQueriesContext(connection) as of_none:
        browser.get(reverse("notices"))
    with without_access_scope():
        Notice.objects.bulk_create(
            Notice(
                person=clerk,
                party=room,
                kind="filing_decided",
                says=f"<b>Number {number}</b>",
                link="/",
                at=timezone.now(),
            )
            for number in range(A_PAGE + 5)
        )
    with CaptureQueriesContext(connection) as of_many:
        first = browser.get(reverse("notices"))
    assert len(of_many) == len(of_none)
    assert first.text.count("&lt;b&gt;Number") == 2 * A_PAGE  # each is also named by its button
    assert "<b>Number" not in first.text
    on = first.text.partition('href="?after=')[2].partition('"')[0]
    assert browser.get(f"{reverse('notices')}?after={on}").text.count("&lt;b&gt;Number") == 2 * 5
    assert browser.get(f"{reverse('notices')}?after=nonsense").status_code == 200
    assert "Marked as read: 55" in words(browser.post(reverse("read_notices"), follow=True))
    assert "You have read everything" in words(browser.get(f"{reverse('notices')}?new"))


def test_invalid_choices_are_rejected_on_their_page():
    maker = person_as(Role.SUPPLIER, "maker")
    browser = browser_of(maker)
    page = browser.get(reverse("notice_choices"))
    assert "Your filing was decided" in words(page)
    assert "The commission asked you" not in words(page)  # suppliers are never asked
    filings = ("filing_decided", "filing_commented", "filing_waits", "approval_withdrawn")
    sent = dict.fromkeys(("deadline", *filings, "webhook_stopped"), "here")
    sent |= dict.fromkeys(("access_change_waits", "second_factor_reset"), "here")
    sent["report_ready"] = "daily"
    address = reverse("notice_choices")
    assert browser.post(address, sent | {"filing_waits": "loudly"}).status_code == 422
    assert browser.post(address, sent).status_code == 302
    assert Event.objects.get(type="notices.chosen").payload["ways"]["report_ready"] == "daily"


@pytest.mark.parametrize(
    ("at", "due"),
    [
        # 7 in the morning at the agency is 15:00 UTC in winter and 14:00 in summer.
        (datetime(2999, 3, 8, 12, tzinfo=UTC), datetime(2999, 3, 8, 15, tzinfo=UTC)),
        (datetime(2999, 3, 9, 15, tzinfo=UTC), datetime(2999, 3, 10, 14, tzinfo=UTC)),
        (datetime(2999, 11, 2, 14, tzinfo=UTC), datetime(2999, 11, 3, 15, tzinfo=UTC)),
    ],
    ids=["same day", "into summer time", "out of it"],
)
def test_daily_mail_is_due_at_seven_by_agency_time(at, due):
    assert mail_due(Way.DAILY, at) == due


def test_of_what_happened_long_ago_there_is_no_mail():
    assert mail_due(Way.AT_ONCE, datetime(2020, 1, 1, tzinfo=UTC)) is None
    assert mail_due(Way.HERE, timezone.now()) is None


def test_closed_account_gets_no_notifications():
    maker, officer = maker_and_officer()
    second = made_person("second", party_for(Role.SUPPLIER, "maker"), Role.SUPPLIER)
    second.is_active = False
    second.save()
    under_review(maker, officer)
    assert notified(second) == []
