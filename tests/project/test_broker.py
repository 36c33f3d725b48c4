"""Messages through a broker that others can write to: a folder, and a real Redis."""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from inspect import signature
from queue import Empty
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from celery import current_app
from kombu import Connection
from redis import Redis

from compliance.project.broker import OneQueue, Turns, celery_url, transport_options
from compliance.project.messages import (
    MOST_BYTES,
    NO_ARGUMENTS,
    TASK_SECONDS,
    Reason,
    RefusedError,
    read,
)
from compliance.project.models import RefusedCount, RefusedMessage
from compliance.project.operations.quarantine import MOST_KEPT, Quarantine
from compliance.project.schedule import SCHEDULE
from tests import servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TASK = "project.heartbeat"
QUEUE = "compliance"


def body(content: object) -> str:
    return base64.b64encode(json.dumps(content).encode()).decode()


def message(*, of: dict[str, Any] | None = None, **headers: Any) -> bytes:
    """Return a message as Celery sends it, with other headers or other parts."""
    number = str(uuid4())
    whole = {
        "body": body(NO_ARGUMENTS),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": {"lang": "py", "task": TASK, "id": number, "retries": 0, **headers},
        "properties": {
            "correlation_id": number,
            "reply_to": str(uuid4()),
            "delivery_info": {"exchange": "", "routing_key": QUEUE},
            "body_encoding": "base64",
            "delivery_tag": str(uuid4()),
        },
        **(of or {}),
    }
    return json.dumps(whole).encode()


def refused(content: bytes, size: int | None = None) -> Reason | None:
    """Return why these bytes are refused, if they are."""
    try:
        read(content, len(content) if size is None else size, queue=QUEUE, known={TASK})
    except RefusedError as error:
        return error.reason
    return None


WITH_CALLBACK = [[], {}, {**NO_ARGUMENTS[2], "callbacks": [{"task": TASK}]}]  # type: ignore[dict-item]
ATTACKS = [
    (b"", Reason.NOT_JSON),
    (b"sixty bad strings", Reason.NOT_JSON),
    (b"\xff\xfe\x00", Reason.NOT_JSON),
    (b"[" * MOST_BYTES, Reason.NOT_JSON),
    (b"9" * MOST_BYTES, Reason.NOT_A_MESSAGE),
    (b"null", Reason.NOT_A_MESSAGE),
    (b"{}", Reason.NOT_A_MESSAGE),
    (message(of={"headers": None}), Reason.NOT_A_MESSAGE),
    (message(of={"properties": []}), Reason.NOT_A_MESSAGE),
    (message(id="../../etc/passwd"), Reason.NOT_A_MESSAGE),
    (message(of={"body": "not base64"}), Reason.NOT_A_MESSAGE),
    (message(of={"body": base64.b64encode(b"[" * 2000).decode()}), Reason.NOT_A_MESSAGE),
    (
        message(
            of={
                "content-type": "application/x-python-serialize",
                "body": base64.b64encode(pickle.dumps(print)).decode(),
            }
        ),
        Reason.NOT_A_MESSAGE,
    ),
    (message(of={"content-type": "application/x-yaml"}), Reason.NOT_A_MESSAGE),
    (message(of={"content-encoding": "binary"}), Reason.NOT_A_MESSAGE),
    (
        message(
            of={"body": base64.b64encode(zlib.compress(b"0" * 10**6)).decode()},
            compression="application/x-gzip",
        ),
        Reason.NOT_A_MESSAGE,
    ),
    (message(compression="application/x-gzip"), Reason.OPTIONS),
    (message(task="celery.chord_unlock"), Reason.UNKNOWN_TASK),
    (message(task="os.system"), Reason.UNKNOWN_TASK),
    (message(of={"body": body([["/etc/passwd"], {}, NO_ARGUMENTS[2]])}), Reason.ARGUMENTS),
    (message(of={"body": body([[], {"of": 1}, NO_ARGUMENTS[2]])}), Reason.ARGUMENTS),
    (message(of={"body": body(WITH_CALLBACK)}), Reason.ARGUMENTS),
    (message(eta="9999-01-01T00:00:00+00:00"), Reason.OPTIONS),
    (message(expires="soon"), Reason.OPTIONS),
    (message(expires="2030-01-01T00:00:00"), Reason.OPTIONS),
    (message(expires={"$gt": ""}), Reason.OPTIONS),
    (message(retries=-1), Reason.OPTIONS),
    (message(timelimit=[10**9, None]), Reason.OPTIONS),
    (message(group=str(uuid4())), Reason.OPTIONS),
    (message(stamped_headers=["x"], stamps={"x": 1}), Reason.OPTIONS),
]


@pytest.mark.parametrize(("content", "reason"), ATTACKS)
def test_message_that_asks_for_more_is_refused(content: bytes, reason: Reason) -> None:
    assert refused(content) == reason


def test_message_that_is_too_long_is_not_read() -> None:
    assert refused(message(), MOST_BYTES + 1) == Reason.TOO_LONG
    assert refused(message(), MOST_BYTES) is None


def test_message_is_made_anew_from_allowed_parts() -> None:
    sent = message(
        timelimit=[TASK_SECONDS, None],
        chord={"task": "celery.chord_unlock"},
        reply="elsewhere",
        __django_structlog__={"request_id": "seen", "user_id": 1, "level": "forged"},
    )
    made = read(sent, len(sent), queue=QUEUE, known={TASK})
    assert made is not None
    assert set(made["headers"]) == {
        *("lang", "task", "id", "root_id", "parent_id", "timelimit", "retries"),
        *("ignore_result", "argsrepr", "kwargsrepr", "__django_structlog__"),
    }
    assert made["headers"]["timelimit"] == [None, None]
    assert made["headers"]["__django_structlog__"] == {"request_id": "seen"}
    assert "reply_to" not in made["properties"]
    assert json.loads(base64.b64decode(made["body"])) == NO_ARGUMENTS
    assert refused(json.dumps(made).encode()) is None  # as when it is put back


def test_expired_message_is_passed_over() -> None:
    now = datetime.now(UTC)
    late, early = (message(expires=(now + timedelta(hours=each)).isoformat()) for each in (-1, 1))
    assert read(late, len(late), queue=QUEUE, known={TASK}) is None
    assert read(early, len(early), queue=QUEUE, known={TASK}) is not None


def test_tasks_take_no_arguments_to_forge() -> None:
    # A forged message can do what beat's messages do; a test for each requires "again, safely".
    current_app.loader.import_default_modules()
    ours = [task for name, task in current_app.tasks.items() if not name.startswith("celery.")]
    assert {each["task"] for each in SCHEDULE.values()} <= {task.name for task in ours}
    for task in ours:
        assert not signature(task.run).parameters, f"{task.name} takes arguments"
    assert current_app.conf.result_backend is None


def test_flood_of_one_task_gets_few_turns(settings: Any) -> None:
    settings.WORKERS = 1
    turns = Turns()
    assert sum(turns.take("audits.replay_segments") for _ in range(1000)) == 140
    assert turns.take("audits.night")


@pytest.mark.django_db
def test_quarantine_counts_all_and_keeps_thousand() -> None:
    one, another = Quarantine(), Quarantine()
    for _ in range(MOST_KEPT):
        one.add(Reason.NOT_JSON, b"\x00" * 10_000, 10_000)
        another.add(Reason.TOO_LONG, b"late", 4)
    one.write_now_and_then()
    another.write_now_and_then()
    another.add(Reason.TOO_LONG, b"later", 5)
    another.write_at = 0
    another.write_now_and_then()
    counts = dict(RefusedCount.objects.values_list("reason", "count"))
    assert counts == {Reason.NOT_JSON: MOST_KEPT, Reason.TOO_LONG: MOST_KEPT + 1}
    kept = RefusedMessage.objects.all()
    assert [each.number for each in kept] == list(range(1, MOST_KEPT + 1))
    assert {bytes(each.content) for each in kept} == {b"\x00" * MOST_BYTES}


@pytest.fixture(params=["folder", pytest.param("redis", marks=pytest.mark.services)])
def broker(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Connection, Callable[[bytes], object]]]:
    """Return a broker of each kind, and a way to write any bytes into its queue."""
    if request.param == "redis":
        with servers.own_redis() as url:
            client = Redis.from_url(url.replace("redis+socket", "unix"))
            options = transport_options(url, tmp_path)
            with Connection(url, transport_options=options) as connection:
                yield connection, lambda content: client.lpush(QUEUE, content)
        return
    url = "filesystem://"
    options = transport_options(url, tmp_path)

    def write(content: bytes) -> None:
        count = len(list((tmp_path / "messages").iterdir()))
        (tmp_path / "messages" / f"{count:05}.{QUEUE}.msg").write_bytes(content)

    with Connection(celery_url(url), transport_options=options) as connection:
        yield connection, write


def read_tasks(channel: OneQueue, most: int) -> list[str]:
    """Return the tasks a worker would get; on a slow machine it reads more than once."""
    found: list[str] = []
    for _ in range(1000):
        with suppress(Empty):
            found.append(channel._get(QUEUE)["headers"]["task"])
        if len(found) == most:
            break
    with pytest.raises(Empty):
        channel._get(QUEUE)
    return found


@pytest.mark.django_db
def test_own_messages_arrive_between_hostile_ones(
    broker: tuple[Connection, Callable[[bytes], object]],
) -> None:
    connection, write = broker
    current_app.loader.import_default_modules()
    channel = connection.channel()
    assert isinstance(channel, OneQueue)
    ours = ["audits.take_in", "audits.night", "reports.send"]
    for name in ours:
        write(b"x" * (1 << 20))
        for content, _ in ATTACKS:
            write(content)
        write(message(task=name))
    assert read_tasks(channel, len(ours)) == ours
    channel.aside.write_at = 0
    channel.aside.write_now_and_then()
    assert RefusedCount.objects.get(reason=Reason.TOO_LONG).count == 3
    total = sum(RefusedCount.objects.values_list("count", flat=True))
    assert total == 3 * (len(ATTACKS) + 1)
