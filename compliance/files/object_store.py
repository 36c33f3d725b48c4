"""Files in an S3-compatible store: an archive, and files with readable names."""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import parse_qsl, unquote, urlsplit
from uuid import uuid4

import pyarrow as pa
from pyarrow import fs

from compliance.files.archive import (
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


SECONDS = 20


def open_store(url: str) -> fs.S3FileSystem:
    """Open the store at a URL, in the process that uses it."""
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
    """Return the bucket and prefix of a URL, with which each key begins."""
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
        """Return the key of a digest, whether or not it exists."""
        return f"{self.root}/{checked(digest)[:2]}/{digest[2:]}"

    def store(self, source: BinaryIO) -> Stored:
        """Hash into a local file, upload it, and check that all of it arrived."""
        with written_aside(source, self.spool) as (aside, stored):
            place = self.place(stored.digest)
            # A single call writes it all: an exception between chunks would close the stream, and
            # closing it completes the object.
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
        """Download and hash a local copy; it is removed when the block ends."""
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
        """Return whether the store lists the object."""
        return bool(self.store_of_objects.get_file_info(self.place(digest)).is_file)

    def untouched(self, *, seconds: float) -> Iterator[str]:
        """Yield the objects that are old enough, from the store's own listing."""
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

    def space(self) -> None:
        """Return None: a store reports no limit."""


def put(url: str, folder: str, name: str, content: bytes) -> None:
    """Upload a file to a folder at a URL, whole or not at all.

    Replaces a file with the same name. Raises `OSError` if the upload fails.
    """
    parts = urlsplit(url)
    if parts.scheme != "s3":
        put_in_folder(Path(parts.path) / folder, name, content)
        return

    store, place = open_store(url), f"{root_of(url)}/{folder}/{name}"
    with store.open_output_stream(place) as upload:  # one call: there are no partial objects
        upload.write(content)
    arrived = store.get_file_info(place).size
    if arrived != len(content):
        message = f"{place} has {arrived} of {len(content)} bytes."
        raise OSError(message)


def put_in_folder(folder: Path, name: str, content: bytes) -> Path:
    """Write a file to a local folder, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    place, aside = folder / name, folder / f".{uuid4().hex}"
    try:
        aside.write_bytes(content)
        aside.replace(place)
    finally:
        aside.unlink(missing_ok=True)
    return place
