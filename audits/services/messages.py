"""Messages to the workers: they say that there is work, never which."""

from __future__ import annotations

import structlog
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

WORK = "audits.replay_segments"
MOST_AT_ONCE = 16
"""Messages for one heap of work: as many processes begin at once; each takes more by itself."""

log = structlog.get_logger(__name__)


def announce_work(*, shares: int, expires: float | None = None) -> None:
    """Tell the workers once the transaction is committed; a broker that is away is no error.

    What no message says is found by the sweep.
    """
    transaction.on_commit(lambda: _send(min(shares, MOST_AT_ONCE), expires))


def _send(messages: int, expires: float | None) -> None:
    try:
        for _ in range(messages):
            current_app.send_task(WORK, expires=expires)
    except (OperationalError, OSError) as away:
        log.warning("the broker did not take a message; the sweep will say it", error=str(away))
