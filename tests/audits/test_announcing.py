"""Notifying the workers, and a broker that doesn't answer."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import pytest
from celery import Celery, current_app

from compliance.jobs import announce as announcing
from compliance.jobs.announce import announce

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TASK = "audits.take_in"


@pytest.fixture
def brokers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Celery, Celery]]:
    """Return a broker that is down, and one that answers."""
    before = current_app._get_current_object()
    monkeypatch.setattr(announcing.broker, "next_try", 0.0)
    away = Celery(broker=f"redis+socket://{tmp_path}/none", set_as_current=False)
    away.conf.task_publish_retry = False
    yield away, Celery(broker="memory://", set_as_current=False)
    before.set_current()


@pytest.mark.django_db
def test_broker_that_is_away_costs_one_request_time(
    brokers: tuple[Celery, Celery], django_capture_on_commit_callbacks
) -> None:
    away, answering = brokers
    untold: list[str] = []

    def say(name: str) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            announce(TASK, untold=lambda: untold.append(name))

    def sent() -> int:
        with answering.connection_for_read() as connection:
            return int(connection.SimpleQueue("celery").qsize())

    away.set_current()
    say("first")
    answering.set_current()
    say("second")  # the broker isn't asked, so an outage can't hold this one up
    assert (untold, sent()) == (["first", "second"], 0)
    announcing.broker.next_try = monotonic()
    say("third")
    say("fourth")
    assert (untold, sent()) == (["first", "second"], 2)
