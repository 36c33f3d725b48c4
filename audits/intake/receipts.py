"""Receipts of logs: what was submitted, when, the outcome, and the place in the event log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from audits.intake.events import REGISTERED
from compliance.clock import zone
from compliance.event_log.writes import leaf_of, prove
from compliance.events.exports import record_export
from compliance.events.models import Event

if TYPE_CHECKING:
    from audits.intake.models import RoundLog
    from compliance.access.scope import Asker


@dataclass(frozen=True)
class Receipt:
    """The receipt that a submitter gets for a log."""

    log: RoundLog
    leaf: int
    """The index in the event log of the log's registration event."""

    def as_answer(self, *, again: bool = False) -> dict[str, Any]:
        """Return the receipt for the API; `again` means the file was already on file."""
        log = self.log
        return {
            "log": str(log.uuid),
            "sha256": log.sha256,
            "lines": log.lines,
            "good": 0 if again else log.good,
            "rejected": log.rejected,
            "already": log.good + log.already if again else log.already,
            "at": log.at.astimezone(zone()).isoformat(),
            "leaf": self.leaf,
            "records": log.records,
            "mapping": str(log.mapping) if log.mapping else None,
            **log.totals,
        }


def registration_of(log: RoundLog) -> Event:
    """Return a log's registration event."""
    found: Event = Event.objects.get(type=REGISTERED.name, object=log.uuid)
    return found


def receipt_of(log: RoundLog) -> Receipt:
    """Return a log's receipt; add its event to the event log first if that is pending.

    Do not call this within a transaction.
    """
    return Receipt(log, leaf_of(registration_of(log)).index)


def proof_of(log: RoundLog) -> str:
    """Return the text of the proof that the event log contains the registration."""
    return prove(registration_of(log))


def record_evidence_export(*, log: RoundLog, by: Asker) -> Event:
    """Record an export of the submitted file, which contains players' rounds."""
    filters = {"sha256": log.sha256}
    return record_export(
        by=by,
        what="a round log as submitted",
        format="bytes",
        count=log.lines,
        filters=filters,
        about=log,
        party=log.party,
    )


def record_rejected_export(*, log: RoundLog, by: Asker) -> Event:
    """Record an export of the rejected lines, which contain players' rounds."""
    filters = {"sha256": log.sha256}
    return record_export(
        by=by,
        what="the rejected lines of a round log",
        format="JSON Lines",
        count=log.rejected,
        filters=filters,
        about=log,
        party=log.party,
    )
