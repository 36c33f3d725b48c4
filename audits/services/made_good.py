"""A segment that is damaged or gone is made again from the evidence, with the same identity."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.db import transaction

from audits.event_types import round_logs as events
from audits.segments.place import Place
from audits.segments.refusals import DamagedSegmentError, RefusedLogError
from audits.services.segment_making import Source, make_again
from compliance.actor import SYSTEM
from compliance.archive import DamagedError, MissingError
from compliance.services.record import record
from compliance.walls import without_walls

if TYPE_CHECKING:
    from audits.models import RoundLog, Segment

log = structlog.get_logger(__name__)
WRONG = (DamagedError, MissingError, DamagedSegmentError, RefusedLogError)
NAMES = ("sha256", "index_sha256", "tails_sha256")


class NotMadeGoodError(Exception):
    """A segment cannot be made again as it was."""


def heal_segment(segment: Segment) -> None:
    """Make a segment's files again from the evidence of its log and what was on file before it.

    What it was made of and is damaged too is made good first. Not within a transaction.

    Raises:
        NotMadeGoodError: the evidence is damaged or gone, or makes another segment.
    """
    with without_walls():
        made_by = (
            type(segment.log).objects.select_related("party", "corrects").get(pk=segment.log_id)
        )
    try:
        found = _again(segment, made_by)
    except WRONG as wrong:
        message = f"{segment} cannot be made again: {wrong}"
        raise NotMadeGoodError(message) from wrong
    if found["identity"] != segment.identity:
        message = f"{segment} was made again with another identity: {found['identity']}."
        raise NotMadeGoodError(message)
    if any(found[name] != getattr(segment, name) for name in NAMES):
        message = (
            f"{segment} was made again with the same values and in other bytes, by another version "
            "of the library: the archive keeps files under their digests, so make it again with "
            "the version that wrote it."
        )
        raise NotMadeGoodError(message)
    with transaction.atomic():
        record(
            events.MADE_GOOD,
            by=SYSTEM,
            party=made_by.party,
            carries={
                "segment": str(segment),
                "identity": segment.identity,
                "file": segment.sha256,
            },
        )
    log.warning("a damaged segment was made again", segment=str(segment), identity=segment.identity)


def heal_rejected_file(made_by: RoundLog) -> None:
    """Store a log's file of rejected lines again, made of the evidence.

    Raises:
        NotMadeGoodError: the evidence is damaged or gone, or makes another file.
    """
    try:
        found, _ = _made_again(made_by, None)
    except WRONG as wrong:
        message = f"The rejected lines of {made_by} cannot be told again: {wrong}"
        raise NotMadeGoodError(message) from wrong
    if found != made_by.rejected_file:
        message = f"The rejected lines of {made_by} make another file now: {found}."
        raise NotMadeGoodError(message)


def _again(segment: Segment, made_by: RoundLog) -> dict[str, Any]:
    _, made = _made_again(made_by, Place(segment.game, segment.day))
    for each in made:
        if each["piece"] == segment.piece:
            return each
    message = f"{segment} cannot be made again: {made_by} makes {len(made)} pieces."
    raise NotMadeGoodError(message)


def _made_again(made_by: RoundLog, place: Place | None) -> tuple[str, list[dict[str, Any]]]:
    source = Source(
        party=made_by.party,
        sha256=made_by.sha256,
        at=made_by.at,
        replaced=made_by.corrects.sha256 if made_by.corrects else None,
        before=made_by,
    )
    aside = Path(settings.VAR) / "intake"
    aside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=aside, prefix="again-") as folder:
        return make_again(source, place, Path(folder), mend=heal_segment)
