"""After an old night is removed, later nights are submitted, found and audited as before."""

from __future__ import annotations

import io
import shutil
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from audits.intake.index_copies import folder
from audits.intake.ingestion import take_in_what_waits
from audits.intake.models import RoundLog, Segment, Submission
from audits.intake.submission import submit_whole
from audits.replay.writes import Scope, begin_replay
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.files.archive import current_archive
from compliance.retention.models import Tombstone
from compliance.retention.periods import years_after
from compliance.retention.writes import retain
from tests.audits.replay.ledger_rows import commission
from tests.audits.replay.working import work
from tests.audits.submission.logs import EVENING, evening, ingested, written
from tests.compliance.api.programs import program_of
from tests.compliance.pages.browsing import browser_as, words
from tests.compliance.people import party_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from compliance.access.models import Party

pytestmark = pytest.mark.django_db
LATER = EVENING + timedelta(days=4 * 365)
NOW = LATER + timedelta(days=1)


@pytest.fixture
def old(settings, tmp_path: Path) -> Iterator[RoundLog]:
    """Return an old log whose bytes are deleted, with no copy of its index on the machine."""
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    settings.RETENTION = {"rounds": 3}
    commission()
    log = ingested(room(), written(evening(3)))
    with clock.standing_at(years_after(log.at, 3) + timedelta(days=1)):
        assert len(retain(grace=0).removed) == 4
    shutil.rmtree(folder())
    with clock.standing_at(NOW):
        yield log


def room() -> Party:
    return party_for(Role.OPERATOR_MANAGER, "cedar")


def tonight(count: int, begin: datetime = LATER) -> bytes:
    return written(evening(count, first=100, begin=begin))


def refused(content: bytes, **more: object) -> str:
    submit_whole(party=room(), name="late.jsonl", content=io.BytesIO(content), by=SYSTEM, **more)
    take_in_what_waits()
    with without_access_scope():
        last = Submission.objects.order_by("pk").last()
        assert (last.state, RoundLog.objects.count()) == ("refused", 1)
    return last.refusal


def test_night_after_a_removed_one_is_replayed(old):
    assert ingested(room(), tonight(5)).good == 5
    replay = begin_replay(operator=room(), scope=Scope(day=LATER.date()), by=None)
    with without_access_scope():
        while work(of=replay):
            pass
    replay.refresh_from_db()
    assert (replay.state, replay.rounds) == ("done", 5)
    with without_access_scope():
        assert replay.units.get().before == ""


def test_its_rounds_are_found_and_shown(old):
    ingested(room(), tonight(1))
    page = browser_as(Role.AGENT).get(reverse("round", args=["cedar", "T3-000100"]))
    assert page.status_code == 200
    assert "T3-000100" in words(page)


def test_missing_round_says_it_may_be_removed(old):
    ingested(room(), tonight(1))
    agent = browser_as(Role.AGENT)
    assert agent.get(reverse("round", args=["cedar", "T3-000001"])).status_code == 410
    searched = agent.get(reverse("find_round"), {"id": "T3-000001"})
    assert searched.status_code == 200
    assert "may have been among rounds whose retention period ended" in words(searched)
    asked = {"operator": "cedar", "table": "T3", "day": EVENING.date().isoformat(), "time": "20:00"}
    assert "were removed It was removed on" in words(agent.get(reverse("find_round"), asked))
    program = program_of(Role.OPERATOR_MANAGER, "cedar")
    answer = program.get("/api/v1/round", operator="cedar", round="T3-000001")
    assert (answer.status_code, answer.json()["code"]) == (410, "removed")


def test_late_log_of_a_removed_night_is_refused(old):
    says = refused(written(evening(2, first=50)))
    assert "are not kept any more: nothing is added to them" in says
    assert "removed on" in says
    assert "Submit what is of other days in a file of its own" in says


def test_so_is_a_correction_of_a_log_that_was_removed(old):
    says = refused(written(evening(2)), corrects=old, reason="Wrong payouts")
    assert "nothing in them is corrected" in says


def test_blocked_removal_is_finished_next_time(old, settings):
    settings.RETENTION = {"rounds": 3}
    log = ingested(room(), tonight(2))
    with clock.standing_at(years_after(LATER + timedelta(days=1), 3) + timedelta(days=1)):
        aside = current_archive().aside
        kept = aside.rename(aside.with_name("kept"))
        aside.write_text("no folder")
        with pytest.raises(NotADirectoryError):
            retain(grace=0)
        aside.unlink()
        kept.rename(aside)
        assert Tombstone.objects.filter(digest=log.sha256).exists()
        assert current_archive().has(log.sha256)
        assert log.sha256 in {each.digest for each in retain(grace=0).removed}
    with without_access_scope():
        left = [each.sha256 for each in Segment.objects.all()]
    assert not any(map(current_archive().has, left))
