"""The parent of a running system: it starts the parts, starts them again, and ends them all.

Each part leads a session of its own, so Ctrl-C at the terminal reaches the parent alone. Asked to
end, the parent sends TERM to the leaders only (a worker then finishes its task; a TERM to its
children would cut that off), and KILL to what is left of the session after a while. When the
parent itself is killed, the kernel sends TERM to the leaders.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

PR_SET_PDEATHSIG = 1
SECONDS_TO_END = 15
# A part that ends more often than this within a minute will not come up by itself.
ENDS_TOO_OFTEN = 3
WITHIN_SECONDS = 60
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass
class Part:
    """One program of the system: web, worker or beat."""

    name: str
    command: Sequence[str]
    handles: Sequence[int] = ()
    log: Path | None = None
    process: subprocess.Popen[bytes] | None = None
    ended: list[float] = field(default_factory=list)

    def start(self) -> None:
        """Start the program as leader of a session of its own."""
        parent = os.getpid()
        with contextlib.ExitStack() as opened:
            log = opened.enter_context(self.log.open("ab")) if self.log else None
            self.process = subprocess.Popen(  # noqa: S603  (commands of our own)
                self.command,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=self.handles,
                preexec_fn=lambda: _end_with(parent),
            )

    def has_ended(self) -> bool:
        """Whether the leader has ended; it stays unreaped, so that its number is not reused."""
        assert self.process is not None  # noqa: S101  (started before it is watched)
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, look) is not None

    def ask_to_end(self) -> None:
        """Send TERM to the leader alone."""
        assert self.process is not None  # noqa: S101
        os.kill(self.process.pid, signal.SIGTERM)

    def finish(self) -> int:
        """Send KILL to whatever is left of the session, and return how the leader ended."""
        assert self.process is not None  # noqa: S101
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        status, self.process = self.process.wait(), None
        return status


class GaveUpError(Exception):
    """A part does not stay up."""


class Parent:
    """Keeps parts running until it is told to end."""

    def __init__(self, parts: Sequence[Part], *, say: Callable[[str], None]) -> None:
        self.parts = list(parts)
        self.say = say
        self.ending = False

    def __enter__(self) -> Self:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._end)
        try:
            for part in self.parts:
                part.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _end(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.ending = True

    def watch(self) -> None:
        """Start again what ended by itself; raise `GaveUpError` when that does not help."""
        for part in self.parts:
            if self.ending or not part.has_ended():
                continue
            status = part.finish()
            now = time.monotonic()
            part.ended = [at for at in part.ended if now - at < WITHIN_SECONDS] + [now]
            if len(part.ended) > ENDS_TOO_OFTEN:
                message = f"{part.name} ended {len(part.ended)} times (the last time with {status})"
                raise GaveUpError(message)
            self.say(f"{part.name} ended ({status}); it is started again")
            time.sleep(0.25 * 2 ** len(part.ended))
            part.start()

    def run(self) -> None:
        """Keep the parts running until a signal asks to end."""
        while not self.ending:
            self.watch()
            time.sleep(0.2)

    def end(self) -> None:
        """End every part: asked first, killed if it does not."""
        started = [part for part in self.parts if part.process is not None]
        for part in started:
            part.ask_to_end()
        until = time.monotonic() + SECONDS_TO_END
        while time.monotonic() < until and not all(part.has_ended() for part in started):
            time.sleep(0.05)
        for part in started:
            part.finish()


def _end_with(parent: int) -> None:
    """Have the kernel send TERM to this process when its parent dies (Linux)."""
    if _LIBC is not None:
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)


def worker_command() -> list[str]:
    """Return the command line of a worker; its name is unlike that of any other."""
    name = f"worker-{os.getpid()}"
    return [*_celery(), "worker", "--loglevel=INFO", "--without-gossip", "--without-mingle",
            f"--hostname={name}@%h"]  # fmt: skip


def beat_command() -> list[str]:
    """Return the command line of the clock."""
    return [*_celery(), "beat", "--loglevel=INFO", "--pidfile="]


def web_command(*, bind: Sequence[str], processes: int, threads: int) -> list[str]:
    """Return the command line of the web server."""
    return [
        *(sys.executable, "-m", "gunicorn", "compliance.project.wsgi"),
        *(f"--bind={each}" for each in bind),
        *(f"--workers={processes}", f"--threads={threads}", "--worker-class=gthread"),
        # The heartbeat of its processes is a file; in memory a busy disk cannot look like death.
        *(("--worker-tmp-dir=/dev/shm",) if Path("/dev/shm").is_dir() else ()),  # noqa: S108
        "--graceful-timeout=10",
        "--no-control-socket",
    ]


def _celery() -> list[str]:
    return [sys.executable, "-m", "celery", "--quiet", "--app=compliance.project"]
