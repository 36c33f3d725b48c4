"""An archive in a folder: `ab/cdef…`, read-only, each under the SHA-256 of its content."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from compliance.archive.content import (
    DamagedError,
    Stored,
    WhyRemoved,
    checked,
    digest_of,
    never_removed,
    not_there,
    written_aside,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class FolderArchive:
    """Content in a folder that every process of the system can reach."""

    def __init__(self, root: Path, why_removed: WhyRemoved = never_removed) -> None:
        self.why_removed = why_removed
        self.root = root
        self.aside = root / "aside"

    def __str__(self) -> str:
        return str(self.root)

    def place(self, digest: str) -> Path:
        """Return where content of a digest lies, or would."""
        return self.root / checked(digest)[:2] / digest[2:]

    def store(self, source: BinaryIO) -> Stored:
        """Write aside, sync, rename to the digest, sync the folder."""
        with written_aside(source, self.aside) as (aside, stored):
            aside.chmod(0o440)
            place = self.place(stored.digest)
            if not place.parent.exists():
                place.parent.mkdir(exist_ok=True)
                _sync(self.root)
            aside.replace(place)
            _sync(place.parent)
        return stored

    @contextmanager
    def fetch(self, digest: str) -> Iterator[Path]:
        """Give the file itself, once its content was hashed."""
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
        """Whether the file is there."""
        return self.place(digest).exists()

    def ready(self) -> None:
        """Raise `OSError` unless a file could be made."""
        self.aside.mkdir(parents=True, exist_ok=True)
        if not os.access(self.aside, os.W_OK | os.X_OK):
            message = f"{self.aside} cannot be written"
            raise PermissionError(message)

    def untouched(self, *, seconds: float) -> Iterator[str]:
        """The files that are old enough, by the folder that each lies in."""
        before = time.time() - seconds
        for folder in sorted(self.root.glob("[0-9a-f][0-9a-f]")):
            for place in sorted(folder.iterdir()):
                if _stored_at(place) < before:
                    yield folder.name + place.name

    def remove(self, digest: str, *, untouched_seconds: float) -> bool:
        """Move it aside, look again how old it is, and put back what is not old enough."""
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
        """Remove what killed processes left half written; return how many files."""
        before = time.time() - older_than_seconds
        removed = 0
        for left in self.aside.glob("*"):
            if left.stat().st_mtime < before:
                left.unlink(missing_ok=True)
                removed += 1
        return removed


def _stored_at(place: Path) -> float:
    """When a file was stored; one that went meanwhile is not old."""
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
