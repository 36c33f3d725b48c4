"""Failures of the database that pass: it is away, overburdened, locked or full for a while.

All else that it refuses it refuses again, however often it is asked: a value that does not fit, a
row that is there already, a statement that is none.
"""

from __future__ import annotations

import sqlite3

from django.db import InterfaceError, OperationalError

SECONDS = 5
"""After so many it is worth asking again."""
BEYOND_A_LIMIT = "54"
"""PostgreSQL's class of errors for what is too large or too deep; its driver calls it operational,
and it is no less so the next time. SQLite's calls a table that is not there so, too."""


def will_pass(error: BaseException | None) -> bool:
    """Whether the database may do later what it did not do now."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    told = error.__cause__
    if isinstance(told, sqlite3.Error):
        return getattr(told, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
    return not (getattr(told, "sqlstate", None) or "").startswith(BEYOND_A_LIMIT)


def in_a_line(error: BaseException) -> str:
    """What failed, for a page and an event: the lines below would tell what stands in the row."""
    first, *_ = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {first}"
