"""The main job as a new user runs it, and as it goes on after a kill."""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from audits.demonstration.night import NIGHT, logs, on
from tests import servers
from tests.installation import ROOT, Installation, wait_until
from tests.project.demonstration import assert_found_what_was_planted

if TYPE_CHECKING:
    from pytest_django.plugin import DjangoDbBlocker

    from tests.databases import Databases

SMALL = ("audit", "--pace", "60")
"""The same night with a tenth of its rounds."""


def digests(said: str) -> list[str]:
    """What the operators' replays came to, as the summary prints it."""
    found = re.findall(r"findings ([0-9a-f]{16})…", said)
    assert len(found) == 3, said
    return found


@pytest.fixture(scope="module")
def quiet(
    tmp_path_factory: pytest.TempPathFactory,
    databases: Databases,
    django_db_blocker: DjangoDbBlocker,
    kernels: None,
) -> list[str]:
    """The digests of a night that nothing disturbed."""
    del kernels
    with django_db_blocker.unblock():
        name = databases.copy()
        with databases.using(name), servers.fresh_broker(settings.BROKER_URL) as broker:
            configuration = {"DATABASE_URL": databases.url(name), "PORT": "0"}
            if broker:
                configuration["BROKER_URL"] = broker
            made = Installation(tmp_path_factory.mktemp("quiet"), configuration)
            audited = made.manage(*SMALL)
            made.end()
    assert audited.returncode == 0, audited.stderr
    return digests(audited.stdout)


def test_it_finds_what_was_planted_nothing_else_and_leaves_no_process(
    installation: Installation, quiet: list[str]
) -> None:
    audited = installation.manage(*SMALL)
    assert audited.returncode == 0, audited.stderr
    assert digests(audited.stdout) == quiet
    assert str(installation.var) in audited.stdout
    wait_until(lambda: installation.processes() == [], seconds=5)
    assert_found_what_was_planted(installation, 60)
    rounds = sum(
        1
        for log in logs(60)
        for sheet, _ in log.rounds()
        if sheet.plan.opening >= on(NIGHT, 6)
        and sheet.plan.opening < on(NIGHT, 6) + timedelta(days=1)
    )
    assert f"Rounds judged     {rounds:,} at 12 tables" in audited.stdout
    # The log that came too late makes a supplement of the report that was made at the closing.
    left = {each.stem for each in (installation.var / "reports").iterdir()}
    assert {f"NA-twin-rivers-{NIGHT}-1", f"NA-twin-rivers-{NIGHT}-2"} <= left
    assert f"NA-cedar-{NIGHT}-2" not in left
    # `make run` does it once only; once more by `make audit` it comes to the same.
    again = installation.manage("audit", "--once")
    assert again.returncode == 0
    assert "Rounds judged" not in again.stdout
    again = installation.manage(*SMALL)
    assert "it is on file, and is judged once more" in again.stdout
    assert digests(again.stdout) == quiet


def test_killed_at_any_moment_and_called_again_it_ends_the_same(
    installation: Installation, quiet: list[str]
) -> None:
    # Each goes on where the one before it was killed: at its start, and ever further into the work.
    for after in (1.5, 6.0, 12.0):
        killed = installation.start(*SMALL)
        time.sleep(after)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    audited = installation.manage(*SMALL)
    assert audited.returncode == 0, audited.stderr
    assert digests(audited.stdout) == quiet
    wait_until(lambda: installation.processes() == [])


def test_two_at_once_in_a_new_folder_take_turns(installation: Installation) -> None:
    fresh = f"sqlite:///{installation.var / 'fresh.sqlite3'}"
    first = installation.start(*SMALL, DATABASE_URL=fresh)
    second = installation.manage(*SMALL, DATABASE_URL=fresh)
    assert second.returncode == 0, second.stderr
    assert first.wait(120) == 0, installation.said()


def test_beside_a_running_system_it_uses_that_systems_worker(
    installation: Installation, quiet: list[str]
) -> None:
    serving = installation.start("serve", "--only", "worker")
    wait_until(lambda: "Running worker" in installation.said())
    audited = installation.manage(*SMALL)
    assert audited.returncode == 0, audited.stderr
    assert digests(audited.stdout) == quiet
    assert not (installation.var / "audit-worker.log").exists()
    assert serving.poll() is None


def test_a_folder_that_cannot_be_made_is_named(installation: Installation) -> None:
    in_the_way = installation.var / "a-file"
    in_the_way.touch()
    refused = installation.manage("audit", VAR=str(in_the_way / "var"))
    assert refused.returncode == 1
    assert "let VAR name a folder that is" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_full_disk_ends_in_a_sentence_and_with_room_again_it_goes_on(
    installation: Installation,
) -> None:
    fresh = {"DATABASE_URL": f"sqlite:///{installation.var / 'fresh.sqlite3'}"}
    # No file may grow beyond this: to a program the same as a disk without room.
    size = (200_000, 200_000)
    refused = subprocess.run(
        [sys.executable, ROOT / "manage.py", *SMALL],
        env=installation.environment | fresh,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, size),
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert "Nothing more can be written" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert installation.manage(*SMALL, **fresh).returncode == 0


def test_a_python_without_django_is_told_which_one_to_call() -> None:
    refused = subprocess.run(
        [sys.executable, "-I", "-S", ROOT / "manage.py", "audit"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert ".venv/bin/python manage.py" in refused.stderr
    assert "Traceback" not in refused.stderr
