"""Make a report: store the inputs, typeset the body, log it, and sign it.

The proof of its leaf and the signature are added to the body as one update.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from pyhanko.sign.timestamps import HTTPTimeStamper

from audits.intake.days.models import GamblingDay
from audits.intake.days.writes import close_day
from audits.review.nightly_run.missing import missing_of_day
from audits.review.nightly_run.writes import note_missing
from compliance import clock
from compliance.access.models import Party
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.event_log.cosigning import cosigners, newest_cosigned
from compliance.event_log.models import Leaf
from compliance.event_log.tree import newest_checkpoint, trusted_keys
from compliance.event_log.verifier import read_checkpoint
from compliance.event_log.writes import prove
from compliance.events.actor import SYSTEM
from compliance.events.canonical import canonical
from compliance.events.models import Event
from compliance.events.record import record
from compliance.files.archive import current_archive, read_bytes, store_bytes
from compliance.files.object_store import put_in_folder
from compliance.secret import revealed
from reports.documents.days import OF_A_DAY, SUMMARY, SUMMED_UP, day_of
from reports.documents.events import MADE, SHOWN, SIGNED
from reports.documents.models import Envelope, Report, ReportVisibility
from reports.documents.registry import About, kind_of, read_inputs, write_inputs
from reports.documents.sheets import body_of, content_of, software
from reports.rendering.typography import current_faces
from reports.schedules.recipients import expect_deliveries
from reports.signing.envelope import EVENT, PROOF, seal
from reports.signing.keys import signing_key, under_demonstration_keys

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from compliance.event_log.models import Checkpoint
    from reports.documents.registry import DocumentKind


SECONDS = 20


def sign_report(*, report: Report) -> Envelope:
    """Put an envelope on a report on file; a repeated call makes another of the same body.

    It runs outside a transaction, after the report's event was committed.
    """
    event = Event.objects.get(object=report.uuid, type=MADE.name)
    proof = prove(event)  # gives the event its place; its leaf is known only then
    key = signing_key(timezone.now())
    stamper = (
        HTTPTimeStamper(revealed(settings.TIMESTAMP_URL), timeout=SECONDS)
        if settings.TIMESTAMP_URL
        else None
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


def make_report(
    *, kind: str, about: About, number: int = 1, checkpoint: Checkpoint | None = None
) -> Report:
    """Make, record and sign a report; one that exists under this number is returned.

    `number` is 1, or that of a supplement, which names the report before it if there is one.
    `checkpoint` is the one to print: by default that of the kind, such as that of a day's closing,
    or else the newest that enough witnesses cosigned, or else the newest. It runs outside a
    transaction: files come before rows, and only committed rows can be proven.

    Raises:
        NothingToReportError: there is nothing to make it from.
        NoReportKeyError: there is no key to sign it with.
    """
    with without_access_scope():
        made = Report.objects.filter(kind=kind, about=about.key, number=number).first()
        if made is None:
            found = kind_of(kind)
            printed = checkpoint or found.checkpoint(about)
            printed = printed or newest_cosigned() or newest_checkpoint()
            made = _make(found, about, number, printed)
        if not made.envelopes.exists():
            sign_report(report=made)
        return made


def show_report(*, report: Report, to: Party) -> None:
    """Show a report to another party; this is permanent."""
    with transaction.atomic(), without_access_scope():
        _, new = ReportVisibility.objects.get_or_create(report=report, party=to)
        if new:
            record(SHOWN, by=SYSTEM, party=to, about=report)
            expect_deliveries(report=report, shown_to=[to])


def _make(kind: DocumentKind, about: About, number: int, checkpoint: Checkpoint | None) -> Report:
    earlier = Report.objects.filter(kind=kind.name, about=about.key, number__lt=number)
    before = earlier.order_by("number").last()
    now, faces = clock.now(), current_faces()
    reference = _reference(kind, about, number)
    inputs: dict[str, Any] = {
        "version": 1,
        "kind": kind.name,
        "about": about.key,
        "number": number,
        "supplements": before.reference if before else None,
        "reference": reference,
        "made": timezone.localtime(now).replace(microsecond=0).isoformat(),
        "agency": settings.AGENCY_NAME,
        "site": settings.SITE_URL,
        "demonstration": under_demonstration_keys(),
        "timestamped": bool(settings.TIMESTAMP_URL),
        "faces": faces.digest,
        "checkpoint": _printed(checkpoint),
        "data": kind.gather(about),
    }
    written = write_inputs(inputs)
    # A report is made from what is stored, so the inputs are read back first.
    kept = read_inputs(written)
    body = body_of(kept)
    archive = current_archive()
    stored_inputs, stored_body = store_bytes(archive, written), store_bytes(archive, body.content)
    report = Report(
        kind=kind.name,
        about=about.key,
        party=about.party,
        day=about.day,
        subject=about.subject,
        number=number,
        reference=reference,
        title=content_of(kept).title,
        body=stored_body.digest,
        size=stored_body.size,
        pages=body.pages,
        inputs=stored_inputs.digest,
        engine=str(inputs["data"].get("engine", "")),
        faces=faces.digest,
        software=software(),
        supplements=before,
        at=now,
    )
    try:
        with transaction.atomic():
            _file(report, kind.shown_to(about))
    except IntegrityError:  # another worker was faster
        return Report.objects.get(kind=kind.name, about=about.key, number=number)
    return report


def _reference(kind: DocumentKind, about: About, number: int) -> str:
    """Return a short name that people can say: `NA-cedar-2026-11-17-1`."""
    parts = (
        kind.letters,
        about.party.code if about.party else "",
        about.day.isoformat() if about.day else "",
        str(about.subject)[:8] if about.subject else "",
        str(about.line) if about.line is not None else "",
        str(number),
    )
    return "-".join(part for part in parts if part)


def _file(report: Report, to: list[Party]) -> None:
    report.save()
    commission = Party.objects.filter(kind=PartyKind.COMMISSION_UNIT)
    parties = {each.pk: each for each in (*commission, *to)}
    for party in parties.values():
        ReportVisibility.objects.create(report=report, party=party)
    record(
        MADE,
        by=SYSTEM,
        party=report.party,
        about=report,
        carries={
            "kind": report.kind,
            "number": report.number,
            "body": report.body,
            "size": report.size,
            "pages": report.pages,
            "inputs": report.inputs,
        },
    )
    for party in to:
        if party.kind != PartyKind.COMMISSION_UNIT:
            record(SHOWN, by=SYSTEM, party=party, about=report)
    expect_deliveries(report=report, shown_to=list(parties.values()))


def _printed(checkpoint: Checkpoint | None) -> dict[str, Any] | None:
    if checkpoint is None:
        return None
    signed = read_checkpoint(checkpoint.note, trusted_keys())
    origin, size, root = signed.text().splitlines()
    printed = {"origin": origin, "size": int(size), "root": root, "note": checkpoint.note}
    witnesses = sorted(cosigners(checkpoint))
    return printed | {"cosigned": witnesses} if witnesses else printed


def make_due_report(*, kind: str, about: About) -> Report:
    """Make the edition of a report that is due, or return it if it exists.

    A day whose time has passed is closed first, as in the nightly run. A summary, week, month or
    period is made from what there is: again, under the next number, if anything changed since.

    Raises:
        NothingToReportError: the day is open, not fully audited, or not on file.
    """
    found = kind_of(kind)
    if kind in OF_A_DAY:
        with without_access_scope():
            day = day_of(about)
            if day.state == GamblingDay.State.OPEN and day.closes <= clock.now():
                close_day(day=day)
                note_missing(day=day, missing=missing_of_day(day))
    with without_access_scope():
        number = found.edition(about)
        made = Report.objects.filter(kind=kind, about=about.key).order_by("number").last()
        if made is not None and kind in SUMMED_UP:
            number = made.number
            if _data_of(made) != read_inputs(write_inputs({"data": found.gather(about)}))["data"]:
                number += 1
    return make_report(kind=kind, about=about, number=number)


def _data_of(report: Report) -> Any:
    return read_inputs(read_bytes(current_archive(), report.inputs))["data"]


def leave_operators_reports(*, day: date, folder: Path) -> list[Path]:
    """Write the reports of every operator's day into a folder, in the edition that is due."""
    with without_access_scope():
        found = GamblingDay.objects.filter(day=day).select_related("party__agency")
        parties = [each.party for each in found.order_by("party__code")]
        return [
            _leave(kind, About(party=each, day=day), folder)
            for each in parties
            for kind in OF_A_DAY
        ]


def leave_reports(*, day: date, folder: Path) -> list[Path]:
    """Write the reports of every operator's day and the commission's summary into a folder."""
    left = leave_operators_reports(day=day, folder=folder)
    with without_access_scope():
        return [*left, _leave(SUMMARY, About(day=day), folder)]


def _leave(kind: str, about: About, folder: Path) -> Path:
    return write_file(report=make_due_report(kind=kind, about=about), folder=folder)


def write_file(*, report: Report, folder: Path) -> Path:
    """Write the newest signed file of a report into a folder, whole or not at all."""
    envelope = report.envelopes.order_by("at", "id").last()
    digest = report.body if envelope is None else envelope.file
    content = read_bytes(current_archive(), digest)
    return put_in_folder(folder, f"{report.reference}.pdf", content)


def answer_of(report: Report, place: Path) -> dict[str, Any]:
    """Return a report as the API shows it."""
    event = Event.objects.filter(object=report.uuid, type=MADE.name).first()
    leaf = Leaf.objects.filter(event=event).first() if event else None
    return {
        "report": str(report.uuid),
        "path": str(place),
        "body_sha256": report.body,
        "pages": report.pages,
        "signed": report.envelopes.exists(),
        "leaf": leaf.index if leaf else None,
    }
