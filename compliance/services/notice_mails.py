"""Mails about notices: taken person by person, sent at most once, put off or given up.

A mail says what kinds of things wait and where they are read. What happened, and about whom, is
read after signing in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from compliance.actor import SYSTEM
from compliance.event_types import notices as events
from compliance.mails import mail_about
from compliance.models import Notice, NoticeMail
from compliance.permissions import Action
from compliance.selectors.notices import notices_of
from compliance.sending import HELD, PUT_OFF, is_in_vain, why
from compliance.services.people import require
from compliance.services.record import record
from compliance.services.refused import RefusedError
from compliance.walls import memberships_of, without_walls

if TYPE_CHECKING:
    from uuid import UUID

    from compliance.models import Person

INTERRUPTED = "Whatever sent it ended in between: it may have arrived."
NOTHING = "There is nothing left to tell: it was read, or the role by which it was told has ended."
State = NoticeMail.State

log = structlog.get_logger(__name__)


def send_next() -> NoticeMail | None:
    """Take the mail that is due longest, and send it; None where none is due."""
    with without_walls():
        mail = _take()
        if mail is None:
            return None
        told = _still_told(mail)
        if not told:
            _end(mail, State.NOT_SENT, NOTHING)
            return mail
        try:
            mail_about(told, mail).send()
        except Exception as failure:  # whatever it is: the next one must go out
            log.exception("a mail about notices could not be sent", mail=str(mail.uuid))
            _failed(mail, failure)
        else:
            with transaction.atomic():
                if _move(mail, state=State.SENT, reason="", ended=timezone.now()):
                    record(
                        events.MAILED,
                        by=SYSTEM,
                        carries={"count": len(told)},
                        personal={"to": mail.person.email},
                    )
        mail.refresh_from_db()
        return mail


@transaction.atomic
def send_again(*, mail: UUID, by: Person) -> None:
    """Have a mail that failed tried again at once. Refuses one that did not fail."""
    count = _see_to(
        mail, by, state=State.WAITING, reason="", attempts=0, due=timezone.now(), ended=None
    )
    record(events.MAIL_RETRIED, by=by, carries={"count": count})


@transaction.atomic
def give_up(*, mail: UUID, by: Person) -> None:
    """Leave a mail that failed unsent, so that nobody is alarmed any more."""
    count = _see_to(mail, by, state=State.NOT_SENT)
    record(events.NOT_MAILED, by=by, reason="Given up.", carries={"count": count})


def _see_to(mail: UUID, by: Person, **values: object) -> int:
    """Change a mail that failed; how many notices it tells of."""
    require(by, Action.MEND_OPERATIONS)
    with without_walls():
        if not NoticeMail.objects.filter(uuid=mail, state=State.FAILED).update(**values):
            msg = "Only what failed is seen to; this did not fail, or somebody was faster."
            raise RefusedError(msg)
        return Notice.objects.filter(mail__uuid=mail).count()


def _take() -> NoticeMail | None:
    """Hold one mail: one that was put off, or a new one about what is due to somebody."""
    now = timezone.now()
    free = Q(state=State.WAITING, due__lte=now) | Q(state=State.SENDING, held_until__lt=now)
    for mail in NoticeMail.objects.filter(free).order_by("due", "pk").select_related("person")[:20]:
        if mail.state == State.SENDING:
            _end(mail, State.FAILED, INTERRUPTED)
            continue
        if NoticeMail.objects.filter(free, pk=mail.pk, attempts=mail.attempts).update(
            state=State.SENDING, held_until=now + HELD, attempts=F("attempts") + 1
        ):
            mail.refresh_from_db(fields=["state", "attempts"])
            return mail
    due = Notice.objects.filter(mail=None, seen=None, mail_due__lte=now)
    for person in due.order_by("mail_due").values_list("person", flat=True)[:20]:
        with transaction.atomic():
            mail = NoticeMail.objects.create(
                person_id=person,
                state=State.SENDING,
                due=now,
                made=now,
                held_until=now + HELD,
                attempts=1,
            )
            if due.filter(person=person).update(mail=mail):
                return mail
            mail.delete()  # somebody else took them at this moment
    return None


def _still_told(mail: NoticeMail) -> list[Notice]:
    """What is unread, and open to its person by a role that is still held."""
    if not mail.person.is_active:
        return []
    found = notices_of(mail.person, memberships_of(mail.person))
    return list(found.filter(mail=mail, seen=None))


def _failed(mail: NoticeMail, failure: Exception) -> None:
    reason = why(failure)
    if mail.attempts > len(PUT_OFF) or is_in_vain(failure):
        _end(mail, State.FAILED, reason)
        return
    due = timezone.now() + PUT_OFF[mail.attempts - 1]
    _move(mail, state=State.WAITING, reason=reason, due=due)


def _end(mail: NoticeMail, state: NoticeMail.State, reason: str) -> None:
    with transaction.atomic():
        if _move(mail, state=state, reason=reason, ended=timezone.now()):
            count = Notice.objects.filter(mail=mail).count()
            record(events.NOT_MAILED, by=SYSTEM, reason=reason, carries={"count": count})
    mail.refresh_from_db()


def _move(mail: NoticeMail, **values: object) -> int:
    """Change a mail that is still held by whoever took it."""
    held = NoticeMail.objects.filter(pk=mail.pk, state=State.SENDING, attempts=mail.attempts)
    return held.update(held_until=None, **values)
