"""Sign a report: the proof of its leaf and the signature go on as one update behind the body."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from pyhanko.sign.timestamps import HTTPTimeStamper

from compliance.actor import SYSTEM
from compliance.archive import current_archive
from compliance.archive.content import read_bytes, store_bytes
from compliance.models import Event
from compliance.proof.canonical import canonical
from compliance.services.integrate import prove
from compliance.services.record import record
from reports.event_types import MADE, SIGNED
from reports.models import Envelope
from reports.signing.keys import signing_key
from reports.signing.seal import EVENT, PROOF, seal

if TYPE_CHECKING:
    from reports.models import Report

SECONDS = 20


def sign_report(*, report: Report) -> Envelope:
    """Put an envelope on a report that is on file; a second time gives another of the same body.

    It runs outside of a transaction, after the report's event was committed.
    """
    event = Event.objects.get(object=report.uuid, type=MADE.name)
    proof = prove(event)  # gives the event its place, and only then its leaf is known
    key = signing_key(timezone.now())
    stamper = (
        HTTPTimeStamper(settings.TIMESTAMP_URL, timeout=SECONDS) if settings.TIMESTAMP_URL else None
    )
    archive = current_archive()
    attached = {PROOF: proof, EVENT: canonical(event.leaf()).decode()}
    sealed = seal(read_bytes(archive, report.body), attached, key, stamper)
    stored = store_bytes(archive, sealed)
    envelope = Envelope(
        report=report,
        file=stored.digest,
        size=stored.size,
        key=key.name,
        certificate=hashlib.sha256(key.certificate.dump()).hexdigest(),
        timestamped=stamper is not None,
        at=timezone.now(),
    )
    with transaction.atomic():
        envelope.save()
        record(
            SIGNED,
            by=SYSTEM,
            party=report.party,
            about=envelope,
            carries={
                "body": report.body,
                "file": envelope.file,
                "key": envelope.key,
                "timestamped": envelope.timestamped,
            },
        )
    return envelope
