"""Abandoned files are deleted after a day of grace; files that something names are kept."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as django_settings

from audits.intake.cleanup import clear_half_done, named_digests, remove_unnamed, sweep_files
from audits.intake.models import Segment, Submission
from audits.intake.submission import abandon_submission, add_piece, begin_submission
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.errors import RefusedError
from compliance.events.actor import SYSTEM
from compliance.files.archive import FolderArchive, current_archive, store_bytes
from tests.audits.submission.logs import evening, ingested, sha256, written
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from compliance.access.models import Party

pytestmark = pytest.mark.django_db
DAY = 24 * 60 * 60.0


@pytest.fixture
def room(settings: Any, tmp_path: Path) -> Party:
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    return party_for(Role.OPERATOR_CLERK, "room")


def age_everything(days: float = 2) -> None:
    """Age everything in the archive by some days."""
    archive = current_archive()
    assert isinstance(archive, FolderArchive)
    for digest in list(archive.untouched(seconds=-60)):
        at = time.time() - days * DAY
        os.utime(archive.place(digest), (at, at))


def test_abandoned_pieces_are_removed_after_a_day(room):
    content = written(evening(3))
    submission = begin_submission(party=room, name="a", size=len(content), by=SYSTEM)
    add_piece(submission=submission, number=0, sha256=sha256(content), content=content)
    age_everything()
    assert remove_unnamed(grace=DAY) == 0
    abandon_submission(submission=submission, by=SYSTEM)
    assert remove_unnamed(grace=DAY) == 1
    assert not current_archive().has(sha256(content))


def test_nothing_goes_that_a_row_names(room):
    log = ingested(room, written(evening(3)) + b"{}\n")
    age_everything()
    assert remove_unnamed(grace=DAY) == 0
    with without_access_scope():
        segment = Segment.objects.get()
    archive = current_archive()
    for digest in (
        log.sha256,
        log.rejected_file,
        segment.sha256,
        segment.index_sha256,
        segment.tails_sha256,
    ):
        assert archive.has(digest)
        assert digest in set(named_digests())


def test_recently_stored_content_stays_for_its_row(room):
    stored = store_bytes(current_archive(), b"about to be named")
    assert remove_unnamed(grace=DAY) == 0
    age_everything()
    store_bytes(current_archive(), b"about to be named")
    assert remove_unnamed(grace=DAY) == 0
    age_everything()
    assert remove_unnamed(grace=DAY) == 1
    assert not current_archive().has(stored.digest)


def test_bytes_of_two_operators_stay_while_one_names_them(room):
    content = written(evening(3))
    ingested(room, content)
    other = party_for(Role.OPERATOR_CLERK, "other")
    submission = begin_submission(party=other, name="a", size=len(content), by=SYSTEM)
    add_piece(submission=submission, number=0, sha256=sha256(content), content=content)
    abandon_submission(submission=submission, by=SYSTEM)
    age_everything()
    remove_unnamed(grace=DAY)
    assert current_archive().has(sha256(content))


def test_a_refused_file_goes_and_its_sentence_stays(room):
    with pytest.raises(RefusedError):
        ingested(room, b"<html>\n")
    age_everything()
    assert remove_unnamed(grace=DAY) == 1
    with without_access_scope():
        assert "a web page (HTML), not a round log" in Submission.objects.get(party=room).refusal


def test_what_killed_readers_left_half_done_goes(room):
    left = Path(django_settings.VAR) / "intake" / "left-by-a-killed-reader"
    left.mkdir(parents=True)
    (left / "rounds").write_bytes(b"half")
    clear_half_done(older_than=DAY)
    assert left.exists()
    os.utime(left, (1, 1))
    clear_half_done(older_than=DAY)
    assert not left.exists()


def test_the_sweep_does_all_of_it(room):
    ingested(room, written(evening(3)))
    store_bytes(current_archive(), b"named by nobody")
    age_everything()
    sweep_files()
    assert not current_archive().has(sha256(b"named by nobody"))
