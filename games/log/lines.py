"""The lines of a round log (plain, gzip or zstd), one after another, in bounded memory.

The compression is recognized by how the file begins, not by its name. Memory stays bounded whatever
the file unpacks to, and reading stops if a file unpacks to absurd lengths.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final, Protocol

import zstandard

from games.log.form import LONGEST_LINE, Rejection, read_line, too_long

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

    from games.log.round import Round


READ: Final = 1 << 16
"""Bytes read at once; a pipe returns fewer as they arrive."""

MOST_AT_ONCE: Final = 1 << 20
LARGEST_WINDOW: Final = 1 << 27
"""What zstd itself unpacks without an explicit option."""

ZSTD_FEED: Final = 512
"""Compressed bytes processed at once: even four of them can unpack to 128 KiB."""

UNPACKED_FREELY: Final = 1 << 20
MAXIMUM_RATIO: Final = 200
"""Past the first 1 MiB a file unpacks to at most this many times the bytes read so far.

The simulator's most repetitive night, one table of Pyramid Poker under zstd -19, compresses 18
times: cards differ from round to round. A file that compresses 200 times is the same bytes over and
over, and rejecting its millions of lines one by one would keep a process busy for nothing.
"""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
LONGEST_MARK: Final = 4
"""Byte order marks of UTF-16 and UTF-32."""
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


class BrokenFileError(ValueError):
    """A file that can't be read to its end; the message says why.

    `cause` is `cut_off`, `damaged`, `bomb` (unpacks without limit), `window` (needs too much
    memory) or `encoding` (UTF-16 or UTF-32).
    """

    def __init__(self, message: str, cause: str) -> None:
        super().__init__(message)
        self.cause = cause


def unpack(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the file's bytes, unpacked and without a byte order mark, in pieces of limited size.

    Raises:
        BrokenFileError: the compressed data is damaged, ends early or unpacks without limit, or the
            text is not UTF-8 but UTF-16; whatever could be read has been yielded before.
    """
    pieces = _unpacked(stream)
    begins = b""
    for piece in pieces:
        begins += piece
        if len(begins) >= LONGEST_MARK:
            break
    if _is_wide(begins):
        message = "the file is UTF-16 or UTF-32 text, and a round log is UTF-8: save it as UTF-8"
        raise BrokenFileError(message, "encoding")
    if begins := begins.removeprefix(_BYTE_ORDER_MARK):
        yield begins
    yield from pieces


def _is_wide(begins: bytes) -> bool:
    """Return whether text has two or four bytes per character, by its mark or how JSON begins."""
    marked = (begins[:2], begins[3:4]) == (b"\xff\xfe", b"\0") or begins[:3] == b"\xfe\xff\0"
    return marked or begins[:4] in (b'{\0"\0', b'\0{\0"', b"{\0\0\0", b"\0\0\0{", b"\0\0\xfe\xff")


def _unpacked(stream: BinaryIO) -> Iterator[bytes]:
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
    """Return whether a zstd file begins with a frame that contains no data."""
    return begins[1:4] == b"\x2a\x4d\x18" and 0x50 <= begins[0] <= 0x5F


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    read = getattr(stream, "read1", stream.read)
    while piece := read(READ):
        yield piece


class _Packed:
    """Compressed bytes as they arrive, counted; what a finished member didn't use is put back."""

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
        if given > UNPACKED_FREELY and given > MAXIMUM_RATIO * packed.taken:
            message = (
                f"the file unpacks to more than {MAXIMUM_RATIO} times its size, and the rounds of"
                " a night compress about 20 times:"
                " compress only the log, without padding or repeats"
            )
            raise BrokenFileError(message, "bomb")
        if piece:
            yield piece


class _Format(Protocol):
    def __call__(self, packed: _Packed) -> Iterator[bytes]: ...


def _gzip(packed: _Packed) -> Iterator[bytes]:
    while begins := packed.take(READ):
        if not begins.strip(b"\0"):
            continue  # padding after the last member, as tape and some tools write it
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
    # One for all frames: creating one for each of millions of empty frames takes too long.
    decompressor = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
    while begins := packed.take(ZSTD_FEED):
        packed.put_back(begins)
        yield from _zstd_frame(packed, decompressor.decompressobj())


def _zstd_frame(packed: _Packed, frame: zstandard.ZstdDecompressionObj) -> Iterator[bytes]:
    while not frame.eof:
        data = packed.take(ZSTD_FEED)
        if not data:
            raise BrokenFileError(_early("zstd"), "cut_off")
        try:
            yield frame.decompress(data)
        except zstandard.ZstdError as error:
            if "too much memory" in str(error):
                message = "the zstd data needs a window over 128 MiB: compress it without --long"
                raise BrokenFileError(message, "window") from None
            raise BrokenFileError(_damaged("zstd"), "damaged") from None
    packed.put_back(frame.unused_data)


def _early(kind: str) -> str:
    return f"the {kind} data ends early: the file was cut off; submit the complete file"


def _damaged(kind: str) -> str:
    return f"the {kind} data is damaged here: compress the file again"


def read_rounds(
    stream: BinaryIO, read: Callable[[bytes], Round | Rejection] = read_line
) -> Iterator[Round | Rejection]:
    """Yield each line of a log, parsed; item n is line n. A broken file ends in a rejection."""
    for line in lines(stream):
        yield line if isinstance(line, Rejection) else read(line)


def lines(stream: BinaryIO) -> Iterator[bytes | Rejection]:
    """Yield every line's bytes without its ending (LF or CRLF); a line too long is a rejection.

    A last line without an ending is a line. Where compressed data is damaged or cut off, the line
    in which it breaks off is rejected, and it is the last.
    """
    try:
        yield from split(unpack(stream))
    except BrokenFileError as error:
        yield Rejection(None, str(error))


def split(pieces: Iterable[bytes]) -> Iterator[bytes | Rejection]:
    """Cut pieces of a file into lines; of a line that doesn't end, only the length is kept."""
    begun: list[bytes] = []
    length = 0
    for piece in pieces:
        first, *rest = piece.split(b"\n")
        length += len(first)
        if length <= LONGEST_LINE + 1:
            begun.append(first)
        else:
            begun.clear()
        if not rest:
            continue
        yield _line(b"".join(begun), length)
        *whole, last = rest
        for line in whole:
            yield _line(line, len(line))
        begun, length = [last], len(last)
    if length:
        yield _line(b"".join(begun), length)


def _line(line: bytes, length: int) -> bytes | Rejection:
    if line.endswith(b"\r"):
        line, length = line[:-1], length - 1
    return too_long() if length > LONGEST_LINE else line
