"""The fast path from text accepts plain lines of regular rounds like the scalar parser."""

from __future__ import annotations

import gzip
import io
import json
import random
from typing import TYPE_CHECKING

import orjson
import pytest
import zstandard

from games.log.form import LONGEST_LINE, Rejection, read_line
from games.log.gather import Gatherer, columns_of
from games.log.lines import read_rounds
from games.log.reader import BLOCK, ColumnReader
from games.log.round import Round
from tests.bench.simulated import GAMES, rounds
from tests.games.round_log.logs import damaged, deal, decorate, read, spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PLAIN = {"round": "T1-1", "table": "T1", "at": "2026-11-17T20:15:03-08:00"}


def hostile_lines(seed: int, count: int) -> Iterator[bytes]:
    chance = random.Random(seed)
    dealt = deal(seed)
    for _ in range(count):
        line = spelled(decorate(chance.choice(dealt[chance.choice([*dealt])]), chance), chance)
        yield damaged(line, chance) if chance.random() < 0.7 else line


def compare(lines: list[bytes], log: bytes) -> int:
    """Check that every line is parsed like the scalar parser does, or left to it unchanged."""
    accepted, odd = read(log)
    for number, line in enumerate(lines, 1):
        if number in accepted:
            assert accepted[number] == read_line(line)
            assert number not in odd
        else:
            assert odd[number] == line.removesuffix(b"\r")
    assert len(accepted) + len(odd) == len(lines)
    return len(accepted)


def same_as_scalar(log: bytes) -> tuple[int, list[Round | Rejection]]:
    """Parse the whole log both ways; return how many rounds took the fast path, and all lines."""
    accepted, odd = read(log)
    mine: dict[int, Round | Rejection] = {
        **accepted,
        **{n: line if isinstance(line, Rejection) else read_line(line) for n, line in odd.items()},
    }
    whole = list(read_rounds(io.BytesIO(log)))
    assert [mine[number] for number in sorted(mine)] == whole
    assert sorted(mine) == list(range(1, len(whole) + 1))
    return len(accepted), whole


@pytest.mark.parametrize("seed", range(3))
def test_damaged_lines_match_the_scalar_reader(seed: int) -> None:
    lines = list(hostile_lines(seed, 1500))
    chance = random.Random(seed)
    log = b"".join(line + chance.choice([b"\n", b"\r\n"]) for line in lines)
    assert compare(lines, log) > 150
    assert compare(lines, log[:-1]) > 150


def lines_of_a_shape(game: str, seed: int, count: int) -> list[bytes]:
    """Return lines as one program writes them, a fifth of them damaged."""
    chance = random.Random(seed)
    spaced = chance.random() < 0.3
    dealt = list(rounds(game, 40, seed))
    lines = []
    for _ in range(count):
        whole = {**chance.choice(dealt), **PLAIN, "decks": chance.choice([6, 100])}
        if seed % 2:
            whole["x_shift"] = chance.choice([0, "day", None, False])
            whole["seats"] = [{**place, "x_a": -5} for place in whole["seats"]]
        line = json.dumps(whole).encode() if spaced else orjson.dumps(whole)
        lines.append(damaged(line, chance) if chance.random() < 0.2 else line)
    return lines


@pytest.mark.parametrize("game", GAMES)
def test_damaged_line_is_read_as_by_scalar_reader(
    game: str,
) -> None:
    for seed in range(3):
        lines = lines_of_a_shape(game, seed, 300)
        assert compare(lines, b"\n".join(lines)) > 200


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_many_damaged_lines_among_lines_of_their_shape(game: str) -> None:
    for seed in range(10, 40):
        lines = lines_of_a_shape(game, seed, 1000)
        compare(lines, b"\n".join(lines))


@pytest.mark.deep
def test_hundred_thousand_damaged_lines_match_scalar_reader() -> None:
    for seed in range(100, 200):
        lines = list(hostile_lines(seed, 1000))
        compare(lines, b"\n".join(lines))
        same_as_scalar(b"\n".join(lines))


@pytest.mark.parametrize("game", GAMES)
def test_changed_bytes_of_a_line_agree_in_both_readers(game: str) -> None:
    line = orjson.dumps({**next(rounds(game, 1, 7)), **PLAIN})
    lines = [
        line[:place] + bytes([byte]) + line[place + 1 :]
        for place in range(min(len(line), 600))
        for byte in (b'"'[0], b"0"[0], b" "[0], b"A"[0])
    ]
    compare(lines, b"\n".join(lines))


@pytest.mark.parametrize("game", GAMES)
def test_line_cut_anywhere_is_never_accepted(game: str) -> None:
    line = orjson.dumps({**next(rounds(game, 1, 7)), **PLAIN})
    lines = [line[:end] for end in range(1, len(line))]
    assert compare(lines, b"\n".join(lines)) == 0


@pytest.mark.parametrize("game", GAMES)
def test_line_without_a_key_ignores_earlier_memory(game: str) -> None:
    whole = {**next(iter(rounds(game, 1, 7))), **PLAIN}
    seat = whole["seats"][0]
    lines = [{key: whole[key] for key in whole if key != left_out} for left_out in whole]
    lines += [
        {**whole, "seats": [{key: seat[key] for key in seat if key != left_out}]}
        for left_out in seat
    ]
    for line in map(orjson.dumps, lines):
        reader = ColumnReader(io.BytesIO(line), 1 << 14)
        parser = reader._parser(game)
        parser._words.fill(1 << 40)
        parser._cards.fill(0xA5)
        (block,) = reader.blocks()
        accepted = [columns.round(0) for columns in block.columns]
        assert accepted in ([], [read_line(line)])
        assert block.odd == (() if accepted else ((1, line),))


@pytest.mark.parametrize("game", GAMES)
def test_plain_lines_take_the_fast_path(game: str) -> None:
    lines = [orjson.dumps({**line, **PLAIN}) for line in rounds(game, 200, 3)]
    assert compare(lines, b"\n".join(lines)) == len(lines)


def test_the_games_of_one_log_may_be_mixed() -> None:
    dealt = [list(rounds(game, 50, 5)) for game in GAMES]
    lines = [
        orjson.dumps({**line, **PLAIN}) for batch in zip(*dealt, strict=True) for line in batch
    ]
    assert compare(lines, b"\n".join(lines)) == len(lines)


def test_a_log_of_several_blocks_is_read_without_a_seam() -> None:
    lines = [orjson.dumps({**line, **PLAIN}) for line in rounds("pyramid-poker", 500, 5)] * 30
    log = b"\r\n".join(lines)
    assert len(log) > 2 * BLOCK
    accepted = 0
    for block in ColumnReader(Dribble(log)).blocks():
        assert block.first_line == accepted + 1
        accepted += sum(len(columns) for columns in block.columns)
    assert accepted == len(lines)


class Dribble(io.BytesIO):
    """A source that returns less than requested, as pipes do."""

    def read1(self, size: int | None = -1) -> bytes:
        return super().read1(1 + (size or 0) * 2 // 3)


@pytest.mark.parametrize("length", [LONGEST_LINE, LONGEST_LINE + 1, BLOCK - 1, BLOCK, 3 * BLOCK])
def test_overlong_line_is_rejected_and_next_is_read(length: int) -> None:
    good = orjson.dumps({**next(rounds("pyramid-poker", 1, 7)), **PLAIN})
    long = good[:-1] + b" " * (length - len(good)) + b"}"
    for end in (b"", b"\n", b"\r\n"):
        accepted, whole = same_as_scalar(b"\r\n".join([good, long, good, long]) + end)
        assert accepted == (4 if length == LONGEST_LINE else 2)
        assert isinstance(whole[3], Rejection) == (length > LONGEST_LINE)


@pytest.mark.parametrize(
    "pack", [gzip.compress, zstandard.ZstdCompressor().compress], ids=["gzip", "zstd"]
)
def test_compressed_log_that_breaks_off_ends_with_rejection(
    pack: Callable[[bytes], bytes],
) -> None:
    lines = [orjson.dumps({**line, **PLAIN}) for line in rounds("pick-2-poker", 300, 5)] * 2
    packed = pack(b"\n".join(lines))
    assert same_as_scalar(packed)[0] == len(lines)
    for end in (len(packed) - 1, len(packed) // 2, 20, 3):
        _, whole = same_as_scalar(packed[:end])
        assert isinstance(whole[-1], Rejection)


def test_an_empty_log_has_no_lines() -> None:
    assert same_as_scalar(b"") == (0, [])
    assert same_as_scalar(b"\n")[0] == 0
    assert read(b"\n") == ({}, {1: b""})


def test_rounds_come_out_of_the_columns_as_they_went_in() -> None:
    regular = 0
    for line in hostile_lines(11, 1500):
        played = read_line(line)
        if isinstance(played, Round):
            gatherer = Gatherer(played.game)
            if gatherer.add(played):
                assert gatherer.columns().to_rounds() == [played]
                regular += 1
            else:
                assert len(gatherer.columns()) == 0
    assert regular > 300


def test_irregular_round_leaves_no_trace() -> None:
    good = read_line(orjson.dumps({**next(rounds("showdown", 1, 7)), **PLAIN}))
    void = read_line(orjson.dumps({**next(rounds("showdown", 1, 8)), **PLAIN, "void": ""}))
    assert isinstance(good, Round)
    assert isinstance(void, Round)
    gatherer = Gatherer("showdown")
    assert [gatherer.add(good), gatherer.add(void), gatherer.add(good)] == [True, False, True]
    assert gatherer.columns().to_rounds() == [good, good]
    with pytest.raises(ValueError, match="does not fit"):
        columns_of("showdown", [good, void])
