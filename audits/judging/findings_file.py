"""The findings file of a segment: every finding, one canonical JSON line each, zstd-compressed.

What counts is the lines: their digest is the same whatever compressed them.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import orjson
import zstandard

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEVEL: Final = 3
READ: Final = 1 << 20
WRITTEN_AT_ONCE: Final = 1 << 18


class FindingsWriter:
    """Writes lines in the order given; a context manager, the file is whole when it is left."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._out = zstandard.ZstdCompressor(level=LEVEL).stream_writer(self._file)
        self._digest = hashlib.sha256()
        self._waiting: list[bytes] = []
        self._size = 0
        self.count = 0

    def __enter__(self) -> FindingsWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._out.flush(zstandard.FLUSH_FRAME)
        self._file.close()

    def write(self, line: bytes) -> None:
        """Add a line, given without its end."""
        self._waiting += (line, b"\n")
        self._size += len(line)
        self.count += 1
        if self._size > WRITTEN_AT_ONCE:
            self._flush()

    @property
    def digest(self) -> str:
        """SHA-256 of the lines so far, in hexadecimal."""
        self._flush()
        return self._digest.hexdigest()

    def _flush(self) -> None:
        text = b"".join(self._waiting)
        self._waiting, self._size = [], 0
        self._digest.update(text)
        self._out.write(text)


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a findings file, without their ends; no more is held than the longest."""
    with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as plain:
        begun: list[bytes] = []
        while piece := plain.read(READ):
            first, *rest = piece.split(b"\n")
            begun.append(first)
            if rest:
                yield b"".join(begun)
                yield from rest[:-1]
                begun = rest[-1:]


def read_findings(path: Path) -> Iterator[dict[str, Any]]:
    """The findings of a file, in order."""
    for line in read_lines(path):
        yield orjson.loads(line)


def digest_of(path: Path) -> str:
    """SHA-256 of a findings file's lines, in hexadecimal."""
    digest = hashlib.sha256()
    for line in read_lines(path):
        digest.update(line + b"\n")
    return digest.hexdigest()
