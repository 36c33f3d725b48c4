"""Cleanup of abandoned submissions and of archived files without a row."""

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

from audits.intake.index_copies import forget_indexes
from audits.intake.models import Segment, Submission
from audits.intake.submission import abandon_submission
from compliance import clock
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.files.archive import current_archive

if TYPE_CHECKING:
    from collections.abc import Iterator


log = structlog.get_logger(__name__)

GONE_ON_WITHIN = timedelta(days=7)
"""A submission that gets no piece for this long is abandoned."""
GRACE = 24 * 60 * 60.0
"""Seconds that a file may be in the archive before a row names it.

This is longer than ingesting any log takes. Storing the same content again makes it new, so a file
that two operators submitted is safe as well.
"""
MOST_SECONDS = 30.0
DIGEST = 64


def sweep_files() -> None:
    """Abandon old submissions, then remove files without a row and unfinished work.

    Whatever is not done within half a minute is left for the next run.
    """
    give_up_old_submissions()
    removed = remove_unnamed(grace=GRACE)
    clear_half_done(older_than=GRACE)
    with without_access_scope():
        forget_indexes(but=Segment.objects.values_list("index_sha256", flat=True).iterator())
    if removed:
        log.info("files that no row names were removed", files=removed)


def give_up_old_submissions() -> int:
    """Abandon every submission that got no piece for a week; return how many."""
    before = clock.now() - GONE_ON_WITHIN
    with without_access_scope():
        old = list(
            Submission.objects.filter(
                state=Submission.State.RECEIVING, changed__lt=before
            ).select_related("party")
        )
    given_up = 0
    for each in old:
        try:
            abandon_submission(submission=each, by=SYSTEM)
        except RefusedError as moved_on:
            log.info("a submission went on", says=str(moved_on))
        else:
            given_up += 1
    return given_up


def remove_unnamed(*, grace: float) -> int:
    """Remove old archived files that no row names; return how many."""
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
    """Yield every digest in any row; a 64-character column may name an archived file.

    This finds too many digests but never too few: a digest of anything else keeps no file.
    """
    with without_access_scope():
        for model in apps.get_models():
            for field in model._meta.concrete_fields:
                if isinstance(field, CharField) and field.max_length == DIGEST:
                    rows = model._base_manager.exclude(**{field.name: ""})
                    yield from rows.values_list(field.name, flat=True).iterator()


def clear_half_done(*, older_than: float) -> None:
    """Remove what killed workers left in this machine's scratch folder."""
    before = time.time() - older_than
    for left in (Path(settings.VAR) / "intake").glob("*"):
        if left.stat().st_mtime < before:
            shutil.rmtree(left, ignore_errors=True)
