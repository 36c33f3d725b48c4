"""The log's tree in the database, and its keys: head, tiles, proofs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Count, Min, Q

from compliance.event_log.models import Checkpoint, Leaf, Subtree
from compliance.event_log.proof import (
    TILE_WIDTH,
    NoLogKeyError,
    SigningKey,
    TokenKey,
    consistency_path,
    inclusion_path,
    root,
    write_consistency,
    write_inclusion,
)
from compliance.event_log.verifier import (
    HASH_BYTES,
    BrokenError,
    Frontier,
    VerifierKey,
    read_checkpoint,
    read_keys,
)
from compliance.events.models import Waiting
from compliance.secret import revealed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from compliance.event_log import verifier
    from compliance.event_log.proof import LogKey


END_OF_KEY = b"-----END PRIVATE KEY-----\n"


def signing_keys() -> list[LogKey]:
    """Return the keys that sign checkpoints: one, or two during a rotation."""
    token = revealed(settings.SIGNING_TOKEN)
    if token:
        return [_token_key(token)]
    try:
        pem = Path(settings.SIGNING_KEY).read_bytes()
    except OSError as error:
        message = f"SIGNING_KEY names {settings.SIGNING_KEY}: {error.strerror}."
        raise NoLogKeyError(message) from error
    blocks = [block + END_OF_KEY for block in pem.split(END_OF_KEY) if block.strip()]
    return [SigningKey.from_pem(settings.LOG_ORIGIN, block) for block in blocks]


def _token_key(uri: str) -> TokenKey:
    """Return the key in a token; SIGNING_KEY then names a file with its public key."""
    try:
        [public] = read_keys(settings.SIGNING_KEY)
    except (OSError, ValueError, BrokenError) as error:
        message = f"SIGNING_KEY has to name a file with the public key of SIGNING_TOKEN: {error}."
        raise NoLogKeyError(message) from error
    return TokenKey(public, uri, revealed(settings.SIGNING_TOKEN_PIN))


def trusted_keys() -> list[VerifierKey]:
    """List the public keys trusted for checkpoints: current keys, then retired ones."""
    keys = [key.public for key in signing_keys()]
    if settings.RETIRED_KEYS:
        try:
            keys += read_keys(settings.RETIRED_KEYS)
        except OSError as error:
            message = f"RETIRED_KEYS names {settings.RETIRED_KEYS}: {error.strerror}."
            raise NoLogKeyError(message) from error
    return keys


class LogBrokenError(Exception):
    """The log in the database differs from what was signed; nothing is signed until it is fixed."""


class StoredTiles:
    """The tiles of the tree in the database, each read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, int], list[bytes]] = {}

    def tile(self, level: int, number: int) -> Sequence[bytes]:
        """Return up to 256 hashes."""
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
    """The backlog: since when the oldest event waits, and how many wait or were rejected."""

    since: datetime | None
    waiting: int
    refused: int


def integration_lag() -> Lag:
    """Return how far the integrator is behind."""
    found = Waiting.objects.aggregate(
        since=Min("event__at", filter=Q(refused=False)),
        waiting=Count("pk", filter=Q(refused=False)),
        refused=Count("pk", filter=Q(refused=True)),
    )
    return Lag(**found)


def newest_checkpoint() -> Checkpoint | None:
    """Return the newest checkpoint."""
    return Checkpoint.objects.order_by("-number").first()


def frontier_of(checkpoint: Checkpoint) -> Frontier:
    """Return the tree's frontier at a checkpoint; raise unless it gives the checkpoint's root."""
    raw = bytes(checkpoint.peaks)
    peaks = [raw[at : at + HASH_BYTES] for at in range(0, len(raw), HASH_BYTES)]
    frontier = Frontier(checkpoint.size, peaks)
    if len(peaks) != checkpoint.size.bit_count() or frontier.root() != bytes(checkpoint.root):
        what = "its peaks do not give its root"
        raise BrokenError(what, f"checkpoint {checkpoint.number}")
    return frontier


def signed(checkpoint: Checkpoint, keys: Iterable[VerifierKey]) -> verifier.Checkpoint:
    """Read a stored checkpoint's note; raise unless it is signed and matches its row."""
    where = f"checkpoint {checkpoint.number}"
    try:
        note = read_checkpoint(checkpoint.note, keys)
    except BrokenError as broken:
        raise BrokenError(broken.what, where) from None
    if (note.size, note.root) != (checkpoint.size, bytes(checkpoint.root)):
        what = "its row does not say what was signed"
        raise BrokenError(what, where)
    return note


def head_of_log() -> tuple[Checkpoint | None, Frontier]:
    """Return the newest checkpoint and the tree's frontier.

    Raises:
        LogBrokenError: the database differs from what was last signed.
    """
    last = newest_checkpoint()
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
    return last, frontier


def root_at(size: int) -> bytes:
    """Compute the root of the first `size` leaves from the stored hashes."""
    try:
        return root(size, StoredTiles())
    except IndexError:
        message = f"The log's tree lacks hashes below leaf {size}; run `manage.py verify log`."
        raise LogBrokenError(message) from None


def inclusion_proof(leaf: Leaf, checkpoint: Checkpoint, note: str = "") -> str:
    """Write the proof file of a leaf under a checkpoint that covers it, or its cosigned note."""
    path = inclusion_path(leaf.index, checkpoint.size, StoredTiles())
    return write_inclusion(leaf.index, path, note or checkpoint.note)


def consistency_proof(old: int, new: int) -> str:
    """Write the proof that the log of `new` events continues the log of `old`."""
    return write_consistency(old, new, consistency_path(old, new, StoredTiles()))
