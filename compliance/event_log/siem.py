"""Send the event log to a SIEM: syslog (RFC 5424) over TLS (RFC 5425), in log order.

Delivery is at least once: syslog acknowledges nothing, so a batch counts as sent only when the
receiver answers our close_notify with its own, which it sends after it has read everything before
(RFC 5425, 4.4). Anything not confirmed is sent again.
"""

from __future__ import annotations

import json
import socket
import ssl
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.utils import timezone

from compliance.event_log.models import Leaf, SiemCursor
from compliance.events.models import timestamp
from compliance.jobs import queue
from compliance.jobs.work import Kind, do_due_jobs

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from compliance.events.models import Event
    from compliance.jobs.queue import Lease


BATCH = 500
SECONDS = 20.0
"""The limit for all batches of one task."""
SECONDS_TO_CONNECT = 3.0
SECONDS_TO_ANSWER = 10.0
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 20, 40, 80, 160, 300))
AUDIT_NOTICE = 13 * 8 + 5
"""Facility "log audit", severity "notice" (RFC 5424, 6.2.1)."""

log = structlog.get_logger(__name__)


class NotShippedError(Exception):
    """The receiver did not confirm a batch; the message says why."""


def ship() -> int:
    """Send new events for up to `SECONDS`; return how many."""
    if not settings.SIEM_URL:
        return 0
    receiver = SiemCursor.named_by(settings.SIEM_URL)
    cursor, _ = SiemCursor.objects.get_or_create(receiver=receiver)
    if not _left(cursor).exists():
        return 0
    queue.add_jobs(SiemCursor.JOB, [cursor.pk])
    do_due_jobs({SiemCursor.JOB}, seconds=SECONDS)
    before = cursor.shipped
    cursor.refresh_from_db()
    return cursor.shipped - before


def ship_batch(lease: Lease) -> None:
    """Send one batch, and add the job for the next one.

    Each batch is its own job: an unavailable receiver is tried at ever longer intervals, and after
    its first success at the shortest again.
    """
    cursor = SiemCursor.objects.get(pk=lease.subject)
    leaves = list(_left(cursor).select_related("event", "event__personal")[:BATCH])
    is_current = cursor.receiver == SiemCursor.named_by(settings.SIEM_URL)
    if is_current and leaves:
        try:
            _send(b"".join(map(framed, leaves)))
        except (OSError, ValueError) as failure:  # ValueError: the certificate has another name
            _note_failure(lease, cursor, failure)
            raise NotShippedError(str(failure)) from failure
        cursor.shipped = leaves[-1].index + 1
        cursor.failing_since, cursor.reason = None, ""
    with queue.finishing(lease):
        cursor.save()
        if is_current and len(leaves) == BATCH:
            queue.add_jobs(SiemCursor.JOB, [cursor.pk])


SIEM_JOBS = Kind(run=ship_batch, unavailable=(NotShippedError,), pauses=PAUSES)


def _left(cursor: SiemCursor) -> QuerySet[Leaf]:
    return Leaf.objects.filter(index__gte=cursor.shipped).order_by("index")


def framed(leaf: Leaf) -> bytes:
    """Format one event as a frame: its length, a space, the syslog message."""
    event: Event = leaf.event
    body: dict[str, Any] = {
        "log": settings.LOG_ORIGIN,
        "index": leaf.index,
        "leaf": bytes(leaf.hash).hex(),
        "event": event.leaf(),
    }
    if settings.SIEM_PERSONAL_DATA:
        row = getattr(event, "personal", None)
        body["personal"] = row.data if row is not None else None
    host = urlsplit(settings.SITE_URL).hostname or "-"
    head = f"<{AUDIT_NOTICE}>1 {timestamp(event.at)} {host} compliance - {event.type[:32]} - "
    # ASCII only: a message with other characters would need a BOM (RFC 5424, 6.4), which JSON
    # parsers reject.
    message = (head + json.dumps(body, separators=(",", ":"))).encode("ascii")
    return b"%d %s" % (len(message), message)


def _send(frames: bytes) -> None:
    host, _, port = SiemCursor.named_by(settings.SIEM_URL).rpartition(":")
    context = ssl.create_default_context(cafile=settings.SIEM_CA or None)
    with (
        socket.create_connection((host, int(port)), timeout=SECONDS_TO_CONNECT) as plain,
        context.wrap_socket(plain, server_hostname=host) as line,
    ):
        line.settimeout(SECONDS_TO_ANSWER)
        line.sendall(frames)
        line.unwrap()  # raises unless the receiver confirms with its own close_notify


def _note_failure(lease: Lease, cursor: SiemCursor, failure: Exception) -> None:
    """Record for the status page why the receiver is behind."""
    if cursor.failing_since is None:  # once, not on each attempt
        log.warning("the SIEM does not accept events", receiver=cursor.receiver, why=str(failure))
    with queue.under(lease):
        cursor.failing_since = cursor.failing_since or timezone.now()
        cursor.reason = f"{type(failure).__name__}: {failure}"[:400]
        cursor.save()
