"""Work units: audit a segment and archive its findings under a lease."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from audits.intake.repair import RepairError, repair_segment
from audits.replay.auditing.segment import audit_segment
from audits.replay.auditing.terms import read_terms
from audits.replay.engine import engine_version
from audits.replay.events import UNIT_REPAIRED
from audits.replay.findings.files import store_unit_files
from audits.replay.inputs import store_tails_before, store_terms
from audits.replay.jobs import add_settling, fail_replay
from audits.replay.models import Replay, ReplaySegment
from compliance.access.scope import without_access_scope
from compliance.changes import seal
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError, current_archive, read_bytes
from compliance.jobs import queue
from compliance.jobs.work import Kind

if TYPE_CHECKING:
    from audits.replay.auditing.tally import AuditResult
    from compliance.jobs.queue import Lease


FILES = ("findings_file", "issues_file", "marks_file")

log = structlog.get_logger(__name__)


class OtherEngineError(Exception):
    """A worker has another engine than the replay's fingerprint names."""

    def __str__(self) -> str:
        return (
            "the engine of this worker is not the one with which the replay was begun, so it would "
            "give other findings under the same fingerprint. Begin another replay of the same days"
        )


def audit_unit(lease: Lease) -> None:
    """Audit a work unit and write its results as its job finishes."""
    with without_access_scope():
        work_unit = ReplaySegment.objects.select_related("segment__party", "replay").get(
            pk=lease.subject
        )
        if work_unit.replay.engine != engine_version():
            raise OtherEngineError
        Replay.objects.filter(pk=work_unit.replay_id, state=Replay.State.WAITING).update(
            state=Replay.State.RUNNING, begun=Now()
        )
        outcome = _audit(work_unit)
        with queue.finishing(lease):
            # The lock lets the second of two workers that finish the last two units see that none
            # is left.
            replay = Replay.objects.select_for_update(no_key=True).get(pk=work_unit.replay_id)
            ReplaySegment.objects.filter(pk=work_unit.pk).update(
                **outcome, state=ReplaySegment.State.DONE, failure=""
            )
            add_settling(replay)


def fail_unit(subject: int, failure: str) -> None:
    """Mark a work unit and its replay as failed, with the reason."""
    with without_access_scope():
        unit = ReplaySegment.objects.get(pk=subject)
        ReplaySegment.objects.filter(pk=subject).update(
            state=ReplaySegment.State.FAILED, failure=failure
        )
        fail_replay(unit.replay_id, f"segment {unit.position + 1}: {failure}")


def _refuse_unit(subject: int, wrong: Exception) -> None:
    fail_unit(subject, str(wrong))


UNIT_JOBS = Kind(
    run=audit_unit, give_up=fail_unit, refuse=_refuse_unit, bad_input=(OtherEngineError,)
)


def repair_unit(work_unit: ReplaySegment) -> None:
    """Audit a completed work unit again if one of its files is damaged or gone.

    Raises:
        RepairError: its findings are not what they were.
    """
    archive = current_archive()
    try:
        for name in FILES:
            with archive.fetch(getattr(work_unit, name)):
                pass
    except (DamagedError, MissingError) as wrong:
        outcome = _audit(work_unit)
        if outcome["findings_digest"] != work_unit.findings_digest:
            msg = f"{wrong} Judged again, by another engine, the segment has other findings."
            raise RepairError(msg) from wrong
        log.warning(
            "findings that were damaged are made again", work_unit=work_unit.pk, why=str(wrong)
        )
        with transaction.atomic():
            for name in FILES:
                setattr(work_unit, name, outcome[name])
            work_unit.save(update_fields=FILES)
            if work_unit.replay.state == Replay.State.DONE:
                seal([work_unit])
            record(
                UNIT_REPAIRED,
                by=SYSTEM,
                party=work_unit.segment.party,
                carries={
                    "replay": str(work_unit.replay.uuid),
                    "segment": str(work_unit.segment),
                    "digest": work_unit.findings_digest,
                },
            )


def _audit(work_unit: ReplaySegment) -> dict[str, Any]:
    """Audit a work unit, after repairing damaged inputs if necessary."""
    try:
        return _audit_once(work_unit)
    except (DamagedError, MissingError) as wrong:
        log.warning("inputs of a share are made again", work_unit=work_unit.pk, why=str(wrong))
        repair_inputs(work_unit)
        return _audit_once(work_unit)


def _audit_once(work_unit: ReplaySegment) -> dict[str, Any]:
    """Audit the segment under its terms; return the fields of the work unit with the results."""
    archive = current_archive()
    aside = Path(settings.VAR) / "intake"
    aside.mkdir(parents=True, exist_ok=True)
    terms = read_terms(read_bytes(archive, work_unit.terms))
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(dir=aside, prefix="audit-")))
        segment = opened.enter_context(archive.fetch(work_unit.segment.sha256))
        carried = (
            opened.enter_context(archive.fetch(work_unit.before)) if work_unit.before else None
        )
        audit = audit_segment(
            segment=segment, terms=terms, carried=carried, out=folder / "findings"
        )
        return {
            **store_unit_files(audit, game=work_unit.segment.game, folder=folder),
            "rounds": audit.rounds,
            "seats": audit.seats,
            "flagged": audit.flagged,
            "findings": audit.findings,
            "over": audit.over,
            "under": audit.under,
            "findings_digest": audit.digest,
            "by_hour": _by_hour(audit),
        }


def repair_inputs(work_unit: ReplaySegment) -> None:
    """Rebuild damaged or missing input files of a work unit.

    Raises:
        RepairError: the segment cannot be rebuilt as it was.
    """
    segment = work_unit.segment
    try:
        with current_archive().fetch(segment.sha256):
            pass
    except (DamagedError, MissingError):
        repair_segment(segment)
    store_terms(operator=segment.party, game=segment.game, day=segment.day)
    store_tails_before(segment)


def _by_hour(audit: AuditResult) -> list[list[Any]]:
    """Return table, beginning of the hour in microseconds, rounds and findings."""
    return [
        [hour.table, hour.begin, rounds, audit.findings_by_hour.get(hour, 0)]
        for hour, rounds in sorted(audit.rounds_by_hour.items())
    ]
