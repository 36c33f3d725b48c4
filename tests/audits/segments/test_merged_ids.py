"""Merged indexes name each segment that has an ID, from only the blocks that may have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from audits.intake.segments import merged_ids
from audits.intake.segments.merged_ids import MergedIndex, write_merged
from audits.intake.segments.rejections import DamagedSegmentError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

KEY = b"key of the seals"

Parts = list[tuple["NDArray[np.uint64]", int]]


def parts_of(segments: range, rounds: int, seed: int = 1) -> Parts:
    chance = np.random.default_rng(seed)
    return [(np.sort(chance.integers(0, 2**64, rounds, dtype=np.uint64)), key) for key in segments]


def made(path: Path, parts: Parts, *merged: MergedIndex) -> MergedIndex:
    write_merged(path, KEY, parts, merged)
    return MergedIndex.open(path, KEY)


def with_words(parts: Parts, words: NDArray[np.uint64]) -> list[int]:
    """Return the segments with one of these words, by looking at all of them."""
    wanted = set(words.tolist())
    return [key for ids, key in parts if wanted & set(ids.tolist())]


def some_words(parts: Parts, seed: int) -> NDArray[np.uint64]:
    """Return a few words that are on file, and a few that are not."""
    chance = np.random.default_rng(seed)
    known = [chance.choice(ids) for ids, _ in parts[:: chance.integers(1, 9)]]
    others = chance.integers(0, 2**64, 5, dtype=np.uint64)
    return np.unique(np.concatenate([np.array(known, np.uint64), others]))


@pytest.mark.parametrize("seed", range(5))
def test_lookup_names_the_segments_with_the_words(tmp_path, seed):
    parts = parts_of(range(100, 160), 300, seed)
    words = some_words(parts, seed)
    assert made(tmp_path / "ids", parts).find(words).tolist() == with_words(parts, words)


def test_word_in_many_segments_names_all_of_them(tmp_path):
    # 3 blocks of the same word, and a word on each side of them
    same = [(np.full(10, 7, np.uint64), key) for key in range(1, 600)]
    edges: Parts = [(np.array([6, 2**64 - 1], np.uint64), 600)]
    index = made(tmp_path / "ids", [*same, *edges])
    assert index.find(np.array([7], np.uint64)).tolist() == list(range(1, 600))
    assert index.find(np.array([6], np.uint64)).tolist() == [600]
    assert index.find(np.array([2**64 - 1], np.uint64)).tolist() == [600]
    assert index.find(np.array([5, 8], np.uint64)).tolist() == []


def test_merged_index_answers_as_single_ones_do(tmp_path, monkeypatch):
    monkeypatch.setattr(merged_ids, "MERGED_AT_ONCE", 1_000)  # in several portions
    old, new = parts_of(range(1, 40), 200), parts_of(range(40, 45), 500, seed=2)
    empty: Parts = [(np.empty(0, np.uint64), -45)]
    single = [made(tmp_path / "old", old), made(tmp_path / "new", [*new, *empty])]
    together = made(tmp_path / "all", [], *single)
    at_once = made(tmp_path / "once", [*old, *new, *empty])
    words = some_words([*old, *new], 3)
    assert together.find(words).tolist() == with_words([*old, *new], words)
    assert together.path.read_bytes() == at_once.path.read_bytes()
    assert together.segments.tolist() == [*range(1, 45), -45]


def test_damage_is_found_in_the_block_that_has_it(tmp_path):
    parts = parts_of(range(50), 200)
    index = made(tmp_path / "ids", parts)
    content = bytearray(index.path.read_bytes())
    content[-merged_ids.SEAL - 3] ^= 1
    index.path.write_bytes(content)
    ids = np.sort(np.concatenate([ids for ids, _ in parts]))
    assert len(index.find(ids[:1])) == 1
    with pytest.raises(DamagedSegmentError, match="block 4 is not as it was written"):
        index.find(ids[-1:])


def test_index_under_another_key_is_refused(tmp_path):
    index = made(tmp_path / "ids", parts_of(range(2), 10))
    with pytest.raises(DamagedSegmentError, match="head"):
        MergedIndex.open(index.path, b"key of other segments")
