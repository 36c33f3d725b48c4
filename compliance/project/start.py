"""What each process makes sure of before it works."""

import fcntl
import os
import sys
import time
from pathlib import Path

from django.conf import settings
from django.core import checks
from django.db import connection

from compliance.project.broker import on_one_machine

# Held until the process and all that it forked have ended; the kernel lets go of it.
_held: list[int] = []


def refuse_unsafe_start() -> None:
    """Leave with the sentences of every system check that fails."""
    failed = [each for each in checks.run_checks() if each.level >= checks.ERROR]
    if failed:
        lines = [f"{each.id}: {each.msg}\n    {each.hint or ''}".rstrip() for each in failed]
        sys.exit("\n".join(["This configuration is not safe to start:", *lines]))


def worker_lock() -> Path | None:
    """Return the file that the only worker holds, if there may be only one."""
    if on_one_machine(settings.BROKER_URL):
        return Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]).parent / "worker"
    if connection.vendor == "sqlite":
        return Path(f"{connection.settings_dict['NAME']}.worker")
    return None


def be_the_only_worker(*, wait: float = 15) -> None:
    """Hold the worker's lock; a worker that is just ending is waited for.

    Two workers on one broker folder take each other's messages apart, and two on one SQLite file
    stand in each other's way.
    """
    place = worker_lock()
    if place is None:
        return
    held = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    until = time.monotonic() + wait
    while not try_lock(held):
        if time.monotonic() > until:
            os.close(held)
            sys.exit(
                f"Another worker holds {place}. One folder or SQLite file serves one worker; "
                "for more, let DATABASE_URL name a PostgreSQL and BROKER_URL a Redis."
            )
        time.sleep(0.2)
    _held.append(held)


def try_lock(handle: int) -> bool:
    """Take the lock on an open file, or say at once that somebody has it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
