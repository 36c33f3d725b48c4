"""What is left behind: hand-ins that nobody goes on with, and files that no row names."""

from __future__ import annotations

import shutil
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from django.apps import apps
from django.conf import settings
from django.db.models import CharField

from audits.models import HandIn, Segment
from audits.selectors.indexes import forget_indexes
from audits.services.hand_in import abandon_hand_in
from compliance import clock
from compliance.actor import SYSTEM
from compliance.archive import current_archive
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Iterator

log = structlog.get_logger(__name__)

GONE_ON_WITHIN = timedelta(days=7)
"""After so long without a piece a hand-in is taken for abandoned."""
GRACE = 24 * 60 * 60.0
"""Seconds for which a file may lie in the archive before the row that names it is written.

It is longer than any log takes to be read. Content that is stored again counts as new, so files
that two operators handed in alike are safe as well.
"""
MOST_SECONDS = 30.0
DIGEST = 64


def sweep_files() -> None:
    """Give up what nobody goes on with, then remove files that no row names and half-done work.

    What is not done within half a minute is left for the next time.
    """
    give_up_old_hand_ins()
    removed = remove_unnamed(grace=GRACE)
    clear_half_done(older_than=GRACE)
    with without_walls():
        forget_indexes(but=Segment.objects.values_list("index_sha256", flat=True).iterator())
    if removed:
        log.info("files that no row names were removed", files=removed)


def give_up_old_hand_ins() -> int:
    """Give up every hand-in of which no piece came for a week; how many."""
    before = clock.now() - GONE_ON_WITHIN
    with without_walls():
        old = list(
            HandIn.objects.filter(state=HandIn.State.RECEIVING, changed__lt=before).select_related(
                "party"
            )
        )
    given_up = 0
    for each in old:
        try:
            abandon_hand_in(hand_in=each, by=SYSTEM)
        except RefusedError as moved_on:
            log.info("a hand-in went on", says=str(moved_on))
        else:
            given_up += 1
    return given_up


def remove_unnamed(*, grace: float) -> int:
    """Remove from the archive what no row names and nobody stored lately; how many files."""
    until = time.monotonic() + MOST_SECONDS
    archive = current_archive()
    candidates = set(archive.untouched(seconds=grace))
    removed = 0
    for digest in candidates.difference(named_digests()):
        if time.monotonic() > until:
            break
        removed += archive.remove(digest, untouched_seconds=grace)
    return removed


def named_digests() -> Iterator[str]:
    """Every digest in any row: a column of 64 characters may name a file of the archive.

    Too many are named by this rule, and none too few: a digest of something else keeps no file.
    """
    with without_walls():
        for model in apps.get_models():
            for field in model._meta.concrete_fields:
                if isinstance(field, CharField) and field.max_length == DIGEST:
                    rows = model._base_manager.exclude(**{field.name: ""})
                    yield from rows.values_list(field.name, flat=True).iterator()


def clear_half_done(*, older_than: float) -> None:
    """Remove what killed readers left in this machine's own folder."""
    before = time.time() - older_than
    for left in (Path(settings.VAR) / "intake").glob("*"):
        if left.stat().st_mtime < before:
            shutil.rmtree(left, ignore_errors=True)
