"""Say that there is work, once what it is stands in the database."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import structlog
from celery import current_app
from django.db import transaction

if TYPE_CHECKING:
    from collections.abc import Callable

log = structlog.get_logger(__name__)


def announce(
    task: str,
    *,
    times: int = 1,
    expires: float | None = None,
    untold: Callable[[], object] | None = None,
) -> None:
    """Send a task when the transaction that is under way commits.

    A broker that is away or full is no error: a sweep finds what stands in the database. `untold`
    is called then, so that whoever waits can be told.
    """
    transaction.on_commit(partial(_send, task, times, expires, untold))


def _send(
    task: str, times: int, expires: float | None, untold: Callable[[], object] | None
) -> None:
    try:
        for _ in range(times):
            current_app.send_task(task, expires=expires)
    except Exception as away:  # noqa: BLE001 - each broker's library raises its own
        log.warning("the broker did not take a message", task=task, error=str(away))
        if untold is not None:
            untold()
