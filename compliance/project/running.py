"""Which parts run from this folder: each holds a lock for as long as any of its processes lives."""

import os
import socket
import sys
import time
from pathlib import Path

from compliance.project.start import try_lock


def hold_part(name: str, *, folder: Path, wait: float = 20) -> int | None:
    """Take the lock of a part, to be handed down to its processes; None if it already runs.

    After a `kill -9` of the parent its parts take a moment to end: that is waited for.
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
    """Whether the parent that wrote its number into the lock still lives."""
    try:
        os.kill(int(os.pread(handle, 20, 0)), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True


def listen(port: int) -> list[socket.socket]:
    """Open the addresses that `localhost` means, or leave with a sentence.

    The parent opens them and hands them down: a port that is taken is known before anything has
    started, and no request is lost while the web is started again.
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
