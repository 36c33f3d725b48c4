"""Read untrusted files in a separate process, with limits on time and memory.

A file may exhaust either one in its reader. The process is forked from a server that has only
libraries loaded: no threads, no connections and no other requests' data.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection


Answer = TypeVar("Answer")
PATIENCE = 4
"""How many seconds of wall time one second of CPU time may take on a busy machine."""
_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(
    ["__main__", "pypdf", "pyhanko.pdf_utils.reader", "pyhanko.sign.validation"]
)


class ExhaustedError(Exception):
    """The limit on time or memory was reached."""


def run_in_sandbox(work: Callable[..., Answer], *given: Any, seconds: int, memory: int) -> Answer:
    """Return the result of `work`, a module-level function, with these arguments.

    Raises:
        ExhaustedError: it used more CPU seconds or more bytes than allowed.
    """
    ours, theirs = _SERVER.Pipe(duplex=False)
    process = _SERVER.Process(
        target=_work, args=(theirs, seconds, memory, work, given), daemon=True
    )
    process.start()
    theirs.close()
    try:
        if not ours.poll(PATIENCE * seconds):
            raise ExhaustedError
        answer: Answer = ours.recv()
    except (EOFError, ConnectionError):
        raise ExhaustedError from None
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()
    return answer


def _work(
    answers: Connection, seconds: int, memory: int, work: Callable[..., Any], given: tuple[Any, ...]
) -> None:
    """Limit this process and run the work; if a limit is reached it ends without an answer."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)  # libraries print a lot about a damaged file
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answers.send(work(*given))


def end_with_parent() -> None:
    """End this process within a second after the one that started it.

    A parent-death signal would not work: it is sent when the forking *thread* ends, and the pool's
    supervisor thread ends before its last tasks do.
    """
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, name="end-with-parent", daemon=True).start()
