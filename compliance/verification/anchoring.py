"""Bind rows that no event has recorded, such as those from before events kept digests."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.apps import apps
from django.db import transaction

from compliance.changes import Change, note
from compliance.event_log.events import ROWS_ANCHORED
from compliance.events.record import record
from compliance.verification.states import UNRECORDED, find_differences

if TYPE_CHECKING:
    from compliance.access.scope import Asker
    from compliance.events.actor import Actor


AT_ONCE = 5000
"""Rows bound by one event."""


def anchor_rows(*, by: Asker | Actor, reason: str) -> Counter[str]:
    """Bind each row without an event as it is now; return how many of each table.

    It vouches for no row: the event says when, by whom and why its state was taken as it was.
    """
    rows = [each for each in find_differences() if each.what == UNRECORDED]
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        counts = Counter(each.table for each in some)
        with transaction.atomic():
            note(Change(apps.get_model(each.table), int(each.row)) for each in some)
            record(ROWS_ANCHORED, by=by, reason=reason, carries={"rows": dict(counts)})
    return Counter(each.table for each in rows)
