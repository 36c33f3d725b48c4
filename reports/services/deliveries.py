"""Reports on their way: taken one by one, sent, put off with a reason, or given up for somebody.

One that cannot be sent does not keep others waiting. A mail leaves at most once by itself: where
its sender died nobody knows whether it left, and a person decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from compliance.actor import SYSTEM
from compliance.archive import current_archive
from compliance.archive.content import read_bytes
from compliance.archive.named import put
from compliance.permissions import Action
from compliance.sending import HELD, PUT_OFF, is_in_vain, why
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import without_walls
from reports.event_types import sending as events
from reports.mails import mail_of
from reports.models import Delivery, Envelope, Way
from reports.services.recipients import readers

if TYPE_CHECKING:
    from compliance.actor import Actor
    from compliance.models import Party, Person
    from reports.models import Report

INTERRUPTED = "Whatever sent it ended in between: it may have arrived. Send it again if it did not."
NOBODY = "Nobody of this name holds a role any more that sees the reports of this party."
State = Delivery.State

log = structlog.get_logger(__name__)


class CannotBeSentError(Exception):
    """It will not be sent, however often it is tried; the message says why."""


def send_next() -> Delivery | None:
    """Take the delivery that is due longest, and send it; None where none is due."""
    with without_walls():
        delivery = _take()
        if delivery is None:
            return None
        try:
            to, file = _send(delivery)
        except CannotBeSentError as refused:
            _end(delivery, State.NOT_SENT, str(refused))
        except Exception as failure:  # whatever it is: the next one must go out
            log.exception("a report could not be sent", delivery=str(delivery.uuid))
            _failed(delivery, failure)
        else:
            _sent(delivery, to, file)
        delivery.refresh_from_db()
        return delivery


def note_seen(*, by: Person, report: Report | None = None) -> int:
    """Note that somebody opened a report, or saw the list; how many are new to them no more."""
    with without_walls():
        new = Delivery.objects.filter(person=by, seen__isnull=True)
        if report is not None:
            new = new.filter(report=report)
        return new.update(seen=timezone.now())


@transaction.atomic
def send_again(*, delivery: Delivery, by: Person) -> None:
    """Have a delivery that failed tried again at once. Refuses one that did not fail."""
    require_reach(delivery.person_id, delivery.party, by)
    with without_walls():
        changed = Delivery.objects.filter(pk=delivery.pk, state=State.FAILED).update(
            state=State.WAITING, reason="", attempts=0, due=timezone.now(), ended=None
        )
    if not changed:
        msg = "Only what failed is sent again; this did not fail, or somebody was faster."
        raise RefusedError(msg)
    carries = {"report": delivery.report.reference}
    record(events.RETRIED, by=by, party=delivery.party, about=delivery, carries=carries)


@transaction.atomic
def give_up(*, delivery: Delivery, by: Person) -> None:
    """Leave a delivery that failed as it is, so that nobody is alarmed any more."""
    require_reach(delivery.person_id, delivery.party, by)
    with without_walls():
        changed = Delivery.objects.filter(pk=delivery.pk, state=State.FAILED).update(
            state=State.NOT_SENT
        )
    if not changed:
        msg = "Only what failed is given up; this did not fail, or somebody was faster."
        raise RefusedError(msg)
    _record_not_sent(delivery, by, f"Given up. {delivery.reason}")


def require_reach(person: int | None, party: Party, by: Person) -> None:
    """Raise `NotAllowedError` unless it is one's own, or of a party for which one sends."""
    if person != by.pk:
        require(by, Action.SEND_REPORTS, party)


def _take() -> Delivery | None:
    """Hold one delivery of a report that is signed; the conditional update lets one have it."""
    now = timezone.now()
    free = Q(state=State.WAITING, due__lte=now) | Q(state=State.SENDING, held_until__lt=now)
    signed = Envelope.objects.filter(report=OuterRef("report"))
    due = Delivery.objects.filter(free, Exists(signed)).order_by("due", "pk")
    for delivery in due.select_related("report", "party", "person")[:20]:
        if delivery.state == State.SENDING and delivery.way == Way.MAIL:
            _end(delivery, State.FAILED, INTERRUPTED)
            continue
        if Delivery.objects.filter(free, pk=delivery.pk, attempts=delivery.attempts).update(
            state=State.SENDING, held_until=now + HELD, attempts=F("attempts") + 1
        ):
            delivery.refresh_from_db(fields=["state", "attempts"])
            return delivery
    return None


def _send(delivery: Delivery) -> tuple[str, str]:
    """Send it: the address that it went to, and the digest of the file that went along."""
    envelope = delivery.report.envelopes.order_by("at", "id").last()
    assert envelope is not None  # noqa: S101 - what is taken is signed
    if delivery.way == Way.FOLDER:
        if not settings.REPORTS_URL:
            msg = "REPORTS_URL names no place to put reports any more."
            raise CannotBeSentError(msg)
        content = read_bytes(current_archive(), envelope.file)
        name = f"{delivery.report.reference}.pdf"
        put(settings.REPORTS_URL, delivery.party.code, name, content)
        return "", envelope.file
    if not readers(delivery.party_id).filter(person=delivery.person_id).exists():
        raise CannotBeSentError(NOBODY)
    assert delivery.person is not None  # noqa: S101 - a mail goes to a person
    mail = mail_of(delivery, delivery.person, envelope)
    mail.send()
    return delivery.person.email, envelope.file if mail.attachments else ""


def _sent(delivery: Delivery, to: str, file: str) -> None:
    with transaction.atomic():
        if not _move(delivery, state=State.SENT, reason="", ended=timezone.now()):
            return
        record(
            events.SENT,
            by=SYSTEM,
            party=delivery.party,
            about=delivery,
            carries={**_carried(delivery), "file": file},
            personal={"to": to},
        )


def _failed(delivery: Delivery, failure: Exception) -> None:
    """Put it off, longer each time; give it up for somebody after the last, or where it is vain."""
    reason = why(failure)
    if delivery.attempts > len(PUT_OFF) or is_in_vain(failure):
        _end(delivery, State.FAILED, reason)
        return
    due = timezone.now() + PUT_OFF[delivery.attempts - 1]
    _move(delivery, state=State.WAITING, reason=reason, due=due)


def _end(delivery: Delivery, state: Delivery.State, reason: str) -> None:
    with transaction.atomic():
        if _move(delivery, state=state, reason=reason, ended=timezone.now()):
            _record_not_sent(delivery, SYSTEM, reason)


def _move(delivery: Delivery, **values: object) -> int:
    """Change a delivery that is still held by whoever took it."""
    held = Delivery.objects.filter(pk=delivery.pk, state=State.SENDING, attempts=delivery.attempts)
    return held.update(held_until=None, **values)


def _record_not_sent(delivery: Delivery, by: Person | Actor, reason: str) -> None:
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
