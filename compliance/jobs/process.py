"""A command of this system as a process of its own, for work that takes longer than a task may."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from django.conf import settings

from compliance.secret import own_environment


class OwnProcess:
    """A management command that a worker process starts, one at a time."""

    def __init__(self, *command: str) -> None:
        self._command = command
        self._started: subprocess.Popen[bytes] | None = None

    def start(self) -> bool:
        """Start the command, unless the one started before still runs; return whether it did."""
        if self._started is not None and self._started.poll() is None:
            return False
        self._started = subprocess.Popen(  # noqa: S603 - a command of our own
            [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), *self._command],
            stdin=subprocess.DEVNULL,
            env=own_environment(),
        )
        return True
