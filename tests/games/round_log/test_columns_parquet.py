"""Rounds to Parquet and back, and as lines again: the same rounds, odd ones included."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from games.log.columns import Texts
from games.log.form import Rejection, line_of, read_line, read_written
from games.log.parquet import ColumnWriter, read_groups, to_table
from games.log.reader import ColumnReader
from games.log.round import Round
from tests.bench.simulated import GAMES
from tests.games.round_log.logs import deal, decorate, spelled
from tests.games.rounds.emptied import emptied_batch

if TYPE_CHECKING:
    from pathlib import Path


def log_of(game: str, count: int) -> list[bytes]:
    chance = random.Random(game)
    dealt = deal(9)[game]
    lines = [spelled(decorate(chance.choice(dealt), chance), chance) for _ in range(count)]
    return [line for line in lines if isinstance(read_line(line), Round)]


def write(path: Path, game: str, log: bytes) -> None:
    writer = ColumnWriter(path, game)
    for block in ColumnReader(io.BytesIO(log)).blocks():
        odd = [
            (line, read_line(text), text)
            for line, text in block.odd
            if not isinstance(text, Rejection)
        ]
        columns = block.columns[0] if block.columns else None
        writer.write(to_table(game, columns, odd))  # type: ignore[arg-type]
    writer.close()


@pytest.mark.parametrize("game", GAMES)
def test_rounds_come_out_of_parquet_as_they_went_in(game: str, tmp_path: Path) -> None:
    lines = log_of(game, 600)
    write(tmp_path / "rounds.parquet", game, b"\n".join(lines))
    found: dict[int, object] = {}
    odd = 0
    for group in read_groups(tmp_path / "rounds.parquet"):
        columns = group.columns
        found |= dict(zip(columns.lines.tolist(), columns.to_rounds(), strict=True))
        found |= {line: read_line(text) for line, text in group.odd}
        odd += len(group.odd)
    assert [found[line] for line in sorted(found)] == [read_line(line) for line in lines]
    assert 0 < odd < len(lines) / 3


@pytest.mark.parametrize("game", GAMES)
def test_empty_hand_is_written_and_read_again(game: str) -> None:
    for line in emptied_batch(game).lines:
        read = read_line(line[:-1])
        assert isinstance(read, Round), read
        assert read_line(line_of(read)) == read


def test_rows_are_grouped_by_128_k_whatever_the_blocks(tmp_path: Path) -> None:
    line = orjson.dumps(
        {**deal(1)["chinese-poker"][0], "round": "a", "table": "b", "at": "2026-11-17T20:15:03Z"}
    )
    count = 2 * 128 * 1024 + 5
    write(tmp_path / "rounds.parquet", "chinese-poker", (line + b"\n") * count)
    with pq.ParquetFile(tmp_path / "rounds.parquet") as file:
        groups = [file.metadata.row_group(group) for group in range(file.num_row_groups)]
        assert [group.num_rows for group in groups] == [128 * 1024, 128 * 1024, 5]
        assert {groups[0].column(0).compression} == {"LZ4"}
    assert sum(len(group.columns) for group in read_groups(tmp_path / "rounds.parquet")) == count


def test_players_beyond_a_dictionary_survive_parquet(
    tmp_path: Path,
) -> None:
    """Parquet's writer ends a dictionary at a mebibyte and writes later texts in full."""
    line = {**deal(1)["chinese-poker"][0], "table": "b", "at": "2026-11-17T20:15:03Z"}
    first, second, *others = line["seats"]
    log, players = [], []
    for number in range(40_000):
        one = f"player-{number:040d}" if number % 5 else f"player-{number % 7}"
        seats = [{**first, "player": one}, {**second, "player": "always-the-same"}, *others]
        log.append(orjson.dumps({**line, "round": f"r-{number}", "seats": seats}))
        players += [one, "always-the-same", *(seat["player"] for seat in others)]
    write(tmp_path / "rounds.parquet", "chinese-poker", b"\n".join(log))
    (group,) = read_groups(tmp_path / "rounds.parquet")
    texts = group.columns.seats.texts["player"]
    assert [texts[seat] for seat in range(len(texts))] == players


def test_absent_text_is_none_whatever_replaces_it() -> None:
    words = pa.array(["one", "two"])
    codes = pa.Array.from_buffers(
        pa.int32(), 4, [pa.py_buffer(b"\x0d"), pa.py_buffer(np.array([1, 99, 0, 1], np.int32))]
    )
    texts = Texts.of_arrow(pa.DictionaryArray.from_arrays(codes, words, safe=False).slice(1))
    assert [texts[row] for row in range(len(texts))] == [None, "one", "two"]


def test_parquet_of_something_else_is_refused_by_name(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(ValueError, match=r"other\.parquet is Parquet, but not of rounds"):
        list(read_groups(tmp_path / "other.parquet"))


@pytest.mark.parametrize("game", GAMES)
def test_a_round_written_as_a_line_again_is_the_same_round(game: str) -> None:
    for line in log_of(game, 300):
        played = read_line(line)
        assert isinstance(played, Round)
        assert read_line(line_of(played)) == played


@pytest.mark.parametrize("game", GAMES)
def test_void_round_reads_back_as_the_form_reads_it(game: str) -> None:
    lines = [*log_of(game, 600), *(line[:-1] for line in emptied_batch(game).lines)]
    lines += [
        orjson.dumps({**orjson.loads(lines[0]), "at": at, "void": void})
        for at in ("0001-01-01T00:30:00+14:00", "9999-12-31T23:30:00.000001-02:00")
        for void in ("", 'an "odd" reason')
    ]
    void = [read for read in map(read_line, lines) if isinstance(read, Round) and not read.played]
    assert len(void) > 10
    assert [read_written(line_of(read)) for read in void] == void
