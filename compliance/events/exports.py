"""Record data that leaves the system, before its first byte is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from compliance.access.scope import without_access_scope
from compliance.events.actor import SYSTEM
from compliance.events.events import CUT_OFF, EXPORTED, READ
from compliance.events.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compliance.access.models import Party
    from compliance.access.scope import Asker
    from compliance.events.actor import Actor
    from compliance.events.models import Event
    from compliance.history import Kind


@transaction.atomic
def record_export(
    *,
    by: Asker | Actor,
    what: str,
    format: str,  # noqa: A002 - as the event calls it
    count: int = 1,
    filters: Mapping[str, str] | None = None,
    about: Kind | None = None,
    party: Party | None = None,
) -> Event:
    """Record an export; `count` is its number of rows, or 1 for a file."""
    carries = {"what": what, "filters": dict(filters or {}), "count": count, "format": format}
    return record(EXPORTED, by=by, about=about, party=party, carries=carries)


@transaction.atomic
def record_cut_off(*, export: Event, sent: int, unit: str = "bytes") -> None:
    """Record that less was sent than the export's event says."""
    carries = {
        "what": export.payload.get("what", export.type),
        "export": str(export.uuid),
        "sent": sent,
        "unit": unit,
    }
    with without_access_scope():
        record(CUT_OFF, by=SYSTEM, carries=carries)


@transaction.atomic
def record_bulk_read(*, by: Asker, what: str, filters: Mapping[str, str], count: int) -> None:
    """Record that a program read rows of a list."""
    record(READ, by=by, carries={"what": what, "filters": dict(filters), "count": count})
