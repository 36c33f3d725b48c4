"""Emails about notifications: one per person, sent at most once, postponed or given up."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from compliance.access.permissions import Action
from compliance.access.reads import require
from compliance.access.scope import memberships_of, without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.jobs import queue
from compliance.jobs.work import do_due_jobs
from compliance.mail import NOT_SENT, headed, noting_sent, raise_not_sent, sending
from compliance.notifications import events
from compliance.notifications.kinds import notice_kinds
from compliance.notifications.models import Notice, NoticeMail
from compliance.notifications.reads import notices_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.core.mail import EmailMessage

    from compliance.access.models import Person
    from compliance.jobs.queue import Lease


def mail_about(notices: Sequence[Notice], mail: NoticeMail) -> EmailMessage:
    """Return an email with the number of notifications of each kind, and the link to them."""
    counts = Counter(notice.kind for notice in notices)
    kinds = [(kind, counts[kind.name]) for kind in notice_kinds() if counts[kind.name]]
    only = kinds[0][0].mail if len(notices) == 1 else ""
    context = {
        "agency": settings.AGENCY_NAME,
        "kinds": kinds,
        "link": f"{settings.SITE_URL}{reverse('notices')}",
        "stop": f"{settings.SITE_URL}{reverse('notice_choices')}",
    }
    return headed(
        about=only or f"{len(notices)} new notices",
        text=render_to_string("notices/mail.txt", context),
        to=mail.person.email,
        uuid=mail.uuid,
    )


INTERRUPTED = "Whatever sent it ended in between: it may have arrived."
NOTHING = "Nothing to send: the notifications were read, or the role has ended."
State = NoticeMail.State


def send_mails(*, seconds: float) -> int:
    """Create an email for each person with due notifications, and send pending ones."""
    _make_mails()
    return do_due_jobs({NoticeMail.JOB}, seconds=seconds)


def _make_mails() -> None:
    with without_access_scope():
        due = Notice.objects.filter(mail=None, seen=None, mail_due__lte=timezone.now())
        for person in due.values_list("person", flat=True).order_by("person").distinct():
            with transaction.atomic():
                mail = NoticeMail.objects.create(person_id=person, made=timezone.now())
                if due.filter(person=person).update(mail=mail):
                    queue.add_jobs(NoticeMail.JOB, [mail.pk])
                else:
                    mail.delete()  # another worker took them at the same moment


def send_mail(lease: Lease) -> None:
    """Send one email, if there is still something to notify about."""
    with without_access_scope():
        mail = NoticeMail.objects.select_related("person").get(pk=lease.subject)
        notices = _still_visible(mail)
        if not notices:
            with queue.finishing(lease):
                _end(mail, State.NOT_SENT, NOTHING)
            return
        try:
            mail_about(notices, mail).send()
        except NOT_SENT as failure:
            raise_not_sent(NoticeMail.objects.filter(pk=mail.pk, state=State.WAITING), failure)
        with noting_sent(lease):
            _move(mail, state=State.SENT, reason="", ended=timezone.now())
            record(
                events.MAILED,
                by=SYSTEM,
                carries={"count": len(notices)},
                personal={"to": mail.person.email},
            )


def give_up_mail(subject: int, reason: str) -> None:
    """Mark an email as failed, with an event."""
    with without_access_scope():
        _end(NoticeMail.objects.get(pk=subject), State.FAILED, reason)


MAIL_JOBS = sending(send_mail, give_up_mail, repeatable=False, interrupted=INTERRUPTED)


@transaction.atomic
def send_again(*, mail: UUID, by: Person) -> None:
    """Retry a failed email now. Rejects one that did not fail."""
    count = _see_to(mail, by, state=State.WAITING, reason="", ended=None)
    queue.add_jobs(
        NoticeMail.JOB, NoticeMail.objects.filter(uuid=mail).values_list("pk", flat=True)
    )
    record(events.MAIL_RETRIED, by=by, carries={"count": count})


@transaction.atomic
def give_up(*, mail: UUID, by: Person) -> None:
    """Leave a failed email unsent, which clears the alarm."""
    count = _see_to(mail, by, state=State.NOT_SENT)
    record(events.NOT_MAILED, by=by, reason="Given up.", carries={"count": count})


def _see_to(mail: UUID, by: Person, **values: object) -> int:
    """Update a failed email; return how many notifications it is about."""
    require(by, Action.RETRY_EMAIL)
    with without_access_scope():
        if not NoticeMail.objects.filter(uuid=mail, state=State.FAILED).update(**values):
            msg = "This email has not failed, or another person has already handled it."
            raise RefusedError(msg)
        return Notice.objects.filter(mail__uuid=mail).count()


def _still_visible(mail: NoticeMail) -> list[Notice]:
    """Return the notifications that are unread, and visible to the person in a current role."""
    if not mail.person.is_active:
        return []
    found = notices_of(mail.person, memberships_of(mail.person))
    return list(found.filter(mail=mail, seen=None))


def _end(mail: NoticeMail, state: NoticeMail.State, reason: str) -> None:
    _move(mail, state=state, reason=reason, ended=timezone.now())
    count = Notice.objects.filter(mail=mail).count()
    record(events.NOT_MAILED, by=SYSTEM, reason=reason, carries={"count": count})


def _move(mail: NoticeMail, **values: object) -> None:
    NoticeMail.objects.filter(pk=mail.pk).update(**values)
