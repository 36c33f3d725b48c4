"""The running system as real processes: it serves, survives kills, and leaves nothing behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from compliance.project.models import Heartbeat
from tests.installation import ROOT, Installation, wait_until


def address(installation: Installation) -> str:
    """Wait until the system prints where it serves; return the last such address."""
    wait_until(lambda: "Serving at" in installation.output())
    return str(re.findall(r"Serving at (\S+)\.", installation.output())[-1])


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return int(answer.status)
    except OSError:
        return 0


def commands(installation: Installation) -> dict[int, str]:
    found = {}
    for number in installation.processes():
        place = Path(f"/proc/{number}/cmdline")
        found[number] = place.read_bytes().replace(b"\0", b" ").decode()
    return found


def leader(installation: Installation, words: str) -> int:
    """Return the process of a part that leads its session."""

    def found() -> list[int]:
        return [
            number
            for number, command in commands(installation).items()
            if "manage.py" not in command and words in command and os.getsid(number) == number
        ]

    wait_until(found)
    return found()[0]


def children(number: int) -> list[int]:
    place = Path(f"/proc/{number}/task/{number}/children")
    return [int(each) for each in place.read_text().split()]


def beats(installation: Installation) -> None:
    """Send a task and wait until the worker has done it."""
    Heartbeat.objects.all().delete()
    sent = installation.manage(
        "shell", "-c", "from compliance.project.tasks import heartbeat; heartbeat.delay()"
    )
    assert sent.returncode == 0, sent.stderr
    wait_until(Heartbeat.objects.exists)


def test_serve_restarts_killed_parts_and_leaves_no_process(installation: Installation) -> None:
    parent = installation.start("serve")
    served = address(installation)
    with urllib.request.urlopen(f"{served}/readyz", timeout=5) as answer:
        needed = ("archive", "archive_space", "database", "migrations")
        assert json.load(answer) == dict.fromkeys(needed, "ok")
    wait_until(Heartbeat.objects.exists)  # beat sent it, the worker wrote it
    with urllib.request.urlopen(f"{served}/metrics", timeout=5) as answer:
        figures = answer.read().decode()
    assert 'compliance_condition{condition="broker",state="ok"} 1.0' in figures
    assert 'compliance_condition{condition="worker",state="ok"} 1.0' in figures
    for times, part in enumerate(("gunicorn", "worker", "beat"), start=1):
        killed = leader(installation, part)
        left = children(killed)
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda times=times: installation.output().count("it is started again") == times)
        wait_until(lambda left=left: not set(left) & set(installation.processes()))
        assert leader(installation, part) != killed
        wait_until(lambda: status(f"{served}/readyz") == 200)
    beats(installation)
    parent.kill()
    parent.wait(60)  # a process that nobody has waited for still looks alive
    second = installation.start("serve")
    wait_until(lambda: installation.output().count("Serving at") == 2)
    assert status(f"{address(installation)}/readyz") == 200
    beats(installation)
    second.send_signal(signal.SIGINT)
    assert second.wait(60) == 0
    wait_until(lambda: installation.processes() == [])


def test_one_worker_works_on_when_its_processes_are_killed(installation: Installation) -> None:
    parent = installation.start("serve", "--only", "worker")
    beats(installation)
    refused = installation.manage("serve", "--only", "worker")
    assert refused.returncode == 1
    assert f"already runs, under process {parent.pid}" in refused.stderr
    second = installation.manage("shell", "-c", TRACED)
    if "BROKER_URL" in installation.configuration:  # Redis serves every worker there is
        assert second.returncode == 0
    else:
        assert second.returncode == 1
        assert "One folder or SQLite file serves one worker" in second.stderr
    # The request's id follows into its task; tasks of the clock are not logged.
    wait_until(
        lambda: re.search(r"task_succeeded.*request_id=seen-by-the-web", installation.output())
    )
    assert installation.output().count("task_succeeded") == 1
    worker = leader(installation, "worker")
    # With Redis the worker forks the processes that work; with a folder it is the process itself.
    os.kill((children(worker) or [worker])[0], signal.SIGKILL)
    beats(installation)
    parent.send_signal(signal.SIGTERM)
    assert parent.wait(60) == 0
    assert installation.processes() == []


TRACED = """
import structlog
from compliance.project.start import be_the_only_worker
from compliance.project.tasks import heartbeat
structlog.contextvars.bind_contextvars(request_id="seen-by-the-web")
heartbeat.delay()
be_the_only_worker(wait=0.5)
"""


def test_a_killed_worker_takes_its_processes_along(installation: Installation) -> None:
    # Started by hand, without a parent that would clean up.
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "--quiet", "--app=compliance.project", "worker"],
        cwd=ROOT,
        env=installation.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    beats(installation)
    worker.kill()
    worker.wait()
    wait_until(lambda: installation.processes() == [], seconds=20)


@pytest.mark.anywhere
def test_port_in_use_says_what_to_do(installation: Installation) -> None:
    with socket.socket() as durations:
        durations.bind(("127.0.0.1", 0))
        durations.listen()
        port = durations.getsockname()[1]
        refused = installation.manage("serve", "--port", str(port))
    assert refused.returncode == 1
    assert f"Port {port} cannot be opened" in refused.stderr
    assert f"make run PORT={port + 1}" in refused.stderr


@pytest.mark.anywhere
@pytest.mark.parametrize("command", ["worker", "beat"])
def test_no_part_starts_under_an_unsafe_configuration(
    installation: Installation, command: str
) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "celery", "--app=compliance.project", command],
        cwd=ROOT,
        env={**installation.environment, "MODE": "production"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert refused.returncode != 0
    assert "project.E002: SECRET_KEY has 0 characters." in refused.stderr
    assert "project.E003: SIGNING_KEY is not set." in refused.stderr
