"""What each process ensures before it works: locks, ports, database timeouts."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core import checks
from django.db import connection
from django.db.backends.signals import connection_created

from compliance.project.broker import on_one_machine
from compliance.project.environment import typed_variables
from compliance.secret import Secret, SecretUrl, forgotten

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


# Held until the process and all its forks have ended; the kernel releases it.
_open_locks: list[int] = []


def refuse_unsafe_start() -> None:
    """Exit with the messages of every failed system check."""
    failed = [each for each in checks.run_checks() if each.level >= checks.ERROR]
    if failed:
        lines = [f"{each.id}: {each.msg}\n    {each.hint or ''}".rstrip() for each in failed]
        sys.exit("\n".join(["This configuration is not safe to start:", *lines]))


def worker_lock() -> Path | None:
    """Return the lock file of the only worker, if there may be only one."""
    if on_one_machine(settings.BROKER_URL):
        return Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]).parent / "worker"
    if connection.vendor == "sqlite":
        return Path(f"{connection.settings_dict['NAME']}.worker")
    return None


def be_the_only_worker(*, wait: float = 15) -> None:
    """Take the worker's lock; wait for a worker that is stopping.

    Two workers on one broker folder take each other's messages apart, and two on one SQLite file
    block each other.
    """
    place = worker_lock()
    if place is None:
        return
    lock = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    until = time.monotonic() + wait
    while not try_lock(lock):
        if time.monotonic() > until:
            os.close(lock)
            sys.exit(
                f"Another worker holds {place}. One folder or SQLite file serves one worker; "
                "for more, let DATABASE_URL name a PostgreSQL and BROKER_URL a Redis."
            )
        time.sleep(0.2)
    _open_locks.append(lock)


def try_lock(handle: int) -> bool:
    """Lock an open file without waiting; return whether it was free."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def hold_part(name: str, *, folder: Path, wait: float = 60) -> int | None:
    """Take the lock of a part, to be inherited by its processes; None if it already runs.

    After a `kill -9` of the parent, its parts take a moment to stop: wait for that.
    """
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    until = time.monotonic() + wait
    while not try_lock(handle):
        if _alive(handle) or time.monotonic() > until:
            os.close(handle)
            return None
        time.sleep(0.1)
    os.truncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    return handle


def _alive(handle: int) -> bool:
    """Return whether the parent whose process ID is in the lock file is still running."""
    try:
        os.kill(int(os.pread(handle, 20, 0)), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True


def listen(port: int) -> list[socket.socket]:
    """Open the addresses of `localhost`, or exit with a message.

    The parent opens them and passes them on: a port conflict is known before anything has started,
    and no request is lost while the web is restarted.
    """
    ipv4 = _bound(socket.AF_INET, "127.0.0.1", port)
    port = ipv4.getsockname()[1]
    try:
        return [ipv4, _bound(socket.AF_INET6, "::1", port)]
    except (OSError, SystemExit):
        return [ipv4]


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    opened = socket.socket(family, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
    except OSError as refused:
        opened.close()
        sys.exit(
            f"Port {port} cannot be opened: {refused.strerror}. "
            f"Choose another, as in `make run PORT={port + 1}`."
        )
    opened.listen(128)
    return opened


LOCK_SECONDS = 10
STATEMENT_SECONDS = 20
"""As long as SQLite waits for its one writer."""


def be_patient_for_so_long() -> None:
    """Have PostgreSQL cancel slow statements, on every connection of this process."""
    connection_created.connect(_limit)


def _limit(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{LOCK_SECONDS}s"])
            cursor.execute(
                "SELECT set_config('statement_timeout', %s, false)", [f"{STATEMENT_SECONDS}s"]
            )


def environment_of(part: str) -> dict[str, str]:
    """Return the environment of a part: without the variables that only others use.

    From a URL it gets the address: for example, a page says whether reports go to a folder.
    """
    own = {**os.environ, "PART": part}
    for kind, variable in typed_variables():
        if part in variable.parts or variable.name not in own:
            continue
        if kind is SecretUrl:
            own[variable.name] = str(SecretUrl(own[variable.name]))
        else:
            del own[variable.name]
    return own


def forget_secrets() -> None:
    """Remove secrets from this process's environment once the settings have read them.

    Its child processes inherit the environment, including the one that reads untrusted files.
    """
    for kind, variable in typed_variables():
        if kind in (Secret, SecretUrl, list[Secret]):
            value = os.environ.pop(variable.name, None)
            if value is not None:
                forgotten[variable.name] = Secret(value)
