"""Reports are sent once, within the access scope, and again after a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from audits.review.releases.writes import release_day
from compliance.access.models import Membership
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import NotAllowedError, RefusedError
from compliance.events.models import Event
from compliance.jobs.queue import take_job
from compliance.mail import PUT_OFF
from compliance.people.writes import end_role
from reports.documents.registry import About
from reports.schedules import deliveries
from reports.schedules.deliveries import give_up, send_again
from reports.schedules.making import make_report, show_report
from reports.schedules.models import Delivery, Way
from reports.schedules.subscriptions import end, pause, resume, subscribe
from reports.schedules.watch import sent_reports
from tests.compliance.controls.filing import Room
from tests.compliance.games.filing import approved, maker_and_officer
from tests.compliance.jobs.due import kill_workers, make_jobs_due
from tests.compliance.people import made_person, party_for, person_as
from tests.reports.made import file_of
from tests.reports.nights import about, played
from tests.reports.reached import made_up_report
from tests.reports.working import send_next

if TYPE_CHECKING:
    from compliance.access.models import Person
    from reports.documents.models import Report

pytestmark = pytest.mark.django_db


def sent_all() -> None:
    while send_next():
        pass


def by_mail(person: Person, **more: object) -> None:
    with without_access_scope():
        party = Membership.objects.get(person=person).party
    subscribe(party=party, way=Way.MAIL, by=person, **more)  # type: ignore[arg-type]


def letter(maker: Person, officer: Person) -> Report:
    return make_report(kind="approval_letter", about=About(subject=approved(maker, officer).uuid))


def only() -> Delivery:
    with without_access_scope():
        return Delivery.objects.select_related("report", "party").get()


def test_letter_is_emailed_once_to_the_holder():
    maker, officer = maker_and_officer()
    other = person_as(Role.SUPPLIER, "other")
    by_mail(maker)
    by_mail(other)
    with without_access_scope():  # requested twice, it still arrives once
        maker_s = party_for(Role.SUPPLIER, "maker")
    subscribe(party=maker_s, way=Way.MAIL, by=maker, everybody=True, kind="approval_letter")
    report = letter(maker, officer)
    sent_all()
    (received,) = mail.outbox
    assert received.to == [maker.email]
    assert report.title in received.subject
    assert received.attachments == [(report.file_name, file_of(report), "application/pdf")]
    assert f"/reports/{report.uuid}/" in received.body
    assert Event.objects.get(type="report.sent").payload["report"] == report.reference
    sent_all()
    assert len(mail.outbox) == 1


def test_confidential_report_email_has_no_content():
    room = Room()
    by_mail(person_as(Role.AGENT))
    day = played(room.party, rounds=10)
    report = make_report(kind="nightly", about=about(day))
    sent_all()
    (received,) = mail.outbox
    assert received.attachments == []
    assert received.subject.endswith(": Nightly audit report")
    data = received.subject + received.body
    for secret in (room.party.name, room.party.code, report.title, report.reference, "2025"):
        assert secret not in data


def test_unreleased_report_is_not_delivered():
    room = Room()
    by_mail(room.manager, kind="nightly", about=room.party)
    day = played(room.party, rounds=10)
    report = make_report(kind="nightly", about=about(day))
    sent_all()
    assert mail.outbox == []
    release_day(day=day, by=person_as(Role.AGENT, "commission-unit"))
    sent_all()
    assert [each.to for each in mail.outbox] == [[room.manager.email]]
    show_report(report=report, to=room.party)  # shown again, it doesn't arrive again
    sent_all()
    assert len(mail.outbox) == 1


def test_database_allows_one_delivery_per_recipient():
    maker = person_as(Role.SUPPLIER, "maker")
    party = party_for(Role.SUPPLIER, "maker")
    now = timezone.now()
    with without_access_scope():
        one = {"report": made_up_report(party), "party": party, "made": now}
        for to in ({"person": maker, "way": "mail"}, {"person": None, "way": "folder"}):
            Delivery.objects.create(**one, **to)
            with pytest.raises(IntegrityError), transaction.atomic():
                Delivery.objects.create(**one, **to)


def test_who_left_in_between_gets_nothing():
    maker, officer = maker_and_officer()
    by_mail(maker)
    letter(maker, officer)
    with without_access_scope():
        ended_membership = Membership.objects.get(person=maker)
    end_role(
        membership=ended_membership,
        reason="left",
        by=person_as(Role.ADMINISTRATOR, "commission-unit"),
    )
    sent_all()
    assert mail.outbox == []
    assert (only().state, only().reason) == ("not_sent", deliveries.NOBODY)


def test_party_recipients_have_a_role_that_sees_reports():
    maker, officer = maker_and_officer()
    made_person("second", party_for(Role.SUPPLIER, "maker"), Role.SUPPLIER)
    by_mail(maker, everybody=True)
    made_person("third", party_for(Role.SUPPLIER, "maker"), Role.SUPPLIER)
    letter(maker, officer)
    sent_all()
    people = sorted(address for each in mail.outbox for address in each.to)
    assert people == ["second@example.org", "supplier-maker@example.org", "third@example.org"]


def test_failed_delivery_backs_off_then_fails(settings):
    maker, officer = maker_and_officer()
    by_mail(officer)
    by_mail(maker)
    letter(maker, officer)
    with without_access_scope():  # an address that no email can use
        type(officer).objects.filter(pk=officer.pk).update(email="officer")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # no server listens there
    waits = []
    for _ in range(len(PUT_OFF) + 1):
        while found := send_next():
            if found.state == "waiting" and found.person == maker:
                waits.append(found.attempts)
        make_jobs_due()
    assert len(waits) == len(PUT_OFF)
    with without_access_scope():
        failed = Delivery.objects.get(person=maker)
    assert (failed.state, failed.attempts) == ("failed", len(PUT_OFF) + 1)
    assert "Connection refused" in failed.reason
    assert "could not be sent: 2" in sent_reports().says
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    send_again(delivery=failed, by=maker)
    sent_all()
    assert [each.to for each in mail.outbox] == [[maker.email]]
    with without_access_scope():
        give_up(delivery=Delivery.objects.get(person=officer), by=officer)
    assert sent_reports().is_ok


def test_mail_of_a_dead_sender_is_not_sent_again():
    maker, officer = maker_and_officer()
    by_mail(maker)
    letter(maker, officer)
    assert take_job(Delivery.JOBS.values())
    assert send_next() is None
    kill_workers()
    send_next()
    assert mail.outbox == []
    assert (only().state, only().reason) == ("failed", deliveries.INTERRUPTED)


def test_a_report_is_put_into_the_folder_of_its_party(settings, tmp_path):
    settings.REPORTS_URL = str(tmp_path)
    maker, officer = maker_and_officer()
    subscribe(party=party_for(Role.SUPPLIER, "maker"), way=Way.FOLDER, by=maker, everybody=True)
    report = letter(maker, officer)
    assert take_job(Delivery.JOBS.values())
    kill_workers()  # what one left half done is completed
    sent_all()
    (place,) = (tmp_path / "maker").iterdir()
    assert (place.name, place.read_bytes()) == (f"{report.reference}.pdf", file_of(report))


def test_a_line_in_a_title_ends_no_line_of_a_mail_s_head(settings):
    maker, officer = maker_and_officer()
    by_mail(maker)
    settings.AGENCY_NAME = "Commission\r\nBcc: everybody@example.org"
    letter(maker, officer)
    sent_all()
    (received,) = mail.outbox
    head = received.message().as_string().partition("\n\n")[0]
    assert "\nBcc:" not in head
    assert received.recipients() == [maker.email]


def test_paused_subscription_delivers_nothing():
    maker = person_as(Role.SUPPLIER, "maker")
    party = party_for(Role.SUPPLIER, "maker")
    made = subscribe(party=party, way=Way.APPLICATION, by=maker)

    def shown(number: int) -> int:
        with without_access_scope():
            show_report(report=made_up_report(party, number), to=party)
            return Delivery.objects.filter(person=maker).count()

    assert shown(1) == 1
    pause(subscription=made, by=maker)
    assert shown(2) == 1
    resume(subscription=made, by=maker)
    assert shown(3) == 2
    end(subscription=made, by=maker)
    assert shown(4) == 2
    with pytest.raises(RefusedError, match="changed before"):
        pause(subscription=made, by=maker)


def test_nobody_subscribes_twice_or_for_another_party():
    maker = person_as(Role.SUPPLIER, "maker")
    clerk = person_as(Role.OPERATOR_CLERK, "room")
    theirs, own = party_for(Role.SUPPLIER, "maker"), party_for(Role.OPERATOR_CLERK, "room")
    for everybody in (False, True):
        with pytest.raises(NotAllowedError):
            subscribe(party=theirs, way=Way.MAIL, by=clerk, everybody=everybody)
    with pytest.raises(NotAllowedError):
        subscribe(party=own, way=Way.MAIL, by=clerk, everybody=True)
    made = subscribe(party=theirs, way=Way.MAIL, by=maker)
    with pytest.raises(RefusedError, match="already"):
        subscribe(party=theirs, way=Way.MAIL, by=maker)
    with pytest.raises(RefusedError, match="REPORTS_URL"):
        subscribe(party=theirs, way=Way.FOLDER, by=maker, everybody=True)
    with pytest.raises(NotAllowedError):
        end(subscription=made, by=clerk)
