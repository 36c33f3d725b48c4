"""The pieces of a file on its way in: each of a known size, under its own SHA-256, in order."""

from __future__ import annotations

import hashlib
import io
from typing import TYPE_CHECKING

from django.db import transaction

from audits.models import HandIn, Piece
from compliance import clock
from compliance.archive import current_archive
from compliance.archive.content import store_bytes
from compliance.services.refused import RefusedError
from compliance.walls import without_walls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _typeshed import WriteableBuffer

PIECE = 8 * 1024 * 1024
"""Every piece but the last has this size: a browser can hash that much, and not a stream."""


def add_piece(*, hand_in: HandIn, number: int, sha256: str, content: bytes) -> HandIn:
    """Take one piece, from 0; the one that was sent twice is taken once.

    Refuses: a hand-in that takes no pieces any more; a piece out of order, of another size than
    its place asks for, whose content does not hash to its digest, or that differs from the one
    taken in its place.
    """
    whole = hand_in.size or 0
    _check_content(number, sha256, content, whole)
    with without_walls():
        taken = Piece.objects.filter(hand_in=hand_in, number=number).first()
        if taken is None:
            _check_turn(HandIn.objects.get(pk=hand_in.pk), number)
    if taken is None:
        store_bytes(current_archive(), content)  # files come before rows
    with transaction.atomic(), without_walls():
        kept = HandIn.objects.select_for_update().get(pk=hand_in.pk)
        _require_receiving(kept)
        taken = Piece.objects.filter(hand_in=kept, number=number).first()
        if taken is not None:
            if taken.sha256 != sha256:
                msg = (
                    f"Piece {number} was taken with another content ({taken.sha256}). "
                    "This is not the same file: hand it in anew."
                )
                raise RefusedError(msg)
            return kept
        _check_turn(kept, number)
        Piece.objects.create(hand_in=kept, number=number, sha256=sha256, size=len(content))
        kept.received += len(content)
        kept.changed = clock.now()
        kept.save(update_fields=["received", "changed"])
    return kept


def _require_receiving(hand_in: HandIn) -> None:
    if hand_in.state != HandIn.State.RECEIVING:
        msg = f"{hand_in.name} takes no pieces any more: {hand_in.get_state_display().lower()}."
        raise RefusedError(msg)


def _check_turn(hand_in: HandIn, number: int) -> None:
    """What is refused later is not stored first: a program could fill the archive with it."""
    _require_receiving(hand_in)
    due = hand_in.received // PIECE
    if number != due:
        msg = f"Piece {number} is out of order: piece {due} is due."
        raise RefusedError(msg)


def _check_content(number: int, sha256: str, content: bytes, whole: int) -> None:
    pieces = -(-whole // PIECE)
    if not 0 <= number < pieces:
        msg = f"There is no piece {number}: {whole:,} bytes make pieces 0 to {pieces - 1}."
        raise RefusedError(msg)
    due = min(PIECE, whole - number * PIECE)
    if len(content) != due:
        msg = f"Piece {number} has {len(content):,} bytes, and must have {due:,}. Send it again."
        raise RefusedError(msg)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256.lower():
        msg = (
            f"Piece {number} did not arrive as it was sent: its content hashes to {found}, "
            f"its digest says {sha256[:64]}. Send it again."
        )
        raise RefusedError(msg)


class PiecesTogether(io.RawIOBase):
    """The whole file, read piece by piece; each is verified as it comes out of the archive."""

    def __init__(self, hand_in: HandIn, progress: Callable[[int], None]) -> None:
        self._progress = progress
        with without_walls():
            self._digests = list(hand_in.pieces.order_by("number").values_list("sha256", flat=True))
        self._parts = self._read_parts()
        self._held = memoryview(b"")
        self._given = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill a buffer with what comes next."""
        if not self._held:
            self._held = memoryview(next(self._parts, b""))
        room = memoryview(buffer).cast("B")
        size = min(len(room), len(self._held))
        room[:size] = self._held[:size]
        self._held = self._held[size:]
        self._given += size
        return size

    def _read_parts(self) -> Iterator[bytes]:
        archive = current_archive()
        for digest in self._digests:
            with archive.fetch(digest) as place:
                content = place.read_bytes()
            self._progress(self._given)
            yield content
