"""The jobs of a replay: units in order, then settling, one replay per operator at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.db.models import F

from audits.replay import units as work_units
from audits.replay.jobs import add_jobs, add_settling
from audits.replay.models import Replay, ReplaySegment
from audits.review.issues.settling import settle_replay
from compliance.access.scope import without_access_scope
from compliance.events.models import Event
from compliance.jobs import queue
from compliance.jobs.models import Job
from compliance.jobs.work import MAX_FAULTS, do_jobs
from tests.audits.replay.ledger_rows import made_replay
from tests.compliance.jobs.due import kill_workers, make_jobs_due

UNITS, SETTLING = {ReplaySegment.JOB}, {Replay.JOB}


def jobs_of(*replays: Replay) -> None:
    with without_access_scope():
        for replay in replays:
            add_jobs(replay)


def finish(lease: queue.Lease) -> None:
    with without_access_scope(), queue.finishing(lease):
        replay = Replay.objects.select_for_update(no_key=True).get(units=lease.subject)
        ReplaySegment.objects.filter(pk=lease.subject).update(
            rounds=F("rounds") + 1, state=ReplaySegment.State.DONE
        )
        add_settling(replay)


def position(lease: queue.Lease | None) -> int:
    assert lease is not None
    with without_access_scope():
        return ReplaySegment.objects.get(pk=lease.subject).position


@pytest.mark.django_db
def test_units_are_leased_in_order_of_play():
    jobs_of(made_replay(3))
    assert [position(queue.take_job(UNITS)) for _ in range(3)] == [0, 1, 2]
    assert queue.take_job(UNITS) is None


@pytest.mark.django_db
def test_third_error_of_a_unit_fails_its_replay(monkeypatch):
    def break_down(_unit: ReplaySegment) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(work_units, "_audit", break_down)
    monkeypatch.setattr(work_units, "engine_version", lambda: replay.engine)
    replay = made_replay(3)
    jobs_of(replay)
    with without_access_scope():
        ReplaySegment.objects.exclude(position=0).update(state=ReplaySegment.State.DONE)
    queue.cancel_jobs(ReplaySegment.JOB, group=replay.pk)
    jobs_of(replay)
    for _ in range(MAX_FAULTS):
        replay.refresh_from_db()
        assert replay.state in {Replay.State.WAITING, Replay.State.RUNNING}
        make_jobs_due()
        do_jobs(UNITS)
    replay.refresh_from_db()
    assert replay.state == Replay.State.FAILED
    assert replay.failure == "segment 1: ZeroDivisionError: "
    assert replay.ended is not None
    assert not Job.objects.exists()
    assert Event.objects.get(type="replay.failed").payload["failure"] == replay.failure


@pytest.mark.django_db
def test_one_replay_of_an_operator_settles_at_a_time():
    first, second = made_replay(0), made_replay(0)
    other = made_replay(0, code="harbor")
    jobs_of(first, second, other)
    leased = [queue.take_job(SETTLING) for _ in range(3)]
    assert [lease and lease.subject for lease in leased] == [first.pk, other.pk, None]


@pytest.mark.django_db
def test_half_filed_replay_is_finished_first():
    first, second = made_replay(0), made_replay(0)
    with without_access_scope():
        Replay.objects.filter(pk=first.pk).update(state=Replay.State.SETTLING)
    jobs_of(second)
    lease = queue.take_job(SETTLING)
    assert lease is not None
    settle_replay(lease)
    second.refresh_from_db()
    assert second.state == Replay.State.WAITING
    assert Job.objects.get().failure == "Another replay of this operator goes on file first."


@pytest.mark.django_db
def test_worker_that_lost_its_lease_settles_nothing():
    replay = made_replay(units=0)
    with without_access_scope():
        add_settling(replay)
    lost = queue.take_job(SETTLING)
    assert lost is not None
    kill_workers()
    do_jobs(SETTLING)
    with pytest.raises(queue.LeaseLostError):
        settle_replay(lost)
    replay.refresh_from_db()
    assert replay.state == "done"


@pytest.mark.django_db
def test_replay_settles_once_all_its_units_are_done():
    replay = made_replay(2)
    jobs_of(replay)
    assert queue.take_job(SETTLING) is None
    first, second = queue.take_job(UNITS), queue.take_job(UNITS)
    assert first is not None
    assert second is not None
    finish(second)
    assert queue.take_job(SETTLING) is None
    finish(first)
    left = queue.take_job(SETTLING)
    assert left is not None
    assert left.subject == replay.pk
    kill_workers()
    again = queue.take_job(SETTLING)
    assert again is not None
    assert again.resumed
    assert not queue.renew_lease(left)


def test_workers_at_once_finish_units_and_settle_once(own_database):
    units, workers = 40, 6
    replay = made_replay(units)
    jobs_of(replay)
    together = Barrier(workers)

    def take_all(_: int) -> int:
        leased = 0
        together.wait()
        try:
            while lease := queue.take_job(UNITS):
                finish(lease)
                leased += 1
        finally:
            connection.close()
        return leased

    with ThreadPoolExecutor(workers) as pool:
        assert sum(pool.map(take_all, range(workers))) == units
    with without_access_scope():
        assert set(ReplaySegment.objects.values_list("rounds", flat=True)) == {1}
    assert [job.subject for job in Job.objects.all()] == [replay.pk]


def test_expired_lease_goes_to_one_of_many_workers(own_database):
    workers = 6
    jobs_of(made_replay(1))
    for _ in range(5):
        queue.take_job(UNITS)
        kill_workers()
        together = Barrier(workers)

        def take(_: int, together: Barrier = together) -> queue.Lease | None:
            together.wait()
            try:
                return queue.take_job(UNITS)
            finally:
                connection.close()

        with ThreadPoolExecutor(workers) as pool:
            leased = [lease for lease in pool.map(take, range(workers)) if lease]
        assert len(leased) == 1
        queue.give_back(leased[0])
