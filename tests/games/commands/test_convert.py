"""`python -m games convert`: logs to Parquet and back, from the outside."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import orjson
import pytest

from games.commands.convert import run
from games.log.form import read_line
from tests.bench.simulated import GAMES, rounds

if TYPE_CHECKING:
    from pathlib import Path

PLACE = {"table": "T1", "at": "2026-11-17T20:15:03-08:00"}


def log(tmp_path: Path, *more: bytes) -> list[bytes]:
    """Return a log of all games; some lines are invalid, some rounds odd."""
    lines = [
        orjson.dumps({**line, **PLACE, "round": f"R-{place}", **({"x_": 1} if place == 3 else {})})
        for game in GAMES
        for place, line in enumerate(rounds(game, 20, 1))
    ]
    lines += more
    (tmp_path / "night.jsonl").write_bytes(b"\n".join(lines))
    return lines


def test_log_becomes_a_file_per_game_and_is_restored(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = log(tmp_path)
    assert run([str(tmp_path / "night.jsonl"), "--to", str(tmp_path / "columns")]) == 0
    files = sorted((tmp_path / "columns").iterdir())
    assert [file.name for file in files] == sorted(f"night.{game}.parquet" for game in GAMES)
    assert capfdbinary.readouterr().out.count(b": 20 rounds\n") == len(GAMES)
    assert run(list(map(str, files))) == 0
    back = capfdbinary.readouterr().out.splitlines()
    assert sorted(map(repr, map(read_line, back))) == sorted(map(repr, map(read_line, lines)))


def test_rejected_lines_are_named_and_others_converted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log(tmp_path, b'{"v":3}', b"", b"{}")
    assert run([str(tmp_path / "night.jsonl"), "--to", str(tmp_path)]) == 1
    output = capfd.readouterr()
    assert "night.jsonl, line 101, `v`:" in output.err
    assert "line 102: the line is empty" in output.err
    assert "line 103, `v`:" in output.err
    assert output.out.count("20 rounds") == len(GAMES)


def test_unreadable_log_leaves_whole_files_or_none(tmp_path: Path) -> None:
    (tmp_path / "columns").mkdir()
    (tmp_path / "columns" / "night.showdown.parquet.part").mkdir()
    log(tmp_path)
    assert run([str(tmp_path / "night.jsonl"), "--to", str(tmp_path / "columns")]) == 2
    assert [path.name for path in (tmp_path / "columns").iterdir()] == [
        "night.showdown.parquet.part"
    ]


@pytest.mark.parametrize(
    "arguments", [["no.jsonl", "--to", "."], ["LOG"], ["a.parquet", "--to", "."]]
)
def test_unacceptable_call_is_rejected_with_sentence(
    arguments: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    named = {"LOG": str(tmp_path / "night.jsonl"), "a.parquet": str(tmp_path / "a.parquet")}
    assert run([named.get(word, word) for word in arguments]) == 2
    assert capfd.readouterr().err.startswith("games: ")


def test_a_file_that_is_no_parquet_is_refused_by_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    assert run([str(tmp_path / "a.parquet")]) == 2
    assert "a.parquet cannot be converted" in capfd.readouterr().err


def test_compile_says_where_the_kernels_are_kept() -> None:
    converted = subprocess.run(
        [sys.executable, "-m", "games", "compile"], check=True, capture_output=True, text=True
    )
    assert converted.stdout.startswith("The kernels are kept in ")


def test_kernels_run_where_no_cache_can_be_kept(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("no folder")
    environment = {**os.environ, "KERNEL_CACHE": str(tmp_path / "file" / "kernels")}
    converted = subprocess.run(
        [sys.executable, "-m", "games", "compile"],
        check=False, capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert (converted.returncode, converted.stdout) == (2, "")
    assert converted.stderr.startswith("games: the kernels cannot be kept in ")
    code = (
        "from games.kernel import compiled;from games.cards import rank;print(compiled(rank)(51))"
    )
    converted = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    )
    assert converted.stdout == "12\n"
