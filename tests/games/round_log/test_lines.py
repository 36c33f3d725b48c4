"""Lines from files: plain, gzip, zstd, truncated, damaged, endless, bombs; in bounded memory."""

from __future__ import annotations

import gzip
import io
import time
import tracemalloc

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from games.log.form import LONGEST_LINE, Rejection
from games.log.lines import LARGEST_WINDOW, lines, read_rounds, split

LOG = b"".join(b'{"line": %d, "x": "%s"}\n' % (n, b"q" * (n % 90)) for n in range(3000))


def zstd(data, **options):
    return zstandard.ZstdCompressor(**options).compress(data)


def zstd_stream(data, **options):
    packer = zstandard.ZstdCompressor(**options).compressobj()
    return packer.compress(data) + packer.flush()


def of(data):
    return list(lines(io.BytesIO(data)))


PACKED = {
    "plain": LOG,
    "gzip": gzip.compress(LOG),
    "gzip of two members": gzip.compress(LOG[:5000]) + gzip.compress(LOG[5000:]),
    "gzip with padding": gzip.compress(LOG) + b"\0" * 1000,
    "zstd": zstd(LOG),
    "zstd of two frames": zstd(LOG[:5000]) + zstd(LOG[5000:]),
    "zstd without its length": zstd_stream(LOG),
    "zstd behind a skippable frame": b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + zstd(LOG),
}


@pytest.mark.parametrize("data", PACKED.values(), ids=PACKED)
def test_a_log_is_read_alike_however_it_is_packed(data):
    assert of(data) == LOG.splitlines()


@pytest.mark.parametrize(
    ("data", "read"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"a", [b"a"]),
        (b"a\n", [b"a"]),
        (b"a\nb", [b"a", b"b"]),
        (b"a\r\nb\r\n", [b"a", b"b"]),
        (b"a\r\r\n", [b"a\r"]),
        (b"a\rb\n", [b"a\rb"]),
        (b"a\n\nb\n", [b"a", b"", b"b"]),
        (b"\xef\xbb\xbfa\n", [b"a"]),
        (b"\xef\xbb\xbf", []),
        (b"a\n\xef\xbb\xbfb\n", [b"a", b"\xef\xbb\xbfb"]),
        (gzip.compress(b"\xef\xbb\xbfa\n", mtime=0), [b"a"]),
        (b"\xff\xfea\n", [b"\xff\xfea"]),
        (b"a\n\0\n", [b"a", b"\0"]),
        (b"\x1f", [b"\x1f"]),
        (b"\x28\xb5\n", [b"\x28\xb5"]),
    ],
)  # fmt: skip
def test_a_line_ends_with_lf_or_crlf_and_the_last_need_not(data, read):
    assert of(data) == read


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_line_limit_is_one_mebibyte(end):
    full = b"a" * LONGEST_LINE
    assert of(full + end) == [full]
    (message,) = of(b"a" + full + end)
    assert isinstance(message, Rejection)
    assert "1 MiB" in message.reason


def test_lines_behind_a_line_too_long_are_read():
    read = of(b"a\n" + b"b" * (3 * LONGEST_LINE) + b"\nc\n")
    assert (read[0], read[2]) == (b"a", b"c")
    assert isinstance(read[1], Rejection)


@given(st.lists(st.binary(max_size=40)), st.integers(1, 7))
def test_how_the_pieces_fall_changes_nothing(pieces, size):
    data = b"".join(pieces)
    cut = [data[place : place + size] for place in range(0, len(data), size)]
    assert list(split(cut)) == list(split([data] if data else []))


@pytest.mark.parametrize("packed", [gzip.compress(LOG), zstd(LOG, write_checksum=True)],
                         ids=["gzip", "zstd"])  # fmt: skip
def test_truncated_file_keeps_its_rounds_and_rejects_the_cut(packed):
    for place in (5, len(packed) // 2, len(packed) - 1):
        *whole, last = of(packed[:place])
        assert whole == LOG.splitlines()[: len(whole)]
        assert isinstance(last, Rejection)
        assert "cut off" in last.reason


@pytest.mark.parametrize("packed", [gzip.compress(LOG), zstd(LOG, write_checksum=True)],
                         ids=["gzip", "zstd"])  # fmt: skip
def test_damaged_data_is_rejected_where_it_breaks(packed):
    for place in (20, len(packed) // 2, len(packed) - 3):
        damaged = bytearray(packed)
        damaged[place] ^= 0xFF
        read = of(bytes(damaged))
        assert any(isinstance(line, Rejection) for line in read)
        assert not any(isinstance(line, Rejection) for line in read[:-1])


def test_rubbish_behind_a_packed_log_is_named():
    for packed in (gzip.compress(LOG), zstd(LOG)):
        *whole, last = of(packed + b"rubbish")
        assert whole == LOG.splitlines()
        assert isinstance(last, Rejection)


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_utf_16_file_is_named_as_such(encoding):
    for data in (LOG.decode().encode(encoding), gzip.compress(LOG.decode().encode(encoding))):
        (message,) = of(data)
        assert isinstance(message, Rejection)
        assert "UTF-16" in message.reason


def test_empty_frames_use_one_decompressor():
    frames = zstd(b"") * 20_000
    began = time.process_time()
    assert of(frames) == []
    shared = time.process_time() - began
    began = time.process_time()
    for _ in range(20_000):
        zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW).decompressobj().decompress(b"")
    assert shared < time.process_time() - began


def test_compression_bomb_ends_within_two_mebibytes():
    bomb = zstd(b"\n" * (200 << 20))
    assert len(bomb) < 20_000
    for packed in (gzip.compress(b"\n" * (1 << 24), 9), bomb):
        *given, last = of(packed)
        assert isinstance(last, Rejection)
        assert "more than 200 times its size" in last.reason
        assert len(given) <= (2 << 20) + 200 * len(packed)


def test_a_window_that_no_log_needs_is_refused():
    options = zstandard.ZstdCompressionParameters(window_log=28, compression_level=1)
    (last,) = of(zstd_stream(LOG, compression_params=options))
    assert isinstance(last, Rejection)
    assert "128 MiB" in last.reason


@pytest.mark.parametrize("packed", [gzip.compress(b"a" * (1 << 27)), zstd(b"a" * (1 << 27))],
                         ids=["gzip", "zstd"])  # fmt: skip
def test_endless_line_is_not_kept_in_memory(packed):
    stream = io.BytesIO(packed)
    tracemalloc.start()
    try:
        (message,) = lines(stream)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(message, Rejection)
    assert peak < 40 << 20  # of 128 MiB


def test_every_line_of_a_log_becomes_a_round_or_a_rejection():
    read = list(read_rounds(io.BytesIO(b'{"v": 1}\n\n' + b"a" * (LONGEST_LINE + 1))))
    assert [type(item) for item in read] == [Rejection] * 3


@given(st.sampled_from([b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18", b""]), st.binary())
def test_files_that_are_no_logs_end_in_lines_or_a_rejection(magic, rest):
    for line in lines(io.BytesIO(magic + rest)):
        assert isinstance(line, bytes | Rejection)
