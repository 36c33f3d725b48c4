"""Deliveries of reports: sent, postponed with a reason, or left to a person.

A delivery that cannot be sent does not hold up others. An email is sent automatically at most once:
if its sender died, nobody knows whether it was sent, and a person decides. An email contains the
file if that is not confidential, or else says only that there is one.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import without_access_scope
from compliance.changes import seal
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.exports import record_export
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError, current_archive, read_bytes
from compliance.files.object_store import put
from compliance.jobs import queue
from compliance.jobs.work import do_due_jobs
from compliance.mail import NOT_SENT, headed, noting_sent, raise_not_sent, sending, why
from compliance.retention.verification import waits_for_archive
from compliance.secret import revealed
from reports.documents.registry import kind_of
from reports.schedules import events
from reports.schedules.models import Delivery, Way
from reports.schedules.recipients import readers

if TYPE_CHECKING:
    from django.core.mail import EmailMessage
    from django.db.models import QuerySet

    from compliance.access.models import Party, Person
    from compliance.access.scope import Asker
    from compliance.events.actor import Actor
    from compliance.events.models import Event
    from compliance.jobs.queue import Lease
    from reports.documents.models import Envelope, Report


LARGEST = 8 << 20
"""Maximum size of an attachment; mail servers refuse more after encoding."""


def mail_of(delivery: Delivery, to: Person, envelope: Envelope) -> EmailMessage:
    """Return the email of a delivery.

    A kind that does not travel is only named: no title, no figures, no party.
    """
    report, kind = delivery.report, kind_of(delivery.report.kind)
    travels = kind.travels and envelope.size <= LARGEST
    context: dict[str, Any] = {
        "agency": settings.AGENCY_NAME,
        "title": report.title if kind.travels else kind.title,
        "attached": travels,
        "party": delivery.party,
        "link": f"{settings.SITE_URL}{reverse('report', args=[report.uuid])}",
        "stop": f"{settings.SITE_URL}{reverse('subscriptions')}",
        "verify": f"{settings.SITE_URL}{reverse('verify_report')}",
    }
    mail = headed(
        about=context["title"],
        text=render_to_string("reports/mail.txt", context),
        to=to.email,
        uuid=delivery.uuid,
    )
    if travels:
        content = read_bytes(current_archive(), envelope.file)
        mail.attach(report.file_name, content, "application/pdf")
    return mail


FOR_THE_ARCHIVE = timedelta(minutes=5)
UNTIL_SIGNED = timedelta(seconds=2)
INTERRUPTED = "Whatever sent it ended in between: it may have arrived. Send it again if it did not."
NOBODY = "Nobody of this name holds a role any more that sees the reports of this party."
NOT_DELIVERED = (*NOT_SENT, MissingError, DamagedError)
State = Delivery.State


class NotSignedError(Exception):
    """The report is shown before it is signed; it will be sent in a moment."""


class CannotBeSentError(Exception):
    """It cannot be sent, however often it is tried; the message says why."""


def send_reports(*, seconds: float) -> int:
    """Send due deliveries for as long as a task may take; return how many."""
    return do_due_jobs(Delivery.JOBS.values(), seconds=seconds)


def send_delivery(lease: Lease) -> None:
    """Send one report to one recipient; if that fails, record the reason and retry later."""
    with without_access_scope():
        deliveries = Delivery.objects.select_related("report", "party", "person")
        delivery = deliveries.get(pk=lease.subject)
        try:
            to, file = _send(delivery)
        except CannotBeSentError as refused:
            with queue.finishing(lease):
                _end(delivery, State.NOT_SENT, str(refused))
        except NotSignedError as waits:
            queue.put_off(lease, str(waits), pause=UNTIL_SIGNED)
        except NOT_DELIVERED as failure:
            _note_failure(lease, delivery, failure)
        else:
            _note_sent(lease, delivery, to, file)


def _note_failure(lease: Lease, delivery: Delivery, failure: Exception) -> None:
    """Record why a report was not sent, and raise the matching error."""
    row = Delivery.objects.filter(pk=delivery.pk, state=State.WAITING)
    if waits_for_archive(failure):
        row.update(reason=f"Waiting for the archive. {why(failure)}")
        queue.put_off(lease, why(failure), pause=FOR_THE_ARCHIVE)
        return
    raise_not_sent(row, failure, attempts=F("attempts") + 1)


def _note_sent(lease: Lease, delivery: Delivery, to: str, file: str) -> None:
    with noting_sent(lease):
        Delivery.objects.filter(pk=delivery.pk).update(
            state=State.SENT, reason="", ended=timezone.now(), attempts=F("attempts") + 1
        )
        seal([delivery])
        record(
            events.SENT,
            by=SYSTEM,
            party=delivery.party,
            about=delivery,
            carries={**_carried(delivery), "file": file},
            personal={"to": to},
        )


def give_up_after_last_try(subject: int, reason: str) -> None:
    """Mark a delivery as failed, with the reason."""
    with without_access_scope():
        delivery = Delivery.objects.select_related("report", "party").get(pk=subject)
        _end(delivery, State.FAILED, delivery.reason or reason)


FILE_JOBS = sending(send_delivery, give_up_after_last_try, unavailable=NOT_DELIVERED)
MAIL_JOBS = replace(FILE_JOBS, repeatable=False, interrupted=INTERRUPTED)


def note_seen(*, by: Person, report: Report | None = None) -> int:
    """Mark a report, or all in the list, as seen by a person; return how many were new."""
    with without_access_scope():
        new = Delivery.objects.filter(person=by, seen__isnull=True)
        if report is not None:
            new = new.filter(report=report)
        return new.update(seen=timezone.now())


def send_again(*, delivery: Delivery, by: Person) -> None:
    """Retry a failed delivery at once. Refuses one that did not fail."""
    require_reach(delivery.person_id, delivery.party, by)
    with without_access_scope():
        changed = _send_again(delivery, by)
    if not changed:
        msg = "Only a failed delivery can be sent again. This one did not fail, or was since sent."
        raise RefusedError(msg)


def send_failed_again(*, among: QuerySet[Delivery], by: Person | Actor) -> int:
    """Retry all of these that failed; return how many. The caller checks access."""
    with without_access_scope():
        failed = list(among.filter(state=State.FAILED).select_related("report", "party"))
        return sum(_send_again(delivery, by) for delivery in failed)


@transaction.atomic
def _send_again(delivery: Delivery, by: Person | Actor) -> bool:
    """Retry one delivery; return whether this call did it, if others asked at the same time."""
    if not Delivery.objects.filter(pk=delivery.pk, state=State.FAILED).update(
        state=State.WAITING, reason="", attempts=0, ended=None
    ):
        return False
    queue.add_jobs(Delivery.JOBS[delivery.way], [delivery.pk])
    carries = {"report": delivery.report.reference}
    seal([delivery])
    record(events.RETRIED, by=by, party=delivery.party, about=delivery, carries=carries)
    return True


@transaction.atomic
def give_up(*, delivery: Delivery, by: Person) -> None:
    """Leave a failed delivery unsent, which ends the alarm."""
    require_reach(delivery.person_id, delivery.party, by)
    with without_access_scope():
        changed = Delivery.objects.filter(pk=delivery.pk, state=State.FAILED).update(
            state=State.NOT_SENT
        )
    if not changed:
        msg = "This delivery has not failed, or another person has already handled it."
        raise RefusedError(msg)
    _record_not_sent(delivery, by, f"Given up. {delivery.reason}")


def require_reach(person: int | None, party: Party, by: Person) -> None:
    """Raise `NotAllowedError` unless it is the caller's, or they send reports for its party."""
    if person != by.pk:
        require(by, Action.SEND_REPORTS, party)


def _send(delivery: Delivery) -> tuple[str, str]:
    """Send it; return the recipient's address and the digest of the attached file."""
    envelope = delivery.report.envelopes.order_by("at", "id").last()
    if envelope is None:
        msg = "The report is not signed yet."
        raise NotSignedError(msg)
    if delivery.way == Way.FOLDER:
        if not settings.REPORTS_URL:
            msg = "REPORTS_URL names no place to put reports any more."
            raise CannotBeSentError(msg)
        content = read_bytes(current_archive(), envelope.file)
        name = f"{delivery.report.reference}.pdf"
        put(revealed(settings.REPORTS_URL), delivery.party.code, name, content)
        return "", envelope.file
    if not readers(delivery.party_id).filter(person=delivery.person_id).exists():
        raise CannotBeSentError(NOBODY)
    assert delivery.person is not None  # noqa: S101 - a mail goes to a person
    mail = mail_of(delivery, delivery.person, envelope)
    mail.send()
    return delivery.person.email, envelope.file if mail.attachments else ""


def _end(delivery: Delivery, state: Delivery.State, reason: str) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(state=state, reason=reason, ended=timezone.now())
    _record_not_sent(delivery, SYSTEM, reason)


def _record_not_sent(delivery: Delivery, by: Person | Actor, reason: str) -> None:
    seal([delivery])
    record(
        events.NOT_SENT,
        by=by,
        party=delivery.party,
        about=delivery,
        reason=reason,
        carries=_carried(delivery),
    )


def _carried(delivery: Delivery) -> dict[str, str]:
    return {"report": delivery.report.reference, "way": Way(delivery.way).label.lower()}


def record_report_export(
    *, report: Report, by: Asker | Actor, what: str, form: str, count: int = 1
) -> Event:
    """Record an export of a report's file, its data or one of its tables."""
    return record_export(
        by=by,
        what=what,
        format=form,
        count=count,
        filters={"report": report.reference},
        about=report,
        party=report.party,
    )
