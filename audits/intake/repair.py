"""Archived files of round logs, and the repair of damaged ones."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.db import transaction

from audits.intake import events
from audits.intake.filed_forms import FiledForms
from audits.intake.mapping.conversion import convert_file
from audits.intake.mapping.definition import read_definition
from audits.intake.models import RoundLog, Segment
from audits.intake.segment_builder import Source, rebuild_segments
from audits.intake.segments.place import Place
from audits.intake.segments.rejections import DamagedSegmentError, RefusedLogError
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.events.record import record
from compliance.files.archive import DamagedError, MissingError, current_archive, digest_of
from compliance.retention.periods import ROUNDS, Retained
from compliance.retention.verification import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID


log = structlog.get_logger(__name__)
WRONG = (DamagedError, MissingError, DamagedSegmentError, RefusedLogError)
NAMES = ("sha256", "index_sha256", "tails_sha256")


class RepairError(Exception):
    """A segment cannot be rebuilt as it was."""


def repair_segment(segment: Segment) -> None:
    """Rebuild a segment's files from its log and the segments on file before that log.

    Damaged sources are repaired first. Do not call this within a transaction.

    Raises:
        RepairError: the evidence is damaged or gone, or makes another segment.
    """
    with without_access_scope():
        made_by = (
            type(segment.log).objects.select_related("party", "corrects").get(pk=segment.log_id)
        )
    try:
        found = _again(segment, made_by)
    except WRONG as wrong:
        message = f"{segment} cannot be made again: {wrong}"
        raise RepairError(message) from wrong
    if found["identity"] != segment.identity:
        message = f"{segment} was made again with another identity: {found['identity']}."
        raise RepairError(message)
    if any(found[name] != getattr(segment, name) for name in NAMES):
        message = (
            f"{segment} was made again with the same values and in other bytes, by another version "
            "of the library: the archive keeps files under their digests, so make it again with "
            "the version that wrote it."
        )
        raise RepairError(message)
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


def repair_rejected_file(made_by: RoundLog) -> None:
    """Rebuild and store a log's file of rejected lines from the evidence.

    Raises:
        RepairError: the evidence is damaged or gone, or makes another file.
    """
    try:
        found, _ = _made_again(made_by, None)
    except WRONG as wrong:
        message = f"The rejected lines of {made_by} cannot be told again: {wrong}"
        raise RepairError(message) from wrong
    if found != made_by.rejected_file:
        message = f"The rejected lines of {made_by} make another file now: {found}."
        raise RepairError(message)


def repair_converted_file(made_by: RoundLog) -> None:
    """Convert a log's file again by its mapping, and store the result.

    Raises:
        RepairError: the evidence is damaged or gone, or makes another log.
    """
    assert made_by.mapping is not None  # noqa: S101 - what was converted has one
    aside = Path(settings.VAR) / "intake"
    aside.mkdir(parents=True, exist_ok=True)
    archive = current_archive()
    try:
        with (
            tempfile.TemporaryDirectory(dir=aside, prefix="again-") as folder,
            archive.fetch(made_by.sha256) as evidence,
        ):
            definition = read_definition(made_by.mapping.content)
            log_made = convert_file(
                definition, evidence, Path(folder), FiledForms(made_by.at).definitions
            )
            if digest_of(log_made) != made_by.converted:
                message = f"The mapping {made_by.mapping} makes another log of {made_by} now."
                raise RepairError(message)
            with log_made.open("rb") as content:
                archive.store(content)
    except WRONG as wrong:
        message = f"{made_by} cannot be converted again: {wrong}"
        raise RepairError(message) from wrong


def _again(segment: Segment, made_by: RoundLog) -> dict[str, Any]:
    _, made = _made_again(made_by, Place(segment.game, segment.day))
    for each in made:
        if each["piece"] == segment.piece:
            return each
    message = f"{segment} cannot be made again: {made_by} makes {len(made)} pieces."
    raise RepairError(message)


def _made_again(made_by: RoundLog, place: Place | None) -> tuple[str, list[dict[str, Any]]]:
    source = Source(
        party=made_by.party,
        sha256=made_by.sha256,
        at=made_by.at,
        replaced=made_by.corrects.sha256 if made_by.corrects else None,
        before=made_by,
        converted=made_by.converted,
    )
    aside = Path(settings.VAR) / "intake"
    aside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=aside, prefix="again-") as folder:
        return rebuild_segments(source, place, Path(folder), repair_one=repair_segment)


def files_of_round_logs() -> Iterator[Kept]:
    """Yield evidence, rejected lines and files of every segment. Needs `without_access_scope`."""
    logs: dict[tuple[int, str], UUID] = {}
    every = RoundLog.objects.select_related("party", "corrects", "mapping")
    for each in every.order_by("pk").iterator():
        logs[each.party_id, each.sha256] = each.uuid
        whose = f"round log {each.name} of {each.party}, {each.uuid}"
        since = max(each.at, each.last_at or each.at)
        retained = Retained(ROUNDS, since, frozenset({each.party.uuid, each.uuid}))
        yield Kept(each.sha256, f"evidence of {whose}: {each.sha256}", retained=retained)
        if each.converted:
            yield Kept(
                each.converted,
                f"round log made by a mapping from {whose}: {each.converted}",
                partial(_is_repaired, partial(repair_converted_file, each)),
                retained,
            )
        if each.rejected_file:
            yield Kept(
                each.rejected_file,
                f"rejected lines of {whose}: {each.rejected_file}",
                partial(_is_repaired, partial(repair_rejected_file, each)),
                retained,
            )
    segments = Segment.objects.filter(rounds__gt=0).select_related("party", "log")
    for segment in segments.order_by("pk").iterator():
        whose = f"{segment} (generation {segment.generation}) of {segment.party}"
        make_good = partial(_is_repaired, partial(repair_segment, segment))
        retained = Retained(
            ROUNDS,
            max(segment.log.at, segment.last_at),
            frozenset({segment.party.uuid, *(logs[segment.party_id, log] for log in segment.logs)}),
        )
        for what, digest in (
            ("segment", segment.sha256),
            ("id index", segment.index_sha256),
            ("tails", segment.tails_sha256),
        ):
            yield Kept(digest, f"{what} of {whose}: {digest}", make_good, retained)


def _is_repaired(heal: Callable[[], None]) -> bool:
    try:
        heal()
    except RepairError as wrong:
        log.error("a damaged file could not be made good", says=str(wrong))
        return False
    return True
