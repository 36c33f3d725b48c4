"""The archive: every byte submitted or generated, stored under its own SHA-256.

The address is the proof: content is hashed again when read, and rejected if it does not match its
address. Files come before rows: a file is complete under its address before a row that names it is
committed.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol
from urllib.parse import urlsplit

from django.conf import settings

from compliance.secret import revealed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager


PIECE = 1 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")


class MissingError(LookupError):
    """The archive does not have the content."""


class RemovedError(MissingError):
    """The content was removed when its retention period ended; the message says when."""


class DamagedError(Exception):
    """The content at an address does not match the address."""


@dataclass(frozen=True)
class Stored:
    """What was stored: its SHA-256 in hexadecimal, and its size in bytes."""

    digest: str
    size: int


@dataclass(frozen=True)
class Space:
    """Disk space in bytes: how much is available to us, and the total."""

    free: int
    total: int


class Source(Protocol):
    """Content that is read once, from beginning to end."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes; none at the end."""


class Archive(Protocol):
    """Content under its digest. Stores are atomic and may be repeated; reads are verified."""

    def store(self, source: BinaryIO) -> Stored:
        """Store everything in the source; return once it is safe.

        Storing content again repairs it if it was damaged.
        """

    def fetch(self, digest: str) -> AbstractContextManager[Path]:
        """Return a local file with the verified content; it may be mapped, but not written to.

        Raises `MissingError` or `DamagedError`, both naming the digest.
        """

    def has(self, digest: str) -> bool:
        """Return whether the digest exists, without reading its content."""

    def ready(self) -> None:
        """Raise `OSError` if nothing can be stored or read now."""

    def space(self) -> Space | None:
        """Return the space on its disk; None if the archive cannot tell."""

    def untouched(self, *, seconds: float) -> Iterator[str]:
        """Yield the digests of content last stored longer ago than that."""

    def remove(self, digest: str, *, untouched_seconds: float) -> bool:
        """Remove content that nothing refers to any more; return whether it was removed.

        Content stored again meanwhile is kept: a row is about to name it.
        """


WhyRemoved = Callable[[str], str]
"""Explains when and under which rule content was removed; empty if it was not removed."""


def never_removed(_digest: str) -> str:
    """Return an empty reason: for an archive that never removes content."""
    return ""


def not_there(archive: Archive, digest: str, why_removed: WhyRemoved) -> MissingError:
    """Return the error for missing content, with the reason if it is known."""
    if says := why_removed(digest):
        return RemovedError(says)
    return MissingError(f"The archive {archive} has nothing under {digest}.")


def store_bytes(archive: Archive, content: bytes) -> Stored:
    """Store content that is in memory."""
    return archive.store(io.BytesIO(content))


def read_bytes(archive: Archive, digest: str) -> bytes:
    """Return verified content that is small enough for memory."""
    with archive.fetch(digest) as place:
        return place.read_bytes()


def checked(digest: str) -> str:
    """Return the digest if it is safe to use in a path."""
    if not _DIGEST.fullmatch(digest):
        message = f"{digest!r} is not a SHA-256 in hexadecimal."
        raise ValueError(message)
    return digest


def digest_of(place: Path) -> str:
    """Return the SHA-256 of a file."""
    with place.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@contextmanager
def written_aside(source: Source, folder: Path) -> Iterator[tuple[Path, Stored]]:
    """Copy a source to a temporary file, synced to disk; remove the file if it is still there."""
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


class FolderArchive:
    """Content in a folder shared by every process of the system."""

    def __init__(self, root: Path, why_removed: WhyRemoved = never_removed) -> None:
        self.why_removed = why_removed
        self.root = root
        self.aside = root / "aside"

    def __str__(self) -> str:
        return str(self.root)

    def place(self, digest: str) -> Path:
        """Return the path of a digest, whether or not it exists."""
        return self.root / checked(digest)[:2] / digest[2:]

    def store(self, source: BinaryIO) -> Stored:
        """Write a temporary file, sync it, rename it to its digest, and sync the folder."""
        with written_aside(source, self.aside) as (aside, stored):
            self.put(aside, stored.digest)
        return stored

    def put(self, aside: Path, digest: str) -> None:
        """Rename a synced temporary file to its digest, and sync the folder."""
        aside.chmod(0o440)
        place = self.place(digest)
        if not place.parent.exists():
            place.parent.mkdir(exist_ok=True)
            _sync(self.root)
        aside.replace(place)
        _sync(place.parent)

    @contextmanager
    def fetch(self, digest: str) -> Iterator[Path]:
        """Return the file itself, after checking its hash."""
        place = self.place(digest)
        try:
            found = digest_of(place)
        except FileNotFoundError:
            raise not_there(self, digest, self.why_removed) from None
        if found != digest:
            message = f"{place} is damaged: its content hashes to {found}."
            raise DamagedError(message)
        yield place

    def has(self, digest: str) -> bool:
        """Return whether the file exists."""
        return self.place(digest).exists()

    def size(self, digest: str) -> int:
        """Return the size of the content."""
        return self.place(digest).stat().st_size

    def ready(self) -> None:
        """Write and remove a page: this fails on a full or read-only file system."""
        self.aside.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self.aside) as probe:
            probe.write(bytes(4096))

    def space(self) -> Space:
        """Return the space that the file system reports."""
        place = self.root
        while not place.exists():
            place = place.parent
        usage = shutil.disk_usage(place)
        return Space(free=usage.free, total=usage.total)

    def untouched(self, *, seconds: float) -> Iterator[str]:
        """Yield the files that are old enough, folder by folder."""
        before = time.time() - seconds
        for folder in sorted(self.root.glob("[0-9a-f][0-9a-f]")):
            for place in sorted(folder.iterdir()):
                if _stored_at(place) < before:
                    yield folder.name + place.name

    def remove(self, digest: str, *, untouched_seconds: float) -> bool:
        """Move the file away, check its age again, and put it back if it is too new."""
        place, aside = self.place(digest), self.aside / f"removed-{digest}"
        try:
            place.rename(aside)
        except FileNotFoundError:
            return False
        if _stored_at(aside) >= time.time() - untouched_seconds:
            aside.rename(place)
            return False
        aside.unlink()
        return True

    def clear_aside(self, *, older_than_seconds: float) -> int:
        """Remove partial files left by killed processes; return how many."""
        before = time.time() - older_than_seconds
        removed = 0
        for left in self.aside.glob("*"):
            if left.stat().st_mtime < before:
                left.unlink(missing_ok=True)
                removed += 1
        return removed


def _stored_at(place: Path) -> float:
    """Return when a file was stored; treat a file removed meanwhile as new."""
    try:
        return place.stat().st_mtime
    except FileNotFoundError:
        return float("inf")


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_archive(url: str, *, spool: Path, why_removed: WhyRemoved = never_removed) -> Archive:
    """Open the archive at a URL or in a folder; the spool is for files in progress."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        from compliance.files.object_store import ObjectArchive

        return ObjectArchive(url, spool, why_removed)
    return FolderArchive(Path(parts.path), why_removed)


def current_archive() -> Archive:
    """Return the archive of this installation."""
    return _opened(revealed(settings.ARCHIVE_URL), Path(settings.VAR) / "spool", os.getpid())


@lru_cache(maxsize=4)
def _opened(url: str, spool: Path, process: int) -> Archive:
    del process  # each forked process opens its own
    from compliance.retention.reads import why_removed

    return open_archive(url, spool=spool, why_removed=why_removed)


__all__ = [
    "Archive",
    "DamagedError",
    "MissingError",
    "RemovedError",
    "Stored",
    "current_archive",
    "digest_of",
    "open_archive",
]
