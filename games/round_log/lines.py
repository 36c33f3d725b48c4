"""The lines of a round log, one after the other, in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.round_log.form import LONGEST_LINE, Rejection, read_line, too_long
from games.round_log.unpack import BrokenFileError, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from games.round_log.round import Round


def read_rounds(stream: BinaryIO) -> Iterator[Round | Rejection]:
    """Every line of a log, read; the n-th item is line n. A broken file ends with a rejection."""
    for line in lines(stream):
        yield line if isinstance(line, Rejection) else read_line(line)


def lines(stream: BinaryIO) -> Iterator[bytes | Rejection]:
    """The bytes of every line without its end (LF or CRLF); a line too long is a rejection.

    A last line without an end is a line. Where compressed data is damaged or cut off, the line
    that it breaks off in is rejected, and it is the last.
    """
    try:
        yield from split(unpack(stream))
    except BrokenFileError as error:
        yield Rejection(None, str(error))


def split(pieces: Iterable[bytes]) -> Iterator[bytes | Rejection]:
    """Cut pieces of a file into lines; of a line that does not end only its length is kept."""
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
