"""How a failed job ends: rejected, retried, or given up with its reason."""

from __future__ import annotations

import errno
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from compliance.jobs import queue, work
from compliance.jobs.models import Job
from compliance.jobs.queue import take_job

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("db")


class BadLineError(Exception):
    pass


class NoAnswerError(Exception):
    pass


def fail(*_: object) -> NoReturn:
    msg = "not recorded"
    raise ZeroDivisionError(msg)


class Recorder:
    """A kind of work that fails on demand, and records what becomes of its subjects."""

    def __init__(self, **policy: Any) -> None:
        self.errors: dict[int, Exception] = {}
        self.done: list[int] = []
        self.refused: list[tuple[int, str]] = []
        self.given_up: list[tuple[int, str]] = []
        self.policy: dict[str, Any] = {
            "run": self.run,
            "refuse": lambda subject, error: self.refused.append((subject, str(error))),
            "give_up": lambda subject, why: self.given_up.append((subject, why)),
            "bad_input": (BadLineError,),
            "unavailable": (NoAnswerError,),
        }
        self.become(**policy)

    def become(self, **policy: Any) -> None:
        self.policy |= policy
        kind = work.Kind(**self.policy)
        work._kinds["recorder"] = lambda: kind

    def run(self, lease: queue.Lease) -> None:
        if lease.subject in self.errors:
            raise self.errors[lease.subject]
        with queue.finishing(lease):
            self.done.append(lease.subject)

    def do(self) -> None:
        Job.objects.update(due=Now())
        work.do_jobs({"recorder"})


@pytest.fixture(autouse=True)
def forget_kinds() -> Iterator[None]:
    yield
    work._kinds.pop("recorder", None)


def test_bad_input_is_refused_and_the_rest_is_done():
    recorder = Recorder()
    recorder.errors[1] = BadLineError("Line 7 is not a round.")
    queue.add_jobs("recorder", [1, 2])
    recorder.do()
    assert recorder.refused == [(1, "Line 7 is not a round.")]
    assert recorder.done == [2]
    assert not Job.objects.exists()


def test_fault_of_ours_is_given_up_after_three_tries():
    recorder = Recorder()
    recorder.errors[1] = ZeroDivisionError("division by zero")
    queue.add_jobs("recorder", [1])
    for _ in range(2):
        recorder.do()
        assert not recorder.given_up
    recorder.do()
    assert recorder.given_up == [(1, "ZeroDivisionError: division by zero")]
    assert not Job.objects.exists()


def test_full_disk_is_waited_for_and_stops_the_others():
    recorder = Recorder()
    recorder.errors[1] = OSError(errno.ENOSPC, "No space left on device")
    queue.add_jobs("recorder", [1, 2])
    for _ in range(20):
        Job.objects.filter(subject=1).update(due=Now())
        with pytest.raises(work.StoppedError):
            work.do_jobs({"recorder"})
    assert not recorder.given_up
    job = Job.objects.get(subject=1)
    assert (job.unreturned, job.faults, job.waits) == (0, 0, 20)
    assert "No space left" in job.failure
    recorder.errors.clear()
    recorder.do()
    assert sorted(recorder.done) == [1, 2]


def test_one_receiver_that_is_away_holds_up_no_other():
    recorder = Recorder(max_waits=3)
    recorder.errors[1] = NoAnswerError("no answer")
    queue.add_jobs("recorder", [1, 2])
    recorder.do()
    assert recorder.done == [2]
    recorder.do()
    assert not recorder.given_up
    recorder.do()
    assert recorder.given_up == [(1, "NoAnswerError: no answer")]


def test_pauses_grow_to_the_last_one():
    recorder = Recorder(pauses=(timedelta(hours=1), timedelta(hours=5)), max_faults=9)
    recorder.errors[1] = ZeroDivisionError()
    queue.add_jobs("recorder", [1])
    for hours in (1, 5, 5):
        recorder.do()
        due = Job.objects.filter(
            due__gt=Now() + timedelta(hours=hours, minutes=-1),
            due__lt=Now() + timedelta(hours=hours, minutes=1),
        )
        assert due.exists()


def test_job_whose_workers_die_is_given_up():
    recorder = Recorder()
    queue.add_jobs("recorder", [1])
    for _ in range(10):
        assert take_job({"recorder"})
        Job.objects.update(lease_until=Now() - timedelta(seconds=1))
    recorder.do()
    assert recorder.given_up == [(1, "10 workers ended while doing it.")]
    assert not recorder.done


def test_kind_that_is_never_given_up_is_retried_for_ever():
    recorder = Recorder(give_up=None)
    recorder.errors[1] = ZeroDivisionError()
    queue.add_jobs("recorder", [1])
    for _ in range(work.MAX_FAULTS + 1):
        recorder.do()
    Job.objects.update(unreturned=work.MAX_DEATHS)
    recorder.errors.clear()
    recorder.do()
    assert recorder.done == [1]


@pytest.mark.parametrize("repeatable", [True, False])
def test_failure_that_cannot_be_recorded_is_recorded_later(repeatable):
    """The work isn't repeated in the meantime, because an email might be sent twice."""
    recorder = Recorder(give_up=fail, repeatable=repeatable, interrupted="It may be sent.")
    queue.add_jobs("recorder", [1])
    assert take_job({"recorder"})
    Job.objects.update(lease_until=Now() - timedelta(seconds=1), unreturned=work.MAX_DEATHS)
    recorder.do()
    job = Job.objects.get()
    assert (job.state, job.token) == ("pending", None)
    assert job.due > timezone.now()
    recorder.become(give_up=lambda subject, why: recorder.given_up.append((subject, why)))
    recorder.do()
    assert recorder.given_up == [
        (1, "10 workers ended while doing it." if repeatable else "It may be sent.")
    ]
    assert not recorder.done
    assert not Job.objects.exists()


def test_refusal_that_cannot_be_recorded_counts_as_a_fault():
    recorder = Recorder(refuse=fail)
    recorder.errors[1] = BadLineError("Line 7 is not a round.")
    queue.add_jobs("recorder", [1])
    for _ in range(work.MAX_FAULTS):
        recorder.do()
    assert recorder.given_up == [(1, "ZeroDivisionError: not recorded")]
    assert not Job.objects.exists()


def test_unrepeatable_job_is_given_up_after_a_death():
    recorder = Recorder(repeatable=False, interrupted="It may have been sent.")
    queue.add_jobs("recorder", [1])
    assert take_job({"recorder"})
    Job.objects.update(lease_until=Now() - timedelta(seconds=1))
    recorder.do()
    assert recorder.given_up == [(1, "It may have been sent.")]
    assert not recorder.done
