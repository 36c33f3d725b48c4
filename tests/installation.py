"""A temporary installation for one test: folder, database, broker, and real processes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
PATIENCE = 300
"""Seconds; something instant on an idle machine may take minutes on a busy one."""


@dataclass
class Installation:
    """The folder of one system, and the processes that a test started in it."""

    var: Path
    configuration: dict[str, str]
    root: Path = ROOT
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of its processes: only Python is available, so npm isn't.

        They write no bytecode in the checkout, because on a full disk half of it would be left.
        """
        return {
            "PATH": "",
            "HOME": str(self.var),
            "VAR": str(self.var),
            "PYTHONDONTWRITEBYTECODE": "1",
            **self.configuration,
        }

    def manage(
        self, *arguments: str, seconds: float = 400, **changed: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a management command to its end."""
        return subprocess.run(
            [sys.executable, self.root / "manage.py", *arguments],
            env={**self.environment, **changed},
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )

    def start(self, *arguments: str, **changed: str) -> subprocess.Popen[str]:
        """Start a management command; its output goes to `VAR/output`."""
        with (self.var / "output").open("a") as output:
            process = subprocess.Popen(
                [sys.executable, self.root / "manage.py", *arguments],
                env={**self.environment, **changed},
                cwd=self.root,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                text=True,
                start_new_session=True,
            )
        self.started.append(process)
        return process

    def output(self) -> str:
        """Return what its started processes have written."""
        return (self.var / "output").read_text()

    def processes(self) -> list[int]:
        """Return the process ids of all living processes of this installation."""
        mark = f"VAR={self.var}".encode()
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (place / "environ").read_bytes().split(b"\0"):
                    found.append(int(place.name))
            except OSError:
                continue
        return found

    def end(self) -> None:
        """End the remaining processes, and fail if one survives."""
        for process in self.started:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.started:
            process.wait(PATIENCE)
        wait_until(lambda: not self.processes(), seconds=30)


def wait_until(true: Callable[[], object], *, seconds: float = PATIENCE) -> None:
    """Wait until a condition is true, and fail if it never is."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, f"waited {seconds} s in vain"
        time.sleep(0.05)
