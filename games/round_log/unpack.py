"""A round log's bytes, plain, gzip or zstd: told apart by how the file begins, not by its name.

Memory stays bounded whatever the file unpacks to, and a file that unpacks to absurd lengths is
broken off.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final, Protocol

import zstandard

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

READ: Final = 1 << 16
"""Bytes read at once; a pipe gives less as it comes."""

MOST_AT_ONCE: Final = 1 << 20
LARGEST_WINDOW: Final = 1 << 27
"""What zstd itself unpacks without being asked twice."""

ZSTD_FEED: Final = 512
"""Compressed bytes taken at once: even four of them can unpack to 128 KiB."""

UNPACKED_FREELY: Final = 1 << 25
MOST_RATIO: Final = 500
"""Beyond the first 32 MiB a file unpacks to at most so many times its size.

Rounds of a night pack 10 to 20 times; rounds that differ in their id alone, 300 times.
"""

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


class BrokenFileError(ValueError):
    """A compressed file that cannot be read to its end; the message says why.

    `cause` is `cut_off`, `damaged`, `bomb` (unpacks without measure) or `window` (wants too much
    memory).
    """

    def __init__(self, message: str, cause: str) -> None:
        super().__init__(message)
        self.cause = cause


def unpack(stream: BinaryIO) -> Iterator[bytes]:
    """The file's bytes, unpacked, in pieces of bounded size.

    Raises:
        BrokenFileError: the compressed data is damaged, ends early or unpacks without measure;
            what could be read has been given before.
    """
    pieces = _pieces(stream)
    begins = b""
    for piece in pieces:
        begins += piece
        if len(begins) >= len(_ZSTD):
            break
    if begins.startswith(_GZIP):
        yield from _measured(begins, pieces, _gzip)
    elif begins.startswith(_ZSTD) or _skippable(begins):
        yield from _measured(begins, pieces, _zstd)
    else:
        if begins:
            yield begins
        yield from pieces


def _skippable(begins: bytes) -> bool:
    """Whether a zstd file begins with a frame that holds no data."""
    return begins[1:4] == b"\x2a\x4d\x18" and 0x50 <= begins[0] <= 0x5F


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    read = getattr(stream, "read1", stream.read)
    while piece := read(READ):
        yield piece


class _Packed:
    """Compressed bytes as they come, counted, with what a finished piece did not use put back."""

    def __init__(self, begins: bytes, pieces: Iterator[bytes]) -> None:
        self._held = begins
        self._pieces = pieces
        self.taken = 0

    def take(self, size: int) -> bytes:
        if not self._held:
            self._held = next(self._pieces, b"")
        piece, self._held = self._held[:size], self._held[size:]
        self.taken += len(piece)
        return piece

    def put_back(self, unused: bytes) -> None:
        self._held = unused + self._held
        self.taken -= len(unused)


def _measured(begins: bytes, pieces: Iterator[bytes], unpacked: _Format) -> Iterator[bytes]:
    packed = _Packed(begins, pieces)
    given = 0
    for piece in unpacked(packed):
        given += len(piece)
        if given > UNPACKED_FREELY and given > MOST_RATIO * packed.taken:
            message = (
                f"the file unpacks to more than {MOST_RATIO} times its size:"
                " it is not read any further"
            )
            raise BrokenFileError(message, "bomb")
        if piece:
            yield piece


class _Format(Protocol):
    def __call__(self, packed: _Packed) -> Iterator[bytes]: ...


def _gzip(packed: _Packed) -> Iterator[bytes]:
    while begins := packed.take(READ):
        if not begins.strip(b"\0"):
            continue  # padding behind the last member, as tape and some tools write it
        packed.put_back(begins)
        yield from _gzip_member(packed)


def _gzip_member(packed: _Packed) -> Iterator[bytes]:
    member = zlib.decompressobj(wbits=31)
    while not member.eof:
        data = member.unconsumed_tail or packed.take(READ)
        if not data:
            raise BrokenFileError(_early("gzip"), "cut_off")
        try:
            yield member.decompress(data, MOST_AT_ONCE)
        except zlib.error:
            raise BrokenFileError(_damaged("gzip"), "damaged") from None
    packed.put_back(member.unused_data)


def _zstd(packed: _Packed) -> Iterator[bytes]:
    while begins := packed.take(ZSTD_FEED):
        packed.put_back(begins)
        yield from _zstd_frame(packed)


def _zstd_frame(packed: _Packed) -> Iterator[bytes]:
    frame = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW).decompressobj()
    while not frame.eof:
        data = packed.take(ZSTD_FEED)
        if not data:
            raise BrokenFileError(_early("zstd"), "cut_off")
        try:
            yield frame.decompress(data)
        except zstandard.ZstdError as error:
            if "too much memory" in str(error):
                message = "the zstd data wants a window over 128 MiB: pack it without --long"
                raise BrokenFileError(message, "window") from None
            raise BrokenFileError(_damaged("zstd"), "damaged") from None
    packed.put_back(frame.unused_data)


def _early(kind: str) -> str:
    return f"the {kind} data ends early: the file was cut off, hand in the whole of it"


def _damaged(kind: str) -> str:
    return f"the {kind} data is damaged here: pack the file again"
