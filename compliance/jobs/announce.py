"""Announce new work on the broker, after it is committed."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import structlog
from celery import current_app
from django.db import transaction

if TYPE_CHECKING:
    from collections.abc import Callable


SECONDS_BETWEEN_TRIES = 30.0
"""Sweeps find all work within this time."""

log = structlog.get_logger(__name__)


class Broker:
    """Whether the broker was reachable for this process the last time.

    A broker that does not refuse the connection costs each sending request ten seconds: a few of
    them would block every web thread. So after a failure, one request retries from time to time,
    and the others continue at once.
    """

    next_try = 0.0

    def is_away(self) -> bool:
        """Return whether to skip sending now; when one caller may retry, the others still skip."""
        now = monotonic()
        if now < self.next_try:
            return True
        if self.next_try:
            self.next_try = now + SECONDS_BETWEEN_TRIES
        return False


broker = Broker()


def announce(
    task: str,
    *,
    times: int = 1,
    expires: float | None = None,
    untold: Callable[[], object] | None = None,
) -> None:
    """Send a task when the current transaction commits.

    An unavailable or full broker is not an error: a sweep finds the work in the database. `untold`
    is called then, so that the user can be informed.
    """
    transaction.on_commit(partial(_send, task, times, expires, untold))


def _send(
    task: str, times: int, expires: float | None, untold: Callable[[], object] | None
) -> None:
    if not broker.is_away():
        try:
            for _ in range(times):
                current_app.send_task(task, expires=expires)
        except Exception as away:  # noqa: BLE001 - each broker's library raises its own
            broker.next_try = monotonic() + SECONDS_BETWEEN_TRIES
            log.warning("the broker did not take a message", task=task, error=str(away))
        else:
            broker.next_try = 0.0
            return
    if untold is not None:
        untold()
