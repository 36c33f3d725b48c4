"""Notification emails: for what is due, once, naming only the kind of news."""

from __future__ import annotations

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.conditions import notices as notice_mails_condition
from compliance.events.models import Event
from compliance.filings.requests.writes import comment_on
from compliance.jobs.queue import finishing, take_job
from compliance.mail import PUT_OFF
from compliance.notifications import mail as notice_mails
from compliance.notifications.kinds import Way
from compliance.notifications.mail import give_up_mail, send_mails
from compliance.notifications.models import Notice, NoticeMail
from compliance.notifications.writes import choose_ways, note_read
from compliance.people.writes import end_role
from tests.compliance.games.filing import maker_and_officer, under_review
from tests.compliance.jobs.due import kill_workers, make_jobs_due
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import party_for, person_as

pytestmark = pytest.mark.django_db


def comes_due() -> None:
    """Make pending notifications due."""
    with without_access_scope():
        Notice.objects.exclude(mail_due=None).update(mail_due=timezone.now())
    make_jobs_due()


def sent_all() -> None:
    comes_due()
    send_mails(seconds=60)


def to(person):
    return [each for each in mail.outbox if each.to == [person.email]]


def test_several_notices_fill_one_discreet_mail():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    unit = party_for(Role.LICENSING)
    comment_on(request=request, text="Which deck?", by=officer, by_party=unit)
    assert send_mails(seconds=60) == 0  # not yet: anything else within the minute is included
    sent_all()
    (received,) = to(maker)
    assert received.subject.endswith(": 2 new notices")
    assert "A filing has been updated." in received.body
    assert "A filing has a new comment." in received.body
    assert "/notifications/" in received.body
    data = received.subject + received.body
    for secret in (maker.name, unit.name, str(request), "Pyramid", "deck", str(request.uuid)):
        assert secret not in data
    sent_all()
    assert len(to(maker)) == 1
    assert Event.objects.filter(type="notices.mailed").count() == 2  # the officer's as well


def test_read_or_local_notices_send_no_mail():
    maker, officer = maker_and_officer()
    choose_ways(ways={"filing_waits": Way.HERE}, by=officer)
    under_review(maker, officer)
    note_read(by=maker)
    sent_all()
    assert mail.outbox == []
    with without_access_scope():
        assert Notice.objects.filter(person=officer).exists()


@pytest.mark.parametrize("leaving", ["the role ended", "the account was closed"])
def test_who_left_in_between_gets_nothing_more(leaving):
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    if leaving == "the role ended":
        with without_access_scope():
            ended_membership = Membership.objects.get(person=maker)
        administrator = person_as(Role.ADMINISTRATOR, "commission-unit")
        end_role(membership=ended_membership, reason="left", by=administrator)
    else:
        maker.is_active = False
        maker.save()
    sent_all()
    assert to(maker) == []
    assert Event.objects.get(type="notices.not_mailed").reason == notice_mails.NOTHING


def test_unsent_email_is_retried_then_given_up(settings):
    maker, officer = maker_and_officer()
    choose_ways(ways={"filing_waits": Way.NEVER}, by=officer)
    under_review(maker, officer)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # no server listens there
    sent_all()
    waiting = NoticeMail.objects.get()
    assert waiting.state == "waiting"
    assert "Connection refused" in waiting.reason
    assert send_mails(seconds=60) == 0  # not before its pause ends
    for _ in PUT_OFF:
        assert NoticeMail.objects.get().state == "waiting"
        sent_all()
    assert NoticeMail.objects.get().state == "failed"


def test_invalid_address_fails_without_stopping_others():
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    type(officer).objects.filter(pk=officer.pk).update(email="a@example.org\r\nBcc: b@example.org")
    sent_all()
    assert NoticeMail.objects.get(person=officer).state == "failed"
    assert [each.to for each in mail.outbox] == [[maker.email]]


def test_line_end_in_agency_name_adds_no_header(settings):
    settings.AGENCY_NAME = "Commission\r\nBcc: everybody@example.org"
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    sent_all()
    (received,) = to(maker)
    assert "\nBcc:" not in received.message().as_string().partition("\n\n")[0]
    assert received.recipients() == [maker.email]


def test_mail_of_a_dead_sender_is_not_sent_again():
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    comes_due()
    send_mails(seconds=0)
    lease = take_job({NoticeMail.JOB})
    assert lease is not None
    kill_workers()
    sent_all()
    times = NoticeMail.objects.get(pk=lease.subject)
    assert (times.state, times.reason) == ("failed", notice_mails.INTERRUPTED)
    assert to(times.person) == []


def test_failed_email_alarms_and_can_be_retried():
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    comes_due()
    send_mails(seconds=0)
    while lease := take_job({NoticeMail.JOB}):
        with without_access_scope(), finishing(lease):
            give_up_mail(lease.subject, "No such host")
    assert not notice_mails_condition().is_ok
    administrator = person_as(Role.ADMINISTRATOR, "commission-unit")
    queue, page = browser_of(administrator), reverse("notice_mails")
    shown = words(queue.get(page))
    assert maker.name in shown
    assert "No such host" in shown
    first, second = NoticeMail.objects.order_by("pk")
    retry = reverse("mend_notice_mail")
    queue.post(retry, {"mail": first.uuid})
    queue.post(retry, {"mail": second.uuid, "give_up": 1})
    assert browser_of(person_as(Role.AUDITOR, "commission-unit")).post(retry).status_code == 404
    sent_all()
    assert [each.to for each in mail.outbox] == [[first.person.email]]
    second.refresh_from_db()
    assert second.state == "not_sent"
    assert notice_mails_condition().is_ok
    assert "has not failed" in words(queue.post(retry, {"mail": second.uuid}, follow=True))
