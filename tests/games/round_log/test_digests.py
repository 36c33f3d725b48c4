"""A round is digested as parsed: one digest for every spelling, another for another round."""

from __future__ import annotations

import hashlib
import io
import random

import numpy as np
import orjson
import pytest

from games.log.digests import digest_all, digest_of, digests_of, messages_of
from games.log.form import line_of, read_line
from games.log.gather import columns_of
from games.log.reader import ColumnReader
from games.log.round import Round
from tests.bench.simulated import GAMES, PLACE, rounds
from tests.games.round_log.logs import decorate, spelled


def test_digests_match_hashlib_for_every_length() -> None:
    raw = random.Random(1).randbytes(400)
    data = np.frombuffer(raw, np.uint8).copy()
    stop = np.arange(len(raw) + 1)
    digests = np.empty((len(stop), 4), np.uint64)
    digest_all(data, np.zeros(len(stop), np.int64), stop, 4, digests)
    for length in stop.tolist():
        expected = hashlib.blake2b(raw[:length], digest_size=32).digest()
        assert digests[length].tobytes() == expected


@pytest.mark.parametrize("game", GAMES)
def test_round_digest_is_unique_and_same_for_both_readers(
    game: str,
) -> None:
    chance = random.Random(game)
    lines = [spelled(decorate(line, chance), chance) for line in rounds(game, 200, 4)]
    met: dict[bytes, Round] = {}
    for line in lines:
        read = read_line(line)
        if isinstance(read, Round):
            assert met.setdefault(digest_of(read), read) == read
            again = read_line(line_of(read))
            assert isinstance(again, Round)
            assert digest_of(again) == digest_of(read)
    for block in ColumnReader(io.BytesIO(b"\n".join(lines))).blocks():
        for columns in block.columns:
            for played, digest in zip(columns.to_rounds(), digests_of(columns), strict=True):
                assert met[digest.tobytes()] == played


def test_different_rounds_have_different_messages() -> None:
    [dealt] = rounds("pyramid-poker", 1, 1)
    dealt |= PLACE
    changes: list[dict[str, object]] = [
        {}, {"decks": 1}, {"shuffler": True}, {"deck": ""}, {"deck": "a"}, {"from": PLACE["at"]},
        {"round": "R-2"}, {"table": "T11"}, {"from": "1970-01-01T00:00:00Z"},
    ]  # fmt: skip
    read = [read_line(orjson.dumps({**dealt, **change})) for change in changes]
    played = [one for one in read if isinstance(one, Round)]
    messages = list(messages_of(columns_of("pyramid-poker", played)))
    assert len(set(messages)) == len(changes)


@pytest.mark.parametrize("at", ["9999-12-31T23:30:00-02:00", "0001-01-01T00:30:00+14:00"])
def test_time_outside_utc_calendar_is_written_as_a_line(at: str) -> None:
    [dealt] = rounds("chinese-poker", 1, 1)
    read = read_line(orjson.dumps({**dealt, **PLACE, "at": at}))
    assert isinstance(read, Round)
    assert read_line(line_of(read)) == read
