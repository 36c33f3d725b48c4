"""The process in which a worker has logs read.

A log of a night may take a minute; a task may not, for it would keep the worker from all else and
be given to another worker meanwhile. So a task only starts a reader, and the reader ends with its
worker.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from audits.models import HandIn
from audits.services.reading import ended
from compliance.walls import without_walls

_started: list[subprocess.Popen[bytes]] = []
"""The reader of this worker process, if it has one."""


def start_reader() -> bool:
    """Start a reader unless nothing waits or this worker has one; whether one was started."""
    if _started and _started[0].poll() is None:
        return False
    _started.clear()
    if not something_waits():
        return False
    command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "take_in"]
    _started.append(
        subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - a command of our own
    )
    return True


def something_waits() -> bool:
    """Whether a log waits to be read, or was left by a reader that is no more."""
    waiting = Q(state__in=[HandIn.State.WAITING, HandIn.State.READING])
    with without_walls():
        return HandIn.objects.filter(waiting & ended()).exists()
