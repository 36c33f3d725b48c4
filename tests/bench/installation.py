"""A temporary installation in a folder of its own; its commands, and the resources they use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from compliance.project.environment import variables

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOKS_EVERY = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class Ran:
    """The resources of a process: wall-clock seconds, CPU seconds, peak MiB."""

    clock: float
    processor: float
    peak: float
    output: str


class Installation:
    """The demonstration's operators on SQLite, without workers; or a copy of one."""

    def __init__(self, folder: Path, like: Installation | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = tempfile.TemporaryDirectory(dir=folder, prefix="installation-")
        own = {each.name for each in variables()}
        self._environment = {
            **{name: value for name, value in os.environ.items() if name not in own},
            "VAR": str(Path(self._folder.name).resolve()),
            "DJANGO_SETTINGS_MODULE": "compliance.project.settings",
        }
        if like is None:
            self.command("migrate", "--verbosity=0")
            self.command("load_demonstration")
        else:
            shutil.copytree(like._folder.name, self._folder.name, dirs_exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def command(self, *arguments: str, ends: Sequence[int] = (0,)) -> Ran:
        """Run `manage.py ...`."""
        return self._run([sys.executable, "manage.py", *arguments], ends)

    def inside(self, *arguments: str) -> Ran:
        """Measure what only a process of the installation can measure."""
        return self._run([sys.executable, "-m", "tests.bench.inside", *arguments], (0,))

    def _run(self, command: Sequence[str], ends: Sequence[int]) -> Ran:
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaints:
            began = time.perf_counter()
            process = subprocess.Popen(
                command, stdout=output, stderr=complaints, env=self._environment
            )
            peak, ended = 0.0, 0
            while not ended:
                # The kernel keeps the peak; its account of a child includes what the parent used.
                peak = max(peak, _peak(process.pid))
                time.sleep(LOOKS_EVERY)
                ended, status, used = os.wait4(process.pid, os.WNOHANG)
            took = time.perf_counter() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            complaints.seek(0)
            if process.returncode not in ends:
                raise subprocess.CalledProcessError(
                    process.returncode, command, output.read(), complaints.read()
                )
            return Ran(took, used.ru_utime + used.ru_stime, peak, output.read().decode())


def _peak(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
