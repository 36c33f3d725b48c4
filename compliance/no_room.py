"""A disk that takes no more, as the file system and the databases tell of it."""

from __future__ import annotations

import errno

from django.db import DatabaseError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
FULL_TO_SQLITE = ("disk is full", "disk I/O error")
FULL_TO_POSTGRESQL = "No space left on device"


def is_for_want_of_room(error: BaseException | None) -> bool:
    """Whether something failed because nothing more can be written."""
    if isinstance(error, OSError):
        return error.errno in FULL
    if isinstance(error, DatabaseError):
        says = str(error)
        return says.endswith(FULL_TO_SQLITE) or FULL_TO_POSTGRESQL in says
    return False
