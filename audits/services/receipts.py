"""The receipt of a log: what was handed in, when, what came of it, and its place in the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction

from audits.event_types.round_logs import READ, REGISTERED
from compliance.models import Event
from compliance.selectors.in_force import zone
from compliance.services.integrate import leaf_of, prove
from compliance.services.record import record

if TYPE_CHECKING:
    from audits.models import RoundLog
    from compliance.actor import Asker


@dataclass(frozen=True)
class Receipt:
    """What whoever handed in a log is given for it."""

    log: RoundLog
    leaf: int
    """The place in the event log of the event that the log was registered by."""

    def as_answer(self, *, again: bool = False) -> dict[str, Any]:
        """What other programs are given; `again`: the file was on file, and nothing was taken."""
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
        }


def registration_of(log: RoundLog) -> Event:
    """The event that a log was registered by."""
    found: Event = Event.objects.get(type=REGISTERED.name, object=log.uuid)
    return found


def receipt_of(log: RoundLog) -> Receipt:
    """The receipt of a log; its event gets its place in the event log, if it still waits.

    Not within a transaction.
    """
    return Receipt(log, leaf_of(registration_of(log)).index)


def proof_of(log: RoundLog) -> str:
    """The proof that the event log holds the registration, as a file for others to check."""
    return prove(registration_of(log))


@transaction.atomic
def note_reading(*, log: RoundLog, what: str, by: Asker) -> None:
    """Note that somebody fetched the evidence or what was rejected: both name players' rounds."""
    record(READ, by=by, party=log.party, about=log, carries={"what": what})
