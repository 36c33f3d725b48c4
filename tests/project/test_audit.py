"""The main job as a new user runs it, and as it goes on after a kill."""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import time
from datetime import timedelta

import pytest

from audits.demonstration.plan import NIGHT, logs, on
from tests.installation import ROOT, Installation, wait_until
from tests.project.demonstration import assert_found_what_was_planted

pytestmark = pytest.mark.usefixtures("kernels")

SMALL = ("audit", "--pace", "60")
"""The same night with a tenth of its rounds."""


def digests(output: str) -> list[str]:
    """What the operators' replays came to, as the summary prints it."""
    found = re.findall(r"findings ([0-9a-f]{16})…", output)
    assert len(found) == 4, output
    return found


def test_audit_finds_what_was_planted_and_again_the_same(
    installation: Installation,
) -> None:
    audited = installation.manage(*SMALL)
    assert audited.returncode == 0, audited.stderr
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
    assert f"Rounds audited    {rounds:,} at 18 tables" in audited.stdout
    # The log that came too late makes a supplement of the report that was made at the closing.
    left = {each.stem for each in (installation.var / "reports").iterdir()}
    assert {f"NA-twin-rivers-{NIGHT}-1", f"NA-twin-rivers-{NIGHT}-2"} <= left
    assert f"NA-cedar-{NIGHT}-2" not in left

    # `make run` audits once only.
    once = installation.manage("audit", "--once")
    assert once.returncode == 0
    assert "Rounds audited" not in once.stdout
    # Next to a running system it uses that system's worker.
    (installation.var / "audit-worker.log").unlink()
    serving = installation.start("serve", "--only", "worker")
    wait_until(lambda: "Running worker" in installation.output())
    again = installation.manage(*SMALL)
    assert again.returncode == 0, again.stderr
    assert "it is on file, and is audited again" in again.stdout
    assert digests(again.stdout) == digests(audited.stdout)
    assert not (installation.var / "audit-worker.log").exists()
    assert serving.poll() is None


def test_a_folder_that_cannot_be_made_is_named(installation: Installation) -> None:
    in_the_way = installation.var / "a-file"
    in_the_way.touch()
    refused = installation.manage("audit", VAR=str(in_the_way / "var"))
    assert refused.returncode == 1
    assert "let VAR name a folder that is" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.anywhere
def test_audit_recovers_from_a_full_disk_and_kills(installation: Installation) -> None:
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
    # Each goes on with what the one before it left: at its start, and further into the work.
    for after in (1.5, 8.0):
        killed = installation.start(*SMALL, **fresh)
        time.sleep(after)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    first = installation.start(*SMALL, **fresh)
    second = installation.manage(*SMALL, **fresh)
    assert second.returncode == 0, second.stderr
    assert first.wait(120) == 0, installation.output()
    wait_until(lambda: installation.processes() == [])
    installation.configuration |= fresh
    assert_found_what_was_planted(installation, 60)


def test_python_without_django_names_the_right_one() -> None:
    refused = subprocess.run(
        [sys.executable, "-I", "-S", ROOT / "manage.py", "audit"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert ".venv/bin/python manage.py" in refused.stderr
    assert "Traceback" not in refused.stderr
