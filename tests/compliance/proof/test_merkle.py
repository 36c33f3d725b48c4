import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from compliance.event_log import proof as merkle
from compliance.event_log.verifier import (
    BrokenError,
    Frontier,
    check_consistency,
    leaf_hash,
    root_from_inclusion,
)
from tests.compliance.proof import naive
from tests.compliance.proof.naive import NaiveTiles

# The test data published with the reference implementation of Certificate Transparency: leaves,
# and the root after each of them.
PUBLISHED_LEAVES = [
    b"",
    bytes.fromhex("00"),
    bytes.fromhex("10"),
    bytes.fromhex("2021"),
    bytes.fromhex("3031"),
    bytes.fromhex("40414243"),
    bytes.fromhex("5051525354555657"),
    bytes.fromhex("606162636465666768696a6b6c6d6e6f"),
]
PUBLISHED_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def grown(data: list[bytes]) -> Frontier:
    frontier = Frontier()
    for item in data:
        frontier.append(leaf_hash(item))
    return frontier


def some_data(size: int) -> list[bytes]:
    return [b"event %d" % number for number in range(size)]


@pytest.mark.parametrize("size", range(9))
def test_roots_match_certificate_transparency(size):
    assert grown(PUBLISHED_LEAVES[:size]).root().hex() == PUBLISHED_ROOTS[size]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 255, 256, 257, 1000])
def test_roots_are_those_of_an_independent_implementation(size):
    other = InmemoryTree(algorithm="sha256")
    for item in some_data(size):
        other.append_entry(item)
    assert grown(some_data(size)).root() == other.get_root()


@given(st.lists(st.binary(max_size=40), max_size=70))
def test_a_tree_that_grows_has_the_root_the_rfc_defines(data):
    assert grown(data).root() == naive.root(data)
    assert merkle.root(len(data), NaiveTiles(data)) == naive.root(data)


def test_a_leaf_completes_just_the_subtrees_that_end_with_it():
    data = some_data(16)
    frontier = Frontier()
    for size, item in enumerate(data, start=1):
        completed = frontier.append(leaf_hash(item))
        widths = [1 << height for height in range(6) if size % (1 << height) == 0]
        assert completed == [naive.root(data[size - width : size]) for width in widths]


@pytest.mark.parametrize("size", range(1, 34))
def test_inclusion_paths_match_the_rfc(size):
    data = some_data(size)
    for index in range(size):
        path = merkle.inclusion_path(index, size, NaiveTiles(data))
        assert path == naive.inclusion(index, data)
        found = root_from_inclusion(leaf_hash(data[index]), index, size, path)
        assert found == naive.root(data)


@pytest.mark.parametrize("new", range(1, 34))
def test_every_consistency_path_matches_the_rfc(new):
    data = some_data(new)
    for old in range(1, new + 1):
        path = merkle.consistency_path(old, new, NaiveTiles(data))
        assert path == naive.consistency(old, data)
        check_consistency(old, naive.root(data[:old]), new, naive.root(data), path)


@pytest.mark.parametrize(("index", "size"), [(0, 600), (255, 600), (256, 600), (599, 600)])
def test_paths_over_several_tiles_are_those_of_the_rfc(index, size):
    data = some_data(size)
    tiles = NaiveTiles(data)
    assert merkle.inclusion_path(index, size, tiles) == naive.inclusion(index, data)
    old = index + 1
    assert merkle.consistency_path(old, size, tiles) == naive.consistency(old, data)


def test_a_tree_of_three_levels_of_tiles_proves_its_leaves():
    size = 66_000  # one complete tile of height 16, and more
    data = some_data(size)
    levels: list[list[bytes]] = [[], [], []]
    frontier = Frontier()
    for item in data:
        for height, subtree in enumerate(frontier.append(leaf_hash(item))):
            if height % 8 == 0:
                levels[height // 8].append(subtree)

    class Stored:
        def tile(self, level: int, number: int) -> list[bytes]:
            return levels[level][number * 256 : number * 256 + 256]

    for index in (0, 255, 256, 65_535, 65_536, 65_999):
        path = merkle.inclusion_path(index, size, Stored())
        leaf = leaf_hash(data[index])
        assert root_from_inclusion(leaf, index, size, path) == frontier.root()
    old = 65_537
    path = merkle.consistency_path(old, size, Stored())
    check_consistency(old, grown(data[:old]).root(), size, frontier.root(), path)


@given(st.data(), st.integers(2, 40))
def test_a_path_with_anything_changed_is_refused(draw, size):
    data = some_data(size)
    index = draw.draw(st.integers(0, size - 1))
    path = merkle.inclusion_path(index, size, NaiveTiles(data))
    leaf, root = leaf_hash(data[index]), naive.root(data)
    at = draw.draw(st.integers(0, len(path) - 1))
    assert root_from_inclusion(leaf, index, size, [*path[:at], leaf, *path[at + 1 :]]) != root
    for wrong in (path[:-1], [*path, leaf]):
        with pytest.raises(BrokenError):
            root_from_inclusion(leaf, index, size, wrong)
    other = draw.draw(st.integers(0, size - 1).filter(lambda number: number != index))
    with contextlib.suppress(BrokenError):
        assert root_from_inclusion(leaf, other, size, path) != root


@given(st.data(), st.integers(2, 40))
def test_a_tree_that_does_not_continue_another_is_refused(draw, new):
    data = some_data(new)
    old = draw.draw(st.integers(1, new - 1))
    path = merkle.consistency_path(old, new, NaiveTiles(data))
    changed = draw.draw(st.integers(0, old - 1))
    forged = [*data[:changed], b"forged", *data[changed + 1 :]]
    old_root, new_root = naive.root(data[:old]), naive.root(data)
    forged_path = merkle.consistency_path(old, new, NaiveTiles(forged))
    for root, proof in ((naive.root(forged), path), (naive.root(forged), forged_path)):
        with pytest.raises(BrokenError):
            check_consistency(old, old_root, new, root, proof)
    for wrong in (path[:-1], [*path, new_root], []):
        with pytest.raises(BrokenError):
            check_consistency(old, old_root, new, new_root, wrong)


def test_equal_sized_trees_are_consistent_only_if_equal():
    root, other = naive.root([b"a"]), naive.root([b"b"])
    check_consistency(1, root, 1, root, [])
    check_consistency(0, naive.root([]), 1, root, [])
    for arguments in ((1, root, 1, other, []), (1, root, 1, root, [root]), (0, root, 1, root, [])):
        with pytest.raises(BrokenError):
            check_consistency(*arguments)
    with pytest.raises(BrokenError):
        check_consistency(2, root, 1, root, [])


@pytest.mark.parametrize("index", [-1, 3])
def test_a_leaf_outside_the_tree_is_refused(index):
    with pytest.raises(ValueError, match="no leaf"):
        merkle.inclusion_path(index, 3, NaiveTiles(some_data(3)))
    with pytest.raises(BrokenError, match="no leaf"):
        root_from_inclusion(b"", index, 3, [])


def test_a_tree_cannot_shrink():
    with pytest.raises(ValueError, match="does not continue"):
        merkle.consistency_path(3, 2, NaiveTiles(some_data(3)))
