"""The integrator: gives committed events their places in the log and signs what it did.

An event waits from its own transaction on (`Waiting`), so one that commits late is taken later and
never skipped. One lock in the database lets one integrator write at a time; everything dear,
hashing and checking seals, is done before the lock is taken.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from compliance.actor import SYSTEM
from compliance.event_types.log import EVENT_REFUSED, KEY_IN_USE
from compliance.log_keys import signing_keys, trusted_keys
from compliance.models.event import Event, Waiting
from compliance.models.leaf import Checkpoint, Leaf, Subtree
from compliance.proof import verifier
from compliance.proof.canonical import canonical
from compliance.proof.merkle import TILE_HEIGHT
from compliance.proof.signing import sign_checkpoint
from compliance.proof.verifier import BrokenError, Frontier, leaf_hash, read_checkpoint, read_note
from compliance.selectors.log_tree import (
    LogBrokenError,
    frontier_of,
    inclusion_proof,
    newest_checkpoint,
    root_at,
    signed,
)
from compliance.services.record import is_sealed, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compliance.proof.signing import SigningKey

BATCH = 1000
LOCK = 0x636F6D706C79  # "comply"

log = structlog.get_logger(__name__)


def integrate() -> int:
    """Give every waiting event its place; answer how many got one.

    Refuses to run inside a transaction, whose events are not committed yet, and to sign anything
    while the log in the database is not what was signed last.
    """
    placed = 0
    while batch := _waiting_events():
        placed += _place(batch)
    return placed


def leaf_of(event: Event) -> Leaf:
    """Find the place of a committed event, giving it one if it waits."""
    if not Leaf.objects.filter(event=event).exists():
        integrate()
    leaf: Leaf = Leaf.objects.select_related("event", "event__personal").get(event=event)
    return leaf


def prove(event: Event) -> str:
    """Write the proof file of a committed event under the newest checkpoint."""
    leaf = leaf_of(event)
    checkpoint = newest_checkpoint()
    assert checkpoint is not None  # noqa: S101 - a leaf is never committed without one
    return inclusion_proof(leaf, checkpoint)


def _waiting_events() -> dict[int, bytes | None]:
    """Hash the events that wait longest; None stands for one this system did not write."""
    rows = Waiting.objects.filter(refused=False).select_related("event").order_by("event_id")
    return {
        row.event_id: leaf_hash(canonical(row.event.leaf())) if is_sealed(row) else None
        for row in rows[:BATCH]
    }


def _place(batch: Mapping[int, bytes | None]) -> int:
    keys = signing_keys()
    with transaction.atomic(durable=True):
        _lock()
        last = newest_checkpoint()
        frontier = _grow_from(last)
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


def _grow_from(last: Checkpoint | None) -> Frontier:
    """Read where the tree ends; raise if the database does not hold what was signed."""
    top = Leaf.objects.order_by("-index").values_list("index", flat=True).first()
    size = 0 if top is None else top + 1
    if last is None:
        frontier = Frontier()
    else:
        try:
            signed(last, trusted_keys())
            frontier = frontier_of(last)
        except BrokenError as broken:
            message = f"Nothing more is signed: {broken}. Run `manage.py verify log`."
            raise LogBrokenError(message) from None
    if frontier.size != size:
        message = (
            f"Nothing more is signed: the log has {size} leaves, the newest checkpoint covers "
            f"{frontier.size}. Run `manage.py verify log`."
        )
        raise LogBrokenError(message)
    return frontier


def _tiles(frontier: Frontier, completed: list[bytes]) -> list[Subtree]:
    """Name the subtrees worth keeping among those that the last leaf completed."""
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


def _announce_keys(last: Checkpoint | None, keys: list[SigningKey]) -> None:
    """Record a key that did not sign the last checkpoint."""
    for key in keys:
        if last is None or key.public not in read_note(last.note, [key.public])[1]:
            record(KEY_IN_USE, by=SYSTEM, carries={"key": str(key.public)})


def _sign(last: Checkpoint | None, frontier: Frontier, keys: list[SigningKey]) -> None:
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
    """Keep the newest checkpoint in a file outside of the database.

    A database that was cut back or put back to an older state does not agree with it; then the file
    stays as it is, for `manage.py verify log` to compare.
    """
    place = Path(settings.HELD_CHECKPOINT)
    try:
        if place.exists():
            held = read_checkpoint(place.read_text(), trusted_keys())
            if root_at(held.size) != held.root:
                log.error("the log does not continue the checkpoint held", place=str(place))
                return
        made = place.with_suffix(".new")
        made.write_text(note)
        made.replace(place)
    except (OSError, BrokenError, LogBrokenError) as error:
        log.error("the newest checkpoint could not be held", place=str(place), error=str(error))
