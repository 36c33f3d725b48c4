"""Any round is found by its id, and a damaged file is named."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import numpy as np
import orjson
import pytest

from audits.intake.segments.id_index import open_index, row_of, write_index
from audits.intake.segments.lookup import find_round, read_round
from audits.intake.segments.rejections import DamagedSegmentError
from audits.intake.segments.segment_file import identity_of, read_header, read_rows, read_segment
from audits.intake.segments.tails import read_tails
from games.log.digests import digest_of
from games.log.form import read_line
from games.log.round import Round
from tests.audits.segments.logs import Shelf, digest, line, log_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_every_round_is_found_by_its_id_regular_or_not(tmp_path: Path) -> None:
    lines = [
        line(n, table=f"T{n % 3}", minute=n, game=("pyramid-poker", "chinese-poker")[n % 2])
        for n in range(20)
    ]
    for one in lines[::5]:
        one["void"] = "power failure"
    log, shelf = log_of(lines), Shelf(tmp_path)
    shelf.submission(log)
    for number, one in enumerate(lines, 1):
        found = find_round(shelf.segments, one["round"])
        assert found is not None
        segment, there = found
        expected = read_line(orjson.dumps(one))
        assert isinstance(expected, Round)
        assert there.round == expected == read_line(there.line)
        assert (there.log, there.source_line) == (digest(log), number)
        assert there.place == segment.place
        assert there.digest == digest_of(expected).hex()
    assert find_round(shelf.segments, "R-20") is None


def test_index_finds_rows_of_its_ids_only(tmp_path: Path) -> None:
    """Use evenly spread ids, as digests are, and some as uneven as possible."""
    chance = np.random.default_rng(4)
    even = chance.integers(0, 2**64, (30_000, 2), np.uint64)
    crowded = np.stack([np.arange(9_000, dtype=np.uint64)] * 2, axis=1)
    low = np.zeros((2, 2), np.uint64)
    low[:, 1] = 5, 6
    ids = np.concatenate([even, crowded + np.uint64(1), low])
    path = tmp_path / "ids"
    write_index(path, ids, np.zeros((len(ids), 4), np.uint64))
    for row in [*random.Random(1).sample(range(len(ids)), 500), len(ids) - 2, len(ids) - 1]:
        one, two = ids[row].tolist()
        assert row_of(path, (one, two)) == row
        assert row_of(path, (one, two ^ 1 << 40)) is None
    assert row_of(path, (10_000, 10_000)) is None


def test_the_index_of_no_round_holds_none(tmp_path: Path) -> None:
    write_index(tmp_path / "ids", np.empty((0, 2), np.uint64), np.empty((0, 4), np.uint64))
    assert len(open_index(tmp_path / "ids")) == 0
    assert row_of(tmp_path / "ids", (1, 2)) is None


@pytest.mark.parametrize("read", [read_rows, identity_of, lambda path: list(read_segment(path))])
def test_changed_byte_in_segment_names_the_file(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    shelf = Shelf(tmp_path)
    shelf.submission(log_of(line(n, minute=n) for n in range(200)))
    [[made]] = shelf.pieces.values()
    whole = made.path.read_bytes()
    chance = random.Random(3)
    noticed = 0
    for _ in range(60):
        place = chance.randrange(len(whole) * 2 // 3)  # the pages; the file's end describes them
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        made.path.write_bytes(changed)
        error = refusal(read, made.path)
        noticed += error is not None
        assert error is None or (error.path == made.path and made.path.name in str(error))
        assert error is not None or identity_of(made.path) == made.identity
    assert noticed > 50


def refusal(read: Callable[[Path], object], path: Path) -> DamagedSegmentError | None:
    try:
        read(path)
    except DamagedSegmentError as error:
        return error
    return None


@pytest.mark.parametrize("length", [0, 4, 1000])
def test_a_segment_cut_short_is_named(tmp_path: Path, length: int) -> None:
    shelf = Shelf(tmp_path)
    shelf.submission(log_of([line(1)]))
    [[made]] = shelf.pieces.values()
    os.truncate(made.path, length)
    for read in (read_header, read_rows, identity_of):
        with pytest.raises(DamagedSegmentError, match=made.path.name):
            read(made.path)
    with pytest.raises(DamagedSegmentError, match=made.path.name):
        read_round(made.path, 0)


def test_damaged_index_is_named_and_foreign_one_finds_nothing(
    tmp_path: Path,
) -> None:
    shelf = Shelf(tmp_path)
    shelf.submission(log_of([line(1), line(2, minute=1)]))
    [[made]] = shelf.pieces.values()
    raw = bytearray(made.index.read_bytes())
    raw[-8:-4], raw[-4:] = raw[-4:], raw[-8:-4]  # each id leads to the other's row
    made.index.write_bytes(raw)
    with pytest.raises(DamagedSegmentError, match=r"row . is round R-., not R-1"):
        find_round(shelf.segments, "R-1")
    made.index.write_bytes(raw[:-1])
    with pytest.raises(DamagedSegmentError, match=made.index.name):
        find_round(shelf.segments, "R-1")


@pytest.mark.parametrize("text", [b"{", b"{}", b'{"table":"T1","last":"{}","rejected_after":true}'])
def test_damaged_tails_are_named_with_the_line(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "x.tails").write_bytes(text + b"\n")
    with pytest.raises(DamagedSegmentError, match=r"x\.tails is damaged.*line 1"):
        read_tails(tmp_path / "x.tails")
