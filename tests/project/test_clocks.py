"""The clocks of web and workers against the database's, which dates submissions."""

from __future__ import annotations

import io
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from audits.intake.ingestion import take_in_here
from audits.intake.models import RoundLog
from audits.intake.submission import submit_whole
from compliance import clock
from compliance.access.permissions import Role
from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.health import State
from compliance.project.models import MachineClock
from compliance.project.operations.heartbeat import clocks, record_clock, record_heartbeat
from tests.audits.submission.logs import played, written
from tests.compliance.people import party_for

pytestmark = pytest.mark.django_db


def test_clock_that_agrees_is_not_a_failure():
    record_heartbeat(part="worker")
    condition = clocks()
    assert condition.state == State.OK
    assert "worker on " in condition.says


@pytest.mark.parametrize(("seconds", "words"), [(90, "ahead"), (-90, "behind")])
def test_clock_offset_is_named_with_its_machine(monkeypatch, seconds, words):
    now = time.time
    record_clock("web")
    monkeypatch.setattr(time, "time", lambda: now() + seconds)
    record_clock("worker")
    condition = clocks()
    assert (condition.state, condition.count) == (State.FAILING, 1)
    assert "web on" not in condition.says
    offset = MachineClock.objects.get(part__startswith="worker on").seconds
    assert abs(offset - seconds) < 2
    assert f"is {abs(offset):.1f} seconds {words}" in condition.says


def test_silent_machine_is_left_out_of_clocks():
    MachineClock.objects.create(
        part="web on gone", at=timezone.now() - timedelta(minutes=11), seconds=3600
    )
    assert clocks().state == State.UNKNOWN


@pytest.mark.services
def test_submission_is_dated_by_database_clock(postgres_url, monkeypatch):
    del postgres_url
    assert connection.vendor == "postgresql"
    true = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: true + timedelta(hours=5))
    assert abs(clock.by_database() - true) < timedelta(minutes=1)
    room = party_for(Role.OPERATOR_CLERK, "room")
    content = written([played("T3-1", true), played("T3-2", true + timedelta(hours=2))])
    submission = submit_whole(
        party=room, name="night", content=io.BytesIO(content), by=SYSTEM, read_here=True
    )
    log = take_in_here(submission)
    assert abs(log.at - true) < timedelta(minutes=1)
    assert (log.good, log.rejected) == (
        1,
        1,
    )  # by the database's clock, the second round is in the future
    with without_access_scope():
        assert RoundLog.objects.get().at == submission.arrived
