"""The filter over columns returns the same lines as the filter line by line, byte for byte."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from games.commands import settle
from tests.games.columns.test_run import as_log, log

if TYPE_CHECKING:
    from pathlib import Path


def answers(
    arguments: list[str],
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
    *,
    columns: bool,
) -> tuple[int, bytes]:
    monkeypatch.setattr(settle, "worth_it", lambda _logs: columns)
    status = settle.run(arguments)
    return status, capfdbinary.readouterr().out


@pytest.mark.parametrize("logs", [1, 2])
def test_the_filter_over_columns_gives_the_same_lines(
    logs: int, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    chance = random.Random(logs)
    paths = []
    for number in range(logs):
        path = tmp_path / f"näght {number}.jsonl"
        path.write_bytes(as_log(log(30 + number, 0.2), chance, broken=0.02))
        paths.append(str(path))
    plain = answers(paths, capfdbinary, monkeypatch, columns=False)
    fast = answers(paths, capfdbinary, monkeypatch, columns=True)
    assert fast == plain
    assert plain[1].count(b"\n") == 1000 * logs
    assert b'"status":"ok"' in plain[1]
