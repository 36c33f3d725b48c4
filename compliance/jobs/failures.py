"""Why work fails: bad input, a transient condition, or our fault. Each has one policy."""

from __future__ import annotations

import errno
import sqlite3
from enum import Enum

from django.db import DatabaseError, InterfaceError, OperationalError

RETRY_AFTER_SECONDS = 5
"""When a client should retry after a transient failure of the database."""

DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
DISK_FULL_IN_SQLITE = ("disk is full", "disk I/O error")
DISK_FULL_IN_POSTGRESQL = "No space left on device"
PROGRAM_LIMIT_EXCEEDED = "54"
"""PostgreSQL's class of errors for statements that are too large or complex. Its driver calls them
operational, but a retry does not help."""


class Failure(Enum):
    """The kind of failure, which decides what happens to the job."""

    BAD_INPUT = "bad input"
    """Rejected permanently, with a message for the person who sent it."""
    TRANSIENT = "transient"
    """Retried after increasing pauses, and not counted against the job."""
    OURS = "our fault"
    """Retried a few times, then given up with an alarm."""


def classify_failure(error: BaseException, bad_input: tuple[type[Exception], ...] = ()) -> Failure:
    """Return the kind of failure; `bad_input` lists the exceptions for input the work rejects."""
    if is_transient(error):
        return Failure.TRANSIENT
    if isinstance(error, bad_input):
        return Failure.BAD_INPUT
    # The engine keeps its working files in SQLite, outside the database.
    return Failure.TRANSIENT if isinstance(error, OSError | sqlite3.Error) else Failure.OURS


def is_transient(error: BaseException | None) -> bool:
    """Return whether the database or the disk may accept the same work later."""
    if is_disk_full(error):
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # SQLite reports a missing table or a syntax error as operational, too.
        return getattr(cause, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
    return not (getattr(cause, "sqlstate", None) or "").startswith(PROGRAM_LIMIT_EXCEEDED)


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether a failure was caused by a full disk."""
    if isinstance(error, OSError):
        return error.errno in DISK_FULL
    if isinstance(error, DatabaseError):
        text = str(error)
        return text.endswith(DISK_FULL_IN_SQLITE) or DISK_FULL_IN_POSTGRESQL in text
    return False


def summarize_error(error: BaseException) -> str:
    """Return an error in one line; later lines of a database error quote the row."""
    first, *_ = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {first}"
