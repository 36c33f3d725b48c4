"""A share of a replay judged: from its segment to its findings in the archive, under its lease."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import ExitStack
from pathlib import Path
from traceback import format_exc
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import transaction

from audits.event_types.replays import SHARE_MADE_GOOD
from audits.judging.segment import judge_segment
from audits.judging.terms import read_terms
from audits.models import ReplaySegment
from audits.services import ledger
from audits.services.held_lease import renewed
from audits.services.kept_terms import keep_terms
from audits.services.made_good import NotMadeGoodError, heal_segment
from audits.services.share_files import keep_files
from audits.services.tails import keep_tails_before
from compliance.actor import SYSTEM
from compliance.archive import DamagedError, MissingError, current_archive
from compliance.archive.content import read_bytes
from compliance.passing import in_a_line, will_pass
from compliance.services.record import record
from compliance.walls import without_walls

if TYPE_CHECKING:
    from audits.judging.judgement import Judgement
    from audits.services.ledger import Lease

FILES = ("findings_file", "patterns_file", "marks_file")

log = structlog.get_logger(__name__)


class StoppedError(Exception):
    """Nothing can be judged now: no room on the disk, no database. What was taken is given back."""


def judge_share(lease: Lease) -> None:
    """Judge a share and write what it came to; what goes wrong with it stands in the ledger.

    Raises:
        StoppedError: the reason is not the share's; try again later.
    """
    try:
        with without_walls(), renewed(lease, ledger.renew_share):
            outcome = _judged(_share(lease))
        ledger.finish_share(lease, outcome)
    except ledger.LeaseLostError:
        log.warning("a share was judged in vain: its lease was lost", share=lease.row)
    except (OSError, sqlite3.Error) as error:
        # A full disk (the engine's own memory lies there too), an archive that is away: the third
        # failure would end a replay that is sound.
        _leave(lease, f"{type(error).__name__}: {error}")
        raise StoppedError(str(error)) from error
    except Exception as error:
        if will_pass(error):
            raise StoppedError(str(error)) from error
        # The trace as text: with its variables the log would name players.
        log.error("a share could not be judged", share=lease.row, trace=format_exc())
        _fail(lease, in_a_line(error))


def _share(lease: Lease) -> ReplaySegment:
    return ReplaySegment.objects.select_related("segment__party").get(pk=lease.row)


def mend_share(share: ReplaySegment) -> None:
    """Judge a share that is done again where a file that it left is damaged or gone.

    Raises:
        NotMadeGoodError: its findings are not what they were.
    """
    archive = current_archive()
    try:
        for name in FILES:
            with archive.fetch(getattr(share, name)):
                pass
    except (DamagedError, MissingError) as wrong:
        outcome = _judged(share)
        if outcome["findings_digest"] != share.findings_digest:
            msg = f"{wrong} Judged again, by another engine, the segment has other findings."
            raise NotMadeGoodError(msg) from wrong
        log.warning("findings that were damaged are made again", share=share.pk, why=str(wrong))
        with transaction.atomic():
            for name in FILES:
                setattr(share, name, outcome[name])
            share.save(update_fields=FILES)
            record(
                SHARE_MADE_GOOD,
                by=SYSTEM,
                party=share.segment.party,
                carries={
                    "replay": str(share.replay.uuid),
                    "segment": str(share.segment),
                    "digest": share.findings_digest,
                },
            )


def _judged(share: ReplaySegment) -> dict[str, Any]:
    """Judge a share; what is damaged of its inputs is made good first."""
    try:
        return _judged_once(share)
    except (DamagedError, MissingError) as wrong:
        log.warning("inputs of a share are made again", share=share.pk, why=str(wrong))
        mend_inputs(share)
        return _judged_once(share)


def _judged_once(share: ReplaySegment) -> dict[str, Any]:
    """Judge the segment under its terms; the fields of the share that say what came of it."""
    archive = current_archive()
    aside = Path(settings.VAR) / "intake"
    aside.mkdir(parents=True, exist_ok=True)
    terms = read_terms(read_bytes(archive, share.terms))
    with ExitStack() as opened:
        folder = Path(
            opened.enter_context(tempfile.TemporaryDirectory(dir=aside, prefix="judging-"))
        )
        segment = opened.enter_context(archive.fetch(share.segment.sha256))
        carried = opened.enter_context(archive.fetch(share.before)) if share.before else None
        judgement = judge_segment(
            segment=segment, terms=terms, carried=carried, out=folder / "findings"
        )
        return {
            **keep_files(judgement, game=share.segment.game, folder=folder),
            "rounds": judgement.rounds,
            "seats": judgement.seats,
            "flagged": judgement.flagged,
            "findings": judgement.findings,
            "over": judgement.over,
            "under": judgement.under,
            "findings_digest": judgement.digest,
            "by_hour": _by_hour(judgement),
        }


def mend_inputs(share: ReplaySegment) -> None:
    """Make again what is damaged or gone of the files that a share is judged from.

    Raises:
        NotMadeGoodError: the segment cannot be made again as it was.
    """
    segment = share.segment
    try:
        with current_archive().fetch(segment.sha256):
            pass
    except (DamagedError, MissingError):
        heal_segment(segment)
    keep_terms(operator=segment.party, game=segment.game, day=segment.day)
    keep_tails_before(segment)


def _by_hour(judgement: Judgement) -> list[list[Any]]:
    """Table, beginning of the hour in microseconds, rounds, findings."""
    return [
        [hour.table, hour.begin, rounds, judgement.findings_by_hour.get(hour, 0)]
        for hour, rounds in sorted(judgement.rounds_by_hour.items())
    ]


def _leave(lease: Lease, failure: str) -> None:
    try:
        ledger.give_back_share(lease, failure=failure)
    except (ledger.LeaseLostError, DatabaseError) as error:
        log.warning("a share is left to its lease's end", share=lease.row, error=str(error))


def _fail(lease: Lease, failure: str) -> None:
    try:
        ledger.fail_share(lease, failure=failure)
    except ledger.LeaseLostError:
        log.warning("a share failed after its lease was lost", share=lease.row)
