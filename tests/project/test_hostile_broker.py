"""An attacker with nothing but the broker, against the running system."""

from __future__ import annotations

import json
import os
import signal
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.db.models import Sum
from redis import Redis

from compliance.project.models import RefusedCount, RestartedPart
from tests.installation import wait_until
from tests.project.test_broker import ATTACKS, QUEUE, message
from tests.project.test_serve import address, beats, leader, status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.installation import Installation

MOST_MEBIBYTES = 600
"""Twice what an idle worker uses."""


def redis_of(installation: Installation) -> Redis | None:
    broker = installation.configuration.get("BROKER_URL")
    if not broker:
        return None
    # The client's default of five seconds may pass on a busy machine.
    return Redis.from_url(broker.replace("redis+socket", "unix"), socket_timeout=60)


def pushed(installation: Installation, messages: Iterable[bytes]) -> None:
    """Put bytes into the queue, as anyone can who reaches the broker."""
    if (client := redis_of(installation)) is not None:
        with client.pipeline(transaction=False) as pipe:
            for number, each in enumerate(messages, start=1):
                pipe.lpush(QUEUE, each)
                if number % 10_000 == 0:
                    pipe.execute()
            pipe.execute()
        client.close()
        return
    for each in messages:
        (installation.var / "broker" / "messages" / f"{uuid4()}.{QUEUE}.msg").write_bytes(each)


def poison(client: Redis) -> None:
    """Put garbage into Redis where kombu keeps its own records."""
    for key in ("unacked", "unacked_index", "unacked_mutex", "_kombu.binding.compliance"):
        client.set(key, "x")
    client.hset("unacked_of_none", mapping={"x": "not JSON"})
    client.sadd("_kombu.binding.celery.pidbox", "\x06\x16")
    for key in ("celery", f"{QUEUE}\x06\x163"):
        client.lpush(key, *["bad"] * 60)
    shutdown = {"method": "shutdown", "arguments": {}, "destination": None}
    for channel in ("/0.celery.pidbox", "/0.celeryev"):
        client.publish(channel, json.dumps(shutdown))
    client.delete(QUEUE)
    client.set(QUEUE, "a string where a list is looked for")


def set_aside() -> int:
    return RefusedCount.objects.aggregate(all=Sum("count"))["all"] or 0


def is_ok(served: str, condition: str) -> bool:
    with urllib.request.urlopen(f"{served}/metrics", timeout=60) as answer:
        figures = answer.read().decode()
    return f'compliance_condition{{condition="{condition}",state="ok"}} 1.0' in figures


def test_hostile_broker_ends_neither_worker_nor_web(installation: Installation) -> None:
    installation.start("serve")
    served = address(installation)
    beats(installation)
    worker = leader(installation, "compliance.project worker")
    assert is_ok(served, "messages")
    sent = [content for content, _ in ATTACKS] + [b"bad"] * 60 + [b"x" * (1 << 22)]
    if (client := redis_of(installation)) is not None:
        poison(client)
        wait_until(lambda: set_aside() == 1)
    before = set_aside()
    pushed(installation, sent)
    wait_until(lambda: set_aside() == before + len(sent))
    beats(installation)
    assert leader(installation, "compliance.project worker") == worker
    assert "it is started again" not in installation.output()
    assert status(f"{served}/readyz") == 200
    assert not is_ok(served, "messages")
    shown = installation.manage("quarantine")
    assert "unknown task" in shown.stdout
    assert "sixty bad strings" in shown.stdout
    assert installation.manage("quarantine", "--clear").returncode == 0
    assert is_ok(served, "messages")


@pytest.mark.anywhere
def test_worker_that_keeps_dying_alarms_and_web_stays(installation: Installation) -> None:
    installation.start("serve", "--only", "web", "worker")
    served = address(installation)
    assert is_ok(served, "parts")
    for times in range(1, 5):
        os.kill(leader(installation, "compliance.project worker"), signal.SIGKILL)
        wait_until(lambda times=times: installation.output().count("worker ended (-9)") == times)
    assert not is_ok(served, "parts")
    assert RestartedPart.objects.get().times == 4
    beats(installation)
    assert status(f"{served}/healthz") == 200


@pytest.mark.services
def test_many_hostile_messages_do_not_stop_work(installation: Installation) -> None:
    campaign(installation, 30_000)


def campaign(installation: Installation, amount: int) -> float:
    """Put foreign and well-formed messages before any of ours; all must be skipped.

    Returns the peak memory of the worker's process, in MiB.
    """
    foreign = [content for content, _ in ATTACKS]
    kinds = len(foreign)

    def messages() -> Iterable[bytes]:
        flood = message(task="reports.all_nights")
        for number in range(amount):
            yield foreign[number % kinds] if number % 2 else flood

    pushed(installation, messages())
    installation.start("serve", "--only", "worker")
    worker = leader(installation, "compliance.project worker")
    wait_until(lambda: set_aside() == amount // 2, seconds=3600)
    beats(installation)
    assert leader(installation, "compliance.project worker") == worker
    most = Path(f"/proc/{worker}/status").read_text().partition("VmHWM:")[2]
    mebibytes = int(most.split()[0]) / 1024
    assert mebibytes < MOST_MEBIBYTES
    return mebibytes
