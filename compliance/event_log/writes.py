"""Add committed events to the log, and remove personal data when its retention period ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from compliance.event_log import verifier
from compliance.event_log.cosigning import contradiction, cosigned_note, newest_cosigned
from compliance.event_log.events import EVENT_REFUSED, KEY_IN_USE, PERSONAL_DATA_REMOVED
from compliance.event_log.models import Checkpoint, Leaf, Subtree
from compliance.event_log.proof import TILE_HEIGHT, sign_checkpoint
from compliance.event_log.tree import (
    LogBrokenError,
    head_of_log,
    inclusion_proof,
    newest_checkpoint,
    root_at,
    signing_keys,
    trusted_keys,
)
from compliance.event_log.verifier import BrokenError, leaf_hash, read_checkpoint, read_note
from compliance.events.actor import SYSTEM
from compliance.events.canonical import canonical
from compliance.events.models import Event, PersonalData, Waiting
from compliance.events.record import is_sealed, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from compliance.access.models import Person
    from compliance.event_log.proof import LogKey
    from compliance.event_log.verifier import Frontier
    from compliance.events.actor import Actor


BATCH = 1000
LOCK = 0x636F6D706C79  # "comply"

log = structlog.get_logger(__name__)


def integrate() -> int:
    """Add every waiting event to the log; return how many were added.

    Refuses to run inside a transaction, whose events are not committed yet, and to sign anything if
    the log in the database differs from what was last signed.
    """
    placed = 0
    while batch := _waiting_events():
        placed += _place(batch)
    return placed


def leaf_of(event: Event) -> Leaf:
    """Return the leaf of a committed event, adding it to the log if it waits."""
    if not Leaf.objects.filter(event=event).exists():
        integrate()
    leaf: Leaf = Leaf.objects.select_related("event", "event__personal").get(event=event)
    return leaf


def prove(event: Event) -> str:
    """Write the proof file of a committed event.

    It is under the newest checkpoint that enough witnesses cosigned, or, for an event that none of
    them has seen, under the newest.
    """
    leaf = leaf_of(event)
    checkpoint = newest_cosigned()
    if checkpoint is None or checkpoint.size <= leaf.index:
        checkpoint = newest_checkpoint()
    assert checkpoint is not None  # noqa: S101 - a leaf is never committed without one
    return inclusion_proof(leaf, checkpoint, cosigned_note(checkpoint))


def _waiting_events() -> dict[int, bytes | None]:
    """Hash the events that have waited longest; None marks one that this system did not write."""
    rows = Waiting.objects.filter(refused=False).select_related("event").order_by("event_id")
    return {
        row.event_id: leaf_hash(canonical(row.event.leaf())) if is_sealed(row) else None
        for row in rows[:BATCH]
    }


def _place(batch: Mapping[int, bytes | None]) -> int:
    keys = signing_keys()
    if wrong := contradiction():
        message = f"Nothing more is signed: {wrong}. Run `manage.py verify log`."
        raise LogBrokenError(message)
    with transaction.atomic(durable=True):
        _lock()
        last, frontier = head_of_log()
        still = set(
            Waiting.objects.filter(event__in=batch, refused=False).values_list(
                "event_id", flat=True
            )
        )
        leaves, subtrees = [], []
        for event, leaf in batch.items():
            if event not in still:
                continue  # another integrator was faster
            if leaf is None:
                _refuse(event)
                continue
            leaves.append(Leaf(index=frontier.size, event_id=event, hash=leaf))
            subtrees += _tiles(frontier, frontier.append(leaf))
        if not leaves:
            return 0
        Leaf.objects.bulk_create(leaves)
        Subtree.objects.bulk_create(subtrees)
        Waiting.objects.filter(event__in=[leaf.event_id for leaf in leaves]).delete()
        _announce_keys(last, keys)
        _sign(last, frontier, keys)
    return len(leaves)


def _lock() -> None:
    """Wait until no other integrator writes; on SQLite the transaction itself is the lock."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def _tiles(frontier: Frontier, completed: list[bytes]) -> list[Subtree]:
    """Return the subtrees worth storing among those that the last leaf completed."""
    return [
        Subtree(
            level=height // TILE_HEIGHT,
            position=(frontier.size >> height) - 1,
            hash=completed[height],
        )
        for height in range(TILE_HEIGHT, len(completed), TILE_HEIGHT)
    ]


def _refuse(event: int) -> None:
    Waiting.objects.filter(event=event).update(refused=True)
    record(EVENT_REFUSED, by=SYSTEM, carries={"number": event})
    log.error("event not written by this system", number=event)


def _announce_keys(last: Checkpoint | None, keys: list[LogKey]) -> None:
    """Record each key that did not sign the last checkpoint."""
    for key in keys:
        if last is None or key.public not in read_note(last.note, [key.public])[1]:
            record(KEY_IN_USE, by=SYSTEM, carries={"key": str(key.public)})


def _sign(last: Checkpoint | None, frontier: Frontier, keys: list[LogKey]) -> None:
    head = verifier.Checkpoint(settings.LOG_ORIGIN, frontier.size, frontier.root())
    note = sign_checkpoint(head, keys)
    Checkpoint(
        number=last.number + 1 if last else 1,
        size=head.size,
        root=head.root,
        peaks=b"".join(frontier.peaks),
        note=note,
        at=timezone.now(),
    ).save()
    transaction.on_commit(lambda: hold_checkpoint(note))


def hold_checkpoint(note: str) -> None:
    """Write the newest checkpoint to a file outside the database.

    A database that was truncated or reset to an older state disagrees with the file; then the file
    is not changed, so `manage.py verify log` can compare it.
    """
    place = Path(settings.KEPT_CHECKPOINT)
    try:
        if place.exists():
            stored = read_checkpoint(place.read_text(), trusted_keys())
            if root_at(stored.size) != stored.root:
                log.error("the log does not continue the checkpoint held", place=str(place))
                return
        made = place.with_suffix(".new")
        made.write_text(note)
        made.replace(place)
    except (OSError, BrokenError, LogBrokenError) as error:
        log.error("the newest checkpoint could not be held", place=str(place), error=str(error))


@transaction.atomic
def erase_personal_data(
    *, events: Iterable[Event], rule: str, by: Person | Actor, reason: str
) -> int:
    """Erase the personal data of these events under a retention rule; return how many had any.

    The events and their proofs remain: the salted digest in each then reveals nothing. The event
    that records the removal names them all, so `verify log` can distinguish it from an attack.
    """
    rows: QuerySet[PersonalData] = QuerySet(PersonalData).filter(
        event__in=list(events), salt__isnull=False
    )
    numbers = sorted(rows.values_list("event_id", flat=True))
    if numbers:
        rows.update(salt=None, data=None)
        record(
            PERSONAL_DATA_REMOVED,
            by=by,
            reason=reason,
            carries={"count": len(numbers), "numbers": numbers, "rule": rule},
        )
    return len(numbers)
