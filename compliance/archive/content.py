"""What every archive promises, wherever its bytes lie."""

from __future__ import annotations

import hashlib
import io
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

PIECE = 1 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")


class MissingError(LookupError):
    """The archive does not have what was asked for."""


class RemovedError(MissingError):
    """What was asked for was removed when the time to keep it was over; the message says when."""


class DamagedError(Exception):
    """What lies under an address is not what it says."""


@dataclass(frozen=True)
class Stored:
    """What was stored: its SHA-256 in hexadecimal, and its size in bytes."""

    digest: str
    size: int


class Archive(Protocol):
    """Content under its digest. Stores are atomic and may be repeated; reads are verified."""

    def store(self, source: BinaryIO) -> Stored:
        """Store everything that can be read from the source; return once it is safe.

        To store again what is there already mends it if it was damaged.
        """

    def fetch(self, digest: str) -> AbstractContextManager[Path]:
        """Give a local file with the content, verified; it may be mapped, and not written to.

        Raises `MissingError` or `DamagedError`, both naming the digest.
        """

    def has(self, digest: str) -> bool:
        """Whether something lies under the digest; it is not read."""

    def ready(self) -> None:
        """Raise `OSError` if nothing could be stored or read now."""

    def untouched(self, *, seconds: float) -> Iterator[str]:
        """The digests of what was last stored longer ago than that."""

    def remove(self, digest: str, *, untouched_seconds: float) -> bool:
        """Remove what nobody names any more; whether it went.

        What was stored again meanwhile stays: somebody is about to name it.
        """


WhyRemoved = Callable[[str], str]
"""Tells when and under which class content was removed; nothing of what was not."""


def never_removed(_digest: str) -> str:
    """Tell nothing: for an archive that keeps what it has."""
    return ""


def not_there(archive: Archive, digest: str, why_removed: WhyRemoved) -> MissingError:
    """Say that content is not there, and why where that is known."""
    if says := why_removed(digest):
        return RemovedError(says)
    return MissingError(f"The archive {archive} has nothing under {digest}.")


def store_bytes(archive: Archive, content: bytes) -> Stored:
    """Store content that is at hand."""
    return archive.store(io.BytesIO(content))


def read_bytes(archive: Archive, digest: str) -> bytes:
    """Return verified content that is small enough to hold."""
    with archive.fetch(digest) as place:
        return place.read_bytes()


def checked(digest: str) -> str:
    """Return a digest that is safe to build a path of."""
    if not _DIGEST.fullmatch(digest):
        message = f"{digest!r} is no SHA-256 in hexadecimal."
        raise ValueError(message)
    return digest


def digest_of(place: Path) -> str:
    """Return the SHA-256 of a file."""
    with place.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@contextmanager
def written_aside(source: BinaryIO, folder: Path) -> Iterator[tuple[Path, Stored]]:
    """Copy a source into a file of its own, synced to the disk; remove it if it is still there."""
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder)
    place = Path(name)
    try:
        hashing, size = hashlib.sha256(), 0
        with open(handle, "wb") as aside:  # noqa: PTH123  (a handle, not a path)
            while piece := source.read(PIECE):
                hashing.update(piece)
                size += len(piece)
                aside.write(piece)
            aside.flush()
            os.fsync(aside.fileno())
        yield place, Stored(hashing.hexdigest(), size)
    finally:
        place.unlink(missing_ok=True)
