"""An archive in an S3-compatible store.

Content is hashed on the way into a local file and uploaded under its digest in one piece of work:
the store shows an object only once it is complete. It comes back through a local file as well,
because only the last byte tells whether the first was right.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import parse_qsl, unquote, urlsplit

import pyarrow as pa
from pyarrow import fs

from compliance.archive.content import (
    DamagedError,
    Stored,
    WhyRemoved,
    checked,
    never_removed,
    not_there,
    written_aside,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS = 20


def open_store(url: str) -> fs.S3FileSystem:
    """Open the store that a URL names, in the process that uses it."""
    parts = urlsplit(url)
    return fs.S3FileSystem(
        access_key=unquote(parts.username) if parts.username else None,
        secret_key=unquote(parts.password) if parts.password else None,
        connect_timeout=SECONDS,
        request_timeout=SECONDS,
        background_writes=False,
        **dict(parse_qsl(parts.query)),
    )


def root_of(url: str) -> str:
    """Bucket and prefix of a URL: what each key begins with."""
    parts = urlsplit(url)
    return f"{parts.hostname or ''}{parts.path}".rstrip("/")


class ObjectArchive:
    """Content under `PREFIX/ab/cdef…` of a bucket.

    Open it in the process that uses it: the store's library does not survive a fork.
    """

    def __init__(self, url: str, spool: Path, why_removed: WhyRemoved = never_removed) -> None:
        self.why_removed = why_removed
        self.root = root_of(url)
        self.bucket = self.root.partition("/")[0]
        self.spool = spool
        self.store_of_objects = open_store(url)

    def __str__(self) -> str:
        return f"s3://{self.root}"

    def place(self, digest: str) -> str:
        """Return the key that content of a digest has, or would have."""
        return f"{self.root}/{checked(digest)[:2]}/{digest[2:]}"

    def store(self, source: BinaryIO) -> Stored:
        """Hash into a local file, upload it, and look that all of it arrived."""
        with written_aside(source, self.spool) as (aside, stored):
            place = self.place(stored.digest)
            # One call writes it all: an exception between pieces would close the stream, and
            # to close it is to complete the object.
            content = pa.memory_map(str(aside)).read_buffer() if stored.size else b""
            with self.store_of_objects.open_output_stream(place) as upload:
                upload.write(content)
            arrived = self.store_of_objects.get_file_info(place).size
            if arrived != stored.size:
                message = f"{self} kept {arrived} of {stored.size} bytes of {stored.digest}"
                raise OSError(message)
        return stored

    @contextmanager
    def fetch(self, digest: str) -> Iterator[Path]:
        """Download into a local file, hashing on the way; the file goes when the block ends."""
        try:
            download = self.store_of_objects.open_input_stream(self.place(digest))
        except FileNotFoundError:
            raise not_there(self, digest, self.why_removed) from None
        with download, written_aside(download, self.spool) as (aside, found):
            if found.digest != digest:
                message = f"{self.place(digest)} is damaged: its content hashes to {found.digest}."
                raise DamagedError(message)
            yield aside

    def has(self, digest: str) -> bool:
        """Whether the store lists the object."""
        return bool(self.store_of_objects.get_file_info(self.place(digest)).is_file)

    def untouched(self, *, seconds: float) -> Iterator[str]:
        """The objects that are old enough, by the store's own listing."""
        before = time.time() - seconds
        selected = fs.FileSelector(self.root, recursive=True, allow_not_found=True)
        for info in self.store_of_objects.get_file_info(selected):
            if info.is_file and info.mtime_ns / 1e9 < before:
                yield "".join(info.path.rsplit("/", 2)[-2:])

    def remove(self, digest: str, *, untouched_seconds: float) -> bool:
        """Remove the object if it is still old enough."""
        info = self.store_of_objects.get_file_info(self.place(digest))
        if not info.is_file or info.mtime_ns / 1e9 >= time.time() - untouched_seconds:
            return False
        self.store_of_objects.delete_file(info.path)
        return True

    def ready(self) -> None:
        """Raise `OSError` unless the bucket answers."""
        if self.store_of_objects.get_file_info(self.bucket).type == fs.FileType.NotFound:
            message = f"There is no bucket {self.bucket}"
            raise FileNotFoundError(message)
