"""Make a report: inputs are kept, a body is set from them, the log has its leaf, the key seals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from compliance import clock
from compliance.actor import SYSTEM
from compliance.archive import current_archive
from compliance.archive.content import store_bytes
from compliance.choices import PartyKind
from compliance.log_keys import trusted_keys
from compliance.models import Party
from compliance.proof.verifier import read_checkpoint
from compliance.selectors.log_tree import newest_checkpoint
from compliance.services.record import record
from compliance.walls import without_walls
from reports.documents.kinds import kind_of
from reports.event_types import MADE, SHOWN
from reports.inputs import read_inputs, write_inputs
from reports.models import Report, ReportVisibility
from reports.paper.faces import current_faces
from reports.services.recipients import expect_deliveries
from reports.services.sign import sign_report
from reports.sheets import body_of, software, told_by
from reports.signing.keys import under_demonstration_keys

if TYPE_CHECKING:
    from compliance.models import Checkpoint
    from reports.documents.kinds import About, DocumentKind


def make_report(
    *, kind: str, about: About, number: int = 1, checkpoint: Checkpoint | None = None
) -> Report:
    """Make, record and sign a report; one that was made before under this number is given back.

    `number` is 1, or that of a supplement, which names the last one before if one was made.
    `checkpoint` is the one that is printed: the newest, unless the kind names another, as that of a
    day's closing. It runs outside of a transaction: files come before rows, and only what is
    committed can be proven.

    Raises:
        NothingToReportError: there is nothing to make it of.
        NoReportKeyError: there is no key to sign it with.
    """
    with without_walls():
        made = Report.objects.filter(kind=kind, about=about.key, number=number).first()
        if made is None:
            found = kind_of(kind)
            printed = checkpoint or found.checkpoint(about) or newest_checkpoint()
            made = _make(found, about, number, printed)
        if not made.envelopes.exists():
            sign_report(report=made)
        return made


def show_report(*, report: Report, to: Party) -> None:
    """Show a report to one more party; once shown, it stays shown."""
    with transaction.atomic(), without_walls():
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
        "demonstration": under_demonstration_keys(),
        "faces": faces.digest,
        "checkpoint": _printed(checkpoint),
        "data": kind.gather(about),
    }
    written = write_inputs(inputs)
    # What is made is made of what is kept: the inputs are read back before they are set.
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
        title=told_by(kept).title,
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
    """A short name that people can say: `NA-cedar-2026-11-17-1`."""
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
    commission = Party.objects.filter(kind=PartyKind.COMMISSION_UNIT)
    parties = {each.pk: each for each in (*commission, *to)}
    for party in parties.values():
        ReportVisibility.objects.create(report=report, party=party)
    for party in to:
        if party.kind != PartyKind.COMMISSION_UNIT:
            record(SHOWN, by=SYSTEM, party=party, about=report)
    expect_deliveries(report=report, shown_to=list(parties.values()))


def _printed(checkpoint: Checkpoint | None) -> dict[str, Any] | None:
    if checkpoint is None:
        return None
    signed = read_checkpoint(checkpoint.note, trusted_keys())
    origin, size, root = signed.text().splitlines()
    return {"origin": origin, "size": int(size), "root": root, "note": checkpoint.note}
