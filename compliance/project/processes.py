"""The parent of a running system: it starts the parts, restarts them, and stops them all.

Each part leads its own session, so Ctrl-C at the terminal reaches only the parent. When asked to
stop, the parent sends TERM to the leaders only (a worker then finishes its task; a TERM to its
children would interrupt it), and after a while KILL to what is left of the session. When the parent
itself is killed, the kernel sends TERM to the leaders.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

PR_SET_PDEATHSIG = 1
SECONDS_TO_END = 15
# A part that stops more often than this, each time soon after its start, is an alarm.
ENDS_TOO_OFTEN = 3
MOST_SECONDS_BETWEEN_STARTS = 300
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass
class Part:
    """One program of the system: web, worker or beat."""

    name: str
    command: Sequence[str]
    handles: Sequence[int] = ()
    log: Path | None = None
    environment: Mapping[str, str] | None = None
    """Its environment; by default, its parent's."""
    must_come_up: bool = False
    """If it cannot start, `serve` gives up instead of restarting it forever."""
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    ended: int = 0
    """How many times in a row it stopped soon after its start."""

    def start(self) -> None:
        """Start the program as the leader of its own session."""
        parent = os.getpid()
        self.started_at = time.monotonic()
        with contextlib.ExitStack() as opened:
            log = opened.enter_context(self.log.open("ab")) if self.log else None
            self.process = subprocess.Popen(  # noqa: S603  (commands of our own)
                self.command,
                env={**(self.environment or os.environ), "PYTHONUNBUFFERED": "1"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=self.handles,
                preexec_fn=lambda: _end_with(parent),
            )

    def has_ended(self) -> bool:
        """Return whether the leader has ended; it stays unreaped so that its PID is not reused."""
        assert self.process is not None  # noqa: S101  (started before it is watched)
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, look) is not None

    def ask_to_end(self) -> None:
        """Send TERM to the leader only."""
        assert self.process is not None  # noqa: S101
        os.kill(self.process.pid, signal.SIGTERM)

    def finish(self) -> int:
        """Send KILL to what is left of the session; return how the leader ended."""
        assert self.process is not None  # noqa: S101
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        status, self.process = self.process.wait(), None
        stayed_up = time.monotonic() - self.started_at > MOST_SECONDS_BETWEEN_STARTS
        self.ended = 1 if stayed_up else self.ended + 1
        return status

    def pause(self) -> float:
        """Return how many seconds to wait before the next restart; this doubles each time."""
        return min(float(2 ** min(self.ended - 2, 20)), MOST_SECONDS_BETWEEN_STARTS)


class GaveUpError(Exception):
    """A part that must start did not."""


class Parent:
    """Keeps parts running until it is asked to stop."""

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        say: Callable[[str], None],
        alarm: Callable[[Part, int], None] = lambda part, status: None,
    ) -> None:
        self.parts = list(parts)
        self.say = say
        self.alarm = alarm
        self.ending = False
        self.start_at: dict[str, float] = {}

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
        """Restart parts that ended, after increasing pauses; no part delays another."""
        for part in self.parts:
            if self.ending:
                return
            if part.process is None:
                if time.monotonic() >= self.start_at[part.name]:
                    part.start()
            elif part.has_ended():
                self._ended(part)

    def _ended(self, part: Part) -> None:
        status = part.finish()
        if part.must_come_up and part.ended > ENDS_TOO_OFTEN:
            message = f"{part.name} ended {part.ended} times (the last time with {status})"
            raise GaveUpError(message)
        pause = part.pause()
        self.say(f"{part.name} ended ({status}); it is started again in {pause:g} s")
        if part.ended >= ENDS_TOO_OFTEN:
            self.alarm(part, status)
        self.start_at[part.name] = time.monotonic() + pause

    def run(self) -> None:
        """Keep the parts running until a signal asks to stop."""
        while not self.ending:
            self.watch()
            time.sleep(0.2)

    def end(self) -> None:
        """Stop every part: first with a request, then by killing it."""
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
    """Return the command line of a worker, with a unique name."""
    name = f"worker-{os.getpid()}"
    return [*_celery(), "worker", "--loglevel=INFO", "--without-gossip", "--without-mingle",
            "--without-heartbeat", f"--hostname={name}@%h"]  # fmt: skip


def beat_command() -> list[str]:
    """Return the command line of beat."""
    return [*_celery(), "beat", "--loglevel=INFO", "--pidfile="]


def web_command(*, bind: Sequence[str], processes: int, threads: int) -> list[str]:
    """Return the command line of the web server."""
    return [
        *(sys.executable, "-m", "gunicorn", "compliance.project.wsgi"),
        *(f"--bind={each}" for each in bind),
        *(f"--workers={processes}", f"--threads={threads}", "--worker-class=gthread"),
        # Its processes' heartbeat is a file; in memory, a busy disk cannot make them look dead.
        *(("--worker-tmp-dir=/dev/shm",) if Path("/dev/shm").is_dir() else ()),  # noqa: S108
        "--graceful-timeout=10",
        "--no-control-socket",
    ]


def _celery() -> list[str]:
    return [sys.executable, "-m", "celery", "--quiet", "--app=compliance.project"]
