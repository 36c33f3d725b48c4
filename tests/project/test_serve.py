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
    """Wait until the system says where it serves; the last such address."""
    wait_until(lambda: "Serving at" in installation.said())
    return str(re.findall(r"Serving at (\S+)\.", installation.said())[-1])


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
    """Send a task as anybody would and wait until the worker has done it."""
    Heartbeat.objects.all().delete()
    sent = installation.manage(
        "shell", "-c", "from compliance.project.tasks import heartbeat; heartbeat.delay()"
    )
    assert sent.returncode == 0, sent.stderr
    wait_until(Heartbeat.objects.exists)


def test_it_serves_works_keeps_time_and_asked_to_end_leaves_no_process(
    installation: Installation,
) -> None:
    parent = installation.start("serve")
    served = address(installation)
    with urllib.request.urlopen(f"{served}/readyz", timeout=5) as answer:
        assert json.load(answer) == {"database": True, "migrations": True, "archive": True}
    wait_until(Heartbeat.objects.exists)  # beat sent it, the worker wrote it
    with urllib.request.urlopen(f"{served}/metrics", timeout=5) as answer:
        figures = answer.read().decode()
    assert 'compliance_well{part="broker"} 1.0' in figures
    assert 'compliance_well{part="worker"} 1.0' in figures
    parent.send_signal(signal.SIGINT)
    assert parent.wait(60) == 0
    assert installation.processes() == []


def test_a_killed_parent_leaves_no_orphan_and_a_second_start_works(
    installation: Installation,
) -> None:
    parent = installation.start("serve")
    address(installation)
    parent.kill()
    second = installation.start("serve")
    wait_until(lambda: installation.said().count("Serving at") == 2)
    assert status(f"{address(installation)}/readyz") == 200
    beats(installation)
    second.send_signal(signal.SIGTERM)
    assert second.wait(60) == 0
    wait_until(lambda: installation.processes() == [])


def test_a_killed_part_is_started_again(installation: Installation) -> None:
    installation.start("serve")
    served = address(installation)
    for times, part in enumerate(("gunicorn", "worker", "beat"), start=1):
        killed = leader(installation, part)
        left = children(killed)
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda times=times: installation.said().count("it is started again") == times)
        wait_until(lambda left=left: not set(left) & set(installation.processes()))
        assert leader(installation, part) != killed
        wait_until(lambda: status(f"{served}/readyz") == 200)
        beats(installation)


def test_a_killed_process_that_works_is_replaced(installation: Installation) -> None:
    installation.start("serve", "--only", "worker")
    for _ in range(3):
        beats(installation)
        worker = leader(installation, "worker")
        # With Redis the worker forks the processes that work; with a folder it is the process.
        os.kill((children(worker) or [worker])[0], signal.SIGKILL)
    beats(installation)


def test_a_killed_worker_takes_its_processes_along(installation: Installation) -> None:
    # Started by hand, without a parent that would clear up.
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


def test_a_second_system_of_the_same_folder_is_refused_in_words(
    installation: Installation,
) -> None:
    first = installation.start("serve", "--only", "beat")
    leader(installation, "beat")
    refused = installation.manage("serve", "--only", "beat")
    assert refused.returncode == 1
    assert f"already runs, under process {first.pid}" in refused.stderr


def test_two_workers_never_share_a_broker_folder(installation: Installation) -> None:
    first = installation.start("serve", "--only", "worker")
    beats(installation)
    second = installation.manage(
        "shell",
        "-c",
        "from compliance.project.start import be_the_only_worker; be_the_only_worker(wait=0.5)",
    )
    if "BROKER_URL" in installation.configuration:  # Redis serves as many as there are
        assert second.returncode == 0
    else:
        assert second.returncode == 1
        assert "One folder or SQLite file serves one worker" in second.stderr
    assert first.poll() is None


def test_a_taken_port_is_refused_with_a_way_on(installation: Installation) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = installation.manage("serve", "--port", str(port))
    assert refused.returncode == 1
    assert f"Port {port} cannot be opened" in refused.stderr
    assert f"make run PORT={port + 1}" in refused.stderr


def test_the_id_of_a_request_follows_into_its_task_and_what_the_clock_does_is_not_told(
    installation: Installation,
) -> None:
    installation.start("serve", "--only", "worker")
    beats(installation)
    assert "task_succeeded" not in installation.said()
    sent = installation.manage(
        "shell",
        "-c",
        "import structlog; from compliance.project.tasks import heartbeat\n"
        "structlog.contextvars.bind_contextvars(request_id='seen-by-the-web')\n"
        "heartbeat.delay()",
    )
    assert sent.returncode == 0, sent.stderr
    wait_until(
        lambda: re.search(r"task_succeeded.*request_id=seen-by-the-web", installation.said())
    )


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
