"""`verify log`: guards, checkpoints, leaves, events, personal data, and every history table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from compliance import guards
from compliance.log_keys import trusted_keys
from compliance.models.event import Event
from compliance.proof.verifier import Answer, BrokenError, read_checkpoint
from compliance.services.record import is_sealed
from compliance.verification.history import check_history
from compliance.verification.personal_data import problem_of_personal_data
from compliance.verification.readable import unreadable_rows
from compliance.verification.tree import TreeCheck

if TYPE_CHECKING:
    from collections.abc import Mapping


def verify_log(held: Mapping[str, str] | None = None) -> Answer:
    """Check everything; `held` are signed checkpoints kept elsewhere, by where they were kept."""
    answer = Answer()
    keys = trusted_keys()
    for table in guards.missing(connection):
        answer.broken("triggers that keep this history are missing", f"table {table}")
    kept = {}
    for where, note in (held or {}).items():
        try:
            kept[where] = read_checkpoint(note, keys)
        except BrokenError as broken:
            answer.broken(broken.what, where)
    unreadable = list(unreadable_rows())
    for row, column in unreadable:
        answer.broken(f"holds in {column} what this system never writes", row)
    if not unreadable:
        TreeCheck(keys, kept, answer).run()
        _check_waiting(answer)
        check_history(answer)
    return answer


def _check_waiting(answer: Answer) -> None:
    """Check events without a leaf: they wait for one, and this system wrote them."""
    rows = Event.objects.filter(placed=None).order_by("id").select_related("waiting", "personal")
    for event in rows.iterator():
        answer.checked += 1
        name = f"event {event.pk} ({event.uuid}, {event.type})"
        if not hasattr(event, "waiting"):
            answer.broken("has no place in the log and does not wait for one", name)
        elif not is_sealed(event.waiting):
            answer.broken("was not written by this system", name)
        elif event.waiting.refused:
            answer.broken("is kept from its place, though this system wrote it", name)
        if problem := problem_of_personal_data(event, getattr(event, "personal", None)):
            answer.broken(problem, name)
