"""Read what a stranger sent in a process of its own, which has so much time and so much memory.

A file may ask its reader for any of both. The process is forked from a server that holds libraries
and nothing of ours: no threads, no connections, no work of others.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

Answer = TypeVar("Answer")
PATIENCE = 4
"""How many seconds of a busy machine one second of a processor may take."""
_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(
    ["__main__", "pypdf", "pyhanko.pdf_utils.reader", "pyhanko.sign.validation"]
)


class ExhaustedError(Exception):
    """The time or the memory was used up."""


def apart(work: Callable[..., Answer], *given: Any, seconds: int, memory: int) -> Answer:
    """What `work`, a function of a module, answers to what it is given.

    Raises:
        ExhaustedError: it took more seconds of a processor, or more bytes, than it had.
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
    """Bound this process and work; where that is not enough it ends without an answer."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)  # libraries say much of a file that is damaged
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answers.send(work(*given))
