"""Ingestion of a submitted log: read it, build segments and register it, all or nothing."""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import IntegrityError

from audits.instants import instant
from audits.intake import events
from audits.intake.days.writes import keep_day
from audits.intake.filed_forms import FiledForms
from audits.intake.mapping.conversion import convert_file
from audits.intake.mapping.definition import read_definition
from audits.intake.models import RejectedCause, RoundLog, Segment, Submission
from audits.intake.readers import LOST, PAUSES, Reading
from audits.intake.reads import log_on_file
from audits.intake.recognition import refuse_foreign
from audits.intake.repair import repair_segment
from audits.intake.segment_builder import Source, read_log
from audits.intake.segments.rejections import RefusedLogError
from audits.intake.submission import (
    OnFileError,
    PiecesTogether,
    another_content,
    is_worth_reading_again,
)
from audits.intake.table_records.comparison import CLOSED
from audits.intake.table_records.writes import register_records
from audits.intake.totals import totals_of
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM, Actor
from compliance.events.record import record
from compliance.files.archive import current_archive
from compliance.jobs import queue
from compliance.jobs.failures import is_disk_full, is_transient, summarize_error
from compliance.jobs.queue import LeaseLostError, take_job
from compliance.jobs.work import Kind, StoppedError, do_job
from compliance.remembered import remembering
from games.strict_json import visible

if TYPE_CHECKING:
    from datetime import datetime

    from audits.intake.segment_builder import ReadLog
    from compliance.access.scope import Asker
    from compliance.jobs.queue import Lease


def register_log(
    *, reading: Reading, read: ReadLog, at: datetime, before: RoundLog | None, converted: str
) -> RoundLog:
    """Register an ingested log under the lease with which it was read.

    `before` is the same file's earlier log, none of whose rounds were accepted; `converted` is the
    digest of the log that a mapping made of the file.

    Raises:
        LeaseLostError: the lease has ended; another worker registers the log.
    """
    submission = reading.submission
    asker = submission.by or submission.key
    closed = {(each.day, each.table) for each in read.records.accepted if each.subject == CLOSED}
    with remembering():
        totals = totals_of(submission.party, read.tables, closed).as_json()
    with queue.finishing(reading.lease):
        log = RoundLog(
            party=submission.party,
            sha256=submission.sha256,
            ingestion=1 if before is None else before.ingestion + 1,
            size=submission.received,
            name=submission.name,
            lines=read.lines,
            good=read.good,
            rejected=read.rejected,
            already=read.already,
            first_at=None if read.first_at is None else instant(read.first_at),
            last_at=None if read.last_at is None else instant(read.last_at),
            corrects=submission.corrects,
            reason=submission.reason,
            rejected_file=read.rejected_file,
            mapping=submission.mapping,
            converted=converted,
            totals=totals,
            newest_record=read.records.newest,
            by=asker.uuid if asker else None,
            at=at,
        )
        log.save()
        RejectedCause.objects.bulk_create(
            [RejectedCause(log=log, **cause) for cause in read.causes]
        )
        Segment.objects.bulk_create(
            [Segment(log=log, party=submission.party, **made) for made in read.segments]
        )
        with remembering():
            for day in sorted({made["day"] for made in read.segments}):
                keep_day(party=submission.party, day=day)
        register_records(log=log, compared=read.records, by=asker or SYSTEM)
        Submission.objects.filter(pk=submission.pk).update(
            state=Submission.State.REGISTERED,
            step="",
            failure="",
            lines=read.lines,
            progress=submission.size,
            log=log,
            changed=clock.now(),
        )
        submission.pieces.all().delete()
        corrects = submission.corrects
        record(
            events.REGISTERED,
            by=asker or SYSTEM,
            party=submission.party,
            about=log,
            reason=submission.reason,
            carries={
                "name": log.name,
                "sha256": log.sha256,
                "size": log.size,
                "lines": log.lines,
                "good": log.good,
                "rejected": log.rejected,
                "already": log.already,
                "corrects": corrects.sha256 if corrects else "",
                "mapping": str(submission.mapping or ""),
            },
        )
    return log


log = structlog.get_logger(__name__)

NO_ROOM = "The system's disk is full; read again when there is room"
NO_DATABASE = "The database did not answer in time; it will be retried"
OUR_FAULT = "A fault in this system stopped it; it will be retried"
REFUSED = (RefusedError, RefusedLogError)


class NotReadError(Exception):
    """A system fault stopped ingestion; the message says which."""


def take_in_what_waits() -> int:
    """Ingest pending logs one after another until none is left; return how many."""
    read = 0
    while lease := take_job({Submission.JOB}):
        try:
            do_job(lease)
        except StoppedError as stopped:  # the next one may be readable
            log.warning("a log is put off", job=lease.job, reason=str(stopped))
        read += 1
    return read


def take_in_here(submission: Submission) -> RoundLog:
    """Ingest a log in this process, or wait for the worker that does; return the registered log.

    The caller wants it now, so retries do not pause.

    Raises `RefusedError` with a sentence for the submitter, or whatever stopped ingestion.
    """
    while True:
        with without_access_scope():
            found = Submission.objects.select_related("log", "party").get(pk=submission.pk)
        if found.state == Submission.State.REGISTERED:
            assert found.log is not None  # noqa: S101 - registered with it
            return found.log
        if found.state == Submission.State.REFUSED:
            if found.log is not None:
                raise OnFileError(found.log)
            raise RefusedError(found.refusal)
        queue.resume({Submission.JOB}, subject=found.pk)
        lease = take_job({Submission.JOB}, subject=found.pk)
        if lease is None:
            time.sleep(0.2)
            continue
        try:
            do_job(lease)
        except StoppedError as stopped:
            raise (stopped.__cause__ or stopped) from None
        with without_access_scope():
            found.refresh_from_db()
        if found.state == Submission.State.WAITING and found.step != LOST:
            raise NotReadError(found.failure)


def take_in(lease: Lease) -> None:
    """Ingest a log, and register it as its job finishes.

    A fault in the file refuses it; a system failure is retried as often as it takes.
    """
    with without_access_scope():
        related = ("party", "corrects", "by", "key", "mapping")
        submission = Submission.objects.select_related(*related).get(pk=lease.subject)
        reading = Reading(submission, lease)
        if reading.kills_readers():
            return
        try:
            _take_in(reading)
        except (LeaseLostError, *REFUSED):
            raise
        except Exception as failed:
            where = "".join(f" ({note})" for note in getattr(failed, "__notes__", ()))
            reading.note_failure(_waits_for(failed), visible(summarize_error(failed) + where))
            raise


def _waits_for(failed: Exception) -> str:
    if is_disk_full(failed):
        return NO_ROOM
    if isinstance(failed, OSError):
        return f"{visible(str(failed.strerror or failed))[:35]}; it will be retried"
    return NO_DATABASE if is_transient(failed) else OUR_FAULT


def _take_in(reading: Reading) -> None:
    submission = reading.submission
    digest = submission.sha256 or _put_together(reading)
    known = log_on_file(submission.party, digest)
    if known is not None and not is_worth_reading_again(known):
        raise OnFileError(known)
    aside = Path(settings.VAR) / "intake"
    aside.mkdir(parents=True, exist_ok=True)
    at = submission.arrived or clock.by_database()
    with tempfile.TemporaryDirectory(dir=aside, prefix=f"{reading.lease.token}-") as folder:
        source = Source(
            party=submission.party,
            sha256=digest,
            at=at,
            replaced=submission.corrects.sha256 if submission.corrects else None,
            converted=_converted(reading, digest, Path(folder), at),
        )
        what = read_log(source, Path(folder), repair_one=repair_segment, progress=reading)
    if known is not None and not (what.good or what.records.accepted):
        raise OnFileError(known)
    reading.step("Registering")
    try:
        register_log(reading=reading, read=what, at=at, before=known, converted=source.converted)
    except IntegrityError:
        known = log_on_file(submission.party, digest)
        if known is None:
            raise
        raise OnFileError(known) from None


def _converted(reading: Reading, digest: str, folder: Path, at: datetime) -> str:
    """Return the digest of the log that the mapping makes of the file; none without a mapping."""
    submission = reading.submission
    archive = current_archive()
    with archive.fetch(digest) as place:
        if submission.mapping is None:
            with place.open("rb") as content:
                refuse_foreign(content, submission.name)
            return ""
        reading.step("Converting by the mapping")
        definition = read_definition(submission.mapping.content)
        log = convert_file(
            definition,
            place,
            folder,
            FiledForms(at).definitions,
            progress=lambda rounds: reading.reached(0, rounds),
        )
    with log.open("rb") as content:
        return archive.store(content).digest


def _put_together(reading: Reading) -> str:
    """Join the pieces into one hashed file; refuse it if it differs from what was announced."""
    submission = reading.submission
    reading.step("Putting the pieces together")
    whole = io.BufferedReader(PiecesTogether(submission, reading.reached))
    stored = current_archive().store(whole)
    if stored.size != submission.size:
        msg = f"The pieces make {stored.size:,} bytes, not {submission.size:,}. Submit it again."
        raise RefusedError(msg)
    if submission.announced_sha256 not in {"", stored.digest}:
        raise RefusedError(
            another_content(submission.name, stored.digest, submission.announced_sha256)
        )
    with queue.under(reading.lease):
        Submission.objects.filter(pk=submission.pk).update(sha256=stored.digest)
    submission.sha256 = stored.digest
    return stored.digest


def _refuse(subject: int, error: Exception) -> None:
    """Refuse a log for good; its pieces are removed and the reason is kept."""
    with without_access_scope():
        submission = Submission.objects.select_related("party", "by", "key").get(pk=subject)
        Submission.objects.filter(pk=subject).update(
            state=Submission.State.REFUSED,
            refusal=str(error),
            failure="",
            sha256="",  # the event keeps it; no row owns the file
            log=error.log if isinstance(error, OnFileError) else None,
            changed=clock.now(),
        )
        submission.pieces.all().delete()
    record(
        events.REFUSED,
        by=who(submission),
        party=submission.party,
        about=submission,
        reason=str(error),
        carries={"name": submission.name, "sha256": submission.sha256},
    )


LOG_JOBS = Kind(run=take_in, refuse=_refuse, bad_input=REFUSED, pauses=PAUSES)


def who(submission: Submission) -> Asker | Actor:
    """Return who submitted a file: a person, a program, or the command line."""
    return submission.by or submission.key or SYSTEM
