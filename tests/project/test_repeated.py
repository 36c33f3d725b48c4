"""A repeating failure is logged when it starts and when it ends, with its count."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from compliance.project import logs as repeated
from compliance.project.logs import QUIET_SECONDS, RepeatedFilter

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """Capture what the filter lets through from the logger `reports.example`."""
    written: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(record.getMessage())

    handler, logger = Kept(), logging.getLogger("reports.example")
    handler.addFilter(RepeatedFilter())
    logger.addHandler(handler)
    yield written
    logger.removeHandler(handler)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    time = [1_000.0]
    monkeypatch.setattr(repeated.time, "monotonic", lambda: time[0])
    return time


def fail(order: int, text: str = "Read-only file system") -> None:
    try:
        raise OSError(30, text)
    except OSError:
        logging.getLogger("reports.example").exception("order %d was not made", order)


def test_repeated_failure_is_written_once_then_counted(lines, now):
    for order in range(1_300):
        fail(order)
        now[0] += 10
    assert lines[0] == "order 0 was not made"
    hours = 1_300 * 10 // 3600
    assert len(lines) == 1 + hours
    now[0] += QUIET_SECONDS
    logging.getLogger("reports.example").warning("something else")
    assert "this failure is over; it happened 1299 more times since" in lines[1 + hours]
    assert lines[-1] == "something else"


def test_other_failures_are_written(lines, now):
    fail(1)
    fail(2, "Input/output error")
    fail(3)
    assert lines == ["order 1 was not made", "order 2 was not made"]
