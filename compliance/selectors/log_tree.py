"""The log's tree as the database keeps it: head, tiles, proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Min, Q

from compliance.models.event import Waiting
from compliance.models.leaf import Checkpoint, Leaf, Subtree
from compliance.proof.merkle import TILE_WIDTH, consistency_path, inclusion_path, root
from compliance.proof.signing import write_consistency, write_inclusion
from compliance.proof.verifier import HASH_BYTES, BrokenError, Frontier, read_checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from compliance.proof import verifier
    from compliance.proof.verifier import VerifierKey


class LogBrokenError(Exception):
    """The log in the database is not what was signed; nothing more is signed until it is mended."""


class StoredTiles:
    """Reads tiles of the tree from the database, each once."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, int], list[bytes]] = {}

    def tile(self, level: int, number: int) -> Sequence[bytes]:
        """Fetch up to 256 hashes."""
        if (level, number) not in self._read:
            first, after = number * TILE_WIDTH, (number + 1) * TILE_WIDTH
            if level:
                rows = Subtree.objects.filter(
                    level=level, position__gte=first, position__lt=after
                ).order_by("position")
            else:
                rows = Leaf.objects.filter(index__gte=first, index__lt=after).order_by("index")
            self._read[level, number] = [bytes(one) for one in rows.values_list("hash", flat=True)]
        return self._read[level, number]


@dataclass(frozen=True)
class Lag:
    """How far the log is behind: since when the oldest event waits, how many wait, are refused."""

    since: datetime | None
    waiting: int
    refused: int


def integration_lag() -> Lag:
    """Tell how far the integrator is behind."""
    found = Waiting.objects.aggregate(
        since=Min("event__at", filter=Q(refused=False)),
        waiting=Count("pk", filter=Q(refused=False)),
        refused=Count("pk", filter=Q(refused=True)),
    )
    return Lag(**found)


def newest_checkpoint() -> Checkpoint | None:
    """Find what the log committed to last."""
    return Checkpoint.objects.order_by("-number").first()


def frontier_of(checkpoint: Checkpoint) -> Frontier:
    """Read from where the tree grows on; raise unless it gives the checkpoint's root."""
    raw = bytes(checkpoint.peaks)
    peaks = [raw[at : at + HASH_BYTES] for at in range(0, len(raw), HASH_BYTES)]
    frontier = Frontier(checkpoint.size, peaks)
    if len(peaks) != checkpoint.size.bit_count() or frontier.root() != bytes(checkpoint.root):
        what = "its peaks do not give its root"
        raise BrokenError(what, f"checkpoint {checkpoint.number}")
    return frontier


def signed(checkpoint: Checkpoint, keys: Iterable[VerifierKey]) -> verifier.Checkpoint:
    """Read a stored checkpoint's note; raise unless it is signed and its row says the same."""
    where = f"checkpoint {checkpoint.number}"
    try:
        note = read_checkpoint(checkpoint.note, keys)
    except BrokenError as broken:
        raise BrokenError(broken.what, where) from None
    if (note.size, note.root) != (checkpoint.size, bytes(checkpoint.root)):
        what = "its row does not say what was signed"
        raise BrokenError(what, where)
    return note


def root_at(size: int) -> bytes:
    """Tell the root of the first `size` leaves as they are stored."""
    try:
        return root(size, StoredTiles())
    except IndexError:
        message = f"The log's tree lacks hashes below leaf {size}; run `manage.py verify log`."
        raise LogBrokenError(message) from None


def inclusion_proof(leaf: Leaf, checkpoint: Checkpoint, tiles: StoredTiles | None = None) -> str:
    """Write the proof file of a leaf under a checkpoint that covers it."""
    path = inclusion_path(leaf.index, checkpoint.size, tiles or StoredTiles())
    return write_inclusion(leaf.index, path, checkpoint.note)


def consistency_proof(old: int, new: int) -> str:
    """Write the proof that the log of `new` events continues the log of `old`."""
    return write_consistency(old, new, consistency_path(old, new, StoredTiles()))
