"""Mails about notices: of what is due, once, and saying nothing but what kind of thing is new."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from compliance.choices import Role
from compliance.models import Event, Membership, Notice, NoticeMail
from compliance.project.operations.status import notice_mails as notice_mails_condition
from compliance.sending import PUT_OFF
from compliance.services import notice_mails
from compliance.services.notice_mails import send_next
from compliance.services.notices import choose_ways, note_read
from compliance.services.people import end_role
from compliance.services.requests import comment_on
from compliance.telling import Way
from compliance.walls import without_walls
from tests.compliance.games.filing import maker_and_officer, under_review
from tests.compliance.pages.browsing import browser_of, words
from tests.compliance.people import party_for, person_as

pytestmark = pytest.mark.django_db


def comes_due() -> None:
    """The time of what waits has come."""
    with without_walls():
        Notice.objects.exclude(mail_due=None).update(mail_due=timezone.now())
        NoticeMail.objects.update(due=timezone.now())


def sent_all() -> None:
    comes_due()
    while send_next():
        pass


def to(person):
    return [each for each in mail.outbox if each.to == [person.email]]


def test_several_things_come_in_one_mail_that_names_nobody_and_nothing():
    maker, officer = maker_and_officer()
    request = under_review(maker, officer)
    unit = party_for(Role.LICENSING)
    comment_on(request=request, text="Which deck?", by=officer, by_party=unit)
    assert send_next() is None  # not yet: what else happens within the minute comes along
    sent_all()
    (received,) = to(maker)
    assert received.subject.endswith(": 2 new notices")
    assert "There is news of a filing." in received.body
    assert "A filing was commented on." in received.body
    assert "/notifications/" in received.body
    said = received.subject + received.body
    for secret in (maker.name, unit.name, str(request), "Pyramid", "deck", str(request.uuid)):
        assert secret not in said
    sent_all()
    assert len(to(maker)) == 1
    assert Event.objects.filter(type="notices.mailed").count() == 2  # the officer's as well


def test_what_was_read_before_or_is_wanted_here_alone_sends_no_mail():
    maker, officer = maker_and_officer()
    choose_ways(ways={"filing_waits": Way.HERE}, by=officer)
    under_review(maker, officer)
    note_read(by=maker)
    sent_all()
    assert mail.outbox == []
    with without_walls():
        assert Notice.objects.filter(person=officer).exists()


@pytest.mark.parametrize("leaving", ["the role ended", "the account was closed"])
def test_who_left_in_between_gets_nothing_more(leaving):
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    if leaving == "the role ended":
        with without_walls():
            held = Membership.objects.get(person=maker)
        administrator = person_as(Role.ADMINISTRATOR, "commission-unit")
        end_role(membership=held, reason="left", by=administrator)
    else:
        maker.is_active = False
        maker.save()
    sent_all()
    assert to(maker) == []
    assert Event.objects.get(type="notices.not_mailed").reason == notice_mails.NOTHING


def test_what_cannot_be_sent_is_put_off_and_given_up_after_the_last_time(settings):
    maker, officer = maker_and_officer()
    choose_ways(ways={"filing_waits": Way.NEVER}, by=officer)
    under_review(maker, officer)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # nobody listens there
    sent_all()
    waiting = NoticeMail.objects.get()
    assert (waiting.state, waiting.attempts) == ("waiting", 1)
    assert waiting.due > timezone.now()
    assert "Connection refused" in waiting.reason
    NoticeMail.objects.update(attempts=len(PUT_OFF))
    sent_all()
    assert NoticeMail.objects.get().state == "failed"


def test_an_address_that_no_mail_can_carry_fails_at_once_and_stops_no_other():
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    type(officer).objects.filter(pk=officer.pk).update(email="a@example.org\r\nBcc: b@example.org")
    sent_all()
    assert NoticeMail.objects.get(person=officer).state == "failed"
    assert [each.to for each in mail.outbox] == [[maker.email]]


def test_a_line_end_in_the_agencys_name_ends_no_line_of_the_head(settings):
    settings.AGENCY_NAME = "Commission\r\nBcc: everybody@example.org"
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    sent_all()
    (received,) = to(maker)
    assert "\nBcc:" not in received.message().as_string().partition("\n\n")[0]
    assert received.recipients() == [maker.email]


def test_a_mail_whose_sender_died_is_not_sent_again_by_itself():
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    comes_due()
    with without_walls():
        taken = notice_mails._take()
    assert taken is not None
    NoticeMail.objects.filter(pk=taken.pk).update(held_until=timezone.now() - timedelta(seconds=1))
    sent_all()
    taken.refresh_from_db()
    assert (taken.state, taken.reason) == ("failed", notice_mails.INTERRUPTED)
    assert to(taken.person) == []


def test_two_who_take_at_once_take_different_mails():
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    comes_due()
    with without_walls():
        people = {notice_mails._take().person_id for _ in range(2)}
        assert people == {maker.pk, officer.pk}
        assert notice_mails._take() is None


def test_a_mail_that_failed_alarms_and_is_sent_again_or_given_up_by_whoever_runs_the_system():
    maker, officer = maker_and_officer()
    under_review(maker, officer)
    comes_due()
    with without_walls():
        for _ in range(2):
            taken = notice_mails._take()
            NoticeMail.objects.filter(pk=taken.pk).update(state="failed", reason="No such host")
    assert not notice_mails_condition().well
    administrator = person_as(Role.ADMINISTRATOR, "commission-unit")
    desk, page = browser_of(administrator), reverse("notice_mails")
    shown = words(desk.get(page))
    assert maker.name in shown
    assert "No such host" in shown
    first, second = NoticeMail.objects.order_by("pk")
    mend = reverse("mend_notice_mail")
    desk.post(mend, {"mail": first.uuid})
    desk.post(mend, {"mail": second.uuid, "give_up": 1})
    assert browser_of(person_as(Role.AUDITOR, "commission-unit")).post(mend).status_code == 404
    sent_all()
    assert [each.to for each in mail.outbox] == [[first.person.email]]
    second.refresh_from_db()
    assert second.state == "not_sent"
    assert notice_mails_condition().well
    assert "did not fail" in words(desk.post(mend, {"mail": second.uuid}, follow=True))
