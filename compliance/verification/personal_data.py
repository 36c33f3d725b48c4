"""Checks what is kept apart from events because it is about people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compliance.models.event import Event
from compliance.proof.canonical import NotCanonicalError, salted_digest

if TYPE_CHECKING:
    from collections.abc import Container

    from compliance.models.event import PersonalData

REMOVAL = "log.personal_data_removed"


def problem_of_personal_data(
    event: Event, row: PersonalData | None, erased: Container[int] = ()
) -> str:
    """Say what is wrong with the personal data of an event; nothing if it is as recorded."""
    if row is None:
        return "its personal data is missing, not removed by rule" if event.personal_digest else ""
    if row.salt is None or row.data is None:
        return "" if event.pk in erased else "its personal data was emptied, not removed by rule"
    try:
        fits = salted_digest(bytes(row.salt), row.data) == event.personal_digest
    except NotCanonicalError:
        fits = False
    return "" if fits else "its personal data was changed"


def erased_by_rule() -> set[int]:
    """Gather the numbers of events whose personal data was removed under a rule of retention."""
    removals = Event.objects.filter(type=REMOVAL).values_list("payload", flat=True)
    return {number for payload in removals for number in payload["numbers"]}
