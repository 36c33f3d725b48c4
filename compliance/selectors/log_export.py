"""The log as JSON Lines that anybody can check offline with `verifier.py`.

A whole export holds every event in the order of the log, and the checkpoints between them; part of
the log holds a proof with each event. The first line says which, the last how many.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from compliance.log_keys import trusted_keys
from compliance.models.leaf import Checkpoint, Leaf
from compliance.proof.merkle import inclusion_path
from compliance.selectors.log_tree import StoredTiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from compliance.models.event import Event, PersonalData

CHUNK = 1000


def export_whole(head: Checkpoint) -> Iterator[str]:
    """Write all events that a checkpoint covers."""
    yield _head(head, whole=True)
    checkpoints = _checkpoints_until(head)
    between = next(checkpoints, None)
    leaves = Leaf.objects.filter(index__lt=head.size).order_by("index")
    for leaf in _in_chunks(leaves):
        yield _line(_event_line(leaf))
        while between is not None and between.size == leaf.index + 1:
            yield _line({"checkpoint": between.note})
            between = next(checkpoints, None)
    yield _line({"end": head.size})


def export_part(head: Checkpoint, events: QuerySet[Event]) -> Iterator[str]:
    """Write chosen events, each with its proof under the checkpoint."""
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
    """Write one event as an export does, without its proof."""
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
