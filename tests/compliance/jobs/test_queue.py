"""Jobs are leased once, finished once, and never lost: with a real database and processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import F, Value
from django.db.models.functions import Concat, Now

from compliance.access.models import Party
from compliance.access.permissions import PartyKind
from compliance.access.scope import without_access_scope
from compliance.jobs import queue
from compliance.jobs.models import Job
from tests.compliance.jobs.due import make_jobs_due

ROOT = Path(__file__).parents[3]
SECONDS = 60

WORKER = """
import sys, time
from datetime import timedelta
from pathlib import Path
import django
import time_machine
from django.utils import timezone
folder, skew = Path(sys.argv[1]), int(sys.argv[2])
django.setup()
from django.db.models import F, Value
from django.db.models.functions import Concat
from compliance.jobs import queue
from compliance.models import Party
from compliance.access.scope import without_access_scope
from tests.compliance.jobs.due import make_jobs_due
queue.LEASE_SECONDS, queue.RENEW_AFTER_SECONDS = 1.5, 0.3
status = 3
with without_access_scope(), time_machine.travel(timezone.now() + timedelta(seconds=skew)):
    while lease := queue.take_job({"mark"}):
        try:
            with queue.renewing(lease):
                (folder / "taken").write_text(str(lease.job))
                while (folder / "hold").exists():
                    time.sleep(0.02)
            with queue.finishing(lease):
                Party.objects.filter(pk=lease.subject).update(name=Concat(F("name"), Value("x")))
            status = 0
        except queue.LeaseLostError:
            sys.exit(7)
sys.exit(status)
"""


@pytest.fixture
def parties(own_database: str) -> list[int]:
    del own_database
    made = [
        Party(kind=PartyKind.SUPPLIER, code=f"supplier-{number}", name="done ")
        for number in range(40)
    ]
    with without_access_scope():
        Party.objects.bulk_create(made)
    return [each.pk for each in made]


def start_worker(folder: Path, database: str, *, skew: int = 0) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        "DATABASE_URL": database,
        "VAR": str(folder),
        "DJANGO_SETTINGS_MODULE": "compliance.project.settings",
    }
    command = [sys.executable, "-W", "ignore", "-c", WORKER, str(folder), str(skew)]
    return subprocess.Popen(command, cwd=ROOT, env=environment)


def wait_for(path: Path) -> None:
    until = time.monotonic() + SECONDS
    while not path.exists():
        assert time.monotonic() < until, f"{path} never came"
        time.sleep(0.02)


def marks(parties: list[int]) -> list[int]:
    with without_access_scope():
        names = Party.objects.filter(pk__in=parties).values_list("name", flat=True)
        return [name.count("x") for name in names]


def finish(lease: queue.Lease) -> None:
    with without_access_scope(), queue.finishing(lease):
        Party.objects.filter(pk=lease.subject).update(name=Concat(F("name"), Value("x")))


def expire(lease: queue.Lease) -> None:
    Job.objects.filter(pk=lease.job).update(lease_until=Now() - timedelta(seconds=1))


def test_two_workers_do_each_job_once(parties, own_database, tmp_path):
    queue.add_jobs("mark", parties)
    folders = [tmp_path / "one", tmp_path / "two"]
    for each in folders:
        each.mkdir()
    workers = [start_worker(each, own_database) for each in folders]
    assert {each.wait(SECONDS) for each in workers} <= {0, 3}
    assert marks(parties) == [1] * len(parties)
    assert not Job.objects.exists()


def test_paused_worker_writes_nothing_after_its_lease(parties, own_database, tmp_path):
    (tmp_path / "hold").touch()
    queue.add_jobs("mark", parties[:1])
    worker = start_worker(tmp_path, own_database)
    wait_for(tmp_path / "taken")
    time.sleep(2.5)
    assert queue.take_job({"mark"}) is None  # it renews its lease of 1.5 seconds
    worker.send_signal(signal.SIGSTOP)
    until = time.monotonic() + SECONDS
    while (lease := queue.take_job({"mark"})) is None:
        assert time.monotonic() < until
        time.sleep(0.1)
    assert lease.resumed
    finish(lease)
    (tmp_path / "hold").unlink()
    worker.send_signal(signal.SIGCONT)
    assert worker.wait(SECONDS) == 7
    assert marks(parties[:1]) == [1]


@pytest.mark.parametrize("skew", [-3600, 3600])
def test_skewed_clock_changes_no_lease(skew, parties, own_database, tmp_path):
    (tmp_path / "hold").touch()
    queue.add_jobs("mark", parties[:1])
    worker = start_worker(tmp_path, own_database, skew=skew)
    wait_for(tmp_path / "taken")
    time.sleep(2.5)
    assert queue.take_job({"mark"}) is None
    (tmp_path / "hold").unlink()
    assert worker.wait(SECONDS) == 0
    assert marks(parties[:1]) == [1]


@pytest.mark.usefixtures("db")
class TestOrder:
    def test_priority_goes_before_age(self):
        queue.add_jobs("mark", [1, 2])
        queue.add_jobs("mark", [3], priority=1)
        leases = [queue.take_job({"mark"}) for _ in range(4)]
        assert [lease and lease.subject for lease in leases] == [3, 1, 2, None]

    def test_exclusive_jobs_run_one_at_a_time(self):
        queue.add_jobs("mark", [1, 2], exclusive="operator 5")
        queue.add_jobs("mark", [3])
        first, third = queue.take_job({"mark"}), queue.take_job({"mark"})
        assert first is not None
        assert third is not None
        assert (first.subject, third.subject) == (1, 3)
        assert queue.take_job({"mark"}) is None
        expire(first)
        again = queue.take_job({"mark"})
        assert again is not None
        assert (again.subject, again.resumed) == (1, True)
        with queue.finishing(again):
            pass
        second = queue.take_job({"mark"})
        assert second is not None
        assert second.subject == 2

    def test_expired_lease_excludes_no_other_job(self):
        queue.add_jobs("mark", [1], exclusive="operator 5")
        dead = queue.take_job({"mark"})
        assert dead is not None
        expire(dead)
        queue.add_jobs("mark", [2], exclusive="operator 5", priority=9)
        urgent = queue.take_job({"mark"})
        assert urgent is not None
        assert urgent.subject == 2
        with pytest.raises(queue.LeaseLostError):
            queue.give_back(dead)

    def test_job_put_off_waits_until_it_is_due(self):
        queue.add_jobs("mark", [1])
        lease = queue.take_job({"mark"})
        assert lease is not None
        queue.put_off(lease, "The archive is away.", pause=timedelta(hours=1))
        assert queue.take_job({"mark"}) is None
        make_jobs_due()
        lease = queue.take_job({"mark"})
        assert lease is not None
        assert (lease.deaths, lease.waits, lease.resumed) == (0, 1, False)

    def test_canceled_job_cannot_be_finished(self):
        queue.add_jobs("mark", [1], group=4)
        lease = queue.take_job({"mark"})
        assert lease is not None
        assert queue.cancel_jobs("mark", group=4) == 1
        with pytest.raises(queue.LeaseLostError), queue.finishing(lease):
            pytest.fail("nothing is written under a lease that was canceled")

    def test_adding_a_job_again_keeps_the_one_there_is(self):
        queue.add_jobs("mark", [1])
        lease = queue.take_job({"mark"})
        queue.add_jobs("mark", [1], priority=5)
        assert lease is not None
        assert queue.renew_lease(lease)
        assert Job.objects.get().priority == 0
