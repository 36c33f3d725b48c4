"""Export the log as JSON Lines that anyone can check offline with `verifier.py`."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from django.db import transaction

from compliance.event_log.events import EXPORTED
from compliance.event_log.models import Checkpoint, Leaf
from compliance.event_log.proof import inclusion_path
from compliance.event_log.tree import StoredTiles, newest_checkpoint, trusted_keys
from compliance.event_log.writes import integrate
from compliance.events.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from compliance.access.models import Person
    from compliance.events.actor import Actor
    from compliance.events.models import Event, PersonalData


CHUNK = 1000


def export_whole(head: Checkpoint) -> Iterator[str]:
    """Yield all events that a checkpoint covers, as lines."""
    yield _head(head, whole=True)
    checkpoints = _checkpoints_until(head)
    between = next(checkpoints, None)
    leaves = Leaf.objects.filter(index__lt=head.size).order_by("index")
    for leaf in _in_chunks(leaves):
        yield _line({**_event_line(leaf), "leaf": bytes(leaf.hash).hex()})
        while between is not None and between.size == leaf.index + 1:
            yield _line({"checkpoint": between.note})
            between = next(checkpoints, None)
    yield _line({"end": head.size})


def export_part(head: Checkpoint, events: QuerySet[Event]) -> Iterator[str]:
    """Yield the chosen events as lines, each with its proof under the checkpoint."""
    yield _head(head, whole=False)
    tiles, count = StoredTiles(), 0
    leaves = Leaf.objects.filter(index__lt=head.size, event__in=events.order_by().values("pk"))
    for leaf in _in_chunks(leaves.order_by("index")):
        path = inclusion_path(leaf.index, head.size, tiles)
        proof = [base64.b64encode(one).decode() for one in path]
        yield _line({**_event_line(leaf), "proof": proof})
        count += 1
    yield _line({"end": count})


def event_line(leaf: Leaf) -> str:
    """Format one event as in an export, without its proof."""
    return _line(_event_line(leaf))


def _head(head: Checkpoint, *, whole: bool) -> str:
    return _line(
        {
            "export": "event-log",
            "version": 1,
            "whole": whole,
            "keys": [str(key) for key in trusted_keys()],
            "checkpoint": head.note,
        }
    )


def _checkpoints_until(head: Checkpoint) -> Iterator[Checkpoint]:
    return Checkpoint.objects.filter(number__lt=head.number).order_by("number").iterator()


def _in_chunks(leaves: QuerySet[Leaf]) -> Iterator[Leaf]:
    after = -1
    leaves = leaves.select_related("event", "event__personal")
    while chunk := list(leaves.filter(index__gt=after)[:CHUNK]):
        yield from chunk
        after = chunk[-1].index


def _event_line(leaf: Leaf) -> dict[str, Any]:
    row: PersonalData | None = getattr(leaf.event, "personal", None)
    personal = None
    if row is not None and row.salt is not None:
        personal = {"salt": bytes(row.salt).hex(), "data": row.data}
    return {"index": leaf.index, "event": leaf.event.leaf(), "personal": personal}


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def export_log(
    *, by: Person | Actor, events: QuerySet[Event] | None = None, asked: str = ""
) -> tuple[Event, Iterator[str]]:
    """Export the whole log, or chosen events with proofs; return the export's event and the lines.

    `asked` describes the chosen events in words. The export is an event itself, recorded and added
    to the log before the first line, so a whole export ends with its own event.
    """
    with transaction.atomic():
        last = newest_checkpoint()
        chosen = events.count() if events is not None else (last.size if last else 0)
        own = record(
            EXPORTED,
            by=by,
            carries={"count": chosen, "filter": asked, "size": last.size if last else 0},
        )
    integrate()
    head = newest_checkpoint()
    assert head is not None  # noqa: S101 - the export's own event has just got its place
    if events is None:
        return own, export_whole(head)
    return own, export_part(head, events.filter(pk__lt=own.pk))
