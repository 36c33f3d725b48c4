"""Events reach a SIEM over TLS: in order, at least once, and nobody else."""

from __future__ import annotations

import json
import re
import socket
import ssl
import struct
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from django.utils import timezone

from compliance.conditions import siem
from compliance.event_log import siem as siem_service
from compliance.event_log.events import EXPORTED
from compliance.event_log.models import Leaf, SiemCursor
from compliance.event_log.siem import ship
from compliance.event_log.writes import integrate
from compliance.events.actor import Actor
from compliance.events.models import ActorKind
from compliance.events.record import record
from compliance.health import State
from compliance.jobs.models import Job
from compliance.jobs.queue import add_jobs, take_job
from tests.compliance.jobs.due import kill_workers, make_jobs_due
from tests.compliance.webhooks.receiver import certificate, own_address

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db
ADA = Actor(ActorKind.PERSON, name="Ada Example")
HEAD = re.compile(
    rb"<109>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z localhost compliance - ([a-z_.]{1,32}) - "
)


@dataclass
class Receiver:
    """A syslog receiver: what came on each connection, and how it ends them."""

    url: str
    connections: list[bytes] = field(default_factory=list)
    crashes_after: int | None = None
    """Bytes after which it dies with data unread, like a killed process."""

    def messages(self) -> list[dict[str, Any]]:
        """Return every complete message, read by octet count (RFC 5425, 4.3)."""
        return [one for came in self.connections for one in read_frames(came)]


def read_frames(came: bytes) -> list[dict[str, Any]]:
    found = []
    while came:
        length, _, rest = came.partition(b" ")
        if not length.isdigit() or len(rest) < int(length):
            break
        message, came = rest[: int(length)], rest[int(length) :]
        head = HEAD.match(message)
        assert head, message[:200]
        body = json.loads(message[head.end() :])
        assert body["event"]["type"].encode()[:32] == head.group(1)
        found.append(body)
    return found


def serve(receiver: Receiver, listener: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            plain, _ = listener.accept()
        except OSError:
            return
        receiver.connections.append(b"")
        try:
            with context.wrap_socket(plain, server_side=True) as line:
                while piece := line.recv(1024):
                    receiver.connections[-1] += piece
                    if receiver.crashes_after is not None and (
                        len(receiver.connections[-1]) >= receiver.crashes_after
                    ):
                        abort = struct.pack("ii", 1, 0)
                        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, abort)
                        break
                else:
                    line.unwrap()
        except OSError:
            plain.close()


@contextmanager
def listening(folder: Path, address: str, known_as: str) -> Iterator[Receiver]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(folder, known_as))
    with socket.create_server((address, 0)) as listener:
        receiver = Receiver(f"syslog+tls://{address}:{listener.getsockname()[1]}")
        thread = threading.Thread(target=serve, args=(receiver, listener, context), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)


@pytest.fixture
def receiver(tmp_path, settings) -> Iterator[Receiver]:
    address = own_address()
    with listening(tmp_path, address, address) as found:
        settings.SIEM_URL = found.url
        settings.SIEM_CA = str(tmp_path / f"{address}.pem")
        yield found


def happened(times: int) -> None:
    with transaction.atomic():
        for number in range(times):
            carried = {"count": number, "filter": "ünï", "size": number}
            record(EXPORTED, by=ADA, carries=carried)
    integrate()


def indexes() -> list[int]:
    return list(Leaf.objects.order_by("index").values_list("index", flat=True))


def test_events_are_shipped_once_in_log_order(receiver):
    happened(5)
    assert ship() == len(indexes())
    happened(3)
    assert ship() == 3
    assert ship() == 0
    came = receiver.messages()
    assert [one["index"] for one in came] == indexes()
    last = Leaf.objects.order_by("index").last()
    assert came[-1]["event"] == last.event.leaf()
    assert came[-1]["leaf"] == bytes(last.hash).hex()
    assert b"Ada" not in b"".join(receiver.connections)
    assert siem().state == State.OK


def test_personal_data_is_shipped_only_where_configured(receiver, settings):
    settings.SIEM_PERSONAL_DATA = True
    happened(1)
    ship()
    personal = {one["event"]["type"]: one["personal"] for one in receiver.messages()}
    assert personal["log.exported"] == {"actor": "Ada Example"}


def test_crashed_receiver_gets_the_batch_again(receiver):
    happened(300)
    receiver.crashes_after = 20_000
    assert ship() == 0
    assert 0 < len(receiver.messages()) < 300
    assert SiemCursor.objects.get().shipped == 0
    assert Job.objects.get().waits == 1
    condition = siem()
    assert condition.state == State.FAILING
    assert condition.count == len(indexes())
    receiver.crashes_after = None  # it was restarted
    receiver.connections.clear()
    assert ship() == 0  # too early, or it would be asked endlessly
    assert receiver.connections == []
    make_jobs_due()
    assert ship() == len(indexes())
    assert [one["index"] for one in receiver.messages()] == indexes()
    assert siem().state == State.OK


def test_receiver_that_does_not_confirm_gets_it_again(receiver):
    """It read everything and died before it answered: nobody knows what it stored."""
    happened(2)
    receiver.crashes_after = 1
    assert ship() == 0
    assert SiemCursor.objects.get().shipped == 0


@pytest.mark.parametrize("wrong", ["another authority", "another name"])
def test_wrong_certificate_gets_nothing(tmp_path, settings, wrong):
    address, other = own_address(), own_address()
    known_as = other if wrong == "another name" else address
    happened(1)
    with listening(tmp_path, address, known_as) as receiver:
        trusted = tmp_path / f"{other}.pem"  # the served certificate, but for another name
        if known_as == address:
            trusted = certificate(tmp_path, other)
        settings.SIEM_URL = receiver.url
        settings.SIEM_CA = str(trusted)
        assert ship() == 0
    assert b"".join(receiver.connections) == b""
    assert "CERTIFICATE_VERIFY_FAILED" in SiemCursor.objects.get().reason


def test_receiver_that_is_away_is_asked_less_often(receiver, settings):
    settings.SIEM_URL = "syslog+tls://127.0.0.1:1"
    happened(1)
    waits = []
    for _ in range(8):
        before = timezone.now()
        assert ship() == 0
        waits.append(round((Job.objects.get().due - before).total_seconds()))
        make_jobs_due()
    assert waits == [10, 20, 40, 80, 160, 300, 300, 300]
    assert "Connection refused" in siem().says


def test_two_workers_never_ship_at_once(receiver):
    happened(1)
    cursor = SiemCursor.objects.create(receiver=SiemCursor.named_by(receiver.url))
    add_jobs(SiemCursor.JOB, [cursor.pk])
    assert take_job({SiemCursor.JOB})
    assert ship() == 0
    kill_workers()
    assert ship() == len(indexes())
    assert not Job.objects.exists()


def test_worker_that_lost_its_lease_moves_no_cursor(receiver, monkeypatch):
    happened(1)
    send = siem_service._send

    def send_late(frames: bytes) -> None:
        send(frames)
        kill_workers()
        assert take_job({SiemCursor.JOB})

    monkeypatch.setattr(siem_service, "_send", send_late)
    assert ship() == 0
    monkeypatch.undo()
    kill_workers()
    assert ship() == len(indexes())


def test_batches_follow_each_other(receiver, monkeypatch):
    monkeypatch.setattr(siem_service, "BATCH", 2)
    happened(5)
    assert ship() == len(indexes())
    assert [one["index"] for one in receiver.messages()] == indexes()
    assert not Job.objects.exists()


def test_nothing_is_shipped_where_no_siem_is_named(settings):
    settings.SIEM_URL = ""
    assert ship() == 0
    assert not SiemCursor.objects.exists()
    assert siem().state == State.OK
